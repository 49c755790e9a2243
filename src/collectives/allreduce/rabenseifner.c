/* All-reduce, Rabenseifner's: recursive halving, then recursive doubling.

   Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
           MPICH", 3.6; the all-gather by recursive doubling, turned round (passes/reverse.c) and
           then as it is
   Needs:  2^k ranks, an operation that commutes
   Shape:  p=4, a quarter of the block each:  0 1 <-> 2 3 exchange halves, then 0 <-> 1, 2 <-> 3
           quarters, and back
   Cost:   2 log2 p rounds; a rank sends 2(p-1)/p blocks, the fewest there are; up to 3 blocks of
           scratch space
   Links:  one message a link and phase on one switch; a trunk carries one for every pair across it
   Prefer: for blocks of middling length on one switch, where p is a power of two */
#include "collectives/list.h"

const struct tny_algorithm tny_allreduce_rabenseifner = {
    .collective = TNY_ALLREDUCE,
    .name = "rabenseifner",
    .source = "thakur2005",
    .summary = "recursive halving, then recursive doubling: 2 log2 p rounds, fewest bytes",
    .needs = "2^k ranks",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.on_all_ranks = true},
    .mirrors = &tny_allgather_recursive_doubling,
};
