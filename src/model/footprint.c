/* The memory that a plan takes beside the program's own buffers, and the segments that bound it.

   The runtime moves long blocks segment by segment: it runs the same plan over the next part of
   every block. Scratch space and staging memory have room for one segment, so that they don't grow
   with the block. */
#include "model/bandwidth_delay.h"

enum {
  SEGMENT_CHUNKS_MAX = 512, /* of a block: steps and posted receives don't grow with it either */
  SEGMENT_STEPS_MAX = 32768,
  /* Each segment pays the latency of the plan's rounds again. A segment that carries the bytes of
     so many latencies for each of its rounds takes one part in 64 longer by it. */
  LATENCIES_A_ROUND = 64,
};

/* What is small for any host that runs MPI, and is what blocks cut in chunks take anyway: a segment
   of 8192 chunks sent, of 4 KiB. */
const uint64_t tny_model_scratch_max = 32 << 20;

/* How many segments, so that neither the chunks nor the steps of a plan grow without limit, nor the
   messages of all ranks where each plans them all. A chunk of a block sent is at most four steps:
   its send and receive, and a token each; where messages have several pieces of a block, so are
   they. */
static uint64_t segments_for_steps(const struct tny_claim *claim, uint32_t rank_count,
                                   const struct tny_pace *pace, uint32_t pieces_a_message)
{
  const uint64_t sent = claim->blocks_sent_max;
  const uint64_t steps = 4 * sent + 2, messages = sent * rank_count + 1;
  uint64_t chunks_max = SEGMENT_STEPS_MAX / steps;
  if (pace->limit_message_bytes > 0 && chunks_max > TNY_LIMITED_MESSAGES_MAX / messages)
    chunks_max = TNY_LIMITED_MESSAGES_MAX / messages;
  if (chunks_max > SEGMENT_CHUNKS_MAX)
    chunks_max = SEGMENT_CHUNKS_MAX;
  if (chunks_max < 1)
    chunks_max = 1;
  if (pieces_a_message > 1)
    chunks_max *= pieces_a_message;
  return (pace->chunk_count - 1) / chunks_max + 1;
}

/* How many segments, so that `blocks` of them keep to the scratch space that a plan may take; but
   none so short that latency counts: by what the busiest port carries, sent or received. */
static uint64_t segments_for_memory(const struct tny_model *model, const struct tny_claim *claim,
                                    uint64_t blocks, uint64_t block_bytes)
{
  if (blocks == 0 || block_bytes == 0)
    return 1;
  const uint64_t most = claim->blocks_sent_max > claim->blocks_received_max
                            ? claim->blocks_sent_max
                            : claim->blocks_received_max;
  const uint64_t carried = most > 0 ? most : 1;
  const uint64_t rounds = claim->rounds ? claim->rounds : carried;
  const uint64_t fits = tny_model_scratch_max / blocks;
  const uint64_t pays =
      LATENCIES_A_ROUND * rounds * tny_model_bandwidth_delay_bytes(model) / carried;
  uint64_t part_bytes = fits > pays ? fits : pays;
  if (part_bytes < 1)
    part_bytes = 1;
  return (block_bytes - 1) / part_bytes + 1;
}

struct tny_footprint tny_model_footprint(const struct tny_model *model,
                                         const struct tny_algorithm *algorithm,
                                         const struct tny_problem *problem,
                                         const struct tny_pace *pace, uint64_t block_bytes)
{
  const struct tny_problem whole = tny_plan_problem(algorithm, problem, 1);
  const struct tny_claim claim = tny_algorithm_claim(algorithm, &whole);
  const enum tny_collective collective = problem->collective;
  const uint64_t inputs = tny_buffer_blocks(collective, TNY_INPUT, problem->rank_count);
  const uint64_t outputs = tny_buffer_blocks(collective, TNY_OUTPUT, problem->rank_count);
  /* What the runtime copies in place. An input that is its own block of the output may stay there
     while the plan runs; any other is overwritten. */
  const bool copies =
      tny_collective_may_be_in_place(collective) && !tny_collective_has_own_block(collective);
  const uint64_t in_place = copies ? inputs : 0;
  const uint64_t for_steps =
      segments_for_steps(&claim, problem->rank_count, pace, algorithm->pieces_a_message);
  const uint64_t for_memory = segments_for_memory(model, &claim, claim.scratch_blocks + in_place,
                                                  tny_model_size_step(block_bytes));
  const uint64_t segments = for_steps > for_memory ? for_steps : for_memory;
  struct tny_footprint footprint = {.segment_count =
                                        segments > UINT32_MAX ? UINT32_MAX : (uint32_t)segments};
  const uint64_t part_bytes =
      block_bytes / footprint.segment_count + (block_bytes % footprint.segment_count != 0);
  footprint.scratch_bytes = claim.scratch_blocks * part_bytes;
  footprint.is_too_large = footprint.scratch_bytes > tny_model_scratch_max &&
                           footprint.scratch_bytes > (inputs + outputs) * block_bytes;
  footprint.in_place_bytes = in_place * part_bytes;
  footprint.packed_bytes =
      (tny_collective_has_one_buffer(collective) ? 1 : inputs + outputs) * block_bytes;
  return footprint;
}
