/* A network from measurements between its hosts: which hosts share a switch, how the switches are
   joined, the rates of cables, the buffers of ports. Who measures is asked through functions, so
   that the same questions can be put to a real network and, in tests, to one that is made up. */
#ifndef TOURNEY_DISCOVER_DISCOVER_H
#define TOURNEY_DISCOVER_DISCOVER_H

#include "discover/found.h"
#include "discover/probes.h"

/* More would take minutes, and the cube of them to find the tree. */
#define TNY_DISCOVER_HOSTS_MAX 2048u

/* At least 2 hosts, at most TNY_DISCOVER_HOSTS_MAX. Owns: *discovery, by tny_discovery_release. */
enum tny_status tny_discover(const struct tny_probes *probes, uint32_t host_count,
                             struct tny_discovery *discovery,
                             struct tny_error *error) TNY_MUST_CHECK;
void tny_discovery_release(struct tny_discovery *discovery);

/* Room for what is found of so many hosts, switches and trunks; all zero. */
enum tny_status tny_discovery_make(struct tny_discovery *discovery, uint32_t host_count,
                                   uint32_t trunk_count, struct tny_error *error) TNY_MUST_CHECK;
/* About how long tny_discover takes. */
double tny_discover_seconds(uint32_t host_count, uint32_t machines);

#endif
