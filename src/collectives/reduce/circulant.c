/* Reduce, circulant graph: the round-optimal broadcast, turned round in time.

   Source: Traeff, "Optimal broadcast schedules in logarithmic time with applications to broadcast,
           all-broadcast, reduction and all-reduction" (arXiv 2407.18004); his reduction is his
           broadcast, turned round (passes/reverse.c)
   Needs:  any p, any root, an operation that commutes
   Shape:  p=5, 1 piece:  in 3 rounds ranks send to those 3, then 2, then 1 before them
   Cost:   ceil(log2 p) + n - 1 rounds for n pieces, the fewest there are; a rank sends one block
   Links:  one message a port and phase on one switch
   Prefer: on one switch, for all but the longest blocks */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_circulant = {
    .collective = TNY_REDUCE,
    .name = "circulant",
    .source = "traeff2024",
    .summary = "round-optimal, turned round: a piece combined every round, along shrinking skips",
    .needs = "any p, any root",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDITS,
    .commutes = true,
    .by_name_only = true,
    .mirrors = &tny_bcast_circulant,
};
