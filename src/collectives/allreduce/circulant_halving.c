/* All-reduce, circulant graph with halved skips: a reduce-scatter, then an all-gather.

   Source: Traeff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms" (arXiv
           2410.14234), of which only the abstract was at hand; the all-gather turned round
           (passes/reverse.c) and then as it is
   Needs:  any p, an operation that commutes
   Shape:  p=4, a quarter of the block each, rank 0:  two to 2, then one to 1, and back: one to 3,
           then two to 2
   Cost:   2 ceil(log2 p) phases; a rank sends 2(p-1)/p blocks, the fewest there are. A message that
           goes over the block's end goes in two: parts may differ in length by an element, so that
           each has its place, while the all-gather of this name rotates them. Up to 3 blocks of
           scratch space
   Links:  one or two messages a port and phase; a trunk carries as many for every pair across it
   Prefer: for blocks of middling length on one switch, where p isn't a power of two; else
           rabenseifner, all of whose messages are whole. circulant, a reduce and then a broadcast,
           is another algorithm, whose messages are pieces of the whole block */
#include "collectives/list.h"
#include "collectives/shared/circulant_in_place.h"

const struct tny_algorithm tny_allreduce_circulant_halving = {
    .collective = TNY_ALLREDUCE,
    .name = "circulant-halving",
    .source = "traeff2024b",
    .summary = "circulant graph with p halved as skips, there and back: fewest bytes",
    .needs = "any p",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.on_all_ranks = true},
    .by_name_only = true,
    .mirrors = &tny_circulant_in_place,
};
