/* The rounds of shift exchange, ranks in switch order. */
#include "collectives/shared/shift.h"

#include "planner/position.h"

void tny_shift_emit(const struct tny_problem *problem, bool in_turn, uint32_t rank,
                    struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count;
  const uint32_t here = tny_position_of(tny_problem_positions(problem), rank);
  uint32_t sent = TNY_NONE, received = TNY_NONE;
  for (uint32_t round = 1; round < p; round++) {
    const uint32_t to = tny_position_rank(tny_problem_order(problem), p, here, round);
    const uint32_t from = tny_position_rank(tny_problem_order(problem), p, here, p - round);
    const uint32_t earlier_sent = sent;
    sent = tny_builder_send(builder, to, tny_span_blocks(TNY_INPUT, to, 1), round - 1);
    if (in_turn && round > 1) {
      tny_builder_after(builder, earlier_sent);
      tny_builder_after(builder, received);
    }
    received = tny_builder_recv(builder, from, tny_span_blocks(TNY_OUTPUT, from, 1), round - 1);
  }
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                   tny_span_blocks(TNY_OUTPUT, rank, 1));
}

struct tny_claim tny_shift_claim(const struct tny_problem *problem)
{
  const uint32_t rounds = problem->rank_count - 1;
  return (struct tny_claim){
      .rounds = rounds, .phases = rounds, .blocks_sent_max = rounds, .port_messages = 1};
}

uint32_t tny_shift_peer(const struct tny_problem *problem, uint32_t rank, uint32_t phase)
{
  const uint32_t here = tny_position_of(tny_problem_positions(problem), rank);
  return tny_position_rank(tny_problem_order(problem), problem->rank_count, here, phase + 1);
}
