/* Broadcast, pipelined linear tree: the message goes from rank to rank, chunk behind chunk.

   Source: Axida, Viet, Yoshinaga, "Pipelined round-robin broadcast algorithm in homogeneous
           clusters of SMP", section 2, as a rival
   Needs:  any p, any root
   Shape:  p=4, root 0:  0 -> 1 -> 2 -> 3, chunk c one hop behind chunk c-1
   Cost:   n+p-2 rounds for n chunks, (p-1) s + D/b (Table 1); each rank sends the message once
   Links:  one message a link on one switch; a trunk carries the message as often as there are
           neighbours by number on its two sides
   Prefer: for long messages, where ranks are numbered along the switches; then it is as good as
           switch-ordered-chain, which does not depend on the numbering. Short messages pay p-2
           rounds more than a tree */
#include "collectives/list.h"
#include "collectives/trees/tree.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_chain_emit(problem, NULL, NULL, rank, builder);
}

const struct tny_algorithm tny_bcast_pipelined_linear = {
    .collective = TNY_BROADCAST,
    .name = "pipelined-linear",
    .source = "axida2009",
    .summary = "pipelined linear tree: a chain by rank number",
    .needs = "any p, any root",
    .cut = TNY_CUT_PIPELINED,
    .pacing = TNY_PACE_CREDITS,
    .claim = tny_chain_claim,
    .emit = emit,
};
