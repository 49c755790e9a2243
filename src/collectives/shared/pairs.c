/* Rounds in which the ranks stand in pairs. */
#include "collectives/shared/pairs.h"

#include "collectives/shared/after.h"
#include "planner/position.h"

/* Positions below `colours`, which is odd, are paired where they add up to the round, modulo
   `colours`. For one of them, twice its position is the round: it is idle, or paired with the
   position that is left over. */
static uint32_t partner_by_colour(uint32_t p, uint32_t round, uint32_t position)
{
  const uint32_t colours = p % 2 ? p : p - 1;
  if (position == colours)
    return round % 2 ? (uint32_t)(((uint64_t)round + colours) / 2 % colours) : round / 2;
  const uint32_t other = (uint32_t)(((uint64_t)round + colours - position) % colours);
  if (other != position)
    return other;
  return p % 2 ? TNY_NONE : colours;
}

struct tny_pairs tny_pairs_coloured(uint32_t p)
{
  const uint32_t colours = p % 2 ? p : p - 1;
  return (struct tny_pairs){.rounds = p > 1 ? colours : 0, .partner = partner_by_colour};
}

uint32_t tny_pairs_peer(const struct tny_problem *problem, const struct tny_pairs *pairs,
                        uint32_t rank, uint32_t phase)
{
  const uint32_t p = problem->rank_count;
  const uint32_t here = tny_position_of(tny_problem_positions(problem), rank);
  const uint32_t position = pairs->partner(p, phase + 1, here);
  return position == TNY_NONE ? TNY_NONE
                              : tny_position_rank(tny_problem_order(problem), p, position, 0);
}

void tny_pairs_emit(const struct tny_problem *problem, const struct tny_pairs *pairs,
                    uint32_t fan_out, uint32_t rank, struct tny_builder *builder)
{
  uint32_t earlier = 0, group = 0; /* the steps that the last group and this one begin with */
  for (uint32_t round = 1; round <= pairs->rounds; round++) {
    const uint32_t next = builder->steps.count;
    if ((round - 1) % fan_out == 0 && next > group) {
      earlier = group;
      group = next;
    }
    const uint32_t other = tny_pairs_peer(problem, pairs, rank, round - 1);
    if (other == TNY_NONE)
      continue;
    tny_builder_send(builder, other, tny_span_blocks(TNY_INPUT, other, 1), round - 1);
    if (next == group)
      tny_after_messages(builder, earlier, group);
    tny_builder_recv(builder, other, tny_span_blocks(TNY_OUTPUT, other, 1), round - 1);
  }
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                   tny_span_blocks(TNY_OUTPUT, rank, 1));
}

struct tny_claim tny_pairs_claim(const struct tny_problem *problem, const struct tny_pairs *pairs)
{
  return (struct tny_claim){.rounds = pairs->rounds,
                            .phases = pairs->rounds,
                            .blocks_sent_max = problem->rank_count - 1,
                            .port_messages = 1};
}
