/* Runs an uneven call by the plan of an even one. The plan's chunks and segments are so many parts
   of every block, each of its own bytes; where all ranks know all sizes, a short block's are fewer
   (schedule/block_cut.h). What lies in memory as it is sent stays where it is.
   Staged, as whole blocks, is what has to be packed, and the input that the output overwrites in
   place. */
#include "mpi/uneven/run.h"

#include <stdalign.h>
#include <stddef.h>

#include "mpi/execute.h"
#include "mpi/network/port.h"
#include "mpi/pack.h"
#include "mpi/types/combine.h"
#include "mpi/uneven/blocks.h"
#include "mpi/world.h"

enum {
  WIDER_MOST = 8,     /* a window in bytes, against its plan's in messages */
  MESSAGES_LEAST = 4, /* that a window in bytes may have, so that short ones don't wait */
};

/* A block of the plan, and where it is. It is one of the program's, or among neighbours a message:
   all that the program has for one rank, or gets from it. */
struct block {
  uint64_t bytes;
  char *memory;
  bool is_staged;
};

/* A side of the call; an input in place is part of the output's memory. */
struct side {
  enum tny_buffer buffer;
  const struct tny_edge_side *edges; /* among neighbours; else NULL */
  uint32_t count;
  uint32_t numbers;    /* that blocks have in the plan: some of so many */
  bool is_overwritten; /* an input whose memory the plan writes into */
  struct block *blocks;
  struct tny_lone_block *parts; /* of the blocks, by number: those of the segment that runs */
};

struct sides {
  struct side input, output;
  struct tny_reduction operation; /* of a reduction */
  struct tny_area scratch;        /* with room for the longest piece in each place */
};

/* The number of a block in the plan. */
static uint32_t number_of(const struct side *side, uint32_t index)
{
  return side->edges ? tny_message_rank(side->edges, index) : index;
}

/* How many of the program's blocks it is. */
static uint32_t piece_count(const struct side *side, uint32_t index)
{
  return side->edges ? tny_message_edges(side->edges, index) : 1;
}

/* One of the program's blocks that make up a block. */
struct piece {
  uint32_t block, index;
};

static int describe_piece(const struct tny_job *job, const struct side *side, struct piece piece,
                          struct tny_block_cursor *cursor, struct tny_call_block *found)
{
  const struct tny_call *call = job->call;
  uint32_t place = piece.block;
  if (side->edges)
    place = tny_message_slot(side->edges, tny_call_neighbours(call), piece.block, piece.index);
  return side->buffer == TNY_INPUT ? tny_uneven_sent(call, job->state->rank, place, cursor, found)
                                   : tny_uneven_received(call, place, cursor, found);
}

/* Where a block is several of the program's, they are staged one behind another. */
static int describe(const struct tny_job *job, const struct side *side, uint32_t index,
                    struct tny_block_cursor *cursor, struct block *block)
{
  struct tny_call_block piece;
  *block = (struct block){0};
  int code = describe_piece(job, side, (struct piece){.block = index}, cursor, &piece);
  if (code != MPI_SUCCESS)
    return code;
  block->bytes = (uint64_t)piece.count * piece.facts.bytes;
  block->memory = piece.memory;
  block->is_staged = side->is_overwritten || !piece.facts.is_bytes;
  if (piece_count(side, index) == 1)
    return MPI_SUCCESS;
  block->is_staged = true;
  const struct tny_neighbour_message message = {
      .buffer = side->buffer, .side = side->edges, .index = index};
  return tny_uneven_message_bytes(job->call, &message, cursor, &block->bytes);
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
static int pack(const struct tny_job *job, const struct tny_call_block *piece, char *staged,
                uint64_t bytes)
{
  const struct tny_elements elements = {piece->memory, (int)piece->count, piece->facts.type};
  if (!piece->facts.is_bytes)
    return tny_pack(&elements, staged, (int)bytes, job->state->comm);
  memcpy(staged, piece->memory, bytes);
  return MPI_SUCCESS;
}

static int unpack(const struct tny_job *job, const struct tny_call_block *piece, const char *staged,
                  uint64_t bytes)
{
  const struct tny_elements elements = {piece->memory, (int)piece->count, piece->facts.type};
  if (!piece->facts.is_bytes)
    return tny_unpack(staged, (int)bytes, &elements, job->state->comm);
  memcpy(piece->memory, staged, bytes);
  return MPI_SUCCESS;
}

/* Brings all that is staged of a side from the program's memory, or there. */
static int move_staged(const struct tny_job *job, const struct side *side)
{
  struct tny_block_cursor cursor = {0};
  struct tny_call_block piece;
  int code = MPI_SUCCESS;
  for (uint32_t i = 0; code == MPI_SUCCESS && i < side->count; i++) {
    const struct block *block = &side->blocks[i];
    const uint32_t pieces = block->is_staged && block->bytes > 0 ? piece_count(side, i) : 0;
    char *staged = block->memory;
    for (uint32_t k = 0; code == MPI_SUCCESS && k < pieces; k++) {
      code = describe_piece(job, side, (struct piece){i, k}, &cursor, &piece);
      const uint64_t bytes = code == MPI_SUCCESS ? (uint64_t)piece.count * piece.facts.bytes : 0;
      if (bytes > 0)
        code = side->buffer == TNY_INPUT ? pack(job, &piece, staged, bytes)
                                         : unpack(job, &piece, staged, bytes);
      staged += bytes;
    }
  }
  return code;
}

/* How a segment's part of a rank's block is cut. */
static struct tny_block_cut cut_of(const struct tny_job *job, uint64_t bytes, uint32_t rank)
{
  if (job->piece_bytes == 0)
    return (struct tny_block_cut){0};
  return tny_block_cut_make(bytes, job->piece_bytes, rank);
}

/* The segment's part of every block. */
static struct tny_area area_of(const struct tny_job *job, const struct side *side, uint32_t segment)
{
  for (uint32_t i = 0; i < side->count; i++) {
    const struct block *block = &side->blocks[i];
    const uint32_t number = number_of(side, i);
    const struct tny_part part =
        tny_part_of_elements(block->bytes, job->element_bytes, segment, job->segment_count);
    side->parts[number] = (struct tny_lone_block){
        .memory = block->memory + part.offset,
        .bytes = part.bytes,
        .cut = cut_of(job, part.bytes, side->numbers > 1 ? number : job->state->rank)};
  }
  return (struct tny_area){.blocks = side->parts};
}

/* Do ranks pass on what they get, combined or as it is? */
static bool passes_on(const struct tny_job *job)
{
  return tny_collective_has_own_block(job->call->collective) ||
         job->choice.algorithm->mirrors != NULL;
}

/* Where they do, a host's ranks send to each other, and one of them to the next host. */
static uint32_t port_sending(const struct tny_job *job, const struct tny_port *port)
{
  return passes_on(job) ? 1 : port->sharing;
}

static int run_segments(struct tny_job *job, const struct sides *sides)
{
  const bool reduces = tny_collective_reduces(job->call->collective);
  struct tny_port *port = job->state->group->world->port;
  int code = move_staged(job, &sides->input);
  for (uint32_t i = 0; code == MPI_SUCCESS && i < job->segment_count; i++) {
    const struct tny_buffers buffers = {.areas = {[TNY_INPUT] = area_of(job, &sides->input, i),
                                                  [TNY_OUTPUT] = area_of(job, &sides->output, i),
                                                  [TNY_SCRATCH] = sides->scratch},
                                        .operation = reduces ? &sides->operation : NULL,
                                        .window = job->window,
                                        .port = port,
                                        .port_sending = port_sending(job, port),
                                        .leaves_out_empty = job->piece_bytes > 0};
    code = tny_execute(job->plan, job->state, &buffers, &job->flaws);
  }
  job->is_over = code == MPI_SUCCESS;
  if (code == MPI_SUCCESS)
    code = move_staged(job, &sides->output);
  return code == MPI_SUCCESS ? job->flaws.truncated : code;
}

/* One side: the blocks of all ranks, or of neighbours. */
static struct side begin_side(const struct tny_job *job, enum tny_buffer buffer)
{
  const struct tny_comm_state *state = job->state;
  const struct tny_edges *edges = state->edges;
  struct side side = {.buffer = buffer};
  side.numbers = tny_rank_blocks(job->call->collective, buffer, state->rank_count,
                                 (uint32_t)job->call->root, state->rank);
  if (edges)
    side.edges = buffer == TNY_INPUT ? &edges->send : &edges->receive;
  side.count = edges ? side.edges->message_count : side.numbers;
  return side;
}

/* In place, the output overwrites the input unless the plan keeps it. */
static struct sides begin(const struct tny_job *job)
{
  struct sides sides = {.input = begin_side(job, TNY_INPUT), .output = begin_side(job, TNY_OUTPUT)};
  sides.input.is_overwritten = job->call->send == MPI_IN_PLACE && !job->plan->keeps_input;
  return sides;
}

/* The bytes of the sides' lists. What is behind them may hold elements of any type. */
static uint64_t list_bytes(const struct sides *sides)
{
  const uint64_t blocks = (uint64_t)sides->input.count + sides->output.count;
  const uint64_t numbers = (uint64_t)sides->input.numbers + sides->output.numbers;
  const uint64_t bytes = blocks * sizeof(struct block) + numbers * sizeof(struct tny_lone_block);
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
  sides->output.parts = parts + sides->input.numbers;
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
  const uint64_t peers = tny_group_messages_most(job->state->group) - 1;
  const uint64_t messages = mean < peers ? mean : peers;
  return messages < MESSAGES_LEAST ? MESSAGES_LEAST : (uint32_t)messages;
}

void tny_uneven_pace(struct tny_job *job)
{
  struct tny_segments *run = &job->basis.run;
  const struct tny_handed *handed = job->basis.handed;
  const bool is_finished = handed && handed->head.form == TNY_PARTS_FINISHED;
  const uint64_t cut_bytes = job->longest_bytes ? job->longest_bytes : job->block_bytes;
  const uint64_t chunk_bytes = cut_bytes / ((uint64_t)run->count * run->pace.chunk_count) + 1;
  job->piece_bytes = job->longest_bytes ? chunk_bytes : 0;
  if (job->choice.algorithm->pacing != TNY_PACE_RECEIVES || run->pace.window == 0 || is_finished)
    return;
  job->window.bytes = window_bytes(run, chunk_bytes);
  job->window.is_balanced = passes_on(job);
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

/* The longest piece of a block in any segment: of a segment, and of its parts, the first is. */
static uint64_t longest_piece(const struct tny_job *job)
{
  const struct tny_uneven_side *uneven = &job->call->uneven->send;
  const uint64_t element_bytes = job->element_bytes;
  const struct tny_span all = {.chunk_count = job->plan->piece_count,
                               .chunks = job->plan->piece_count};
  uint64_t longest = 0;
  if (job->plan->scratch_blocks == 0)
    return 0;
  for (uint32_t i = 0; i < job->state->rank_count; i++) {
    const uint64_t block_bytes = (uint64_t)tny_count_of(uneven, i) * element_bytes;
    const uint64_t bytes =
        tny_part_of_elements(block_bytes, element_bytes, 0, job->segment_count).bytes;
    const struct tny_block_parts parts = tny_block_cut_parts(cut_of(job, bytes, i), &all);
    const uint64_t piece = tny_part_of_elements(bytes, element_bytes, 0, parts.count).bytes;
    longest = piece > longest ? piece : longest;
  }
  return longest;
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
  if (!job->flaws.leaves_sends)
    tny_staging_put(job->state->group, staging);
  return code;
}
