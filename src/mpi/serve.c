/* Serves one call: decides by what all ranks know alike: collective, ranks, root, bytes a block. */
#include "mpi/runtime.h"

#include <limits.h>
#include <stdatomic.h>

static _Thread_local const char *last_algorithm = "native";

__attribute__((visibility("default"))) const char *tourney_last_algorithm(void);

/* The name of the algorithm that served this thread's last broadcast, all-gather or all-to-all,
 * "native" if none did. */
const char *tourney_last_algorithm(void)
{
  return last_algorithm;
}

static atomic_bool is_switched_off;

__attribute__((visibility("default"))) void tourney_set_native(int on);

/* While on, this process's collectives are native. To be switched by all ranks alike, with no
 * collective under way. */
void tourney_set_native(int on)
{
  atomic_store_explicit(&is_switched_off, on != 0, memory_order_relaxed);
}

static const char invalid[] = "an invalid call, for the MPI to judge";
static const char overlong[] = "no bytes, or a block over 2 GiB";

/* Is the root one of the ranks? In an intercommunicator it may be others. */
static bool has_root(const struct tny_call *call, int *code)
{
  int rank_count, is_inter;
  *code = PMPI_Comm_size(call->comm, &rank_count);
  if (*code == MPI_SUCCESS)
    *code = PMPI_Comm_test_inter(call->comm, &is_inter);
  return *code == MPI_SUCCESS && (is_inter || (call->root >= 0 && call->root < rank_count));
}

/* Why the call is native before anybody else is asked, or NULL. First what costs least, so that a
   call that stays native costs next to nothing. */
static const char *why_not_here(struct tny_job *job, int *code)
{
  const struct tny_call *call = job->call;
  const struct tny_world *world = tny_world_get();
  const enum tny_collective collective = call->collective;
  if (!world)
    return "MPI was initialised past the runtime";
  if (world->why_native)
    return world->why_native;
  if (atomic_load_explicit(&is_switched_off, memory_order_relaxed))
    return "asked for by tourney_set_native";
  if (call->comm == MPI_COMM_NULL ||
      !tny_block_size(call->receive_count, call->receive_type, &job->block_bytes))
    return invalid;
  if (world->forced[collective].set && !world->forced[collective].choice.algorithm)
    return "asked for by TOURNEY_ALGORITHM";
  if (job->block_bytes < world->bytes_min[collective])
    return tny_model_short_blocks;
  if (job->block_bytes == 0 || (collective != TNY_BROADCAST && job->block_bytes > INT_MAX))
    return overlong;
  return tny_call_is_sound(call) && has_root(call, code) ? NULL : invalid;
}

/* Why native, or NULL; finds the job's channel on the way, and the algorithm where one is asked
   for. An MPI error goes to *code. */
static const char *why_native(struct tny_job *job, int *code)
{
  const struct tny_call *call = job->call;
  const enum tny_collective collective = call->collective;
  const char *why = why_not_here(job, code);
  if (why)
    return why;
  *code = tny_channel_get(call->comm, &job->channel);
  if (*code != MPI_SUCCESS)
    return "an MPI error";
  if (job->channel->why_native)
    return job->channel->why_native;
  const struct tny_world *world = tny_world_get();
  if (!world->forced[collective].set) {
    const struct tny_choice choice =
        tny_model_choose(&job->channel->group->model, collective, job->block_bytes);
    return choice.algorithm ? NULL : choice.why;
  }
  job->choice = world->forced[collective].choice;
  const struct tny_problem problem =
      tny_group_problem(job->channel->group, job->choice, (uint32_t)call->root);
  return tny_algorithm_refusal(job->choice.algorithm, &problem);
}

/* All ranks agree on the size. Where that is too long, says why native. */
static const char *agree(struct tny_job *job, int *code)
{
  struct tny_channel *channel = job->channel;
  *code = channel->broken;
  if (*code == MPI_SUCCESS && job->call->collective == TNY_BROADCAST)
    *code = tny_agree_on_size(channel, (uint32_t)job->call->root, &job->block_bytes);
  return *code == MPI_SUCCESS && job->block_bytes > INT_MAX ? overlong : NULL;
}

static struct tny_plan_request request_of(const struct tny_job *job)
{
  return (struct tny_plan_request){job->choice, (uint32_t)job->call->root, job->block_bytes};
}

/* Finds the algorithm where none is asked for, and has its plan proved where plans are to be. Says
   why native where that fails. */
static const char *choose(struct tny_job *job, int *code)
{
  if (!job->choice.algorithm)
    *code = tny_group_choose(job->channel->group, job->call->collective, job->block_bytes,
                             &job->choice);
  const struct tny_plan_request request = request_of(job);
  if (*code != MPI_SUCCESS || tny_plan_is_proved(job->channel, &request, code))
    return NULL;
  job->is_told = *code != MPI_SUCCESS;
  return job->is_told ? NULL : "its plan isn't proved (see the warning)";
}

static const char *why_planned(const struct tny_job *job)
{
  const struct tny_world *world = tny_world_get();
  if (world->forced[job->call->collective].set)
    return world->prove ? "asked for by TOURNEY_ALGORITHM; proved"
                        : "asked for by TOURNEY_ALGORITHM";
  return world->prove ? "the fastest predicted here; proved" : "the fastest predicted here";
}

/* The quick way out, where nobody counts, for short blocks, whose latency is all they cost, so that
 * ours must be nothing; and where planning is switched off. */
static bool stays_native(const struct tny_call *call)
{
  const struct tny_world *world = tny_world_get();
  uint64_t block_bytes;
  if (!world || world->explain)
    return false;
  return atomic_load_explicit(&is_switched_off, memory_order_relaxed) ||
         (tny_block_size(call->receive_count, call->receive_type, &block_bytes) &&
          block_bytes < world->bytes_min[call->collective]);
}

static int plan_and_perform(struct tny_job *job)
{
  struct tny_group *group = job->channel->group;
  const struct tny_plan_request request = request_of(job);
  last_algorithm = job->choice.algorithm->name;
  tny_count_call(tny_collective_name(job->call->collective), job->block_bytes, last_algorithm,
                 why_planned(job));
  job->plan = tny_plan_get(group, &request, &job->segment_count);
  if (!job->plan)
    return MPI_ERR_NO_MEM;
  const int code = tny_perform(job);
  tny_plan_put(group, job->plan);
  return code;
}

static bool choose_and_serve(const struct tny_call *call, int *code)
{
  struct tny_job job = {.call = call};
  *code = MPI_SUCCESS;
  const char *why = why_native(&job, code);
  last_algorithm = "native";
  if (*code != MPI_SUCCESS)
    return true; /* from a call on the user's communicator, whose error handler has seen it */
  if (!why)
    why = agree(&job, code);
  if (!why && *code == MPI_SUCCESS)
    why = choose(&job, code);
  if (why) {
    tny_count_call(tny_collective_name(call->collective), job.block_bytes, NULL, why);
    return false;
  }
  if (*code == MPI_SUCCESS)
    *code = plan_and_perform(&job);
  /* Messages that this rank has left to others would meet its next call. */
  if (*code != MPI_SUCCESS && !job.is_over)
    job.channel->broken = *code;
  /* The private communicator returns its errors; the user's error handler is to have them. */
  if (*code != MPI_SUCCESS && !job.is_told)
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
