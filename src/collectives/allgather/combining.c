/* All-gather, combining: each round a rank sends all that it holds, so that what it holds doubles;
   the last round sends what is still missing.

   Source: Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters of
           workstations", 3.1.3, Figure 5
   Needs:  any p
   Shape:  p=4, rank 3:  3 -> 0,  then 2 3 -> 1;  scratch:  . . . 3,  . . 2 3,  0 1 2 3
   Cost:   ceil(log2 p) rounds, p-1 blocks sent by each rank, p blocks of scratch
   Links:  one message a link and phase on one switch, of up to p/2 blocks; a trunk carries one for
           every pair across it
   Prefer: for short blocks (up to about 4 KiB on 16 hosts) and any p: few rounds, and long
           messages. On several switches of the same size hierarchical sends less over trunks */
#include "collectives/list.h"
#include "collectives/shared/after.h"
#include "core/log2.h"
#include "planner/position.h"

/* Scratch ends with the own block and grows downwards: block r-j (mod p) lies at index p-1-j. So a
   rank's blocks always lie in one piece. In the end they are in order, but rotated by r+1. */
static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count;
  const uint32_t rounds = tny_log2_ceil(p);
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1),
                   tny_span_blocks(TNY_SCRATCH, p - 1, 1));
  uint32_t held = 1, received = TNY_NONE;
  for (uint32_t round = 0; round < rounds; round++) {
    const uint32_t distance = held;
    const uint32_t count = held < p - held ? held : p - held;
    tny_builder_send(builder, tny_position_rank(NULL, p, rank, distance),
                     tny_span_blocks(TNY_SCRATCH, p - count, count), round);
    if (received != TNY_NONE)
      tny_builder_after(builder, received);
    held += count;
    received = tny_builder_recv(builder, tny_position_rank(NULL, p, rank, p - distance),
                                tny_span_blocks(TNY_SCRATCH, p - held, count), round);
  }
  const uint32_t behind = p - 1 - rank;
  tny_copy_after(builder, tny_span_blocks(TNY_SCRATCH, 0, behind), rank + 1, received);
  tny_copy_after(builder, tny_span_blocks(TNY_SCRATCH, behind, rank + 1), 0, received);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t rounds = tny_log2_ceil(problem->rank_count);
  return (struct tny_claim){.rounds = rounds,
                            .phases = rounds,
                            .blocks_sent_max = problem->rank_count - 1,
                            .scratch_blocks = problem->rank_count,
                            .port_messages = 1};
}

const struct tny_algorithm tny_allgather_combining = {
    .collective = TNY_ALLGATHER,
    .name = "combining",
    .source = "jacunski1999",
    .summary = "each round sends all blocks gathered so far: ceil(log2 p) rounds",
    .needs = "any p",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .holds_blocks = true,
    .lies_in_scratch = true,
    .claim = claim,
    .emit = emit,
};
