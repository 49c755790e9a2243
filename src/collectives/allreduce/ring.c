/* All-reduce, logical ring: a reduce-scatter, then an all-gather, both round the ring.

   Source: the ring of Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters
           of workstations", 3.1.1: first turned round (passes/reverse.c), then as it is; common
   Needs:  any p, an operation that commutes
   Shape:  p=4, a quarter of the block each:  3 -> 2 -> 1 -> 0 -> 3 three times, then the other way
   Cost:   2(p-1) rounds of p-th parts; a rank sends 2(p-1)/p blocks, the fewest there are
   Links:  one message a link and phase on one switch
   Prefer: for long blocks on one switch, or where ranks are numbered along the switches; else
           switch-ordered-ring. Which part an element is in hangs on the block's length, and with it
           the order in which it is combined */
#include "collectives/list.h"

const struct tny_algorithm tny_allreduce_ring = {
    .collective = TNY_ALLREDUCE,
    .name = "ring",
    .source = "jacunski1999",
    .summary = "logical ring: parts are combined all round, then spread the other way",
    .needs = "any p",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_RECEIVES,
    .commutes = true,
    .same_bits = {.on_all_ranks = true},
    .by_name_only = true,
    .mirrors = &tny_allgather_ring,
};
