/* Serves one call: decides by what all ranks know alike: collective, ranks, root, bytes a block. */
#include "mpi/serve.h"

#include <limits.h>
#include <stdatomic.h>

#include <tourney/runtime.h>

#include "mpi/agree.h"
#include "mpi/check_arguments.h"
#include "mpi/choose.h"
#include "mpi/explain.h"
#include "mpi/plans.h"
#include "mpi/profiled.h"
#include "mpi/prove.h"
#include "mpi/run_call.h"
#include "mpi/world.h"

#define EXPORTED __attribute__((visibility("default")))

static _Thread_local const char *last_algorithm = "native";

EXPORTED const char *tourney_last_algorithm(void)
{
  return last_algorithm;
}

static atomic_bool is_switched_off;

EXPORTED void tourney_set_native(int on)
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

/* Finds the block's size, and decides what this rank can without any other: returns why the call is
   native, or NULL. What costs least comes first, so that a call that stays native costs next to
   nothing. */
static const char *decide_alone(struct tny_job *job, int *code)
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
  if (job->block_bytes == 0 ||
      (!tny_collective_has_one_buffer(collective) && job->block_bytes > INT_MAX))
    return overlong;
  return tny_check_arguments(call) && has_root(call, code) ? NULL : invalid;
}

/* Why an algorithm can't plan a call on this communicator, or NULL. */
static const char *refusal(const struct tny_job *job, const struct tny_algorithm_choice *choice)
{
  const struct tny_problem problem =
      tny_group_problem(job->state->group, *choice, (uint32_t)job->call->root);
  return tny_algorithm_refusal(choice->algorithm, &problem);
}

/* Decides alone, and then by the communicator: finds its state, for which the first call on it is
   collective, and the algorithm where one is asked for. Returns why the call is native, or NULL. An
   MPI error goes to *code. */
static const char *decide_by_comm(struct tny_job *job, int *code)
{
  const struct tny_call *call = job->call;
  const enum tny_collective collective = call->collective;
  const char *why = decide_alone(job, code);
  if (why)
    return why;
  *code = tny_comm_state_get(call->comm, &job->state);
  if (*code != MPI_SUCCESS)
    return "an MPI error";
  if (job->state->why_native)
    return job->state->why_native;
  const struct tny_world *world = tny_world_get();
  if (!world->forced[collective].set) {
    struct tny_algorithm_choice measured;
    const enum tny_profiled profiled =
        tny_group_profiled(job->state->group, collective, job->block_bytes, &measured);
    if (profiled == TNY_PROFILED_NATIVE)
      return tny_profiled_fastest;
    if (profiled == TNY_PROFILED_PLANNED)
      return refusal(job, &measured);
    const struct tny_choice choice =
        tny_model_choose(&job->state->group->model, collective, job->block_bytes);
    return choice.algorithm ? NULL : choice.why;
  }
  job->choice = world->forced[collective].choice;
  return refusal(job, &job->choice);
}

/* All ranks agree on the size. Where that is too long, says why native. */
static const char *agree_on_size(struct tny_job *job, int *code)
{
  struct tny_comm_state *state = job->state;
  *code = state->broken;
  if (*code == MPI_SUCCESS && tny_collective_has_one_buffer(job->call->collective))
    *code = tny_agree_on_size(state, (uint32_t)job->call->root, &job->block_bytes);
  return *code == MPI_SUCCESS && job->block_bytes > INT_MAX ? overlong : NULL;
}

static struct tny_plan_request request_of(const struct tny_job *job)
{
  return (struct tny_plan_request){job->choice, (uint32_t)job->call->root, job->block_bytes};
}

/* Finds the algorithm where none is asked for, and has its plan proved where plans are to be. Says
   why native where that fails. */
static const char *choose_and_prove(struct tny_job *job, int *code)
{
  if (!job->choice.algorithm)
    *code =
        tny_group_choose(job->state->group, job->call->collective, job->block_bytes, &job->choice);
  const struct tny_plan_request request = request_of(job);
  if (*code != MPI_SUCCESS || tny_prove_plan(job->state, &request, code))
    return NULL;
  job->is_told = *code != MPI_SUCCESS;
  return job->is_told ? NULL : "its plan isn't proved (see the warning)";
}

static const char *why_planned(const struct tny_job *job)
{
  const struct tny_world *world = tny_world_get();
  const enum tny_collective collective = job->call->collective;
  struct tny_algorithm_choice measured;
  if (!world->forced[collective].set &&
      tny_group_profiled(job->state->group, collective, job->block_bytes, &measured) ==
          TNY_PROFILED_PLANNED)
    return world->prove ? "the fastest in the profile; proved" : tny_profiled_fastest;
  if (world->forced[collective].set)
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
  if (!world || tny_explain_is_open())
    return false;
  return atomic_load_explicit(&is_switched_off, memory_order_relaxed) ||
         (tny_block_size(call->receive_count, call->receive_type, &block_bytes) &&
          block_bytes < world->bytes_min[call->collective]);
}

static int plan_and_perform(struct tny_job *job)
{
  struct tny_group *group = job->state->group;
  const struct tny_plan_request request = request_of(job);
  last_algorithm = job->choice.algorithm->name;
  tny_explain_count(tny_collective_name(job->call->collective), job->block_bytes, last_algorithm,
                    why_planned(job));
  job->plan = tny_plan_get(group, &request, &job->segment_count);
  if (!job->plan)
    return MPI_ERR_NO_MEM;
  const int code = tny_run_call(job);
  tny_plan_put(group, job->plan);
  return code;
}

static bool choose_and_serve(const struct tny_call *call, int *code)
{
  struct tny_job job = {.call = call};
  *code = MPI_SUCCESS;
  const char *why = decide_by_comm(&job, code);
  last_algorithm = "native";
  if (*code != MPI_SUCCESS)
    return true; /* from a call on the user's communicator, whose error handler has seen it */
  if (!why)
    why = agree_on_size(&job, code);
  if (!why && *code == MPI_SUCCESS)
    why = choose_and_prove(&job, code);
  if (why) {
    tny_explain_count(tny_collective_name(call->collective), job.block_bytes, NULL, why);
    return false;
  }
  if (*code == MPI_SUCCESS)
    *code = plan_and_perform(&job);
  /* Messages that this rank has left to others would meet its next call. */
  if (*code != MPI_SUCCESS && !job.is_over)
    job.state->broken = *code;
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
