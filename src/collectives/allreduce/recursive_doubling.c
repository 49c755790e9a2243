/* All-reduce, recursive doubling: pairs of runs of ranks exchange what they have combined.

   Source: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
           MPICH", its all-reduce for short messages
   Needs:  any p, any associative operation
   Shape:  p=4:  0 <-> 1  2 <-> 3,  then 0 <-> 2  1 <-> 3. Where p isn't 2^k, of the first
           2 (p - 2^k) ranks each even one first gives its block to the odd one behind it, which
           takes part for both, and gets the result at the end
   Cost:   log2 p rounds for p = 2^k, else floor(log2 p) + 2; as many blocks sent by a rank
   Links:  one message a port and round; a trunk carries one for every pair across it
   Prefer: for short blocks, which pay for rounds, not for bytes. Both of a pair combine with the
           lower ranks on the left: all ranks get the same bits, and so they do for every size */
#include "collectives/list.h"
#include "core/log2.h"

/* Exchanges: floor(log2 p). */
static uint32_t rounds_of(const struct tny_problem *problem)
{
  return tny_log2_ceil(problem->rank_count + 1) - 1;
}

/* The ranks that take part in the exchanges are numbered in their order. */
static uint32_t rank_of(uint32_t folded, uint32_t number)
{
  return number < folded ? 2 * number + 1 : number + folded;
}

/* A rank's part: what it has combined lies in its input at first, then in its output. */
struct part {
  struct tny_builder *builder;
  struct tny_span lies;
};

/* What the step `received` brought is combined with the rank's own, into the output. */
static void combine(struct part *part, uint32_t received, bool is_behind, uint32_t slot)
{
  const struct tny_span output = tny_span_blocks(TNY_OUTPUT, 0, 1);
  const bool is_first = part->lies.buffer == TNY_INPUT;
  const struct tny_span from = is_first ? part->lies : tny_span_blocks(TNY_SCRATCH, slot, 1);
  if (is_first == is_behind)
    tny_builder_reduce_left(part->builder, from, output);
  else
    tny_builder_reduce_right(part->builder, from, output);
  tny_builder_after(part->builder, received);
  part->lies = output;
}

/* The exchanges of the ranks that take part. Each has scratch space of its own, so that a receive
   waits for nothing. */
static void exchange(const struct tny_problem *problem, struct part *part, uint32_t number,
                     uint32_t folded, uint32_t phase)
{
  for (uint32_t k = 0; k < rounds_of(problem); k++) {
    const uint32_t other = number ^ (uint32_t)1 << k, peer = rank_of(folded, other);
    const bool is_first = part->lies.buffer == TNY_INPUT;
    const uint32_t sent = tny_builder_send(part->builder, peer, part->lies, phase + k);
    const uint32_t received = tny_builder_recv(part->builder, peer,
                                               is_first ? tny_span_blocks(TNY_OUTPUT, 0, 1)
                                                        : tny_span_blocks(TNY_SCRATCH, k, 1),
                                               phase + k);
    combine(part, received, other > number, k);
    if (!is_first)
      tny_builder_after(part->builder, sent);
  }
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t rounds = rounds_of(problem),
                 folded = problem->rank_count - ((uint32_t)1 << rounds);
  const struct tny_span input = tny_span_blocks(TNY_INPUT, 0, 1);
  const struct tny_span output = tny_span_blocks(TNY_OUTPUT, 0, 1);
  struct part part = {builder, input};
  if (problem->rank_count == 1) {
    tny_builder_copy(builder, input, output);
    return;
  }
  if (rank < 2 * folded && rank % 2 == 0) {
    tny_builder_send(builder, rank + 1, input, 0);
    tny_builder_recv(builder, rank + 1, output, rounds + 1);
    return;
  }
  if (rank < 2 * folded)
    combine(&part, tny_builder_recv(builder, rank - 1, output, 0), false, 0);
  exchange(problem, &part, rank < 2 * folded ? rank / 2 : rank - folded, folded, folded > 0);
  if (rank < 2 * folded)
    tny_builder_send(builder, rank - 1, output, rounds + 1);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t rounds = rounds_of(problem);
  const bool folds = problem->rank_count != (uint32_t)1 << rounds;
  return (struct tny_claim){.rounds = rounds + 2 * folds,
                            .phases = rounds + 2 * folds,
                            .blocks_sent_max = rounds + folds,
                            .scratch_blocks = rounds,
                            .port_messages = 1};
}

const struct tny_algorithm tny_allreduce_recursive_doubling = {
    .collective = TNY_ALLREDUCE,
    .name = "recursive-doubling",
    .source = "thakur2005",
    .summary = "pairs exchange what they have combined so far: about log2 p rounds",
    .needs = "any p",
    .cut = TNY_CUT_BY_CHUNK,
    .pacing = TNY_PACE_RECEIVES,
    .same_bits = {.on_all_ranks = true, .for_every_size = true, .for_every_placement = true},
    .claim = claim,
    .emit = emit,
};
