/* All-gather, recursive doubling: pairs of groups exchange all that they hold, and become one.

   Source: Axida, Viet, Yoshinaga, "Pipelined round-robin broadcast algorithm in homogeneous
           clusters of SMP", section 2, as the second phase of van de Geijn's broadcast
   Needs:  2^k ranks
   Shape:  p=4:  0 <-> 1  2 <-> 3,  then 0 1 <-> 2 3
   Cost:   log2 p rounds, p-1 blocks sent by each rank
   Links:  one message a link and phase on one switch, of up to p/2 blocks; a trunk carries one for
           every pair across it
   Prefer: for short blocks where p is a power of two; it needs no scratch and no copies, unlike
           combining, and takes as many rounds */
#include "collectives/list.h"
#include "core/log2.h"

static const char *refuse(const struct tny_problem *problem)
{
  const uint32_t p = problem->rank_count;
  return (p & (p - 1)) != 0 ? "needs 2^k ranks" : NULL;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1), tny_span_blocks(TNY_OUTPUT, rank, 1));
  uint32_t received = TNY_NONE;
  for (uint32_t round = 0; round < tny_log2_ceil(problem->rank_count); round++) {
    const uint32_t held = (uint32_t)1 << round;
    const uint32_t partner = rank ^ held;
    tny_builder_send(builder, partner, tny_span_blocks(TNY_OUTPUT, rank & ~(held - 1), held),
                     round);
    if (received != TNY_NONE)
      tny_builder_after(builder, received);
    received = tny_builder_recv(builder, partner,
                                tny_span_blocks(TNY_OUTPUT, partner & ~(held - 1), held), round);
  }
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t rounds = tny_log2_ceil(problem->rank_count);
  return (struct tny_claim){.rounds = rounds,
                            .phases = rounds,
                            .blocks_sent_max = problem->rank_count - 1,
                            .port_messages = 1};
}

const struct tny_algorithm tny_allgather_recursive_doubling = {
    .collective = TNY_ALLGATHER,
    .name = "recursive-doubling",
    .source = "axida2009",
    .summary = "pairs exchange all blocks gathered so far: log2 p rounds",
    .needs = "2^k ranks",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .joins_blocks = true,
    .refuse = refuse,
    .claim = claim,
    .emit = emit,
};
