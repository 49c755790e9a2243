/* All-reduce, circulant graphs within switches: the reduce to rank 0, then the broadcast.

   Source: Traeff, "Optimal broadcast schedules in logarithmic time with applications to broadcast,
           all-broadcast, reduction and all-reduction" (arXiv 2407.18004), within each switch; the
           chain between switches is ours. First turned round (passes/reverse.c), then as it is
   Needs:  any p, the cluster, an operation that commutes
   Shape:  as reduce switch-circulant has it, and back the same ways
   Cost:   a round a piece, twice; a rank sends about 2 blocks
   Links:  one message a port and phase
   Prefer: where ranks are so many that the rings' parts are short, and for blocks of middling
           length. All ranks get the same bits */
#include "collectives/list.h"

const struct tny_algorithm tny_allreduce_switch_circulant = {
    .collective = TNY_ALLREDUCE,
    .name = "switch-circulant",
    .source = "traeff2024",
    .summary = "reduce to rank 0 within switches by circulant graphs, then the broadcast of pieces",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDITS,
    .commutes = true,
    .same_bits = {.on_all_ranks = true},
    .mirrors = &tny_bcast_switch_circulant,
};
