/* Reduce-scatter, rings whose messages share no link, on any cluster: the all-gather's, turned
   round in time.

   Source: the ring in switch order of Jacunski, Sadayappan, Panda, "All-to-all broadcast on
           switch-based clusters of workstations", carried on to all clusters
           (allgather/contention_free_rings.c); turned round (passes/reverse.c), ours
   Needs:  any p, the cluster, an operation that commutes
   Shape:  p=4, ranks 0 2 on one switch, 1 3 on the other:  3 -> 1 => 2 -> 0 => 3
           (=> crosses the trunk)
   Cost:   p-1 phases for each R pieces of a block, R rings; each rank sends p-1 blocks
   Links:  as the all-gather's where routes there and back are the same
   Prefer: for long blocks on networks with cycles (tori, meshes, irregular ones) */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_scatter_contention_free_rings = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "contention-free-rings",
    .source = "jacunski1999",
    .summary = "rings found so that no two of their messages share a link, turned round",
    .needs = "any p, the cluster",
    .parameter = {.name = "rings", .standard = 0, .least = 1},
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .mirrors = &tny_allgather_contention_free_rings,
};
