/* Reduce-scatter, ring through the switches: the all-gather's, turned round in time.

   Source: the ring in switch order of Jacunski, Sadayappan, Panda, "All-to-all broadcast on
           switch-based clusters of workstations"; turned round (passes/reverse.c), ours
   Needs:  any p, the cluster, an operation that commutes
   Shape:  p=4, ranks 0 2 on one switch, 1 3 on the other:  3 -> 1 => 2 -> 0 => 3
           (=> crosses the trunk)
   Cost:   p-1 rounds, p-1 blocks sent by each rank
   Links:  one message a port and phase; each tree link once each way
   Prefer: for long blocks on a tree of switches */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_scatter_switch_ordered_ring = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "switch-ordered-ring",
    .source = "jacunski1999",
    .summary = "ring through the switches, turned round: each tree link once each way",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .mirrors = &tny_allgather_switch_ordered_ring,
};
