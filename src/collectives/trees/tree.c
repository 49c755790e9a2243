/* The binomial tree and the chain, by relative rank: that of the root is 0. */
#include "collectives/trees/tree.h"

#include "core/log2.h"
#include "planner/position.h"

/* What a rank sends on: the root its input, any other what it received. */
static struct tny_span message(const struct tny_problem *problem, uint32_t rank)
{
  return tny_span_blocks(rank == problem->root ? TNY_INPUT : TNY_OUTPUT, 0, 1);
}

static uint32_t relative_rank(const struct tny_problem *problem, const uint32_t *position,
                              uint32_t rank)
{
  const uint32_t p = problem->rank_count;
  return (tny_position_of(position, rank) + p - tny_position_of(position, problem->root)) % p;
}

void tny_binomial_emit(const struct tny_problem *problem, const uint32_t *order,
                       const uint32_t *position, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count;
  const uint32_t relative = relative_rank(problem, position, rank);
  const uint32_t here = tny_position_of(position, rank);
  uint32_t received = TNY_NONE;
  /* Round t bridges a distance of 2^(rounds-1-t): a rank receives in the round of its lowest set
     bit. */
  const uint32_t rounds = tny_log2_ceil(p);
  for (uint32_t round = 0; round < rounds; round++) {
    const uint32_t distance = (uint32_t)1 << (rounds - 1 - round);
    if (relative % (2 * (uint64_t)distance) == distance) {
      const uint32_t from = tny_position_rank(order, p, here, p - distance);
      received = tny_builder_recv(builder, from, message(problem, rank), round);
    } else if (relative % distance == 0 && (uint64_t)relative + distance < p) {
      const uint32_t to = tny_position_rank(order, p, here, distance);
      tny_builder_send(builder, to, message(problem, rank), round);
      if (received != TNY_NONE)
        tny_builder_after(builder, received);
    }
  }
}

struct tny_claim tny_binomial_claim(const struct tny_problem *problem)
{
  const uint32_t rounds = tny_log2_ceil(problem->rank_count);
  return (struct tny_claim){
      .rounds = rounds, .phases = rounds, .blocks_sent_max = rounds, .port_messages = 1};
}

void tny_chain_emit(const struct tny_problem *problem, const uint32_t *order,
                    const uint32_t *position, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count;
  const uint32_t relative = relative_rank(problem, position, rank);
  const uint32_t here = tny_position_of(position, rank);
  uint32_t received = TNY_NONE;
  if (relative > 0)
    received = tny_builder_recv(builder, tny_position_rank(order, p, here, p - 1),
                                message(problem, rank), relative - 1);
  if (relative + 1 < p) {
    tny_builder_send(builder, tny_position_rank(order, p, here, 1), message(problem, rank),
                     relative);
    if (received != TNY_NONE)
      tny_builder_after(builder, received);
  }
}

struct tny_claim tny_chain_claim(const struct tny_problem *problem)
{
  const uint32_t hops = problem->rank_count - 1;
  return (struct tny_claim){
      .rounds = hops, .phases = hops, .blocks_sent_max = hops ? 1 : 0, .port_messages = 1};
}
