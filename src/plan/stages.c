/* The stages that one rank's steps go through. */
#include "plan/stages.h"

/* Chunks the steps in place. */
static enum tny_status cut(uint32_t run, uint32_t chunk_count, struct tny_steps *steps,
                           struct tny_error *error)
{
  struct tny_steps pieces;
  const enum tny_status status = tny_pass_chunk(steps, chunk_count, run, &pieces, error);
  if (status == TNY_OK) {
    tny_steps_release(steps);
    *steps = pieces;
  }
  return status;
}

/* Paces the steps in place. */
static enum tny_status pace_steps(enum tny_pacing pacing, uint32_t window, struct tny_steps *steps,
                                  struct tny_error *error)
{
  struct tny_steps paced;
  const enum tny_status status = tny_pass_pace(steps, pacing, window, &paced, error);
  if (status == TNY_OK) {
    tny_steps_release(steps);
    *steps = paced;
  }
  return status;
}

enum tny_status tny_stages_emit(const struct tny_algorithm *algorithm,
                                const struct tny_problem *settled, uint32_t rank,
                                struct tny_steps *steps, struct tny_error *error)
{
  struct tny_builder builder;
  tny_builder_init(&builder);
  algorithm->emit(settled, rank, &builder);
  return tny_builder_finish(&builder, steps, error);
}

enum tny_status tny_plan_finish(const struct tny_stages *stages, struct tny_steps *steps,
                                struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  if (stages->cut_count > 1)
    status = cut(stages->run, stages->cut_count, steps, error);
  if (status == TNY_OK && stages->window > 0)
    status = pace_steps(stages->pacing, stages->window, steps, error);
  if (status != TNY_OK)
    tny_steps_release(steps);
  return status;
}
