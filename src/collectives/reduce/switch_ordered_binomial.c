/* Reduce, binomial tree over the ranks in switch order: the broadcast's, turned round in time, so
   that trunks are crossed late and few times.

   Source: the order of Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based
           clusters of workstations", 5.1; turned round (passes/reverse.c)
   Needs:  any p, any root, the cluster, an operation that commutes
   Shape:  p=4, ranks 0 2 on one switch, 1 3 on the other, root 0:  2 -> 0, 3 -> 1, then 1 => 0
           (=> crosses the trunk)
   Cost:   ceil(log2 p) rounds; the root combines as many blocks
   Links:  one message a port and round
   Prefer: for short blocks on several switches, however the ranks are numbered */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_switch_ordered_binomial = {
    .collective = TNY_REDUCE,
    .name = "switch-ordered-binomial",
    .source = "jacunski1999",
    .summary = "binomial tree through the switches in depth-first order, turned round",
    .needs = "any p, any root, the cluster",
    .cut = TNY_CUT_BY_CHUNK,
    .pacing = TNY_PACE_CREDITS,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .mirrors = &tny_bcast_switch_ordered_binomial,
};
