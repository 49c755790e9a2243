/* All-reduce, rings whose messages share no link, on any cluster: a reduce-scatter, then an
   all-gather.

   Source: the ring of Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters
           of workstations", carried on to all clusters (allgather/contention_free_rings.c): first
           turned round (passes/reverse.c), then as it is; ours
   Needs:  any p, the cluster, an operation that commutes
   Shape:  p=4, ranks 0 2 on one switch, 1 3 on the other:  3 -> 1 => 2 -> 0 => 3 three times, then
           the other way (=> crosses the trunk)
   Cost:   2(p-1) phases for each R parts, R rings; a rank sends 2(p-1)/p blocks, a few parts more
           where switches are unlike
   Links:  as the all-gather's where routes there and back are the same
   Prefer: for long blocks on networks with cycles (tori, meshes, irregular ones) */
#include "collectives/list.h"

const struct tny_algorithm tny_allreduce_contention_free_rings = {
    .collective = TNY_ALLREDUCE,
    .name = "contention-free-rings",
    .source = "jacunski1999",
    .summary = "rings found so that no two of their messages share a link, there and back",
    .needs = "any p, the cluster",
    .parameter = {.name = "rings", .standard = 0, .least = 1},
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.on_all_ranks = true},
    .mirrors = &tny_allgather_contention_free_rings,
};
