/* The network of a lab as texts for the batch modes of `ip` and `tc`. Only texts are made here, so
   that they can be tested without a kernel.

   Hosts are 10.77.0.0/16, one subnet, so that MPI takes each for a neighbour of each; switches are
   10.76.0.0/16 and only forward. Every next hop has a fixed neighbour entry, so that ARP never asks
   for one. A host's one port is eth0; a switch's k-th port is pK. Units: bits a second, bytes. */
#ifndef TOURNEY_LAB_WIRING_H
#define TOURNEY_LAB_WIRING_H

#include "core/text.h"
#include <tourney/cluster.h>

#define TNY_LAB_SUBNET "10.77.0.0/16"
#define TNY_LAB_HOST_PORT "eth0"
#define TNY_LAB_RELAY_NODE ".relay" /* the relay's network namespace; no node can have this name */
#define TNY_LAB_FAST_BPS 1000000000
#define TNY_LAB_LATENCY_IGNORED_NS 100000 /* A link's latency up to this is left out. */

struct tny_lab_wiring {
  const struct tny_cluster *cluster; /* borrowed */
  const struct tny_routes *routes;   /* borrowed; only tny_lab_wiring_node needs it */
  const char *congestion;            /* of the hosts' TCP */
  const char *netns_directory;       /* has a file for each node, and TNY_LAB_RELAY_NODE */
  bool relayed;                      /* The relay makes the latencies, not the kernel's netem. */
};

/* Checks that the cluster can be a lab. Errors: TNY_REFUSED for names that can't be host names, for
   too many nodes, and for rates that tc can't have. */
enum tny_status tny_lab_wiring_check(const struct tny_cluster *cluster,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* Whether some link has a latency that the lab must make. */
bool tny_lab_wiring_delays(const struct tny_cluster *cluster);
/* Whether some link has TNY_LAB_FAST_BPS or more: then the kernel's work for each packet counts. */
bool tny_lab_wiring_is_fast(const struct tny_cluster *cluster);
/* Whether a cable, of which `link` is one direction, has such a latency. */
bool tny_lab_wiring_is_delayed(const struct tny_cluster *cluster, uint32_t link);

/* Adds what ip must do for `count` cables, from the `first` on. */
void tny_lab_wiring_cables(const struct tny_lab_wiring *wiring, uint32_t first, uint32_t count,
                           struct tny_text *batch);
/* Adds what ip must do within a node: addresses, neighbours and routes. */
void tny_lab_wiring_node(const struct tny_lab_wiring *wiring, uint32_t node,
                         struct tny_text *batch);
/* Adds a host's route to all others, which names the congestion control; none for one without a
   cable. Takes the place of the route that it has. */
void tny_lab_wiring_host_route(const struct tny_cluster *cluster, uint32_t host,
                               const char *congestion, struct tny_text *batch);
/* Adds what tc must do within a node: rates and buffers. */
void tny_lab_wiring_shape(const struct tny_lab_wiring *wiring, uint32_t node,
                          struct tny_text *batch);
/* Adds what ip must do within the relay's namespace: the inner ends of cables come up. */
void tny_lab_wiring_relay(const struct tny_lab_wiring *wiring, struct tny_text *batch);
/* Writes the /etc/hosts of the lab. */
void tny_lab_wiring_hosts_file(const struct tny_cluster *cluster, struct tny_text *text);
/* Writes the name of the port that sends into a link. */
void tny_lab_wiring_port(const struct tny_cluster *cluster, uint32_t link, char port[16]);
/* Writes the name of the inner end, in the relay's namespace, that takes in a link's frames. */
void tny_lab_wiring_inner(uint32_t link, char name[16]);
/* Returns the size of a token bucket, in bytes: what may pass at once. */
uint64_t tny_lab_wiring_burst(const struct tny_link *link);
/* Returns the bytes that a host's TCP may hand to its port as one packet, for the kernel to cut
   later; 0: as many as the kernel likes. On slower links than TNY_LAB_FAST_BPS that is nothing to
   decide: the bucket cuts them. */
uint64_t tny_lab_wiring_packet(const struct tny_link *link);

#endif
