/* The relay: the process that delays frames where the kernel can't. A cable with a latency then is
   two veth pairs, whose inner ends lie in a network namespace of the relay's own. It reads what
   comes in at one of them and, when the latency is over, sends it at the other. Rates and buffers
   stay with the ports outside, before the relay. Units: bytes, nanoseconds. */
#ifndef TOURNEY_LAB_RELAY_H
#define TOURNEY_LAB_RELAY_H

#include "lab/lab.h"
#include "lab/wiring.h"

#define TNY_LAB_RELAY_COUNTS "in/relay" /* the file of the counts, in a lab's folder */
/* What one relay, on one core, was measured to carry on a link (docs/lab.md). */
#define TNY_LAB_RELAY_BANDWIDTH_MAX 1000000000

/* Checks that a relay can carry the cluster's links with a latency. Errors: TNY_REFUSED. */
enum tny_status tny_lab_relay_check(const struct tny_cluster *cluster,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* Returns the memory for what is under way on the cluster's links with a latency. */
uint64_t tny_lab_relay_bytes(const struct tny_cluster *cluster);

/* Starts the relay and waits until it works. To be called in the keeper, whose pid namespace ends
   the relay with it. It works in the network namespace `netns`, whose interfaces are up, and counts
   in the file `counts`, a struct tny_lab_relay_count for each link. Errors: TNY_SYSTEM. */
enum tny_status tny_lab_relay_start(const struct tny_cluster *cluster, int netns,
                                    const char *counts, pid_t *relay,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
