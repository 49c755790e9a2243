/* What several rules ask of hosts, and of what the cluster file says about them. Units: bit/s,
   seconds, bytes. */
#ifndef TOURNEY_DOCTOR_NETWORK_H
#define TOURNEY_DOCTOR_NETWORK_H

#include "facts.h"

/* What the file says of the way from one host to another; known: both are in it. */
struct doctor_path {
  double bps, seconds;
  uint32_t trunks;
  bool known;
};
struct doctor_path doctor_path_of(const struct doctor_facts *facts, uint32_t from, uint32_t to);

/* The bytes that TCP must have under way to fill the longest path of a host, by what was measured
   and the cluster file; 0 where neither says. */
double doctor_bytes_under_way(const struct doctor_facts *facts, uint32_t host);
/* A host's port; NULL: the file doesn't have it. */
const struct tny_link *doctor_port_of(const struct doctor_facts *facts, uint32_t host);
/* The rate of a host's port by the file; 0 where it isn't known. */
double doctor_port_rate(const struct doctor_facts *facts, uint32_t host);
/* Hosts on the machine that this host is on, by its boot id; and the processors of that machine. */
uint32_t doctor_hosts_on_machine(const struct doctor_facts *facts, uint32_t host,
                                 double *processors);
/* Processors that a host's ranks have: the least of those allowed and a cgroup's limit. */
double doctor_processors_for(const struct doctor_host *host);

#endif
