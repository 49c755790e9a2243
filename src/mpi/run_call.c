/* Brings one call's data into blocks of bytes, segment by segment, and runs the plan over each
   segment. Data that lies in memory as it is sent stays where it is. What has to be packed, what
   MPI_IN_PLACE would have overwritten before it is sent, and scratch space are staged: as much of
   them as a segment needs. */
#include "mpi/run_call.h"

#include <limits.h>

#include "core/alloc.h"
#include "mpi/execute.h"
#include "mpi/native_errors.h"
#include "mpi/pack.h"
#include "mpi/types/combine.h"
#include "mpi/types/datatypes.h"
#include "mpi/world.h"

enum {
  /* Elements longer than this part of a segment are staged by whole blocks: taken by segments, most
     would be packed twice. */
  ELEMENTS_A_SEGMENT = 8,
};

/* One side of a call: blocks of `count` elements in the program's memory. */
struct side {
  void *memory;
  int count;
  MPI_Datatype type;
  uint64_t type_bytes;
  MPI_Aint extent; /* bytes from element to element */
  uint32_t blocks;
  bool is_bytes;   /* the blocks lie in memory just as they are sent */
  bool is_copy;    /* the type is ours, to be freed */
  bool is_staged;  /* the plan works on staged blocks, not on the program's memory */
  bool is_whole;   /* whole blocks are staged, not segments */
  bool is_foreign; /* the blocks are as long as the root's, not as this side's elements */
  char *staging;
  uint64_t stride; /* of staged blocks */
};

/* A call's two sides; a broadcast sends from where it receives. */
struct sides {
  struct side input, output;
};

/* --- describing --- */

/* A type that isn't committed has been accepted by the MPI's own collective: its committed copy
   works. */
static int make_usable(const struct tny_job *job, struct side *side, MPI_Datatype type)
{
  side->type = type;
  if (tny_type_is_usable(type, job->state->group->world->self))
    return MPI_SUCCESS;
  const int code = PMPI_Type_dup(type, &side->type);
  if (code != MPI_SUCCESS)
    return code;
  side->is_copy = true;
  return PMPI_Type_commit(&side->type);
}

/* More elements than an int counts have no bytes, or are a broadcast's receiver's, whose root sends
   fewer. */
static int describe(const struct tny_job *job, struct side *side, const void *memory,
                    MPI_Count count, MPI_Datatype type)
{
  MPI_Aint lower_bound;
  MPI_Count type_bytes;
  *side = (struct side){.memory = (void *)(uintptr_t)memory,
                        .count = count < INT_MAX ? (int)count : INT_MAX};
  int code = make_usable(job, side, type);
  if (code == MPI_SUCCESS)
    code = tny_type_look_at(side->type, &side->is_bytes);
  if (code == MPI_SUCCESS)
    code = PMPI_Type_get_extent(side->type, &lower_bound, &side->extent);
  if (code == MPI_SUCCESS)
    code = PMPI_Type_size_x(side->type, &type_bytes);
  if (code != MPI_SUCCESS)
    return code;
  side->type_bytes = (uint64_t)type_bytes;
  return MPI_SUCCESS;
}

static void release(struct sides *sides)
{
  if (sides->input.is_copy)
    PMPI_Type_free(&sides->input.type);
  if (sides->output.is_copy)
    PMPI_Type_free(&sides->output.type);
}

/* By address: MPI_BOTTOM is a null pointer, and displacements are in the type. */
static void *element_at(const struct side *side, uint32_t block, uint64_t element)
{
  const MPI_Aint index = (MPI_Aint)block * side->count + (MPI_Aint)element;
  return (void *)((uintptr_t)side->memory + (uintptr_t)(index * side->extent));
}

/* Gives a block so many packed bytes, for which it has room. They may end within an element, of
   which the rest stays as it is; `aside` has room for one. */
static int fill(const struct tny_job *job, const struct side *side, const char *packed,
                uint64_t bytes, char *aside)
{
  const MPI_Comm comm = job->state->comm;
  const uint64_t size = side->type_bytes, whole = size > 0 ? bytes / size : 0;
  const uint64_t rest = bytes - whole * size;
  const struct tny_elements elements = {element_at(side, 0, 0), (int)whole, side->type};
  const struct tny_elements last = {element_at(side, 0, whole), 1, side->type};
  int code = tny_unpack(packed, (int)(whole * size), &elements, comm);
  if (code != MPI_SUCCESS || rest == 0)
    return code;
  code = tny_pack(&last, aside, (int)size, comm);
  memcpy(aside, packed + whole * size, rest);
  return code == MPI_SUCCESS ? tny_unpack(aside, (int)size, &last, comm) : code;
}

/* Puts a block where there is room for it, converted as a message would be. */
static int put(const struct tny_job *job, const struct side *from, const struct side *to)
{
  const uint64_t bytes = (uint64_t)from->count * from->type_bytes;
  struct tny_staging *staging = tny_staging_take(job->state->group, bytes + to->type_bytes);
  if (!staging)
    return MPI_ERR_NO_MEM;
  const struct tny_elements elements = {element_at(from, 0, 0), from->count, from->type};
  int code = tny_pack(&elements, staging->memory, (int)bytes, job->state->comm);
  if (code == MPI_SUCCESS)
    code = fill(job, to, staging->memory, bytes, staging->memory + bytes);
  tny_staging_put(job->state->group, staging);
  return code;
}

/* --- staging --- */

static struct tny_part segment_at(const struct tny_job *job, uint32_t index)
{
  return tny_part_of_elements(job->block_bytes, job->element_bytes, index, job->segment_count);
}

/* Has the side staged. What are bytes in memory are so many elements of one byte. Behind a block
   that isn't as long as this side's there is room for an element. */
static void stage(const struct tny_job *job, struct side *side)
{
  const uint64_t part_bytes = segment_at(job, 0).bytes;
  if (side->is_bytes && !side->is_foreign) {
    side->type = MPI_BYTE;
    side->count = (int)job->block_bytes;
    side->type_bytes = 1;
    side->extent = 1;
  }
  side->is_staged = true;
  side->is_whole = side->is_foreign || job->segment_count == 1 ||
                   side->type_bytes > part_bytes / ELEMENTS_A_SEGMENT;
  side->stride = side->is_whole ? job->block_bytes : part_bytes + 2 * (side->type_bytes - 1);
  if (side->is_foreign)
    side->stride += side->type_bytes;
}

static uint64_t staged_bytes(const struct side *side)
{
  return side->is_staged ? side->blocks * side->stride : 0;
}

/* The part of each block that is staged while the plan runs over `part`. */
static struct tny_part staged_part(const struct tny_job *job, const struct side *side,
                                   struct tny_part part)
{
  return side->is_whole ? (struct tny_part){.bytes = job->block_bytes} : part;
}

/* Where a part of the blocks is for the plan. Staging begins with the element that the part begins
   in. */
static struct tny_area area_of(const struct tny_job *job, const struct side *side,
                               struct tny_part part)
{
  if (!side->is_staged)
    return (struct tny_area){.memory = (char *)((uintptr_t)side->memory + part.offset),
                             .stride = job->block_bytes};
  const uint64_t offset = staged_part(job, side, part).offset;
  const uint64_t begins = side->is_foreign ? 0 : offset - offset % side->type_bytes;
  return (struct tny_area){.memory = side->staging + (part.offset - begins),
                           .stride = side->stride};
}

/* Packs the elements of which the part has some bytes. */
static int bring_in(const struct tny_job *job, const struct side *side, struct tny_part part)
{
  if (!side->is_staged || (side->is_whole && part.offset > 0))
    return MPI_SUCCESS;
  const struct tny_part staged = staged_part(job, side, part);
  const uint64_t size = side->type_bytes, first = staged.offset / size;
  const uint64_t count = (staged.offset + staged.bytes + size - 1) / size - first;
  int code = MPI_SUCCESS;
  for (uint32_t block = 0; code == MPI_SUCCESS && block < side->blocks; block++) {
    const struct tny_elements elements = {element_at(side, block, first), (int)count, side->type};
    code = tny_pack(&elements, side->staging + block * side->stride, (int)(count * size),
                    job->state->comm);
  }
  return code;
}

/* Gives a receiver the root's block, which isn't as long as its own: all of it, or as much as there
   is room for. Answers as the MPI's own broadcast. */
static int take_foreign(const struct tny_job *job, const struct side *side)
{
  const uint64_t own_bytes = (uint64_t)side->count * side->type_bytes;
  const bool fits = job->block_bytes <= own_bytes;
  const int code = fill(job, side, side->staging, fits ? job->block_bytes : own_bytes,
                        side->staging + job->block_bytes);
  if (code != MPI_SUCCESS)
    return code;
  return fits ? tny_code_of_room_left() : MPI_ERR_TRUNCATE;
}

/* Unpacks the elements that are complete with the part, and keeps the beginning of the next one for
   the next segment. */
static int take_out(const struct tny_job *job, const struct side *side, struct tny_part part)
{
  const struct tny_part staged = staged_part(job, side, part);
  if (!side->is_staged || part.offset + part.bytes < staged.offset + staged.bytes)
    return MPI_SUCCESS;
  if (side->is_foreign)
    return take_foreign(job, side);
  const uint64_t size = side->type_bytes, first = staged.offset / size;
  const uint64_t count = (staged.offset + staged.bytes) / size - first;
  const uint64_t rest = (staged.offset + staged.bytes) % size;
  int code = MPI_SUCCESS;
  for (uint32_t block = 0; code == MPI_SUCCESS && block < side->blocks; block++) {
    char *packed = side->staging + block * side->stride;
    const struct tny_elements elements = {element_at(side, block, first), (int)count, side->type};
    code = tny_unpack(packed, (int)(count * size), &elements, job->state->comm);
    memmove(packed, packed + count * size, rest);
  }
  return code;
}

/* --- the call --- */

/* The root has no output, and no other rank an input. */
static int describe_one_buffer(const struct tny_job *job, struct sides *sides)
{
  const struct tny_call *call = job->call;
  const bool is_root = job->state->rank == (uint32_t)call->root;
  struct side side;
  const int code = describe(job, &side, call->receive, call->receive_count, call->receive_type);
  *sides = (struct sides){.input = side, .output = side};
  sides->input.is_copy = false; /* it is one copy */
  if (code != MPI_SUCCESS)
    return code;
  sides->output.is_foreign = (uint64_t)side.count * side.type_bytes != job->block_bytes;
  sides->input.blocks = is_root;
  sides->output.blocks = !is_root;
  if (is_root && !side.is_bytes)
    stage(job, &sides->input);
  if (!is_root && (!side.is_bytes || sides->output.is_foreign))
    stage(job, &sides->output);
  return MPI_SUCCESS;
}

/* In place, the input is in the output's memory: a block of it, or all. It is staged where the plan
   would overwrite it. An input that is shorter than its block of the output is put there first. */
static int describe_two_buffers(const struct tny_job *job, struct sides *sides)
{
  const struct tny_call *call = job->call;
  const uint32_t p = job->state->rank_count, rank = job->state->rank, root = (uint32_t)call->root;
  bool in_place = call->send == MPI_IN_PLACE;
  *sides = (struct sides){0};
  int code = describe(job, &sides->output, call->receive, call->receive_count, call->receive_type);
  if (code == MPI_SUCCESS && !in_place)
    code = describe(job, &sides->input, call->send, call->send_count, call->send_type);
  if (code != MPI_SUCCESS)
    return code;
  struct side own = sides->output;
  own.is_copy = false;
  own.memory = element_at(&own, tny_collective_in_place(call->collective, rank), 0);
  const struct side *input = &sides->input;
  if (!in_place && (uint64_t)input->count * input->type_bytes != job->block_bytes) {
    code = put(job, input, &own);
    in_place = true;
  }
  if (code == MPI_SUCCESS && in_place) {
    if (sides->input.is_copy)
      PMPI_Type_free(&sides->input.type);
    sides->input = own;
  }
  sides->input.blocks = tny_rank_blocks(call->collective, TNY_INPUT, p, root, rank);
  sides->output.blocks = tny_rank_blocks(call->collective, TNY_OUTPUT, p, root, rank);
  if (!sides->input.is_bytes || (in_place && !job->plan->keeps_input))
    stage(job, &sides->input);
  if (!sides->output.is_bytes)
    stage(job, &sides->output);
  return code;
}

/* Bytes of scratch space. */
static uint64_t scratch_bytes(const struct tny_job *job)
{
  return job->plan->scratch_blocks * segment_at(job, 0).bytes;
}

/* What a reduction combines by. */
static int describe_operation(struct tny_job *job, struct tny_reduction *operation)
{
  const struct tny_call *call = job->call;
  job->element_bytes = 1;
  if (!tny_collective_reduces(call->collective))
    return MPI_SUCCESS;
  const int code = tny_reduction_describe(call->op, call->receive_type, operation);
  if (code == MPI_SUCCESS)
    job->element_bytes = operation->element_bytes;
  return code;
}

/* --- segments --- */

/* A call under way. Of its segments, one after the other is run. */
struct tny_running {
  struct tny_job *job;
  struct sides sides;
  struct tny_reduction operation;
  struct tny_staging *staging;
  char *scratch; /* behind the sides' staging memory */
  uint32_t segment;
  struct tny_execution execution;
};

static struct tny_part segment_of(const struct tny_running *running)
{
  return segment_at(running->job, running->segment);
}

static int begin_segment(struct tny_running *running)
{
  struct tny_job *job = running->job;
  const struct sides *sides = &running->sides;
  const struct tny_part part = segment_of(running);
  const struct tny_buffers buffers = {
      .areas = {[TNY_INPUT] = area_of(job, &sides->input, part),
                [TNY_OUTPUT] = area_of(job, &sides->output, part),
                [TNY_SCRATCH] = {.memory = running->scratch, .stride = part.bytes}},
      .bytes = part.bytes,
      .operation = tny_collective_reduces(job->call->collective) ? &running->operation : NULL,
  };
  const int code = bring_in(job, &sides->input, part);
  if (code == MPI_SUCCESS)
    tny_execution_begin(&running->execution, job->plan, job->state, &buffers, &job->flaws);
  return code;
}

/* When the messages of a segment are there: takes its data out, and begins with the next. */
static int end_segment(struct tny_running *running)
{
  struct tny_job *job = running->job;
  job->is_over = running->segment + 1 == job->segment_count;
  const int code = take_out(job, &running->sides.output, segment_of(running));
  if (code != MPI_SUCCESS || job->is_over)
    return code;
  running->segment++;
  return begin_segment(running);
}

/* Takes staging memory for the sides, and behind it scratch space and room for operands. */
static int take_staging(struct tny_running *running)
{
  struct tny_job *job = running->job;
  struct sides *sides = &running->sides;
  const uint64_t input_bytes = staged_bytes(&sides->input);
  const uint64_t output_bytes = staged_bytes(&sides->output);
  const uint64_t own_bytes = scratch_bytes(job);
  running->staging = tny_staging_take(job->state->group, input_bytes + output_bytes + own_bytes +
                                                             running->operation.aside_bytes + 1);
  if (!running->staging)
    return MPI_ERR_NO_MEM;
  sides->input.staging = running->staging->memory;
  sides->output.staging = running->staging->memory + input_bytes;
  running->scratch = running->staging->memory + input_bytes + output_bytes;
  running->operation.aside = running->scratch + own_bytes;
  return MPI_SUCCESS;
}

static void end(struct tny_running *running)
{
  if (running->staging && !running->job->flaws.leaves_sends)
    tny_staging_put(running->job->state->group, running->staging);
  release(&running->sides);
}

struct tny_running *tny_running_new(void)
{
  return tny_new(1, sizeof(struct tny_running));
}

void tny_running_free(struct tny_running *running)
{
  tny_free(running);
}

int tny_running_begin(struct tny_running *running, struct tny_job *job)
{
  *running = (struct tny_running){.job = job};
  int code = describe_operation(job, &running->operation);
  if (code == MPI_SUCCESS)
    code = tny_collective_has_one_buffer(job->call->collective)
               ? describe_one_buffer(job, &running->sides)
               : describe_two_buffers(job, &running->sides);
  if (code == MPI_SUCCESS)
    code = take_staging(running);
  if (code == MPI_SUCCESS)
    code = begin_segment(running);
  if (code != MPI_SUCCESS)
    end(running);
  return code;
}

/* Goes on by `run`, segment by segment, as far as that gets. */
static int go_on(struct tny_running *running,
                 int (*run)(struct tny_execution *execution, bool *is_over))
{
  struct tny_job *job = running->job;
  bool is_segment_over = true;
  int code = MPI_SUCCESS;
  while (code == MPI_SUCCESS && is_segment_over && !job->is_over) {
    code = run(&running->execution, &is_segment_over);
    if (code == MPI_SUCCESS && is_segment_over)
      code = end_segment(running);
  }
  if (code != MPI_SUCCESS || job->is_over)
    end(running);
  return code == MPI_SUCCESS && job->is_over ? job->flaws.truncated : code;
}

int tny_running_advance(struct tny_running *running, bool *is_over)
{
  const int code = go_on(running, tny_execution_advance);
  *is_over = running->job->is_over;
  return code;
}

static int finish(struct tny_execution *execution, bool *is_over)
{
  *is_over = true;
  return tny_execution_finish(execution);
}

int tny_running_finish(struct tny_running *running)
{
  return go_on(running, finish);
}

int tny_run_call(struct tny_job *job)
{
  struct tny_running running;
  const int code = tny_running_begin(&running, job);
  return code == MPI_SUCCESS ? tny_running_finish(&running) : code;
}
