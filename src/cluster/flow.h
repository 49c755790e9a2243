/* Largest flow and smallest cut of a directed graph (Dinic). Exact: capacities are integers of 128
   bits, which hold any product of a bandwidth and a count of ranks. */
#ifndef TOURNEY_CLUSTER_FLOW_H
#define TOURNEY_CLUSTER_FLOW_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 tny_wide;

struct tny_flow;

/* NULL where there is no memory. */
struct tny_flow *tny_flow_new(uint32_t node_count, uint32_t arc_room);
void tny_flow_free(struct tny_flow *flow);
/* Adds an arc of capacity 0 and returns its index, counted from 0; there must be room. */
uint32_t tny_flow_add(struct tny_flow *flow, uint32_t from, uint32_t to);
/* To be set for every arc before each run, which uses it up. */
void tny_flow_set(struct tny_flow *flow, uint32_t arc, tny_wide capacity);
/* Capacities must be finite and their sums fit. Cost: nodes^2 * arcs at worst. */
tny_wide tny_flow_run(struct tny_flow *flow, uint32_t source, uint32_t sink);
/* After a run: whether the node is on the source's side of the smallest cut (the smallest side of
   all such). */
bool tny_flow_is_inside(const struct tny_flow *flow, uint32_t node);

#endif
