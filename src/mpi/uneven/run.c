/* Runs an uneven call by the plan of an even one. The plan's chunks and segments are so many parts
   of every block, each of its own bytes. What lies in memory as it is sent stays where it is.
   Staged, as whole blocks, is what has to be packed, and the input that the output overwrites in
   place. */
#include "mpi/uneven/run.h"

#include <stdalign.h>
#include <stddef.h>

#include "mpi/execute.h"
#include "mpi/pack.h"
#include "mpi/types/combine.h"
#include "mpi/uneven/blocks.h"

enum {
  WIDER_MOST = 8,     /* a window in bytes, against its plan's in messages */
  MESSAGES_LEAST = 4, /* that a window in bytes may have, so that short ones don't wait */
};

/* A block of the program, and where it is for the plan. */
struct block {
  struct tny_call_block call;
  uint64_t bytes;
  char *memory;
  bool is_staged;
};

/* A side of the call; an input in place is part of the output's memory. */
struct side {
  enum tny_buffer buffer;
  uint32_t count;
  bool is_overwritten; /* an input whose memory the plan writes into */
  struct block *blocks;
  struct tny_lone_block *parts; /* of the blocks: those of the segment that runs */
};

struct sides {
  struct side input, output;
  struct tny_reduction operation; /* of a reduction */
  struct tny_area scratch;        /* with room for the longest piece in each place */
};

static int describe(const struct tny_job *job, const struct side *side, uint32_t index,
                    struct tny_block_cursor *cursor, struct block *block)
{
  const struct tny_call *call = job->call;
  *block = (struct block){0};
  const int code = side->buffer == TNY_INPUT
                       ? tny_uneven_sent(call, job->state->rank, index, cursor, &block->call)
                       : tny_uneven_received(call, index, cursor, &block->call);
  if (code != MPI_SUCCESS)
    return code;
  block->bytes = (uint64_t)block->call.count * block->call.facts.bytes;
  block->memory = block->call.memory;
  block->is_staged = side->is_overwritten || !block->call.facts.is_bytes;
  return MPI_SUCCESS;
}

/* Adds what the side has to have staged. */
static int add_staged_bytes(const struct tny_job *job, const struct side *side, uint64_t *bytes)
{
  struct tny_block_cursor cursor = {0};
  struct block block;
  int code = MPI_SUCCESS;
  for (uint32_t i = 0; code == MPI_SUCCESS && i < side->count; i++) {
    code = describe(job, side, i, &cursor, &block);
    if (code == MPI_SUCCESS && block.is_staged)
      *bytes += block.bytes;
  }
  return code;
}

/* Describes all blocks; those that are staged get places from *staging on. */
static int describe_all(const struct tny_job *job, struct side *side, char **staging)
{
  struct tny_block_cursor cursor = {0};
  int code = MPI_SUCCESS;
  for (uint32_t i = 0; code == MPI_SUCCESS && i < side->count; i++) {
    struct block *block = &side->blocks[i];
    code = describe(job, side, i, &cursor, block);
    if (code != MPI_SUCCESS || !block->is_staged)
      continue;
    block->memory = *staging;
    *staging += block->bytes;
  }
  return code;
}

/* MPI_Pack writes a signature's bytes one after another, as they are sent between machines of one
   kind. */
static int bring_in(const struct tny_job *job, const struct side *side)
{
  int code = MPI_SUCCESS;
  for (uint32_t i = 0; code == MPI_SUCCESS && i < side->count; i++) {
    const struct block *block = &side->blocks[i];
    const struct tny_call_block *call = &block->call;
    const struct tny_elements elements = {call->memory, (int)call->count, call->facts.type};
    if (!block->is_staged || block->bytes == 0)
      continue;
    if (call->facts.is_bytes)
      memcpy(block->memory, call->memory, block->bytes);
    else
      code = tny_pack(&elements, block->memory, (int)block->bytes, job->state->comm);
  }
  return code;
}

static int take_out(const struct tny_job *job, const struct side *side)
{
  int code = MPI_SUCCESS;
  for (uint32_t i = 0; code == MPI_SUCCESS && i < side->count; i++) {
    const struct block *block = &side->blocks[i];
    const struct tny_call_block *call = &block->call;
    const struct tny_elements elements = {call->memory, (int)call->count, call->facts.type};
    if (block->is_staged && block->bytes > 0)
      code = tny_unpack(block->memory, (int)block->bytes, &elements, job->state->comm);
  }
  return code;
}

/* The segment's part of every block. */
static struct tny_area area_of(const struct tny_job *job, const struct side *side, uint32_t segment)
{
  for (uint32_t i = 0; i < side->count; i++) {
    const struct block *block = &side->blocks[i];
    const struct tny_part part =
        tny_part_of_elements(block->bytes, job->element_bytes, segment, job->segment_count);
    side->parts[i] =
        (struct tny_lone_block){.memory = block->memory + part.offset, .bytes = part.bytes};
  }
  return (struct tny_area){.blocks = side->parts};
}

static int run_segments(struct tny_job *job, const struct sides *sides)
{
  const bool reduces = tny_collective_reduces(job->call->collective);
  int code = bring_in(job, &sides->input);
  for (uint32_t i = 0; code == MPI_SUCCESS && i < job->segment_count; i++) {
    const struct tny_buffers buffers = {.areas = {[TNY_INPUT] = area_of(job, &sides->input, i),
                                                  [TNY_OUTPUT] = area_of(job, &sides->output, i),
                                                  [TNY_SCRATCH] = sides->scratch},
                                        .operation = reduces ? &sides->operation : NULL,
                                        .window = job->window};
    code = tny_execute(job->plan, job->state, &buffers);
  }
  job->is_over = code == MPI_SUCCESS;
  return code == MPI_SUCCESS ? take_out(job, &sides->output) : code;
}

/* In place, the output overwrites the input unless the plan keeps it. */
static struct sides begin(const struct tny_job *job)
{
  const enum tny_collective collective = job->call->collective;
  const uint32_t p = job->state->rank_count, rank = job->state->rank;
  const uint32_t root = (uint32_t)job->call->root;
  return (struct sides){
      .input = {.buffer = TNY_INPUT,
                .count = tny_rank_blocks(collective, TNY_INPUT, p, root, rank),
                .is_overwritten = job->call->send == MPI_IN_PLACE && !job->plan->keeps_input},
      .output = {.buffer = TNY_OUTPUT,
                 .count = tny_rank_blocks(collective, TNY_OUTPUT, p, root, rank)}};
}

/* The bytes of the sides' lists. What is behind them may hold elements of any type. */
static uint64_t list_bytes(const struct sides *sides)
{
  const uint64_t blocks = (uint64_t)sides->input.count + sides->output.count;
  const uint64_t bytes = blocks * (sizeof(struct block) + sizeof(struct tny_lone_block));
  const uint64_t unit = alignof(max_align_t);
  return (bytes + unit - 1) / unit * unit;
}

/* Lays the sides' lists out at the beginning of the memory; returns what is behind them. */
static char *place_lists(struct sides *sides, char *memory)
{
  const uint32_t inputs = sides->input.count, outputs = sides->output.count;
  struct block *blocks = (struct block *)(void *)memory;
  struct tny_lone_block *parts = (struct tny_lone_block *)(void *)(blocks + inputs + outputs);
  sides->input.blocks = blocks;
  sides->output.blocks = blocks + inputs;
  sides->input.parts = parts;
  sides->output.parts = parts + inputs;
  return memory + list_bytes(sides);
}

/* Ranks whose messages differ lose step, and a rank that is ahead has to wait for those behind: the
   wider its window, the less. So it is as wide as the port buffers take, by the budget that a plan
   has for it: three quarters of half of the chunk budget, or of the plan's own window where that
   budget isn't known, which is at most as much. In the lab (20 Mbit/s, buffers of 64 KiB, blocks
   of 16 KiB on the mean, 1:8), 16 ranks on a switch reached 77 % of the bound with the plan's
   window of 4 KiB, 92 % with 24 KiB and 85 % with 32 KiB; 8 and 8 around a trunk reached 92 % with
   3 KiB and 89 % with 4 KiB. */
static uint64_t window_bytes(const struct tny_segments *run, uint64_t chunk_bytes)
{
  const uint64_t own = run->pace.window * chunk_bytes, most = WIDER_MOST * own;
  const uint64_t half = run->chunk_budget_bytes / 2;
  const uint64_t budget = half == 0 ? own : half < most ? half : most;
  return budget - budget / 4;
}

/* As many as the window has of mean length, twice: ranks that have little to send fall in with the
   others. But no more than one for each peer, so that what all have for one rank, and nothing for
   others, doesn't come at once. */
static uint32_t window_messages(const struct tny_job *job, uint64_t chunk_bytes)
{
  const uint64_t mean = 2 * job->window.bytes / chunk_bytes;
  const uint64_t peers = job->state->rank_count - 1;
  const uint64_t messages = mean < peers ? mean : peers;
  return messages < MESSAGES_LEAST ? MESSAGES_LEAST : (uint32_t)messages;
}

void tny_uneven_pace(struct tny_job *job)
{
  struct tny_segments *run = &job->basis.run;
  const struct tny_handed *handed = job->basis.handed;
  const bool is_finished = handed && handed->head.form == TNY_PARTS_FINISHED;
  const uint64_t chunk_bytes =
      job->block_bytes / ((uint64_t)run->count * run->pace.chunk_count) + 1;
  if (job->choice.algorithm->pacing != TNY_PACE_RECEIVES || run->pace.window == 0 || is_finished)
    return;
  job->window.bytes = window_bytes(run, chunk_bytes);
  job->window.is_balanced =
      tny_collective_has_own_block(job->call->collective) || job->choice.algorithm->mirrors != NULL;
  if (!job->window.is_balanced)
    job->window.messages = window_messages(job, chunk_bytes);
  run->pace.window = 0;
}

/* What a reduction combines by, and which blocks its plan's scratch space has. */
static int begin_reduction(struct tny_job *job, struct sides *sides)
{
  const struct tny_call *call = job->call;
  job->element_bytes = 1;
  if (!tny_collective_reduces(call->collective))
    return MPI_SUCCESS;
  const int code = tny_reduction_describe(call->op, call->receive_type, &sides->operation);
  job->element_bytes = sides->operation.element_bytes;
  if (code == MPI_SUCCESS && !tny_plan_find_held(job->plan, job->state->rank))
    return MPI_ERR_NO_MEM;
  return code;
}

/* The longest piece of a block in any segment. */
static uint64_t longest_piece(const struct tny_job *job)
{
  const struct tny_uneven_side *uneven = &job->call->uneven->send;
  MPI_Count most = 0;
  if (job->plan->scratch_blocks == 0)
    return 0;
  for (uint32_t i = 0; i < job->state->rank_count; i++)
    if (tny_count_of(uneven, i) > most)
      most = tny_count_of(uneven, i);
  const uint64_t element_bytes = job->element_bytes;
  const struct tny_part part =
      tny_part_of_elements((uint64_t)most * element_bytes, element_bytes, 0, job->segment_count);
  return tny_part_of_elements(part.bytes, element_bytes, 0, job->plan->piece_count).bytes;
}

/* Takes memory for the sides' lists, for what is staged, for scratch space, and for operands that
   are put aside; lays it out. */
static struct tny_staging *take_memory(const struct tny_job *job, struct sides *sides,
                                       uint64_t staged)
{
  const uint64_t stride = longest_piece(job);
  const uint64_t scratch_bytes =
      (uint64_t)job->plan->scratch_blocks * job->plan->piece_count * stride;
  struct tny_staging *staging =
      tny_staging_take(job->state->group, list_bytes(sides) + staged + scratch_bytes +
                                              sides->operation.aside_bytes + 1);
  if (!staging)
    return NULL;
  char *const lists_end = place_lists(sides, staging->memory);
  sides->scratch = (struct tny_area){.memory = lists_end + staged, .stride = stride};
  sides->operation.aside = sides->scratch.memory + scratch_bytes;
  return staging;
}

int tny_run_uneven(struct tny_job *job)
{
  struct sides sides = begin(job);
  uint64_t staged = 0;
  int code = begin_reduction(job, &sides);
  if (code == MPI_SUCCESS)
    code = add_staged_bytes(job, &sides.input, &staged);
  if (code == MPI_SUCCESS)
    code = add_staged_bytes(job, &sides.output, &staged);
  if (code != MPI_SUCCESS)
    return code;
  struct tny_staging *staging = take_memory(job, &sides, staged);
  if (!staging)
    return MPI_ERR_NO_MEM;
  char *behind = sides.scratch.memory - staged;
  code = describe_all(job, &sides.input, &behind);
  if (code == MPI_SUCCESS)
    code = describe_all(job, &sides.output, &behind);
  if (code == MPI_SUCCESS)
    code = run_segments(job, &sides);
  tny_staging_put(job->state->group, staging);
  return code;
}
