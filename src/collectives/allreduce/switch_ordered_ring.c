/* All-reduce, ring through the switches: a reduce-scatter, then an all-gather, both round the ring.

   Source: the ring of Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters
           of workstations", in switch order: first turned round (passes/reverse.c), then as it
           is; ours
   Needs:  any p, the cluster, an operation that commutes
   Shape:  p=4, ranks 0 2 on one switch, 1 3 on the other:  3 -> 1 => 2 -> 0 => 3 three times, then
           the other way (=> crosses the trunk)
   Cost:   2(p-1) rounds of p-th parts; a rank sends 2(p-1)/p blocks, the fewest there are
   Links:  one message a port and phase; each tree link once each way
   Prefer: for long blocks on a tree of switches. Bits as with ring */
#include "collectives/list.h"

const struct tny_algorithm tny_allreduce_switch_ordered_ring = {
    .collective = TNY_ALLREDUCE,
    .name = "switch-ordered-ring",
    .source = "jacunski1999",
    .summary = "ring through the switches: parts are combined all round, then spread",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.on_all_ranks = true},
    .mirrors = &tny_allgather_switch_ordered_ring,
};
