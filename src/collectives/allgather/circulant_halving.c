/* All-gather, circulant graph with halved skips: each round a rank sends half of what it will hold
   behind it, so that what all hold grows as p does when it is halved again and again.

   Source: Traeff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms" (arXiv
           2410.14234), the all-gather half of it. Only the abstract was at hand: a reduce-scatter
           of ceil(log2 p) rounds on a ceil(log2 p)-regular circulant graph, p-1 blocks a rank. This
           is that turned round. That skips are p halved, rounded up, is taken from his broadcast
           (arXiv 2407.18004); the layout is ours
   Needs:  any p
   Shape:  p=4, rank 0:  0 -> 3,  then 0 1 -> 2;  scratch:  0 . . .,  0 1 . .,  0 1 2 3. Held are
           1, 2, 3, 5, 9 and 18 blocks of 18; combining holds 1, 2, 4, 8, 16 and 18
   Cost:   ceil(log2 p) rounds, p-1 blocks sent by each rank: no fewer of either are enough; p
           blocks of scratch
   Links:  one message a link and phase on one switch, the longest of p/2 blocks; a trunk carries
           one for every pair across it
   Prefer: as combining, which takes as many rounds and blocks, but whose last message is what is
           left over. This one is there for its reduce-scatter and all-reduce, which are the
           source's */
#include "collectives/list.h"
#include "collectives/shared/after.h"
#include "collectives/shared/circulant.h"
#include "planner/position.h"

/* Block r+j (mod p) of rank r lies at index j of scratch. So a rank's blocks always lie in one
   piece, each message is a piece, and in the end they are in order, but rotated by r. */
static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count;
  const struct tny_circulant graph = tny_circulant_make(p);
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1), tny_span_blocks(TNY_SCRATCH, 0, 1));
  uint32_t received = TNY_NONE;
  for (uint32_t round = 0; round < graph.turns; round++) {
    const uint32_t held = graph.skip[round], count = graph.skip[round + 1] - held;
    tny_builder_send(builder, tny_position_rank(NULL, p, rank, p - held),
                     tny_span_blocks(TNY_SCRATCH, 0, count), round);
    if (received != TNY_NONE)
      tny_builder_after(builder, received);
    received = tny_builder_recv(builder, tny_position_rank(NULL, p, rank, held),
                                tny_span_blocks(TNY_SCRATCH, held, count), round);
  }
  tny_copy_after(builder, tny_span_blocks(TNY_SCRATCH, 0, p - rank), rank, received);
  tny_copy_after(builder, tny_span_blocks(TNY_SCRATCH, p - rank, rank), 0, received);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t rounds = tny_circulant_make(problem->rank_count).turns;
  return (struct tny_claim){.rounds = rounds,
                            .phases = rounds,
                            .blocks_sent_max = problem->rank_count - 1,
                            .scratch_blocks = problem->rank_count,
                            .port_messages = 1};
}

const struct tny_algorithm tny_allgather_circulant_halving = {
    .collective = TNY_ALLGATHER,
    .name = "circulant-halving",
    .source = "traeff2024b",
    .summary = "circulant graph with p halved as skips: ceil(log2 p) rounds, p-1 blocks",
    .needs = "any p",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .by_name_only = true,
    .joins_blocks = true,
    .lies_in_scratch = true,
    .claim = claim,
    .emit = emit,
};
