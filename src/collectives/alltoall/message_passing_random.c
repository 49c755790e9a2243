/* All-to-all, message passing in random order: everyone hands all its messages to the network at
   once, each rank in an order of its own.

   Source: Hinrichs, Kosak, O'Hallaron, Stricker, Take, "An architecture for optimal all-to-all
           personalized communication", 1 and 3, as a rival
   Needs:  any p
   Shape:  p=4, say: 0 to 2 1 3, 1 to 3 0 2, 2 to 1 0 3, 3 to 0 2 1; nothing waits
   Cost:   p-1 blocks sent by each rank; no promise of rounds, which hang on the orders
   Links:  no promise
   Prefer: for very short blocks, whose messages all fit into the port buffers at once: nothing
           waits for anything. Where they do not fit, packets are lost, and it is the slowest

   A rank's order is a Fisher-Yates shuffle by the SplitMix64 sequence that starts at its number, so
   that it's the same in every run and on every machine. */
#include "collectives/list.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/random.h"

/* The p-1 other ranks, as this one sends to them. */
static void fill_order(uint32_t p, uint32_t rank, uint32_t *order)
{
  uint64_t counter = rank;
  for (uint32_t i = 0; i + 1 < p; i++)
    order[i] = i + (i >= rank);
  for (uint32_t left = p - 1; left > 1; left--) {
    const uint32_t pick = (uint32_t)((tny_random_next(&counter) >> 32) * left >> 32);
    const uint32_t picked = order[pick];
    order[pick] = order[left - 1];
    order[left - 1] = picked;
  }
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count;
  uint32_t *order = tny_new(p, sizeof *order);
  if (!order) {
    tny_error_memory(&builder->error);
    return;
  }
  fill_order(p, rank, order);
  for (uint32_t i = 0; i + 1 < p; i++)
    tny_builder_send(builder, order[i], tny_span_blocks(TNY_INPUT, order[i], 1), TNY_NONE);
  tny_free(order);
  for (uint32_t from = 0; from < p; from++)
    if (from != rank)
      tny_builder_recv(builder, from, tny_span_blocks(TNY_OUTPUT, from, 1), TNY_NONE);
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                   tny_span_blocks(TNY_OUTPUT, rank, 1));
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  return (struct tny_claim){.blocks_sent_max = problem->rank_count - 1};
}

const struct tny_algorithm tny_alltoall_message_passing_random = {
    .collective = TNY_ALLTOALL,
    .name = "message-passing-random",
    .source = "hinrichs1994",
    .summary = "all messages at once, each rank in a random order of its own",
    .needs = "any p",
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
};
