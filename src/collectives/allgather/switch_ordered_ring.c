/* All-gather, switch-ordered ring (SO-R): the logical ring with the ranks in depth-first order of
   the switches.

   Source: Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters of
           workstations", 4.2 and 5.1: switches in the order of a traversal of the BFS tree that
           determined the routing (src/cluster/order.c), which here begins with host 0's switch, as
           a ring may begin anywhere. Routes on trees and grids come from no such tree: there the
           traversed one is rooted at host 0's switch, and on a tree any root is as good
   Needs:  any p, the cluster
   Shape:  p=4, ranks 0 2 on one switch, 1 3 on the other:  0 -> 2 => 1 -> 3 => 0
           (=> crosses the trunk)
   Cost:   p-1 rounds, p-1 blocks sent by each rank
   Links:  on a tree of switches each link carries one message a phase each way, so it meets
           the cut bound; on 157 of 200 irregular networks (irregular:128,switches=10, seeds 0 to
           199) too, on the others two
   Prefer: for long blocks (some KiB and more) on one switch or a tree of switches, where it
           meets the bound of the links. It is the default all-gather. Where trunks form cycles,
           contention-free-rings; over wide links, hierarchical or ls */
#include "collectives/list.h"
#include "collectives/shared/ring.h"
#include "planner/position.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_ring_emit(problem, tny_problem_order(problem), tny_problem_positions(problem), rank, builder);
}

/* The same in all phases. */
static uint32_t peer(const struct tny_problem *problem, uint32_t rank, uint32_t phase)
{
  (void)phase;
  return tny_position_rank(tny_problem_order(problem), problem->rank_count,
                           tny_position_of(tny_problem_positions(problem), rank), 1);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  struct tny_claim promised = tny_ring_claim(problem);
  promised.tree_link_messages = 1;
  return promised;
}

const struct tny_algorithm tny_allgather_switch_ordered_ring = {
    .collective = TNY_ALLGATHER,
    .name = "switch-ordered-ring",
    .source = "jacunski1999",
    .summary = "ring through the switches in depth-first order: each tree link once each way",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .single_blocks = true,
    .is_ring = true,
    .claim = claim,
    .emit = emit,
    .peer = peer,
};
