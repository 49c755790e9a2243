/* Who sends to whom in random traffic. How often, and in what packets, is in load.c. */
#ifndef TOURNEY_SIMULATOR_PATTERNS_H
#define TOURNEY_SIMULATOR_PATTERNS_H

#include <tourney/simulate.h>

/* TNY_REFUSED where the cluster has no such traffic. */
enum tny_status tny_traffic_check(const struct tny_cluster *cluster, enum tny_traffic traffic,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* The host that a packet of `from` is for, where the traffic isn't uniform. */
uint32_t tny_traffic_to(const struct tny_cluster *cluster, enum tny_traffic traffic, uint32_t from);

#endif
