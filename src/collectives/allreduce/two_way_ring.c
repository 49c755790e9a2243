/* All-reduce, ring both ways: a reduce-scatter, then an all-gather.

   Source: the ring of Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters
           of workstations", both ways at once (allgather/two_way_ring.c): first turned round
           (passes/reverse.c), then as it is; ours
   Needs:  any p, the cluster, an operation that commutes
   Shape:  sums come to each rank from both sides, half-way round each, and go the same ways back
   Cost:   2(p-1) phases of p-th parts; a rank sends 2(p-1)/p blocks, the fewest there are
   Links:  as the all-gather's where routes there and back are the same
   Prefer: for long blocks on a ring, torus or mesh of hosts that are switches too */
#include "collectives/list.h"

const struct tny_algorithm tny_allreduce_two_way_ring = {
    .collective = TNY_ALLREDUCE,
    .name = "two-way-ring",
    .source = "jacunski1999",
    .summary = "ring through neighbouring switches: sums come from both sides, and go back",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.on_all_ranks = true},
    .by_name_only = true,
    .mirrors = &tny_allgather_two_way_ring,
};
