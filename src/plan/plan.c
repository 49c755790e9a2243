/* From a problem to steps: emit, chunk, pace. */
#include <tourney/algorithm.h>

#include "core/alloc.h"
#include "core/error.h"
#include "passes/limit_in_flight.h"
#include "plan/mirror.h"
#include "plan/stages.h"
#include "schedule/message_bytes.h"

/* The consecutive phases that are listed chunk by chunk. */
static uint32_t run_of(const struct tny_algorithm *algorithm, const struct tny_problem *problem)
{
  switch (algorithm->cut) {
  case TNY_CUT_BY_PHASE:
    return 1;
  case TNY_CUT_PIPELINED:
    return TNY_RUN_PIPELINED;
  case TNY_CUT_BY_GROUP:
  case TNY_CUT_BY_CHUNK:
  case TNY_CUT_NEVER:
  case TNY_CUT_OWN:
    break;
  }
  const uint32_t phases = tny_algorithm_claim(algorithm, problem).phases;
  if (algorithm->cut == TNY_CUT_BY_GROUP && problem->parameter < phases)
    return problem->parameter;
  return phases ? phases : 1;
}

static bool is_cut_by_pass(const struct tny_algorithm *algorithm)
{
  return algorithm->cut != TNY_CUT_NEVER && algorithm->cut != TNY_CUT_OWN;
}

const char *tny_algorithm_refusal(const struct tny_algorithm *algorithm,
                                  const struct tny_problem *problem)
{
  const struct tny_algorithm *origin = tny_algorithm_origin(algorithm);
  return origin->refuse ? origin->refuse(problem) : NULL;
}

enum tny_status tny_algorithm_check(const struct tny_algorithm *algorithm,
                                    const struct tny_problem *problem, struct tny_error *error)
{
  const char *refused = tny_algorithm_refusal(algorithm, problem);
  if (!refused)
    return TNY_OK;
  return tny_error_set(error, TNY_REFUSED, "%s can't plan this: %s", algorithm->name, refused);
}

uint32_t tny_algorithm_parts(const struct tny_algorithm *algorithm, uint32_t rank_count)
{
  return algorithm->mirrors ? tny_mirror_parts(algorithm, rank_count) : 1;
}

struct tny_claim tny_algorithm_claim(const struct tny_algorithm *algorithm,
                                     const struct tny_problem *problem)
{
  return algorithm->mirrors ? tny_mirror_claim(algorithm, problem) : algorithm->claim(problem);
}

/* --- problems --- */

enum tny_status tny_problem_prepare(const struct tny_algorithm *algorithm,
                                    const struct tny_problem *problem, struct tny_problem *prepared,
                                    struct tny_error *error)
{
  void *found = NULL;
  *prepared = *problem;
  enum tny_status status = tny_algorithm_check(algorithm, problem, error);
  const struct tny_algorithm *origin = tny_algorithm_origin(algorithm);
  if (status == TNY_OK && origin->prepare) {
    status = origin->prepare(problem, &found, error);
    prepared->prepared = found;
  }
  return status;
}

void tny_problem_release(const struct tny_algorithm *algorithm, struct tny_problem *prepared)
{
  const struct tny_algorithm *origin = tny_algorithm_origin(algorithm);
  if (origin->release && prepared->prepared)
    origin->release((void *)prepared->prepared);
  prepared->prepared = NULL;
}

/* Does it still have to be prepared? */
static bool is_raw(const struct tny_algorithm *algorithm, const struct tny_problem *problem)
{
  return tny_algorithm_origin(algorithm)->prepare && !problem->prepared;
}

struct tny_problem tny_plan_problem(const struct tny_algorithm *algorithm,
                                    const struct tny_problem *problem, uint32_t chunk_count)
{
  struct tny_problem settled = *problem;
  settled.piece_count = 1;
  if (settled.parameter == 0)
    settled.parameter = algorithm->parameter.standard;
  const struct tny_algorithm *origin = tny_algorithm_origin(algorithm);
  const uint32_t parts = tny_algorithm_parts(algorithm, problem->rank_count);
  const uint32_t wanted = (chunk_count + parts - 1) / parts;
  if (algorithm->cut == TNY_CUT_OWN)
    settled.piece_count = parts * (origin->pieces ? origin->pieces(problem, wanted) : wanted);
  if (settled.piece_count == 0)
    settled.piece_count = 1;
  return settled;
}

/* --- steps --- */

/* A prepared problem that isn't refused, and how it is to be planned. */
struct work {
  const struct tny_algorithm *algorithm;
  const struct tny_problem *problem;
  struct tny_pace pace;
};

/* All but the scratch space, which is claimed: a claim may cost as much as all ranks' steps. */
static struct tny_stages stages_of(const struct tny_algorithm *algorithm,
                                   const struct tny_problem *problem, struct tny_pace pace)
{
  const struct tny_problem settled = tny_plan_problem(algorithm, problem, pace.chunk_count);
  const bool is_cut = pace.chunk_count > 1 && is_cut_by_pass(algorithm);
  return (struct tny_stages){
      .piece_count = settled.piece_count,
      .cut_count = is_cut ? pace.chunk_count : 1,
      .run = is_cut ? run_of(algorithm, &settled) : 1,
      .pacing = algorithm->pacing,
      .window = pace.window,
  };
}

struct tny_stages tny_plan_stages(const struct tny_algorithm *algorithm,
                                  const struct tny_problem *problem, struct tny_pace pace)
{
  const struct tny_problem settled = tny_plan_problem(algorithm, problem, pace.chunk_count);
  struct tny_stages stages = stages_of(algorithm, problem, pace);
  stages.scratch_blocks = tny_algorithm_claim(algorithm, &settled).scratch_blocks;
  return stages;
}

enum tny_status tny_plan_emit(const struct tny_algorithm *algorithm,
                              const struct tny_problem *problem, struct tny_pace pace,
                              uint32_t rank, struct tny_steps *steps, struct tny_error *error)
{
  const struct tny_problem settled = tny_plan_problem(algorithm, problem, pace.chunk_count);
  return algorithm->mirrors ? tny_mirror_emit(algorithm, &settled, rank, steps, error)
                            : tny_stages_emit(algorithm, &settled, rank, steps, error);
}

/* Plans one rank's steps by themselves. */
static enum tny_status plan_own(const struct work *work, uint32_t rank, struct tny_steps *steps,
                                struct tny_error *error)
{
  const struct tny_stages stages = stages_of(work->algorithm, work->problem, work->pace);
  const enum tny_status status =
      tny_plan_emit(work->algorithm, work->problem, work->pace, rank, steps, error);
  return status == TNY_OK ? tny_plan_finish(&stages, steps, error) : status;
}

/* Plans one rank's steps where links are limited: all ranks' steps are planned, and one rank's are
   taken. */
static enum tny_status plan_limited(const struct work *work, uint32_t rank, struct tny_steps *steps,
                                    struct tny_error *error)
{
  struct tny_schedule *schedule;
  const enum tny_status status =
      tny_plan_all(work->algorithm, work->problem, work->pace, &schedule, error);
  if (status != TNY_OK)
    return status;
  *steps = schedule->ranks[rank];
  schedule->ranks[rank] = (struct tny_steps){0};
  tny_schedule_free(schedule);
  return TNY_OK;
}

enum tny_status tny_plan_rank(const struct tny_algorithm *algorithm,
                              const struct tny_problem *problem, struct tny_pace pace,
                              uint32_t rank, struct tny_steps *steps, struct tny_error *error)
{
  *steps = (struct tny_steps){0};
  if (is_raw(algorithm, problem)) {
    struct tny_problem prepared;
    enum tny_status status = tny_problem_prepare(algorithm, problem, &prepared, error);
    if (status == TNY_OK)
      status = tny_plan_rank(algorithm, &prepared, pace, rank, steps, error);
    tny_problem_release(algorithm, &prepared);
    return status;
  }
  const enum tny_status status = tny_algorithm_check(algorithm, problem, error);
  if (status != TNY_OK)
    return status;
  const struct work work = {algorithm, problem, pace};
  return pace.limit_message_bytes ? plan_limited(&work, rank, steps, error)
                                  : plan_own(&work, rank, steps, error);
}

/* Leaves out the blocks that the pattern doesn't want. Where ranks forward blocks, several in a
   message, all travel, those that the pattern doesn't want without bytes. */
static enum tny_status leave_out(const struct tny_algorithm *algorithm,
                                 const struct tny_pattern *pattern, struct tny_schedule **schedule,
                                 struct tny_error *error)
{
  if (algorithm->takes_patterns || !tny_sends_straight(*schedule))
    return tny_pattern_want(*schedule, pattern, error);
  struct tny_schedule *fewer;
  const enum tny_status status = tny_pass_subset(*schedule, pattern, &fewer, error);
  if (status == TNY_OK) {
    tny_schedule_free(*schedule);
    *schedule = fewer;
  }
  return status;
}

static enum tny_status fill(const struct tny_algorithm *algorithm,
                            const struct tny_problem *problem, struct tny_pace pace,
                            struct tny_schedule **schedule, struct tny_error *error)
{
  const struct tny_stages stages = tny_plan_stages(algorithm, problem, pace);
  const struct work work = {algorithm, problem, pace};
  struct tny_schedule *filled = *schedule;
  enum tny_status status = TNY_OK;
  filled->chunk_count = stages.cut_count > 1 ? stages.cut_count : stages.piece_count;
  filled->scratch_blocks = stages.scratch_blocks;
  filled->commutes = algorithm->commutes;
  for (uint32_t rank = 0; status == TNY_OK && rank < problem->rank_count; rank++)
    status = plan_own(&work, rank, &filled->ranks[rank], error);
  if (status == TNY_OK && problem->pattern)
    status = leave_out(algorithm, problem->pattern, schedule, error);
  if (status == TNY_OK && pace.limit_message_bytes > 0)
    status = tny_limit_in_flight(
        schedule, problem->network,
        (struct tny_limit){pace, .pieces_a_message = algorithm->pieces_a_message}, error);
  return status;
}

enum tny_status tny_plan_all(const struct tny_algorithm *algorithm,
                             const struct tny_problem *problem, struct tny_pace pace,
                             struct tny_schedule **schedule, struct tny_error *error)
{
  *schedule = NULL;
  if (is_raw(algorithm, problem)) {
    struct tny_problem prepared;
    enum tny_status status = tny_problem_prepare(algorithm, problem, &prepared, error);
    if (status == TNY_OK)
      status = tny_plan_all(algorithm, &prepared, pace, schedule, error);
    tny_problem_release(algorithm, &prepared);
    return status;
  }
  char name[TNY_ALGORITHM_CHOICE_CHARS];
  tny_algorithm_choice_write(&(struct tny_algorithm_choice){algorithm, problem->parameter}, name);
  enum tny_status status = tny_algorithm_check(algorithm, problem, error);
  if (status == TNY_OK)
    status = tny_schedule_new(problem->collective, problem->rank_count, problem->root, name,
                              schedule, error);
  if (status == TNY_OK)
    status = fill(algorithm, problem, pace, schedule, error);
  if (status != TNY_OK) {
    tny_schedule_free(*schedule);
    *schedule = NULL;
  }
  return status;
}
