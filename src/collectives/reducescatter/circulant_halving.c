/* Reduce-scatter, circulant graph with halved skips: each round a rank gives away the half of its
   partial results that others go on with, and combines what comes with the other half.

   Source: Traeff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms" (arXiv
           2410.14234), of which only the abstract was at hand; the all-gather by the same graph,
           turned round (passes/reverse.c)
   Needs:  any p, an operation that commutes
   Shape:  p=4, rank 0:  to 2 what it has of 2 and 3, then to 1 what is combined of 1. With 18 ranks
           messages are of 9, 4, 2, 1 and 1 blocks
   Cost:   ceil(log2 p) rounds; each rank sends, receives and combines p-1 blocks: no fewer of any
           are enough; up to 3p blocks of scratch space
   Links:  one message a link and phase on one switch, the longest of p/2 blocks; a trunk carries
           one for every pair across it
   Prefer: for short blocks on one switch where p isn't a power of two; where it is, they need no
           copies by recursive-halving */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_scatter_circulant_halving = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "circulant-halving",
    .source = "traeff2024b",
    .summary = "circulant graph with p halved as skips: ceil(log2 p) rounds, p-1 blocks",
    .needs = "any p",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .by_name_only = true,
    .mirrors = &tny_allgather_circulant_halving,
};
