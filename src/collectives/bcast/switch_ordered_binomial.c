/* Broadcast, binomial tree over the ranks in switch order, so that its long strides cross trunks
   early and few times.

   Source: the order of Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based
           clusters of workstations", 5.1
   Needs:  any p, any root, the cluster
   Shape:  p=4, ranks 0 2 on one switch, 1 3 on the other, root 0:  0 => 1, then 0 -> 2, 1 -> 3
           (=> crosses the trunk)
   Cost:   ceil(log2 p) rounds; the root sends the message ceil(log2 p) times
   Links:  one message a port and round
   Prefer: for short messages on several switches, however the ranks are numbered; from some ten
           KiB on circulant or switch-circulant sends the message only once */
#include "collectives/list.h"
#include "collectives/trees/tree.h"
#include "planner/position.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_binomial_emit(problem, tny_problem_order(problem), tny_problem_positions(problem), rank,
                    builder);
}

const struct tny_algorithm tny_bcast_switch_ordered_binomial = {
    .collective = TNY_BROADCAST,
    .name = "switch-ordered-binomial",
    .source = "jacunski1999",
    .summary = "binomial tree through the switches in depth-first order",
    .needs = "any p, any root, the cluster",
    .cut = TNY_CUT_BY_CHUNK,
    .pacing = TNY_PACE_CREDITS,
    .claim = tny_binomial_claim,
    .emit = emit,
};
