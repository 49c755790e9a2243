/* The all-gather ring. In round t (1 .. p-1) a rank sends on to its successor what it received in
   round t-1 (its own block in round 1), so that every block goes once around. */
#include "collectives/shared/ring.h"

#include "planner/position.h"

void tny_ring_emit(const struct tny_problem *problem, const uint32_t *order,
                   const uint32_t *position, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count;
  const uint32_t here = tny_position_of(position, rank);
  const struct tny_span own = tny_span_blocks(TNY_INPUT, 0, 1);
  const uint32_t successor = tny_position_rank(order, p, here, 1);
  const uint32_t predecessor = tny_position_rank(order, p, here, p - 1);
  struct tny_span sent = own;
  uint32_t received = TNY_NONE;
  for (uint32_t round = 1; round < p; round++) {
    tny_builder_send(builder, successor, sent, round - 1);
    if (received != TNY_NONE)
      tny_builder_after(builder, received);
    sent = tny_span_blocks(TNY_OUTPUT, tny_position_rank(order, p, here, p - round), 1);
    received = tny_builder_recv(builder, predecessor, sent, round - 1);
  }
  tny_builder_copy(builder, own, tny_span_blocks(TNY_OUTPUT, rank, 1));
}

struct tny_claim tny_ring_claim(const struct tny_problem *problem)
{
  const uint32_t rounds = problem->rank_count - 1;
  return (struct tny_claim){
      .rounds = rounds, .phases = rounds, .blocks_sent_max = rounds, .port_messages = 1};
}
