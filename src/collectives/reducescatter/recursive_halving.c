/* Reduce-scatter, recursive halving: pairs exchange the half of what they hold that the other goes
   on with, and combine.

   Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
           MPICH"; the all-gather by recursive doubling, turned round (passes/reverse.c)
   Needs:  any p, best 2^k; an operation that commutes
   Shape:  p=4:  0 1 <-> 2 3 exchange two blocks each, then 0 <-> 1, 2 <-> 3 one. Where p isn't 2^k,
           of the first 2 (p - 2^k) ranks each even one first gives all it has to the odd one behind
           it, which goes on for both, and gets its result at the end
   Cost:   log2 p rounds, p-1 blocks sent by each rank, where p is 2^k. Else floor(log2 p) + 2
           rounds, and those who go on for two get up to 12/5 p blocks. Up to 3p blocks of scratch
           space
   Links:  one message a link and phase on one switch, of up to p/2 blocks; a trunk carries one for
           every pair across it
   Prefer: for short blocks on one switch, where p is a power of two: fewest rounds and fewest bytes
           at once. For other p circulant-halving has both */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_scatter_recursive_halving = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "recursive-halving",
    .source = "thakur2005",
    .summary = "pairs exchange and combine half of what they hold: about log2 p rounds",
    .needs = "any p, best 2^k",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .mirrors = &tny_allgather_recursive_doubling,
};
