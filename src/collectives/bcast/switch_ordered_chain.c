/* Broadcast, pipelined chain through the switches in depth-first order.

   Source: the order of Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based
           clusters of workstations", 5.1
   Needs:  any p, any root, the cluster
   Shape:  p=4, ranks 0 2 on one switch, 1 3 on the other, root 0:  0 -> 2 => 1 -> 3
           (=> crosses the trunk)
   Cost:   n+p-2 rounds for n chunks; each rank sends the message once
   Links:  on a tree of switches each link carries the message at most once each way: it meets
           the cut bound
   Prefer: for long messages (megabytes on 16 hosts): its p-2 further rounds hardly count then,
           and each rank sends to one peer only. It is the default broadcast, also over zones, as
           each byte crosses each wide link once. For shorter messages, or hundreds of hosts,
           switch-circulant */
#include "collectives/list.h"
#include "collectives/trees/tree.h"
#include "planner/position.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_chain_emit(problem, tny_problem_order(problem), tny_problem_positions(problem), rank,
                 builder);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  struct tny_claim promised = tny_chain_claim(problem);
  promised.tree_link_messages = 1;
  return promised;
}

const struct tny_algorithm tny_bcast_switch_ordered_chain = {
    .collective = TNY_BROADCAST,
    .name = "switch-ordered-chain",
    .source = "jacunski1999",
    .summary = "pipelined chain through the switches: each tree link at most once each way",
    .needs = "any p, any root, the cluster",
    .cut = TNY_CUT_PIPELINED,
    .pacing = TNY_PACE_CREDIT_BATCHES,
    .claim = claim,
    .emit = emit,
};
