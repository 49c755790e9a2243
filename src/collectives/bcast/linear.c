/* Broadcast, linear tree: the whole message goes from rank to rank.

   Source: Axida, Viet, Yoshinaga, "Pipelined round-robin broadcast algorithm in homogeneous
           clusters of SMP", section 2, as a rival
   Needs:  any p, any root
   Shape:  p=4, root 0:  0 -> 1, then 1 -> 2, then 2 -> 3
   Cost:   p-1 rounds, (p-1)(s + D/b) (Table 1); each rank sends the message once
   Links:  one message at a time in the whole cluster, so there is nothing to pace
   Prefer: never for time, as binomial and every pipelined broadcast are faster; it is here as
           the papers' yardstick */
#include "collectives/list.h"
#include "collectives/trees/tree.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_chain_emit(problem, NULL, NULL, rank, builder);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  struct tny_claim promised = tny_chain_claim(problem);
  promised.tree_link_messages = promised.grid_link_messages = 1;
  return promised;
}

const struct tny_algorithm tny_bcast_linear = {
    .collective = TNY_BROADCAST,
    .name = "linear",
    .source = "axida2009",
    .summary = "linear tree: the whole message from rank to rank",
    .needs = "any p, any root",
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .claim = claim,
    .emit = emit,
};
