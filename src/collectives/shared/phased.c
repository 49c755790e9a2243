/* One rank's steps through the phases of its node. Where a node has k ranks, a message between two
   nodes is k*k messages between their ranks, each in a phase of its own. They come in k runs: in
   run s, rank i of the one node sends to rank i+s, modulo k, of the other. So a node still sends
   one message a phase, and each rank sends and receives one message in each run. */
#include "collectives/shared/phased.h"

#include "core/grid.h"
#include "planner/position.h"

struct exchange {
  const struct tny_problem *problem;
  struct tny_builder *builder;
  uint32_t rank, index;    /* among the ranks of its node */
  uint32_t sent, received; /* the last steps; TNY_NONE: none yet */
};

static uint32_t send(struct exchange *exchange, uint32_t to, uint32_t phase)
{
  const uint32_t step =
      tny_builder_send(exchange->builder, to, tny_span_blocks(TNY_INPUT, to, 1), phase);
  if (exchange->sent != TNY_NONE) {
    tny_builder_after(exchange->builder, exchange->sent);
    tny_builder_after(exchange->builder, exchange->received);
  }
  return step;
}

static uint32_t receive(struct exchange *exchange, uint32_t from, uint32_t phase)
{
  return tny_builder_recv(exchange->builder, from, tny_span_blocks(TNY_OUTPUT, from, 1), phase);
}

/* One message each way, the one of the lower phase first. Neither waits for the other. */
static void take_turn(struct exchange *exchange, const struct tny_turn *turn, uint32_t shift)
{
  const struct tny_placement *placement = exchange->problem->placement;
  const uint32_t k = placement->ranks_a_node, first = (turn->phase * k + shift) * k;
  const uint32_t from_index = (exchange->index + k - shift) % k;
  const uint32_t to = placement->rank_at[turn->to * k + (exchange->index + shift) % k];
  const uint32_t from = placement->rank_at[turn->from * k + from_index];
  if (to == exchange->rank)
    return;
  uint32_t sent, received;
  if (exchange->index <= from_index) {
    sent = send(exchange, to, first + exchange->index);
    received = receive(exchange, from, first + from_index);
  } else {
    received = receive(exchange, from, first + from_index);
    sent = send(exchange, to, first + exchange->index);
  }
  exchange->sent = sent;
  exchange->received = received;
}

void tny_phased_emit(const struct tny_problem *problem, enum tny_ways ways, uint32_t rank,
                     struct tny_builder *builder)
{
  const struct tny_placement *placement = problem->placement;
  const uint32_t node = placement->node_of[rank], k = placement->ranks_a_node;
  const uint32_t node_count = tny_grid_nodes(&placement->grid);
  struct exchange exchange = {.problem = problem,
                              .builder = builder,
                              .rank = rank,
                              .index = tny_position_in_grid(placement, rank) % k,
                              .sent = TNY_NONE};
  for (uint32_t turn_index = 0; turn_index < node_count; turn_index++) {
    const struct tny_turn turn = tny_phases_turn(&placement->grid, ways, node, turn_index);
    for (uint32_t shift = 0; shift < k; shift++)
      take_turn(&exchange, &turn, shift);
  }
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                   tny_span_blocks(TNY_OUTPUT, rank, 1));
}

static uint64_t phase_count(const struct tny_placement *placement, enum tny_ways ways)
{
  const uint64_t k = placement->ranks_a_node;
  return k * k * tny_phases_count(&placement->grid, ways);
}

const char *tny_phased_refuse(const struct tny_problem *problem, enum tny_ways ways)
{
  if (!problem->placement || problem->placement->grid.dimension_count == 0)
    return "needs a ring or a 2-D torus with as many ranks on each host";
  const char *reason = tny_phases_refuse(&problem->placement->grid, ways);
  if (!reason && phase_count(problem->placement, ways) >= TNY_NONE)
    reason = "has more phases here than can be numbered";
  return reason;
}

/* Nodes that meet in the phases of one pair of tuples meet only each other there, four times; in a
   pair of special tuples, once of these each is by itself. So no chain of messages that wait for
   each other is longer than what a rank sends. */
struct tny_claim tny_phased_claim(const struct tny_problem *problem, enum tny_ways ways)
{
  const uint32_t others = problem->rank_count - 1;
  return (struct tny_claim){.rounds = others,
                            .phases = (uint32_t)phase_count(problem->placement, ways),
                            .blocks_sent_max = others,
                            .port_messages = 1,
                            .grid_link_messages = 1};
}
