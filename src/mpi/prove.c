/* With TOURNEY_PROVE, rank 0 of a communicator proves each new plan before it is first run: all
   ranks' steps, made as the ranks make them, for the chunks, pace and limits that will run. What
   isn't proved isn't run: all ranks agree, and such a plan's calls are native from then on.

   What is proved is the plan, run once. A long block is run by it several times, a part after the
   other: a rank begins with a part when its steps of the one before are all complete, and pairs of
   ranks keep the order of their messages, so one run's proof is each run's. Where two parts meet,
   twice as much may be in flight. */
#include "mpi/prove.h"

#include <tourney/verify.h>

#include "core/alloc.h"
#include "core/error.h"
#include "mpi/explain.h"
#include "mpi/native.h"
#include "mpi/world.h"

#define PROVED_STEPS_MAX (UINT64_C(1) << 23) /* of all ranks: more than a gigabyte */

/* Refuses what would take too much memory, by what the algorithm claims to send. */
static enum tny_status check_size(const struct tny_prepared *prepared, struct tny_pace pace,
                                  struct tny_error *error)
{
  const struct tny_algorithm *algorithm = prepared->choice.algorithm;
  const struct tny_problem whole = tny_plan_problem(algorithm, &prepared->problem, 1);
  const uint64_t steps =
      4 * algorithm->claim(&whole).blocks_sent_max * whole.rank_count * pace.chunk_count;
  if (steps <= PROVED_STEPS_MAX)
    return TNY_OK;
  return tny_error_set(error, TNY_REFUSED,
                       "up to %llu steps are more than the %llu that are proved at run time; try "
                       "`tourney plan`, and run without --prove",
                       (unsigned long long)steps, (unsigned long long)PROVED_STEPS_MAX);
}

static enum tny_status prove(const struct tny_prepared *prepared, struct tny_pace pace,
                             struct tny_error *error)
{
  struct tny_schedule *schedule = NULL;
  enum tny_status status = check_size(prepared, pace, error);
  if (status == TNY_OK)
    status = tny_plan_all(prepared->choice.algorithm, &prepared->problem, pace, &schedule, error);
  if (status == TNY_OK)
    status = tny_verify_as_run(schedule, error);
  tny_schedule_free(schedule);
  return status;
}

/* At rank 0: proves, and warns where that fails. */
static bool prove_or_warn(struct tny_group *group, const struct tny_plan_request *request,
                          struct tny_pace pace)
{
  struct tny_error error = {0};
  struct tny_prepared *prepared = tny_plan_take_prepared(group, request);
  if (prepared) {
    const enum tny_status status = prove(prepared, pace, &error);
    tny_plan_put_prepared(group, prepared);
    if (status == TNY_OK)
      return true;
  } else {
    tny_error_memory(&error);
  }
  char name[TNY_ALGORITHM_CHOICE_CHARS];
  tny_algorithm_choice_write(&request->choice, name);
  tny_explain_warn(
      "%s %s, %u ranks, root %u, %u chunks, window %u, links limited for messages of "
      "%u bytes (0: not limited), isn't proved and not run, so these calls are native: %s",
      tny_collective_name(request->choice.algorithm->collective), name, group->rank_count,
      request->root, pace.chunk_count, pace.window, pace.limit_message_bytes, error.text);
  return false;
}

bool tny_prove_plan(struct tny_comm_state *state, const struct tny_plan_request *request, int *code)
{
  struct tny_segments run;
  *code = MPI_SUCCESS;
  if (!tny_world_get()->prove)
    return true;
  const bool is_found = tny_plan_segments(state->group, request, &run);
  const struct tny_verdict plan = {.next = state->verdicts,
                                   .choice = request->choice,
                                   .root = request->root,
                                   .pace = is_found ? run.pace : (struct tny_pace){0}};
  const struct tny_verdict *known = is_found ? tny_verdicts_find(state->verdicts, &plan) : NULL;
  if (known)
    return known->is_proved;
  /* Which plan it is takes memory to find out. The others may know a verdict of it: then they ask
     nobody, and a question of this rank would meet another call of theirs. */
  if (!is_found && tny_verdicts_have(state->verdicts, request->choice, request->root)) {
    *code = MPI_ERR_NO_MEM;
    return true;
  }
  struct tny_verdict *verdict = is_found ? tny_new(1, sizeof *verdict) : NULL;
  int is_proved = verdict && (state->rank > 0 || prove_or_warn(state->group, request, run.pace));
  *code = tny_native.allreduce(MPI_IN_PLACE, &is_proved, 1, MPI_INT, MPI_MIN, state->of);
  if (*code == MPI_SUCCESS && !verdict)
    state->broken = MPI_ERR_NO_MEM; /* it can't know next time what all others do */
  if (*code != MPI_SUCCESS || !verdict) {
    tny_free(verdict);
    return false;
  }
  *verdict = plan;
  verdict->is_proved = is_proved;
  state->verdicts = verdict;
  return is_proved;
}
