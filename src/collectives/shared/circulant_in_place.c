/* Block r+j (mod p) is the j-th that rank r has. A message that goes over the end of the output
   goes in two, one behind the other. */
#include "collectives/shared/circulant_in_place.h"

#include "collectives/shared/circulant.h"
#include "planner/position.h"

/* Neighbouring blocks of a message, modulo p: those to the end, and those from the start on. */
struct halves {
  struct tny_span span[2];
};

static struct halves halves_of(uint32_t p, uint32_t first, uint32_t count)
{
  const uint32_t to_end = count < p - first ? count : p - first;
  return (struct halves){
      {tny_span_blocks(TNY_OUTPUT, first, to_end), tny_span_blocks(TNY_OUTPUT, 0, count - to_end)}};
}

/* A send waits for what came in the round before; it starts behind the sends that waited for what
   had come before that. */
static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count;
  const struct tny_circulant graph = tny_circulant_make(p);
  uint32_t received[2] = {TNY_NONE, TNY_NONE};
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1), tny_span_blocks(TNY_OUTPUT, rank, 1));
  for (uint32_t round = 0; round < graph.turns; round++) {
    const uint32_t held = graph.skip[round], count = graph.skip[round + 1] - held;
    const uint32_t before = tny_position_rank(NULL, p, rank, p - held);
    const uint32_t behind = tny_position_rank(NULL, p, rank, held);
    const struct halves sent = halves_of(p, rank, count), come = halves_of(p, behind, count);
    for (uint32_t half = 0; half < 2; half++) {
      if (sent.span[half].count == 0)
        continue;
      tny_builder_send(builder, before, sent.span[half], round);
      for (uint32_t i = 0; i < 2; i++)
        if (received[i] != TNY_NONE)
          tny_builder_after(builder, received[i]);
    }
    for (uint32_t half = 0; half < 2; half++)
      received[half] = come.span[half].count > 0
                           ? tny_builder_recv(builder, behind, come.span[half], round)
                           : TNY_NONE;
  }
}

/* Two messages in a round take two: no promise of rounds. */
static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t p = problem->rank_count, phases = tny_circulant_make(p).turns;
  return (struct tny_claim){
      .phases = phases, .blocks_sent_max = p - 1, .port_messages = p > 2 ? 2 : 1};
}

const struct tny_algorithm tny_circulant_in_place = {
    .collective = TNY_ALLGATHER,
    .name = "circulant-halving",
    .source = "traeff2024b",
    .needs = "any p",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .joins_blocks = true,
    .claim = claim,
    .emit = emit,
};
