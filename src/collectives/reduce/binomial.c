/* Reduce, binomial tree in rank order: in each round neighbouring runs of ranks are combined.

   Source: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
           MPICH", its reduce for short messages
   Needs:  any p, any root, any associative operation
   Shape:  p=4, root 2:  1 -> 0 and 3 -> 2, then 0 -> 2. Every run of 2^k ranks from a multiple of
           2^k on has a leader, the root where it is among them, else the lowest rank. In round k
           the leaders of two neighbouring runs combine what each has, the lower run's on the left.
           So the order is that of the ranks whatever the root is, and takes no round more: the
           source reduces to rank 0 first where the operation doesn't commute
   Cost:   ceil(log2 p) rounds; a rank sends at most one block; the root gets ceil(log2 p)
   Links:  one message a port and round; a trunk carries up to the ranks behind it
   Prefer: for short blocks, which pay for rounds, not for bytes */
#include "collectives/list.h"
#include "core/log2.h"

/* Who leads the run of 2^k ranks that a rank is in. */
static uint32_t leader(const struct tny_problem *problem, uint32_t rank, uint32_t k)
{
  return rank >> k == problem->root >> k ? problem->root : rank >> k << k;
}

/* What a rank has combined so far. */
struct partial {
  struct tny_builder *builder;
  uint32_t rank;
  struct tny_span lies; /* at first its own input */
  struct tny_span sum;  /* where it is combined */
  uint32_t received;    /* the step that brought what was combined last; TNY_NONE: none */
};

/* Receives the partial result of the other run. The first one becomes the rank's own, with its
   input combined into it; later ones have scratch space of their own, so that none waits for
   another. */
static void combine(struct partial *partial, uint32_t sender, uint32_t k)
{
  struct tny_builder *builder = partial->builder;
  const bool is_first = partial->received == TNY_NONE;
  const struct tny_span from = is_first ? partial->lies : tny_span_blocks(TNY_SCRATCH, k, 1);
  partial->received = tny_builder_recv(builder, sender, is_first ? partial->sum : from, k);
  if (is_first == (sender > partial->rank))
    tny_builder_reduce_left(builder, from, partial->sum);
  else
    tny_builder_reduce_right(builder, from, partial->sum);
  tny_builder_after(builder, partial->received);
  partial->lies = partial->sum;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  struct partial partial = {
      .builder = builder,
      .rank = rank,
      .lies = tny_span_blocks(TNY_INPUT, 0, 1),
      .sum = tny_span_blocks(rank == problem->root ? TNY_OUTPUT : TNY_SCRATCH, 0, 1),
      .received = TNY_NONE,
  };
  for (uint32_t k = 0; k < tny_log2_ceil(problem->rank_count); k++) {
    const uint32_t beside = (rank >> k ^ 1) << k;
    if (beside >= problem->rank_count)
      continue;
    const uint32_t other = leader(problem, beside, k);
    if (leader(problem, rank, k + 1) != rank) {
      tny_builder_send(builder, other, partial.lies, k);
      return;
    }
    combine(&partial, other, k);
  }
  if (partial.received == TNY_NONE)
    tny_builder_copy(builder, partial.lies, tny_span_blocks(TNY_OUTPUT, 0, 1));
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t rounds = tny_log2_ceil(problem->rank_count);
  return (struct tny_claim){.rounds = rounds,
                            .phases = rounds,
                            .blocks_sent_max = problem->rank_count > 1,
                            .blocks_received_max = rounds,
                            .scratch_blocks = rounds,
                            .port_messages = 1};
}

const struct tny_algorithm tny_reduce_binomial = {
    .collective = TNY_REDUCE,
    .name = "binomial",
    .source = "thakur2005",
    .summary = "binomial tree in rank order",
    .needs = "any p, any root",
    .cut = TNY_CUT_BY_CHUNK,
    .pacing = TNY_PACE_CREDITS,
    .same_bits = {.on_all_ranks = true, .for_every_size = true, .for_every_placement = true},
    .claim = claim,
    .emit = emit,
};
