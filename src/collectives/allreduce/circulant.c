/* All-reduce, circulant graph: the round-optimal reduce to rank 0, then the broadcast.

   Source: Traeff, "Optimal broadcast schedules in logarithmic time with applications to broadcast,
           all-broadcast, reduction and all-reduction" (arXiv 2407.18004)
   Needs:  any p, an operation that commutes
   Shape:  p=5, 1 piece:  in 3 rounds ranks send to those 3, then 2, then 1 before them, and back
   Cost:   2(ceil(log2 p) + n - 1) rounds for n pieces; a rank sends about 2 blocks
   Links:  one message a port and phase on one switch
   Prefer: on one switch, for blocks of middling length. All ranks get the same bits */
#include "collectives/list.h"

const struct tny_algorithm tny_allreduce_circulant = {
    .collective = TNY_ALLREDUCE,
    .name = "circulant",
    .source = "traeff2024",
    .summary = "round-optimal reduce to rank 0, then the broadcast of its pieces",
    .needs = "any p",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDITS,
    .commutes = true,
    .same_bits = {.on_all_ranks = true},
    .by_name_only = true,
    .mirrors = &tny_bcast_circulant,
};
