/* Reduce-scatter, circulant graph: every rank's reduce, all at once, along the same skips.

   Source: Traeff, "Optimal broadcast schedules in logarithmic time with applications to broadcast,
           all-broadcast, reduction and all-reduction" (arXiv 2407.18004), of which only the
           abstract was at hand; the all-gather of this name turned round (passes/reverse.c), as his
           reduction is his broadcast
   Needs:  any p, an operation that commutes
   Shape:  p=3, 1 piece:  each rank sends to the one two before it what it has for that, then to the
           one before it
   Cost:   n-1+ceil(log2 p) rounds for n pieces, with one neighbour each way, of p phases. Each rank
           sends, receives and combines p-1 blocks; up to 3p blocks of scratch space. Blocks may
           differ in size
   Links:  as the all-gather's
   Prefer: on one switch, where a result is far longer than all others together; else
           circulant-halving for short ones, a ring for long ones */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_scatter_circulant = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "circulant",
    .source = "traeff2024",
    .summary = "all reduce at once along shrinking skips: a long result is whole soon",
    .needs = "any p",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .by_name_only = true,
    .mirrors = &tny_allgather_circulant,
};
