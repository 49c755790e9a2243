/* From a problem to steps: emit, chunk, pace. */
#include <tourney/algorithm.h>

#include "core/alloc.h"
#include "core/error.h"

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
  const uint32_t phases = algorithm->claim(problem).phases;
  const uint32_t group = problem->parameter ? problem->parameter : algorithm->parameter.standard;
  if (algorithm->cut == TNY_CUT_BY_GROUP && group < phases)
    return group;
  return phases ? phases : 1;
}

static bool is_cut_by_pass(const struct tny_algorithm *algorithm)
{
  return algorithm->cut != TNY_CUT_NEVER && algorithm->cut != TNY_CUT_OWN;
}

/* Chunks the steps in place. */
static enum tny_status cut(const struct tny_algorithm *algorithm, const struct tny_problem *problem,
                           uint32_t chunk_count, struct tny_steps *steps, struct tny_error *error)
{
  struct tny_steps pieces;
  const enum tny_status status =
      tny_pass_chunk(steps, chunk_count, run_of(algorithm, problem), &pieces, error);
  if (status == TNY_OK) {
    tny_steps_release(steps);
    *steps = pieces;
  }
  return status;
}

/* Paces the steps in place. */
static enum tny_status clock_steps(const struct tny_algorithm *algorithm, uint32_t window,
                                   struct tny_steps *steps, struct tny_error *error)
{
  struct tny_steps paced;
  const enum tny_status status = tny_pass_pace(steps, algorithm->pacing, window, &paced, error);
  if (status == TNY_OK) {
    tny_steps_release(steps);
    *steps = paced;
  }
  return status;
}

enum tny_status tny_algorithm_check(const struct tny_algorithm *algorithm,
                                    const struct tny_problem *problem, struct tny_error *error)
{
  const char *refused = algorithm->refuse ? algorithm->refuse(problem) : NULL;
  if (!refused)
    return TNY_OK;
  return tny_error_set(error, TNY_REFUSED, "%s can't plan this: %s", algorithm->name, refused);
}

struct tny_problem tny_plan_problem(const struct tny_algorithm *algorithm,
                                    const struct tny_problem *problem, uint32_t chunk_count)
{
  struct tny_problem settled = *problem;
  settled.piece_count = 1;
  if (algorithm->cut == TNY_CUT_OWN)
    settled.piece_count = algorithm->pieces ? algorithm->pieces(problem, chunk_count) : chunk_count;
  if (settled.piece_count == 0)
    settled.piece_count = 1;
  return settled;
}

enum tny_status tny_plan_rank(const struct tny_algorithm *algorithm,
                              const struct tny_problem *problem, struct tny_pace pace,
                              uint32_t rank, struct tny_steps *steps, struct tny_error *error)
{
  *steps = (struct tny_steps){0};
  enum tny_status status = tny_algorithm_check(algorithm, problem, error);
  if (status != TNY_OK)
    return status;
  const struct tny_problem settled = tny_plan_problem(algorithm, problem, pace.chunk_count);
  struct tny_builder builder;
  tny_builder_init(&builder);
  algorithm->emit(&settled, rank, &builder);
  status = tny_builder_finish(&builder, steps, error);
  if (status == TNY_OK && pace.chunk_count > 1 && is_cut_by_pass(algorithm))
    status = cut(algorithm, &settled, pace.chunk_count, steps, error);
  if (status == TNY_OK && pace.window > 0)
    status = clock_steps(algorithm, pace.window, steps, error);
  if (status != TNY_OK)
    tny_steps_release(steps);
  return status;
}

enum tny_status tny_plan_all(const struct tny_algorithm *algorithm,
                             const struct tny_problem *problem, struct tny_pace pace,
                             struct tny_schedule **schedule, struct tny_error *error)
{
  *schedule = NULL;
  enum tny_status status = tny_algorithm_check(algorithm, problem, error);
  if (status != TNY_OK)
    return status;
  char name[64];
  if (problem->parameter && algorithm->parameter.name)
    snprintf(name, sizeof name, "%s:%u", algorithm->name, problem->parameter);
  else
    snprintf(name, sizeof name, "%s", algorithm->name);
  status = tny_schedule_new(problem->collective, problem->rank_count, problem->root, name, schedule,
                            error);
  if (status != TNY_OK)
    return status;
  const struct tny_problem settled = tny_plan_problem(algorithm, problem, pace.chunk_count);
  (*schedule)->chunk_count = settled.piece_count;
  if (pace.chunk_count > 1 && is_cut_by_pass(algorithm))
    (*schedule)->chunk_count = pace.chunk_count;
  (*schedule)->scratch_blocks = algorithm->claim(&settled).scratch_blocks;
  for (uint32_t rank = 0; status == TNY_OK && rank < problem->rank_count; rank++)
    status = tny_plan_rank(algorithm, problem, pace, rank, &(*schedule)->ranks[rank], error);
  if (status != TNY_OK) {
    tny_schedule_free(*schedule);
    *schedule = NULL;
  }
  return status;
}
