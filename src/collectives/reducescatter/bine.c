/* Reduce-scatter, Bine butterfly (binomial negabinary): pairs exchange halves of what they hold,
   the nearer the more.

   Source: De Sensi and others, "Bine trees: enhancing collective operations by optimizing
           communication locality"; the all-gather (allgather/bine.c) turned round
           (passes/reverse.c)
   Needs:  any p, best even; an operation that commutes
   Shape:  p=4, blocks a b c d:  0 bc <-> 1 ad, 2 ad <-> 3 bc, then 0 <-> 3, 1 <-> 2
   Cost:   ceil(log2 p) rounds and p-1 blocks sent by each rank where p is even; where it's odd,
           ceil(log2 (p-1)) + 2 rounds, and the last rank sends all p. 6p blocks of scratch space,
           and three times what the all-gather packs
   Links:  one message a port and round; half of the bytes go between neighbours, a quarter too
   Prefer: for short blocks where ranks in sequence fill switches or hosts. On one switch
           circulant-halving, or recursive-halving where p is 2^k */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_scatter_bine = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "bine",
    .source = "desensi2025",
    .summary = "Bine butterfly, turned round: most bytes go between neighbours",
    .needs = "any p, best even",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .by_name_only = true,
    .mirrors = &tny_allgather_bine,
};
