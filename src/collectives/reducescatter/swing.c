/* Reduce-scatter, Swing: on a torus, pairs exchange halves of what they hold at distances that
   swing between both directions of a dimension; the nearer the more.

   Source: De Sensi and others, "Swing: short-cutting rings for higher bandwidth allreduce", the
           reduce-scatter half of it; the all-gather (allgather/swing.c) turned round
           (passes/reverse.c)
   Needs:  ring or torus, as many ranks on each host; an operation that commutes
   Shape:  p=4, a ring, blocks a b c d:  0 bc <-> 1 ad, 2 ad <-> 3 bc, then 0 <-> 3, 1 <-> 2
   Cost:   as the all-gather: the sum of ceil(log2 side) rounds and p-1 blocks sent by each rank
           where all sides are even; an odd side counts as one less and two rounds more. 6p blocks
           of scratch space, and three times what the all-gather packs
   Links:  one message a port and round; half of the bytes go to neighbours in the first dimension,
           a quarter to those in the second
   Prefer: on rings and tori for short blocks, which pay for rounds. Long ones go by
           contention-free-rings or two-way-ring */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_scatter_swing = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "swing",
    .source = "desensi2024",
    .summary = "Swing on a torus, turned round: most bytes go between neighbours",
    .needs = "ring or torus, as many ranks on each host",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .by_name_only = true,
    .mirrors = &tny_allgather_swing,
};
