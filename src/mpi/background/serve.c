/* Serves one nonblocking call, or has it native: decides by what all ranks know alike at that call,
   and asks none of them: what was asked for, what the model or the profile says, or what blocking
   calls of the same class on this communicator have settled. It counts no call and changes nothing
   that other calls go by. */
#include "mpi/background/serve.h"

#include <limits.h>

#include "mpi/background/known.h"
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
static const char too_few_tags[] =
    "nonblocking: too few tags where no blocking call was served before";
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

/* What serves the call's class, into the job (background/known.h). */
static enum tny_known find_known(struct tny_job *job, const struct tny_comm_state *state,
                                 const struct tny_group *group)
{
  return tny_known_find(state, group, job->call->collective,
                        tny_guard_number(job->block_bytes, false), &job->choice);
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
  const enum tny_known known = find_known(job, state, job->state->group);
  *source = known == TNY_SETTLED ? SETTLED : known == TNY_PROFILED ? PROFILED : PREDICTED;
  if (known != TNY_UNKNOWN)
    return NULL;
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
         find_known(job, state, NULL) != TNY_UNKNOWN;
}

/* Decides by the communicator and the arguments. Returns as above. *state: what is kept of the
   communicator for blocking calls, or NULL. */
static const char *decide(struct tny_job *job, struct tny_comm_state **state,
                          struct tny_mpi_lane **lane, enum source *source, int *code)
{
  const struct tny_call *call = job->call;
  *code = tny_comm_state_find(call->comm, state);
  if (*code != MPI_SUCCESS)
    return invalid;
  if (*state && (*state)->why_native)
    return (*state)->why_native;
  if (!may_be_served(job, *state))
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
  why = choose(job, *state, source, code);
  return why || tny_lane_may_begin(*lane, *state) ? why : too_few_tags;
}

bool tny_serve_nonblocking(const struct tny_call *call, MPI_Request *request, int *code)
{
  struct tny_job job = {.call = call};
  struct tny_comm_state *state = NULL;
  struct tny_mpi_lane *lane = NULL;
  enum source source = FORCED;
  *code = MPI_SUCCESS;
  tny_serve_note(NULL);
  const char *why = request ? decide_at_once(&job) : invalid;
  if (!why)
    why = decide(&job, &state, &lane, &source, code);
  if (*code == MPI_SUCCESS && why) {
    tny_explain_count(tny_call_name(call), job.block_bytes, NULL, why);
    return false;
  }
  if (*code == MPI_SUCCESS) {
    tny_explain_count(tny_call_name(call), job.block_bytes, job.choice.algorithm->name,
                      why_served[source]);
    tny_serve_note(job.choice.algorithm->name);
    *code = tny_lane_begin(lane, state);
    if (*code == MPI_SUCCESS)
      *code = tny_under_way_add(lane, &job, state, request);
  }
  /* The MPI has told of its own errors on the program's communicator. */
  if (*code == MPI_ERR_NO_MEM)
    PMPI_Comm_call_errhandler(call->comm, *code);
  return true;
}
