/* All-reduce, pipelined chain through the switches, to rank 0 and back.

   Source: the ring of Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters
           of workstations", as a chain: first turned round (passes/reverse.c), then as it is;
           ours
   Needs:  any p, the cluster, an operation that commutes
   Shape:  p=4, ranks 0 1 on one switch, 2 3 on the other:  3 -> 2 => 1 -> 0, then back
           (=> crosses the trunk)
   Cost:   2(p-1) rounds, C-1 more for C chunks; a rank sends 2 blocks at most
   Links:  one message a port and phase each way; each tree link once each way
   Prefer: where bits must be the same for every size: each element goes through all ranks in the
           same order */
#include "collectives/list.h"

const struct tny_algorithm tny_allreduce_switch_ordered_chain = {
    .collective = TNY_ALLREDUCE,
    .name = "switch-ordered-chain",
    .source = "jacunski1999",
    .summary = "pipelined chain through the switches to rank 0, and back",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDITS,
    .commutes = true,
    .same_bits = {.on_all_ranks = true, .for_every_size = true},
    .by_name_only = true,
    .mirrors = &tny_bcast_switch_ordered_chain,
};
