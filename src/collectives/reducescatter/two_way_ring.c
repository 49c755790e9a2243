/* Reduce-scatter, ring both ways: the all-gather's, turned round in time.

   Source: the ring of Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters
           of workstations", both ways at once (allgather/two_way_ring.c); turned round
           (passes/reverse.c), ours
   Needs:  any p, the cluster, an operation that commutes
   Shape:  sums come to each rank from both sides, half-way round each
   Cost:   p-1 phases, p-1 blocks sent by each rank
   Links:  as the all-gather's where routes there and back are the same
   Prefer: on a ring, torus or mesh of hosts that are switches too */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_scatter_two_way_ring = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "two-way-ring",
    .source = "jacunski1999",
    .summary = "ring through neighbouring switches, turned round: sums come from both sides",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .by_name_only = true,
    .mirrors = &tny_allgather_two_way_ring,
};
