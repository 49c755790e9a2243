/* Broadcast, binomial tree: in each round whoever has the message gives it to one more.

   Source: Axida, Viet, Yoshinaga, "Pipelined round-robin broadcast algorithm in homogeneous
           clusters of SMP", section 2, as a rival
   Needs:  any p, any root
   Shape:  p=4, root 0:  0 -> 2, then 0 -> 1 and 2 -> 3. As in Figure 1 the root first sends to p/2;
           where p isn't 2^k, to 2^(ceil(log2 p) - 1): the paper has no such case
   Cost:   ceil(log2 p) rounds; the root sends the message ceil(log2 p) times
   Links:  one message a port and round; a trunk carries up to the ranks behind it
   Prefer: for short messages (about 1 KiB), which pay for rounds, not for bytes; ranks should be
           numbered along the switches, or else switch-ordered-binomial */
#include "collectives/list.h"
#include "collectives/trees/tree.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_binomial_emit(problem, NULL, NULL, rank, builder);
}

const struct tny_algorithm tny_bcast_binomial = {
    .collective = TNY_BROADCAST,
    .name = "binomial",
    .source = "axida2009",
    .summary = "binomial tree by rank number",
    .needs = "any p, any root",
    .cut = TNY_CUT_BY_CHUNK,
    .pacing = TNY_PACE_CREDITS,
    .claim = tny_binomial_claim,
    .emit = emit,
};
