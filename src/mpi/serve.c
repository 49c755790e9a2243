/* Serves one call: decides by what all ranks know alike (collective, ranks, root, bytes a block),
   brings the data into blocks of bytes, and runs the plan. */
#include "mpi/runtime.h"

#include <limits.h>

static _Thread_local const char *last_algorithm = "native";

__attribute__((visibility("default"))) const char *tourney_last_algorithm(void);

/* The name of the algorithm that served this thread's last broadcast, all-gather or all-to-all,
 * "native" if none did. */
const char *tourney_last_algorithm(void)
{
  return last_algorithm;
}

/* A buffer of the user's: blocks of `count` elements. */
struct user_buffer {
  char *memory;
  int count;
  MPI_Datatype type;
  MPI_Aint block_extent; /* bytes from block to block */
  bool is_bytes;         /* the blocks lie in memory just as they are sent */
};

/* The bytes of a block. The same on all ranks: MPI has them give the same signature, if not by the
 * same type. */
static bool block_size(int count, MPI_Datatype type, uint64_t *block_bytes)
{
  MPI_Count type_bytes;
  if (count < 0 || type == MPI_DATATYPE_NULL ||
      PMPI_Type_size_x(type, &type_bytes) != MPI_SUCCESS || type_bytes < 0)
    return false;
  *block_bytes = (uint64_t)count * (uint64_t)type_bytes;
  return true;
}

static int describe(struct user_buffer *buffer, void *memory, int count, MPI_Datatype type)
{
  int integers, addresses, types, combiner, type_bytes;
  MPI_Aint lower_bound, extent;
  int code = PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (code == MPI_SUCCESS)
    code = PMPI_Type_get_extent(type, &lower_bound, &extent);
  if (code == MPI_SUCCESS)
    code = PMPI_Type_size(type, &type_bytes);
  *buffer = (struct user_buffer){.memory = memory, .count = count, .type = type};
  if (code != MPI_SUCCESS)
    return code;
  buffer->block_extent = extent * count;
  buffer->is_bytes = combiner == MPI_COMBINER_NAMED && lower_bound == 0 && extent == type_bytes;
  return MPI_SUCCESS;
}

/* What one call needs to run: the plan and the data as blocks of bytes. */
struct job {
  const struct tny_call *call;
  struct tny_channel *channel;
  struct tny_named named; /* what serves it; no algorithm: still to be chosen */
  struct tny_plan *plan;
  uint32_t segment_count;
  struct user_buffer send, receive;
  bool in_place;
  uint64_t block_bytes;
  struct tny_buffers buffers;
};

/* Packs consecutive blocks. MPI_Pack writes a signature's bytes one after another, as they are sent
   between machines of one kind: the size of the type times the count. */
static int pack(const struct job *job, const struct user_buffer *from, uint32_t block_count,
                char *packed)
{
  int code = MPI_SUCCESS;
  for (uint32_t i = 0; code == MPI_SUCCESS && i < block_count; i++) {
    const char *block = from->memory + (MPI_Aint)i * from->block_extent;
    char *place = packed + i * job->block_bytes;
    int position = 0;
    if (from->is_bytes)
      memcpy(place, block, job->block_bytes);
    else
      code = PMPI_Pack(block, from->count, from->type, place, (int)job->block_bytes, &position,
                       job->channel->comm);
  }
  return code;
}

static int unpack(const struct job *job, uint32_t block_count)
{
  const struct user_buffer *to = &job->receive;
  int code = MPI_SUCCESS;
  for (uint32_t i = 0; code == MPI_SUCCESS && i < block_count; i++) {
    char *block = to->memory + (MPI_Aint)i * to->block_extent;
    int position = 0;
    code = PMPI_Unpack(job->buffers.output + i * job->block_bytes, (int)job->block_bytes, &position,
                       block, to->count, to->type, job->channel->comm);
  }
  return code;
}

static uint32_t blocks_of(const struct job *job, enum tny_buffer buffer)
{
  return tny_buffer_blocks(job->call->collective, buffer, job->channel->rank_count);
}

/* Does this rank send from, or receive into, the buffers that MPI gave? In a broadcast only the
   root sends, and all others receive. */
static bool sends(const struct job *job)
{
  return job->call->collective != TNY_BROADCAST || job->channel->rank == (uint32_t)job->call->root;
}

static bool receives(const struct job *job)
{
  return job->call->collective != TNY_BROADCAST || !sends(job);
}

/* Points the job's buffers at the user's memory, or at staging memory where data must be packed, or
   where MPI_IN_PLACE would have them overwritten before they are sent: in an all-to-all all of
   them, in an all-gather the rank's own block, if the plan writes it. */
static int stage(struct job *job)
{
  const uint64_t bytes = job->block_bytes;
  const bool all_to_all = job->call->collective == TNY_ALLTOALL;
  const bool stage_input =
      job->in_place ? !job->plan->keeps_input : sends(job) && !job->send.is_bytes;
  const bool stage_output = receives(job) && !job->receive.is_bytes;
  const uint64_t input_bytes = stage_input ? blocks_of(job, TNY_INPUT) * bytes : 0;
  const uint64_t output_bytes = stage_output ? blocks_of(job, TNY_OUTPUT) * bytes : 0;
  char *staging = tny_channel_stage(job->channel, input_bytes + output_bytes +
                                                      job->plan->scratch_blocks * bytes + 1);
  if (!staging)
    return MPI_ERR_NO_MEM;
  job->buffers = (struct tny_buffers){
      .output = stage_output ? staging + input_bytes : job->receive.memory,
      .scratch = staging + input_bytes + output_bytes,
      .block_bytes = bytes,
      .segment_count = job->segment_count,
  };
  struct user_buffer input = job->in_place ? job->receive : job->send;
  if (job->in_place && !all_to_all)
    input.memory += (MPI_Aint)job->channel->rank * input.block_extent;
  if (stage_input) {
    job->buffers.input = staging;
    return pack(job, &input, blocks_of(job, TNY_INPUT), staging);
  }
  job->buffers.input = input.memory;
  if (!job->in_place || !stage_output)
    return MPI_SUCCESS;
  char *own = job->buffers.output + job->channel->rank * bytes;
  job->buffers.input = own;
  return pack(job, &input, 1, own);
}

static int perform(struct job *job)
{
  int code = stage(job);
  for (uint32_t segment = 0; code == MPI_SUCCESS && segment < job->segment_count; segment++) {
    job->buffers.segment = segment;
    code = tny_execute(job->plan, job->channel->comm, &job->buffers);
  }
  if (code != MPI_SUCCESS)
    job->channel->broken = code;
  else if (receives(job) && !job->receive.is_bytes)
    code = unpack(job, blocks_of(job, TNY_OUTPUT));
  return code;
}

/* Describes the buffers and runs the plan. Broadcast sends from where it receives. */
static int serve(struct job *job)
{
  const struct tny_call *call = job->call;
  const bool broadcast = call->collective == TNY_BROADCAST;
  job->in_place = !broadcast && call->send == MPI_IN_PLACE;
  int code = describe(&job->receive, call->receive, call->receive_count, call->receive_type);
  if (broadcast)
    job->send = job->receive;
  else if (code == MPI_SUCCESS && !job->in_place)
    code = describe(&job->send, (void *)(uintptr_t)call->send, call->send_count, call->send_type);
  uint64_t send_bytes;
  if (code == MPI_SUCCESS && !broadcast && !job->in_place &&
      (!block_size(call->send_count, call->send_type, &send_bytes) ||
       send_bytes != job->block_bytes))
    code = MPI_ERR_TRUNCATE;
  return code == MPI_SUCCESS ? perform(job) : code;
}

/* Why native, or NULL; finds the job's channel and block size on the way, and the algorithm where
   one is asked for. First what costs least, so that a call that stays native costs next to nothing.
   An MPI error goes to *code. */
static const char *why_native(struct job *job, int *code)
{
  const struct tny_call *call = job->call;
  const struct tny_world *world = tny_world_get();
  const enum tny_collective collective = call->collective;
  if (!world)
    return "MPI wasn't initialised through the C interface";
  if (world->why_native)
    return world->why_native;
  if (call->comm == MPI_COMM_NULL ||
      !block_size(call->receive_count, call->receive_type, &job->block_bytes))
    return "an invalid call";
  if (world->forced[collective].set && !world->forced[collective].named.algorithm)
    return "asked for by TOURNEY_ALGORITHM";
  if (job->block_bytes < world->bytes_min[collective])
    return tny_model_short_blocks;
  if (job->block_bytes == 0 || job->block_bytes > INT_MAX)
    return "no bytes, or a block over 2 GiB";
  *code = tny_channel_get(call->comm, &job->channel);
  if (*code != MPI_SUCCESS)
    return "an MPI error";
  if (job->channel->why_native)
    return job->channel->why_native;
  if (call->root < 0 || (uint32_t)call->root >= job->channel->rank_count)
    return "an invalid call";
  if (!world->forced[collective].set) {
    const struct tny_choice choice =
        tny_model_choose(&job->channel->model, collective, job->block_bytes);
    return choice.algorithm ? NULL : choice.why;
  }
  job->named = world->forced[collective].named;
  const struct tny_problem problem =
      tny_channel_problem(job->channel, job->named, (uint32_t)call->root);
  return tny_algorithm_refusal(job->named.algorithm, &problem);
}

/* May the plan be run, as far as proofs go? */
static bool is_proved(const struct job *job, int *code)
{
  const struct tny_wish wish = {job->named, (uint32_t)job->call->root, job->block_bytes};
  return tny_plan_is_proved(job->channel, &wish, job->call->comm, code);
}

static const char *why_planned(bool asked_for)
{
  static const char *const why[2][2] = {
      {"the fastest predicted here", "the fastest predicted here; proved"},
      {"asked for by TOURNEY_ALGORITHM", "asked for by TOURNEY_ALGORITHM; proved"}};
  return why[asked_for][tny_world_get()->prove];
}

/* The quick way out for short blocks that nobody counts: latency is all they cost, so ours must be
 * nothing. */
static bool stays_native(const struct tny_call *call)
{
  const struct tny_world *world = tny_world_get();
  uint64_t block_bytes;
  return world && !world->explain &&
         block_size(call->receive_count, call->receive_type, &block_bytes) &&
         block_bytes < world->bytes_min[call->collective];
}

static bool choose_and_serve(const struct tny_call *call, int *code)
{
  struct job job = {.call = call};
  *code = MPI_SUCCESS;
  const char *why = why_native(&job, code);
  last_algorithm = "native";
  if (*code != MPI_SUCCESS)
    return true; /* from a call on the user's communicator, whose error handler has seen it */
  if (why) {
    tny_count_call(tny_collective_name(call->collective), job.block_bytes, NULL, why);
    return false;
  }
  *code = job.channel->broken;
  const bool asked_for = job.named.algorithm != NULL;
  if (*code == MPI_SUCCESS && !asked_for)
    *code = tny_channel_choose(job.channel, call->collective, job.block_bytes, &job.named);
  if (*code == MPI_SUCCESS && !is_proved(&job, code) && *code == MPI_SUCCESS) {
    tny_count_call(tny_collective_name(call->collective), job.block_bytes, NULL,
                   "its plan isn't proved (see the warning)");
    return false;
  }
  if (*code == MPI_SUCCESS) {
    last_algorithm = job.named.algorithm->name;
    tny_count_call(tny_collective_name(call->collective), job.block_bytes, last_algorithm,
                   why_planned(asked_for));
  }
  if (*code == MPI_SUCCESS)
    job.plan = tny_plan_get(job.channel, job.named, (uint32_t)call->root, job.block_bytes,
                            &job.segment_count);
  if (*code == MPI_SUCCESS)
    *code = job.plan ? serve(&job) : MPI_ERR_NO_MEM;
  /* The private communicator returns its errors; the user's error handler is to have them. */
  if (*code != MPI_SUCCESS)
    PMPI_Comm_call_errhandler(call->comm, *code);
  return true;
}

bool tny_serve(const struct tny_call *call, int *code)
{
  if (!stays_native(call))
    return choose_and_serve(call, code);
  last_algorithm = "native";
  return false;
}
