/* All-reduce, Rabenseifner's: recursive halving, then recursive doubling.

   Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
           MPICH"; the all-gather by recursive doubling, turned round (passes/reverse.c) and
           then as it is
   Needs:  any p, best 2^k; an operation that commutes
   Shape:  p=4, a quarter of the block each:  0 1 <-> 2 3 exchange halves, then 0 <-> 1, 2 <-> 3
           quarters, and back. Where p isn't 2^k, of the first 2 (p - 2^k) ranks each even one first
           gives its block to the odd one behind it, which takes part for both, and gets all at the
           end
   Cost:   2 log2 p rounds, and a rank sends 2(p-1)/p blocks, the fewest there are, where p is 2^k.
           Else 2 floor(log2 p) + 4 phases, and who takes part for two sends up to 17/5 blocks.
           Up to 3 blocks of scratch space
   Links:  one message a link and phase on one switch; a trunk carries one for every pair across it
   Prefer: for blocks of middling length on one switch, where p is a power of two; else
           circulant-halving, whose ranks all send the fewest blocks */
#include "collectives/list.h"

const struct tny_algorithm tny_allreduce_rabenseifner = {
    .collective = TNY_ALLREDUCE,
    .name = "rabenseifner",
    .source = "thakur2005",
    .summary = "recursive halving, then recursive doubling: about 2 log2 p rounds, few bytes",
    .needs = "any p, best 2^k",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.on_all_ranks = true},
    .mirrors = &tny_allgather_recursive_doubling,
};
