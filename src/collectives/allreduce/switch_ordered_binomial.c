/* All-reduce, binomial tree over the ranks in switch order: to rank 0, and back.

   Source: the order of Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based
           clusters of workstations", 5.1; first turned round (passes/reverse.c), then as it is
   Needs:  any p, the cluster, an operation that commutes
   Shape:  p=4, ranks 0 2 on one switch, 1 3 on the other:  2 -> 0, 3 -> 1, then 1 => 0, and back
           (=> crosses the trunk)
   Cost:   2 ceil(log2 p) rounds; trunks are crossed few times, once there and back where switches
           have 2^k ranks each
   Links:  one message a port and round
   Prefer: for short blocks on several switches, where recursive doubling has many ranks cross the
           trunks at once. All ranks get the same bits */
#include "collectives/list.h"

const struct tny_algorithm tny_allreduce_switch_ordered_binomial = {
    .collective = TNY_ALLREDUCE,
    .name = "switch-ordered-binomial",
    .source = "jacunski1999",
    .summary = "binomial tree through the switches to rank 0, and back",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDITS,
    .commutes = true,
    .same_bits = {.on_all_ranks = true, .for_every_size = true},
    .mirrors = &tny_bcast_switch_ordered_binomial,
};
