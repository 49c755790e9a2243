/* All-gather, simultaneous broadcast (SB): every rank sends its own block to each other rank, the
   next one first, so that no message waits for another.

   Source: Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters of
           workstations", 3.1.2, Figure 4 (whose last loop is to receive from the rank
           num_received+1 back; the loop above leaves i where it ended)
   Needs:  any p
   Shape:  p=4, rank 0:  -> 1 -> 2 -> 3, while 3 2 1 send to it
   Cost:   p-1 rounds, p-1 blocks sent by each rank
   Links:  one message a link and phase on one switch; a trunk carries every block of its one side
           once for each rank on the other
   Prefer: where a rank's block should go out at once, without waiting for others; on one switch
           it takes as long as the ring. On several switches every trunk carries all blocks many
           times */
#include "collectives/list.h"
#include "planner/position.h"

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count;
  const struct tny_span own = tny_span_blocks(TNY_INPUT, 0, 1);
  for (uint32_t i = 1; i < p; i++) {
    const uint32_t from = tny_position_rank(NULL, p, rank, p - i);
    tny_builder_send(builder, tny_position_rank(NULL, p, rank, i), own, i - 1);
    tny_builder_recv(builder, from, tny_span_blocks(TNY_OUTPUT, from, 1), i - 1);
  }
  tny_builder_copy(builder, own, tny_span_blocks(TNY_OUTPUT, rank, 1));
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t rounds = problem->rank_count - 1;
  return (struct tny_claim){
      .rounds = rounds, .phases = rounds, .blocks_sent_max = rounds, .port_messages = 1};
}

static uint32_t peer(const struct tny_problem *problem, uint32_t rank, uint32_t phase)
{
  return tny_position_rank(NULL, problem->rank_count, rank, phase + 1);
}

const struct tny_algorithm tny_allgather_simultaneous_broadcast = {
    .collective = TNY_ALLGATHER,
    .name = "simultaneous-broadcast",
    .source = "jacunski1999",
    .summary = "every rank sends its own block to each other rank in turn",
    .needs = "any p",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
    .peer = peer,
};
