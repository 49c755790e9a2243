/* Reduce-scatter, Trivance: along a ring, each rank gives a third of what it still combines to the
   rank 3^i on and a third to the one as far back, from the shortest distance to the longest.

   Source: Juerss, Addanki, Schmid, "Trivance: latency-optimal allreduce by shortcutting multiport
           networks" (arXiv 2602.17254), the first half of the variant for the most bandwidth, of
           which the abstract and the authors' simulator (github.com/ajuerss/sst-trivance) were at
           hand; the all-gather of this name turned round (passes/reverse.c)
   Needs:  any p, an operation that commutes; the dimensions are as the all-gather's
   Shape:  p=3, rank 0:  what it has of 1 to 1, and what it has of 2 to 2
   Cost:   the sum of ceil(log3 side) phases of one or two messages; each rank sends, receives and
           combines p-1 blocks. Up to 3p blocks of scratch space where sides are 3^k, else more
   Links:  as the all-gather's: a third of all blocks on each link and phase of a ring of 3^k
   Prefer: on rings and tori for short blocks; long ones go by contention-free-rings or
           two-way-ring */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_scatter_trivance = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "trivance",
    .source = "juerss2026b",
    .summary = "a third of what is left each way a step, along rings, the nearest first",
    .needs = "any p",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .by_name_only = true,
    .mirrors = &tny_allgather_trivance,
};
