/* Reduce, pipelined chain through the switches: the broadcast's, turned round in time.

   Source: the chain in switch order of Jacunski, Sadayappan, Panda, "All-to-all broadcast on
           switch-based clusters of workstations"; turned round (passes/reverse.c), ours
   Needs:  any p, any root, the cluster, an operation that commutes
   Shape:  p=4, root 0, ranks 0 1 on one switch, 2 3 on the other:  3 -> 2 => 1 -> 0
           (=> crosses the trunk); each combines what comes with its own and sends it on
   Cost:   p-1 rounds, C-1 more for C chunks; a rank sends one block
   Links:  one message a port and phase; each tree link at most once each way
   Prefer: for long blocks: every port is full in both directions all the time, as no tree's is */
#include "collectives/list.h"

const struct tny_algorithm tny_reduce_switch_ordered_chain = {
    .collective = TNY_REDUCE,
    .name = "switch-ordered-chain",
    .source = "jacunski1999",
    .summary = "pipelined chain through the switches, turned round: each tree link at most once",
    .needs = "any p, any root, the cluster",
    .cut = TNY_CUT_PIPELINED,
    .pacing = TNY_PACE_CREDIT_BATCHES,
    .commutes = true,
    .same_bits = {.for_every_size = true},
    .mirrors = &tny_bcast_switch_ordered_chain,
};
