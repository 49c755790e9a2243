/* With TOURNEY_PROVE, the rank that makes a plan proves it before any rank has it: all ranks'
   steps, made of the very parts that are handed out, by the code that makes them at each rank. What
   isn't proved isn't run.

   What is proved is the plan, run once. A long block is run by it several times, a part after the
   other: a rank begins with a part when its steps of the one before are all complete, and pairs of
   ranks keep the order of their messages, so one run's proof is each run's. Where two parts meet,
   twice as much may be in flight. */
#include "mpi/handout/prove.h"

#include <tourney/verify.h>

#include "core/error.h"
#include "mpi/explain.h"

#define PROVED_STEPS_MAX (UINT64_C(1) << 23) /* of all ranks: more than a gigabyte */

static enum tny_status refuse_size(uint64_t steps, struct tny_error *error)
{
  return tny_error_set(error, TNY_REFUSED,
                       "up to %llu steps are more than the %llu that are proved at run time; try "
                       "`tourney plan`, and run without --prove",
                       (unsigned long long)steps, (unsigned long long)PROVED_STEPS_MAX);
}

/* Refuses what would take too much memory, by what the algorithm claims to send, or by its parts'
   length. */
static enum tny_status check_size(const struct tny_algorithm *algorithm,
                                  const struct tny_problem *problem, const struct tny_parts *parts,
                                  struct tny_error *error)
{
  const uint64_t chunks = parts->head.pace.chunk_count;
  uint64_t steps = parts->bytes.length * parts->head.stages.cut_count;
  if (parts->head.form == TNY_PARTS_NONE) {
    const struct tny_problem whole = tny_plan_problem(algorithm, problem, 1);
    const struct tny_claim claim = tny_algorithm_claim(algorithm, &whole);
    steps = 4 * tny_claim_sent_max(&claim) * whole.rank_count * chunks;
  }
  return steps <= PROVED_STEPS_MAX ? TNY_OK : refuse_size(steps, error);
}

/* The problem has the pattern, where there is one. */
static enum tny_status prove_problem(const struct tny_problem *problem,
                                     const struct tny_plan_request *request,
                                     const struct tny_parts *parts, struct tny_error *error)
{
  const struct tny_algorithm *algorithm = request->choice.algorithm;
  struct tny_schedule *schedule = NULL;
  enum tny_status status = check_size(algorithm, problem, parts, error);
  if (status == TNY_OK && parts->head.form == TNY_PARTS_NONE)
    status = tny_plan_all(algorithm, problem, parts->head.pace, &schedule, error);
  else if (status == TNY_OK)
    status = tny_parts_schedule(parts, algorithm, request->root, &schedule, error);
  if (status == TNY_OK && problem->pattern)
    status = tny_pattern_want(schedule, problem->pattern, error);
  if (status == TNY_OK)
    status = tny_verify_as_run(schedule, error);
  tny_schedule_free(schedule);
  return status;
}

static enum tny_status prove(const struct tny_group *group, const struct tny_plan_request *request,
                             const struct tny_parts *parts, struct tny_error *error)
{
  struct tny_problem problem = tny_group_problem(group, request->choice, request->root);
  struct tny_pattern *made;
  enum tny_status status = tny_plan_request_pattern(group, request, &made, &problem.pattern, error);
  if (status == TNY_OK)
    status = prove_problem(&problem, request, parts, error);
  tny_pattern_free(made);
  return status;
}

static void warn(const struct tny_group *group, const struct tny_plan_request *request,
                 struct tny_pace pace, const struct tny_error *error)
{
  char name[TNY_ALGORITHM_CHOICE_CHARS];
  tny_algorithm_choice_write(&request->choice, name);
  tny_explain_warn(
      "%s %s, %u ranks, root %u, %u chunks, window %u, links limited for messages of "
      "%u bytes (0: not limited), isn't proved and not run, so these calls are native: %s",
      tny_collective_name(request->choice.algorithm->collective), name, group->rank_count,
      request->root, pace.chunk_count, pace.window, pace.limit_message_bytes, error->text);
}

bool tny_prove_or_warn(struct tny_group *group, const struct tny_plan_request *request,
                       const struct tny_parts *parts)
{
  struct tny_verdict verdict = {
      .choice = request->choice, .root = request->root, .id = parts->head.id};
  pthread_mutex_lock(&group->lock);
  const struct tny_verdict *known = tny_verdicts_find(group->verdicts, &verdict);
  pthread_mutex_unlock(&group->lock);
  if (known)
    return known->is_proved;
  struct tny_error error = {0};
  verdict.is_proved = prove(group, request, parts, &error) == TNY_OK;
  if (!verdict.is_proved)
    warn(group, request, parts->head.pace, &error);
  if (request->counts.id)
    return verdict.is_proved; /* the communicator remembers it as long as the plan */
  pthread_mutex_lock(&group->lock);
  tny_verdicts_add(&group->verdicts, &verdict);
  pthread_mutex_unlock(&group->lock);
  return verdict.is_proved;
}
