/* Reduce, circulant graphs within switches, and a chain between them, or where all hang on one
   switch another such graph: the broadcast's, turned round in time.

   Source: Traeff, "Optimal broadcast schedules in logarithmic time with applications to broadcast,
           all-broadcast, reduction and all-reduction" (arXiv 2407.18004), within each switch; the
           chain between switches is ours. Turned round (passes/reverse.c)
   Needs:  any p, any root, the cluster, an operation that commutes
   Shape:  within each switch pieces are combined along a circulant graph, a piece a round; what a
           switch has goes to the next switch on the way to the root
   Cost:   a round a piece once all is full; a rank sends one block
   Links:  one message a port and phase
   Prefer: where switches have many ranks each, for which a chain takes long to fill */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_switch_circulant = {
    .collective = TNY_REDUCE,
    .name = "switch-circulant",
    .source = "traeff2024",
    .summary =
        "combined within switches by circulant graphs, a piece a round, and from switch to switch",
    .needs = "any p, any root, the cluster",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDITS,
    .commutes = true,
    .mirrors = &tny_bcast_switch_circulant,
};
