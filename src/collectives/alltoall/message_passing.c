/* All-to-all, message passing in fixed order: everyone hands all its messages to the network at
   once, for rank 0 first; the network sorts it out.

   Source: Hinrichs, Kosak, O'Hallaron, Stricker, Take, "An architecture for optimal all-to-all
           personalized communication", 3 and Figure 6, as a rival
   Needs:  any p
   Shape:  p=4: 0 to 1 2 3, 1 to 0 2 3, 2 to 0 1 3, 3 to 0 1 2; nothing waits
   Cost:   p-1 blocks sent by each rank; if each rank takes its messages one at a time, 2p-3 rounds,
           because all begin with the same receivers
   Links:  no promise: all p-1 messages to a rank may meet
   Prefer: never: all ranks send to the same receiver first. It is here as the papers' yardstick */
#include "collectives/list.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  for (uint32_t to = 0; to < problem->rank_count; to++)
    if (to != rank)
      tny_builder_send(builder, to, tny_span_blocks(TNY_INPUT, to, 1), TNY_NONE);
  for (uint32_t from = 0; from < problem->rank_count; from++)
    if (from != rank)
      tny_builder_recv(builder, from, tny_span_blocks(TNY_OUTPUT, from, 1), TNY_NONE);
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                   tny_span_blocks(TNY_OUTPUT, rank, 1));
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t others = problem->rank_count - 1;
  return (struct tny_claim){.rounds = others > 0 ? 2 * others - 1 : 0, .blocks_sent_max = others};
}

const struct tny_algorithm tny_alltoall_message_passing = {
    .collective = TNY_ALLTOALL,
    .name = "message-passing",
    .source = "hinrichs1994",
    .summary = "all messages at once, in order of the ranks",
    .needs = "any p",
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
};
