/* Serves one call: decides by what all ranks know alike: collective, ranks, root, bytes a block. */
#include "mpi/serve.h"

#include <limits.h>
#include <stdatomic.h>

#include <tourney/runtime.h>

#include "mpi/agree.h"
#include "mpi/check_arguments.h"
#include "mpi/explain.h"
#include "mpi/guard.h"
#include "mpi/guard/clock.h"
#include "mpi/handout/handout.h"
#include "mpi/native_errors.h"
#include "mpi/plans.h"
#include "mpi/record/call.h"
#include "mpi/run_call.h"
#include "mpi/types/combine.h"
#include "mpi/uneven/blocks.h"
#include "mpi/uneven/counts.h"
#include "mpi/uneven/run.h"
#include "mpi/uneven/size.h"
#include "mpi/world.h"

#define EXPORTED __attribute__((visibility("default")))

static _Thread_local const char *last_algorithm = "native";

EXPORTED const char *tourney_last_algorithm(void)
{
  return last_algorithm;
}

/* Was this thread's last call one of those by which the guard finds out? */
static _Thread_local bool is_trying;

EXPORTED int tourney_is_trying(void)
{
  return is_trying;
}

void tny_serve_note(const char *algorithm)
{
  last_algorithm = algorithm ? algorithm : "native";
  is_trying = false;
}

#define FORCE_NS 10e6 /* about what making a communicator takes */

static atomic_bool is_switched_off;

EXPORTED void tourney_set_native(int on)
{
  atomic_store_explicit(&is_switched_off, on != 0, memory_order_relaxed);
}

bool tny_serve_is_off(void)
{
  return atomic_load_explicit(&is_switched_off, memory_order_relaxed);
}

static const char invalid[] = "an invalid call, for the MPI to judge";
static const char not_forced[] = "until another of the MPI's own, which the profile has, is set up";
static const char overlong[] = "no bytes, or a block over 2 GiB";
static const char unasked[] = "a barrier, and TOURNEY_ALGORITHM asks for none";

/* Is the root one of the ranks? In an intercommunicator it may be others. */
static bool has_root(const struct tny_call *call, int *code)
{
  int rank_count, is_inter;
  *code = PMPI_Comm_size(call->comm, &rank_count);
  if (*code == MPI_SUCCESS)
    *code = PMPI_Comm_test_inter(call->comm, &is_inter);
  return *code == MPI_SUCCESS && (is_inter || (call->root >= 0 && call->root < rank_count));
}

static bool is_forced(const struct tny_job *job)
{
  return tny_world_get()->forced[job->call->collective].set;
}

static uint32_t class_of(const struct tny_job *job)
{
  const struct tny_call *call = job->call;
  const uint32_t number = tny_guard_number(job->block_bytes, call->uneven != NULL);
  const bool is_own = tny_collective_reduces(call->collective) && !tny_op_is_predefined(call->op);
  return is_own ? tny_guard_own(number) : number;
}

/* No rank of a barrier has the block that stands for its size. */
static uint64_t counted_bytes(const struct tny_job *job)
{
  return tny_collective_synchronizes(job->call->collective) ? 0 : job->block_bytes;
}

/* Finds the block's size where no other rank has to be asked. Returns why the call is native. */
static const char *find_size(struct tny_job *job, int *code)
{
  const struct tny_call *call = job->call;
  if (call->uneven)
    return tny_uneven_find_size(job, code);
  return tny_block_size(call->receive_count, call->receive_type, &job->block_bytes) ? NULL
                                                                                    : invalid;
}

/* Decides by the size of a block, as far as it alone tells. */
static const char *decide_by_size(const struct tny_job *job)
{
  const enum tny_collective collective = job->call->collective;
  if (job->block_bytes < tny_world_get()->bytes_min[collective])
    return tny_model_short_blocks;
  if (job->block_bytes == 0 ||
      (!tny_collective_has_one_buffer(collective) && job->block_bytes > INT_MAX))
    return overlong;
  return NULL;
}

/* Decides by what a reduction combines, and by what. Where no algorithm is asked for, the guard has
   those that serve (tny_guard_takes). */
static const char *decide_by_operation(const struct tny_job *job, int *code)
{
  const struct tny_call *call = job->call;
  const struct tny_algorithm *asked = tny_world_get()->forced[call->collective].choice.algorithm;
  return tny_check_operation(call, !asked || !asked->commutes, code);
}

/* Decides by the size and the communicator, where no algorithm is asked for. */
static const char *decide_by_class(struct tny_job *job)
{
  const enum tny_collective collective = job->call->collective;
  if (job->block_bytes < job->state->group->bytes_min[collective])
    return tny_model_short_blocks;
  const char *why = tny_guard_pass(job->state, collective, class_of(job));
  job->is_passed = why != NULL;
  return why;
}

/* Finds the block's size, and decides what this rank can without any other, and before it looks at
   the arguments: returns why the call is native, or NULL. All ranks find the same. What costs least
   comes first, so that a call that stays native costs next to nothing. */
static const char *decide_at_once(struct tny_job *job, int *code)
{
  const struct tny_call *call = job->call;
  const struct tny_world *world = tny_world_get();
  const enum tny_collective collective = call->collective;
  if (!world)
    return "MPI was initialised past the runtime";
  if (world->why_native)
    return world->why_native;
  if (tny_serve_is_off())
    return "asked for by tourney_set_native";
  if (call->comm == MPI_COMM_NULL)
    return invalid;
  if (is_forced(job) && !world->forced[collective].choice.algorithm)
    return "asked for by TOURNEY_ALGORITHM";
  if (tny_collective_synchronizes(collective) && !is_forced(job))
    return unasked;
  const char *why = find_size(job, code);
  if (why || tny_uneven_needs_agreement(call))
    return why;
  why = decide_by_size(job);
  if (!why)
    why = decide_by_operation(job, code);
  if (why || is_forced(job))
    return why;
  *code = tny_comm_state_find(call->comm, &job->state);
  if (*code != MPI_SUCCESS || !job->state)
    return *code == MPI_SUCCESS ? NULL : invalid;
  return job->state->why_native ? job->state->why_native : decide_by_class(job);
}

/* Are the arguments such that the MPI's own collective would accept them? Of what is to be agreed
   on, the agreement tells. */
static bool are_valid(const struct tny_call *call, int *code)
{
  struct tny_uneven_sizes sizes;
  int rank, rank_count;
  if (!call->uneven)
    return tny_check_arguments(call) && has_root(call, code);
  if (tny_uneven_needs_agreement(call))
    return true;
  *code = PMPI_Comm_size(call->comm, &rank_count);
  if (*code == MPI_SUCCESS)
    *code = PMPI_Comm_rank(call->comm, &rank);
  return *code == MPI_SUCCESS &&
         tny_uneven_check(call, (uint32_t)rank, (uint32_t)rank_count, NULL, &sizes);
}

/* Why the algorithm that is asked for can't serve the call, or NULL. */
static const char *find_refusal(const struct tny_job *job)
{
  const char *why = NULL;
  if (job->call->uneven && !tny_algorithm_takes_uneven(job->choice.algorithm))
    return "blocks that differ, and the algorithm puts several in a message";
  if (tny_call_neighbours(job->call) && !job->choice.algorithm->takes_patterns)
    return "neighbours, and the algorithm has every rank send to all";
  if (job->choice.algorithm->plans_bytes)
    why = tny_counts_refusal(job);
  return why ? why : tny_group_refusal(job->state->group, job->choice, (uint32_t)job->call->root);
}

/* Decides by the arguments and the communicator: finds its state, for which the first call on it is
   collective, and the algorithm where one is asked for. An early uneven call has still to find out
   whether a state is worth it. Returns why the call is native, or NULL. An MPI error goes to *code.
   */
static const char *decide_by_comm(struct tny_job *job, int *code)
{
  const struct tny_call *call = job->call;
  const bool is_new = !job->state, is_sized = !tny_uneven_needs_agreement(call);
  if (!are_valid(call, code))
    return invalid;
  if (job->is_early)
    return NULL;
  if (is_new)
    *code = tny_comm_state_get(call->comm, &job->state);
  if (*code != MPI_SUCCESS)
    return "an MPI error";
  if (job->state->why_native)
    return job->state->why_native;
  if (is_new && !is_sized)
    job->state->sizing.unpaid += TNY_COMM_STATE_COLLECTIVES;
  if (is_forced(job)) {
    job->choice = tny_world_get()->forced[call->collective].choice;
    return find_refusal(job);
  }
  return is_new && is_sized ? decide_by_class(job) : NULL;
}

/* Is a call that was agreed on too short for any plan: on its communicator, or while that has no
   state, on any? */
static bool is_too_short(const struct tny_job *job)
{
  const struct tny_world *world = tny_world_get();
  const struct tny_group *group = job->state ? job->state->group : NULL;
  const enum tny_collective collective = job->call->collective;
  if (is_forced(job))
    return false;
  const uint64_t bytes_min = tny_collective_has_root(collective)
                                 ? (group ? group->bytes_min : world->bytes_min)[collective]
                                 : tny_model_sparse_bytes_min(group ? &group->model : &world->least,
                                                              job->messages_most, world->guard);
  return job->block_bytes < bytes_min;
}

/* The ranks of some uneven calls agree on their size, and then, where that is long enough, on what
   else serving it needs. Returns as above. */
static const char *decide_by_agreement(struct tny_job *job, int *code)
{
  if (!tny_uneven_needs_agreement(job->call))
    return NULL;
  const char *why = tny_uneven_agree_on_size(job, code);
  if (!why && !is_too_short(job))
    why = tny_uneven_get_state(job, code);
  if (why || is_forced(job))
    return why;
  if (is_too_short(job))
    return tny_model_short_blocks;
  tny_uneven_classed(job);
  return tny_guard_pass(job->state, job->call->collective, class_of(job));
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
  const uint64_t longest = job->counts.id ? job->counts.longest : job->longest_bytes;
  return (struct tny_plan_request){.choice = job->choice,
                                   .root = (uint32_t)job->call->root,
                                   .block_bytes = longest ? longest : job->block_bytes,
                                   .mean_bytes = job->mean_bytes,
                                   .counts = job->counts};
}

/* Finds the bytes of all blocks, where the plan goes by them. Says why native where it can't. */
static const char *gather_counts(struct tny_job *job, int *code)
{
  const char *why = tny_counts_refusal(job);
  if (!why)
    why = tny_counts_gather(job, code);
  job->is_told = *code != MPI_SUCCESS;
  return why;
}

/* Finds the plan. Says why native where there is none to be run. */
static const char *agree_on_plan(struct tny_job *job, int *code)
{
  const struct tny_plan_request request = request_of(job);
  const char *why = tny_agree_on_plan(job->state, &request, &job->basis, code);
  job->is_told = *code != MPI_SUCCESS;
  return why;
}

static const char *why_planned(const struct tny_job *job)
{
  static const char *const forced[2][2] = {
      {"asked for by TOURNEY_ALGORITHM", "asked for by TOURNEY_ALGORITHM; proved"},
      {"asked for by TOURNEY_ALGORITHM; stored plan",
       "asked for by TOURNEY_ALGORITHM; stored plan, proved"}};
  static const char *const predicted[2][2] = {
      {"the fastest predicted here", "the fastest predicted here; proved"},
      {"the fastest predicted here; stored plan",
       "the fastest predicted here; stored plan, proved"}};
  static const char *const profiled[2][2] = {
      {"the fastest in the profile", "the fastest in the profile; proved"},
      {"the fastest in the profile; stored plan",
       "the fastest in the profile; stored plan, proved"}};
  static const char *const tried[2][2] = {{"a trial", "a trial; proved"},
                                          {"a trial; stored plan", "a trial; stored plan, proved"}};
  static const char *const seen[2][2] = {
      {"the fastest seen here", "the fastest seen here; proved"},
      {"the fastest seen here; stored plan", "the fastest seen here; stored plan, proved"}};
  const struct tny_world *world = tny_world_get();
  const char *const *by_proof;
  if (is_forced(job))
    by_proof = forced[job->basis.is_stored];
  else if (job->guarded.turn.is_profiled)
    by_proof = profiled[job->basis.is_stored];
  else if (!world->guard)
    by_proof = predicted[job->basis.is_stored];
  else if (job->guarded.turn.is_trial)
    by_proof = tried[job->basis.is_stored];
  else
    by_proof = seen[job->basis.is_stored];
  return by_proof[world->prove];
}

static int plan_and_perform(struct tny_job *job)
{
  struct tny_group *group = job->state->group;
  const struct tny_plan_request request = request_of(job);
  last_algorithm = job->choice.algorithm->name;
  tny_explain_count(tny_call_name(job->call), counted_bytes(job), last_algorithm, why_planned(job));
  const double start_ns = tny_clock_ns();
  job->segment_count = job->basis.run.count;
  if (job->call->uneven)
    tny_uneven_pace(job);
  job->plan = tny_plan_get(group, &request, &job->basis);
  job->planning_ns += tny_clock_ns() - start_ns;
  if (!job->plan)
    return MPI_ERR_NO_MEM;
  struct tny_handler_aside aside = tny_handler_set_aside(tny_world_get()->threads_multiple);
  const int code = job->call->uneven ? tny_run_uneven(job) : tny_run_call(job);
  tny_handler_put_back(&aside);
  tny_plan_put(group, job->plan);
  return code;
}

/* Serves a call whose algorithm is chosen; false: it is to be native, as all ranks found. */
static bool serve_planned(struct tny_job *job, int *code)
{
  const struct tny_call *call = job->call;
  const uint64_t own_bytes = job->block_bytes;
  const char *why = agree_on_size(job, code);
  if (*code == MPI_SUCCESS && !is_forced(job) &&
      tny_guard_number(own_bytes, false) != tny_guard_number(job->block_bytes, false))
    *code = tny_guard_find_choice(job->state, call->collective, class_of(job), &job->choice);
  if (!why && *code == MPI_SUCCESS && job->choice.algorithm->plans_bytes)
    why = gather_counts(job, code);
  const double start_ns = tny_clock_ns();
  if (!why && *code == MPI_SUCCESS)
    why = agree_on_plan(job, code);
  job->planning_ns = tny_clock_ns() - start_ns;
  if (why && *code == MPI_SUCCESS) {
    tny_explain_count(tny_call_name(call), counted_bytes(job), NULL, why);
    return false;
  }
  if (*code == MPI_SUCCESS)
    *code = plan_and_perform(job);
  /* Messages that this rank has left to others would meet its next call. */
  if (*code != MPI_SUCCESS && !job->is_over)
    tny_comm_state_break(job->state, *code);
  /* The private communicator returns its errors; the user's error handler is to have them. */
  if (*code != MPI_SUCCESS && !job->is_told)
    PMPI_Comm_call_errhandler(call->comm, *code);
  return true;
}

/* Where another of the MPI's own algorithms is to serve: the communicator that has it forced, or
   MPI_COMM_NULL while it isn't there. It is made only after native calls of the class that take
   FORCE_NS in all, so that a communicator that doesn't live long pays nothing for it. All ranks
   count alike. */
static int find_forced(const struct tny_job *job, MPI_Comm *comm)
{
  struct tny_comm_state *state = job->state;
  const struct tny_call *call = job->call;
  const struct tny_forced_wanted *wanted = &state->group->forced;
  struct tny_forced_comms *forced = state->forced;
  const uint32_t number = tny_forced_find(wanted, call->collective, job->choice.parameter);
  int code = MPI_SUCCESS;
  *comm = MPI_COMM_NULL;
  if (number == TNY_NONE)
    return code;
  if (!forced->is_made[number] &&
      tny_guard_native_ns(state, call->collective, class_of(job)) >= FORCE_NS)
    code = tny_forced_comms_make(forced, wanted, number, call->comm);
  is_trying |= !forced->is_made[number];
  if (forced->is_made[number])
    *comm = forced->list[number];
  return code;
}

/* Has the MPI serve the call, on the program's communicator or on one that has an algorithm forced,
   which returns its errors. */
static int call_own(const struct tny_job *job, MPI_Comm comm)
{
  const struct tny_call *call = job->call;
  if (comm == call->comm || comm == MPI_COMM_NULL)
    return call->call_native(call);
  const int code = tny_forced_call(call, job->block_bytes, comm);
  if (code != MPI_SUCCESS)
    PMPI_Comm_call_errhandler(call->comm, code);
  return code;
}

/* Serves a call whose time tells the guard something. */
static int serve_timed(struct tny_job *job, MPI_Comm comm)
{
  const struct tny_call *call = job->call;
  const bool is_planned = job->choice.algorithm != NULL;
  int code = MPI_SUCCESS;
  const double start_ns = tny_clock_ns();
  const bool has_run = !is_planned || serve_planned(job, &code);
  if (!is_planned)
    code = call_own(job, comm);
  else if (!has_run)
    code = call->call_native(call);
  const enum tny_guard_outcome outcome = !has_run                            ? TNY_GUARD_REFUSED
                                         : is_planned && code != MPI_SUCCESS ? TNY_GUARD_FAILED
                                                                             : TNY_GUARD_RUN;
  /* Where plans don't serve, no sizes will be agreed on: that counts for a plan alone. What this
     rank waited for others then, it would have waited for natively. */
  const double asking_ns = job->is_classed ? (double)job->state->sizing.asking_ns : 0;
  const double elapsed_ns = tny_clock_ns() - start_ns + (is_planned ? asking_ns : 0);
  const int agreed = tny_guard_end(&job->guarded, elapsed_ns, job->planning_ns, outcome);
  return code == MPI_SUCCESS ? agreed : code;
}

/* Serves a call as the guard has it, by a plan or native, timed where that tells it something.
   False: a plan was to serve it, and can't. */
static bool serve_guarded(struct tny_job *job, int *code)
{
  const struct tny_call *call = job->call;
  MPI_Comm comm = call->comm;
  *code = tny_guard_take(job->state, call->collective, class_of(job), &job->guarded);
  const struct tny_guard_turn turn = job->guarded.turn;
  if (*code != MPI_SUCCESS)
    return true; /* from an agreement on the user's communicator, whose error handler has seen it */
  is_trying = turn.is_trial;
  job->choice = turn.choice;
  if (turn.choice.algorithm && !turn.is_timed)
    return serve_planned(job, code);
  if (!turn.choice.algorithm && turn.choice.parameter)
    *code = find_forced(job, &comm);
  if (*code != MPI_SUCCESS)
    return true; /* the same */
  if (!turn.choice.algorithm)
    tny_explain_count(tny_call_name(call), counted_bytes(job), NULL,
                      comm == MPI_COMM_NULL ? not_forced : tny_guard_why_native(turn));
  if (!turn.is_timed || (comm == MPI_COMM_NULL && !turn.is_trial))
    *code = call_own(job, comm);
  else
    *code = serve_timed(job, comm);
  return true;
}

/* Decides by what serves a call, and has it served. */
static bool serve(struct tny_job *job, int *code)
{
  const struct tny_call *call = job->call;
  const char *why = decide_at_once(job, code);
  if (!why && *code == MPI_SUCCESS)
    why = decide_by_comm(job, code);
  if (!why && *code == MPI_SUCCESS)
    why = decide_by_agreement(job, code);
  if (*code != MPI_SUCCESS)
    return true; /* from a call on the user's communicator, whose error handler has seen it */
  if (why) {
    is_trying = why == tny_guard_first_call || why == tny_uneven_first_calls;
    tny_explain_count(tny_call_name(call), counted_bytes(job), NULL, why);
    tny_uneven_note(job, why);
    return false;
  }
  const bool is_served = is_forced(job) ? (job->choice.algorithm && serve_planned(job, code))
                                        : serve_guarded(job, code);
  tny_uneven_note(job, NULL);
  return is_served;
}

/* Is it an error of arguments, which are looked at before anything is sent? */
static bool is_of_arguments(int code)
{
  static const int classes[] = {MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE,
                                MPI_ERR_ROOT,   MPI_ERR_OP,    MPI_ERR_ARG};
  int class = MPI_SUCCESS;
  bool is_one = false;
  if (code != MPI_SUCCESS && PMPI_Error_class(code, &class) == MPI_SUCCESS)
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
      is_one |= class == classes[i];
  return is_one;
}

/* Has the MPI serve the call. Where it refuses the arguments, this rank may make the call again,
   which counts once: as at the others. */
static int pass(struct tny_job *job)
{
  const int code = tny_uneven_call_native(job);
  if (!is_of_arguments(code))
    return code;
  if (job->is_passed)
    tny_guard_uncount(job->state, job->call->collective, class_of(job));
  tny_uneven_refused(job);
  return code;
}

static int serve_or_pass(const struct tny_call *call)
{
  struct tny_job job = {.call = call};
  int code = MPI_SUCCESS;
  if (!tny_collective_synchronizes(call->collective))
    tny_serve_note(NULL); /* a barrier stands behind the call that somebody asks about */
  return serve(&job, &code) ? code : pass(&job);
}

int tny_serve(const struct tny_call *call)
{
  const int root = tny_collective_has_root(call->collective) ? call->root : -1;
  struct tny_recorded recorded;
  tny_record_call_begin(&recorded);
  return tny_record_call_end(&recorded, serve_or_pass(call), call->comm, root);
}
