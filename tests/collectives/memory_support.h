/* Planning while allocations fail. Included once by each test program. */
#ifndef TOURNEY_TESTS_MEMORY_SUPPORT_H
#define TOURNEY_TESTS_MEMORY_SUPPORT_H

#include "support/memory.h"

#include <tourney/algorithm.h>

/* What is planned: all ranks' steps, and those of one rank by itself. */
struct planning {
  const struct tny_algorithm *algorithm;
  struct tny_problem problem;
  struct tny_pace pace;
  uint32_t rank;
};

static inline enum tny_status plan_with_little_memory(const void *subject, struct tny_error *error)
{
  const struct planning *of = subject;
  struct tny_problem prepared;
  struct tny_steps steps = {0};
  struct tny_schedule *schedule = NULL;
  enum tny_status status = tny_problem_prepare(of->algorithm, &of->problem, &prepared, error);
  tny_problem_release(of->algorithm, &prepared);
  if (status == TNY_OK)
    status = tny_plan_rank(of->algorithm, &of->problem, of->pace, of->rank, &steps, error);
  if (status == TNY_OK)
    status = tny_plan_all(of->algorithm, &of->problem, of->pace, &schedule, error);
  tny_steps_release(&steps);
  tny_schedule_free(schedule);
  return status;
}

/* Lets each allocation of the planning fail once; returns how many there are. */
static inline uint64_t starve_planning(const struct planning *planning)
{
  return starve(plan_with_little_memory, planning);
}

#endif
