/* Serves one nonblocking call, or has it native: decides by what all ranks know alike at that call,
   and asks none of them: what was asked for, what the model or the profile says, or what blocking
   calls of the same class on this communicator have settled. It counts no call and changes nothing
   that other calls go by. */
#include "mpi/background/serve.h"

#include <limits.h>

#include "mpi/background/under_way.h"
#include "mpi/check_arguments.h"
#include "mpi/explain.h"
#include "mpi/guard.h"
#include "mpi/serve.h"
#include "mpi/world.h"

static const char invalid[] = "an invalid call, for the MPI to judge";
static const char no_progress[] =
    "nonblocking: only the MPI goes on with it in whatever call comes next";
static const char not_proved[] = "nonblocking: what isn't proved couldn't go native any more";
static const char not_settled[] = "nonblocking: no plan was seen to be faster in blocking calls";
static const char no_plan[] = "nonblocking: no plan is known";
static const char overlong[] = "no bytes, or a block over 2 GiB";

/* Decides without looking at the communicator. Returns why the call is native, or NULL. */
static const char *decide_at_once(struct tny_job *job)
{
  const struct tny_call *call = job->call;
  const struct tny_world *world = tny_world_get();
  if (!world)
    return "MPI was initialised past the runtime";
  if (world->why_native)
    return world->why_native;
  if (!world->has_background)
    return no_progress;
  if (tny_serve_is_off())
    return "asked for by tourney_set_native";
  if (world->forced[call->collective].set && !world->forced[call->collective].choice.algorithm)
    return "asked for by TOURNEY_ALGORITHM";
  if (call->comm == MPI_COMM_NULL ||
      !tny_block_size(call->receive_count, call->receive_type, &job->block_bytes))
    return invalid;
  if (job->block_bytes < world->bytes_min[call->collective])
    return tny_model_short_blocks;
  if (job->block_bytes == 0 || job->block_bytes > INT_MAX)
    return overlong;
  return world->prove ? not_proved : NULL;
}

/* Is the class served by a plan, as blocking calls on the communicator have settled it? While they
   look at it again, it stays so. */
static bool is_settled(struct tny_job *job, const struct tny_comm_state *state)
{
  const struct tny_guard_class *class =
      state ? tny_guard_table_find(&state->guard, job->call->collective,
                                   tny_guard_number(job->block_bytes, false))
            : NULL;
  if (!class || !class->settled.algorithm)
    return false;
  job->choice = class->settled;
  return true;
}

/* Does the profile have a plan for a class of which the communicator has seen no call yet? */
static bool is_profiled(struct tny_job *job, const struct tny_comm_state *state)
{
  const struct tny_group *group = job->state->group;
  const enum tny_collective collective = job->call->collective;
  const uint32_t number = tny_guard_number(job->block_bytes, false);
  if (state && tny_guard_table_has_seen(&state->guard, collective, number))
    return false;
  for (uint32_t i = 0; i < group->profiled_count; i++) {
    const struct tny_guard_result *result = &group->profiled[i];
    if (result->collective != collective || result->number != number || !result->choice.algorithm)
      continue;
    job->choice = result->choice;
    return true;
  }
  return false;
}

/* What the texts of served calls say. */
enum source { FORCED, PREDICTED, PROFILED, SETTLED };
static const char *const why_served[] = {
    [FORCED] = "asked for by TOURNEY_ALGORITHM",
    [PREDICTED] = "the fastest predicted here",
    [PROFILED] = "the fastest in the profile",
    [SETTLED] = "the fastest seen here, in blocking calls",
};

/* Finds the algorithm. Returns why the call is native, or NULL. */
static const char *choose(struct tny_job *job, const struct tny_comm_state *state,
                          enum source *source, int *code)
{
  const struct tny_world *world = tny_world_get();
  const enum tny_collective collective = job->call->collective;
  if (world->forced[collective].set) {
    *source = FORCED;
    job->choice = world->forced[collective].choice;
    const struct tny_problem problem =
        tny_group_problem(job->state->group, job->choice, (uint32_t)job->call->root);
    return tny_algorithm_refusal(job->choice.algorithm, &problem);
  }
  if (job->block_bytes < job->state->group->bytes_min[collective])
    return tny_model_short_blocks;
  *source = SETTLED;
  if (is_settled(job, state))
    return NULL;
  *source = PROFILED;
  if (is_profiled(job, state))
    return NULL;
  *source = PREDICTED;
  if (world->guard)
    return not_settled;
  *code = tny_guard_find_choice(job->state, collective, tny_guard_number(job->block_bytes, false),
                                &job->choice);
  return *code == MPI_SUCCESS && !job->choice.algorithm ? no_plan : NULL;
}

/* Could the guard have the call served? What is asked for by name, or predicted, needs no verdict.
   This costs least where nothing is settled. */
static bool may_be_served(struct tny_job *job, const struct tny_comm_state *state)
{
  const struct tny_world *world = tny_world_get();
  return world->forced[job->call->collective].set || !world->guard || world->profile ||
         is_settled(job, state);
}

/* Decides by the communicator and the arguments. Returns as above. *is_told: its error handler has
   had the error. */
static const char *decide(struct tny_job *job, struct tny_mpi_lane **lane, enum source *source,
                          int *code)
{
  const struct tny_call *call = job->call;
  struct tny_comm_state *state;
  *code = tny_comm_state_find(call->comm, &state);
  if (*code != MPI_SUCCESS)
    return invalid;
  if (state && state->why_native)
    return state->why_native;
  if (!may_be_served(job, state))
    return not_settled;
  const char *why = tny_check_operation(call, false, code);
  if (why)
    return why;
  if (!tny_check_arguments(call))
    return invalid;
  *code = tny_lane_get(call->comm, lane);
  if (*code != MPI_SUCCESS)
    return invalid;
  job->state = &(*lane)->state;
  if (job->state->why_native)
    return job->state->why_native;
  if (call->root < 0 || (uint32_t)call->root >= job->state->rank_count)
    return invalid;
  return choose(job, state, source, code);
}

bool tny_serve_nonblocking(const struct tny_call *call, MPI_Request *request, int *code)
{
  struct tny_job job = {.call = call};
  struct tny_mpi_lane *lane = NULL;
  enum source source = FORCED;
  *code = MPI_SUCCESS;
  tny_serve_note(NULL);
  const char *why = request ? decide_at_once(&job) : invalid;
  if (!why)
    why = decide(&job, &lane, &source, code);
  if (*code == MPI_SUCCESS && why) {
    tny_explain_count(tny_call_name(call), job.block_bytes, NULL, why);
    return false;
  }
  if (*code == MPI_SUCCESS) {
    tny_explain_count(tny_call_name(call), job.block_bytes, job.choice.algorithm->name,
                      why_served[source]);
    tny_serve_note(job.choice.algorithm->name);
    *code = tny_lane_begin(lane);
    if (*code == MPI_SUCCESS)
      *code = tny_under_way_add(lane, &job, request);
  }
  /* The MPI has told of its own errors on the program's communicator. */
  if (*code == MPI_ERR_NO_MEM)
    PMPI_Comm_call_errhandler(call->comm, *code);
  return true;
}
