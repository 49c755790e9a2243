/* Reduce-scatter, pairwise exchange: each rank gets its block from every other rank, and combines
   what comes.

   Source: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
           MPICH", its reduce-scatter for long messages
   Needs:  any p, any associative operation
   Shape:  p=4:  in round i rank r sends block r+i to rank r+i and receives its own from rank r-i.
           Blocks come in falling rank order: first those of the ranks below r, each combined on the
           left of r's own; then, round the end, those of the ranks above r, which are combined
           among themselves, and at last on the right of the others. So the order is that of the
           ranks, which the source has only for operations that commute
   Cost:   p-1 rounds, p-1 blocks sent by each rank
   Links:  one message a port and phase; a trunk carries what shift exchange puts on it
   Prefer: for long blocks, whose bytes fill every port all the time */
#include "collectives/list.h"

/* Scratch space: what comes lies in one of two blocks in turn, and the ranks above have one. */
enum { ARRIVALS = 2, ABOVE = ARRIVALS, SCRATCH_BLOCKS };

static uint32_t rank_behind(uint32_t rank_count, uint32_t rank, uint32_t distance)
{
  return (uint32_t)(((uint64_t)rank + distance) % rank_count);
}

/* A rank's part. */
struct part {
  struct tny_builder *builder;
  uint32_t rank, rank_count;
  struct tny_span input, below, above;            /* its own block, and where the sums are */
  uint32_t received[ARRIVALS], reduced[ARRIVALS]; /* by round in turn: the steps; TNY_NONE: none */
  uint32_t began_above; /* the receive of what `above` has had combined into it; TNY_NONE: none */
};

static uint32_t sender_in(const struct part *part, uint32_t round)
{
  return rank_behind(part->rank_count, part->rank, part->rank_count - round - 1);
}

/* The first arrival of each side lies where its sum is to be. */
static bool is_first(const struct part *part, uint32_t round)
{
  return round == 0 || round == part->rank;
}

static void receive(struct part *part, uint32_t round)
{
  const uint32_t sender = sender_in(part, round), turn = round % ARRIVALS;
  const struct tny_span sum = sender < part->rank ? part->below : part->above;
  part->received[turn] =
      tny_builder_recv(part->builder, sender,
                       is_first(part, round) ? sum : tny_span_blocks(TNY_SCRATCH, turn, 1), round);
  if (!is_first(part, round) && part->reduced[turn] != TNY_NONE)
    tny_builder_after(part->builder, part->reduced[turn]);
}

/* Combines what came in a round with what its side has, on the left. */
static void combine(struct part *part, uint32_t round)
{
  const uint32_t turn = round % ARRIVALS;
  const bool is_below = sender_in(part, round) < part->rank;
  if (is_first(part, round) && !is_below) {
    part->began_above = part->received[turn];
  } else if (is_first(part, round)) {
    tny_builder_reduce_right(part->builder, part->input, part->below);
    tny_builder_after(part->builder, part->received[turn]);
  } else {
    part->reduced[turn] = tny_builder_reduce_left(
        part->builder, tny_span_blocks(TNY_SCRATCH, turn, 1), is_below ? part->below : part->above);
    tny_builder_after(part->builder, part->received[turn]);
    if (part->began_above != TNY_NONE)
      tny_builder_after(part->builder, part->began_above);
    part->began_above = TNY_NONE;
  }
}

/* The ranks below, this rank and the ranks above, in this order. */
static void join_sides(const struct part *part)
{
  if (part->rank_count == 1)
    tny_builder_copy(part->builder, part->input, part->below);
  else if (part->rank == 0)
    tny_builder_reduce_left(part->builder, part->input, part->above);
  else if (part->rank + 1 < part->rank_count)
    tny_builder_reduce_right(part->builder, part->above, part->below);
  if (part->began_above != TNY_NONE)
    tny_builder_after(part->builder, part->began_above);
}

static uint32_t peer(const struct tny_problem *problem, uint32_t rank, uint32_t phase)
{
  return rank_behind(problem->rank_count, rank, phase + 1);
}

/* What came is combined behind the next round's send, which needn't wait for it. */
static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_span output = tny_span_blocks(TNY_OUTPUT, 0, 1);
  struct part part = {.builder = builder,
                      .rank = rank,
                      .rank_count = problem->rank_count,
                      .input = tny_span_blocks(TNY_INPUT, rank, 1),
                      .below = output,
                      .above = rank == 0 ? output : tny_span_blocks(TNY_SCRATCH, ABOVE, 1),
                      .reduced = {TNY_NONE, TNY_NONE},
                      .began_above = TNY_NONE};
  const uint32_t rounds = problem->rank_count - 1;
  for (uint32_t round = 0; round < rounds; round++) {
    const uint32_t to = peer(problem, rank, round);
    tny_builder_send(builder, to, tny_span_blocks(TNY_INPUT, to, 1), round);
    receive(&part, round);
    if (round > 0)
      combine(&part, round - 1);
  }
  if (rounds > 0)
    combine(&part, rounds - 1);
  join_sides(&part);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t rounds = problem->rank_count - 1;
  return (struct tny_claim){.rounds = rounds,
                            .phases = rounds,
                            .blocks_sent_max = rounds,
                            .scratch_blocks = SCRATCH_BLOCKS,
                            .port_messages = 1};
}

const struct tny_algorithm tny_reduce_scatter_pairwise = {
    .collective = TNY_REDUCE_SCATTER,
    .name = "pairwise",
    .source = "thakur2005",
    .summary = "each rank combines its block as it comes from one rank after the other",
    .needs = "any p",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .same_bits = {.on_all_ranks = true, .for_every_size = true, .for_every_placement = true},
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
    .peer = peer,
};
