/* Looks a profile up in every class of sizes. */
#include "mpi/guard/profiled.h"

static bool is_refused(const struct tny_problem *problem, struct tny_algorithm_choice choice)
{
  if (!choice.algorithm)
    return false;
  struct tny_problem served = *problem;
  served.collective = choice.algorithm->collective;
  served.parameter = choice.parameter;
  return tny_algorithm_refusal(choice.algorithm, &served) != NULL;
}

/* Times are those of the class's longest blocks, which are twice as long as its shortest. */
static bool look_up(const struct tny_profile *profile, const struct tny_problem *problem,
                    struct tny_guard_result *result)
{
  struct tny_profile_candidate best;
  uint64_t native_ns;
  if (!tny_profile_best(profile, result->collective, problem->rank_count,
                        UINT64_C(1) << result->number, &best, &native_ns) ||
      is_refused(problem, best.choice))
    return false;
  result->choice = best.choice;
  result->native_ns = 2 * (double)(native_ns ? native_ns : best.ns);
  result->settled_ns = 2 * (double)best.ns;
  return true;
}

uint32_t tny_guard_profiled(const struct tny_profile *profile, const struct tny_problem *problem,
                            struct tny_guard_result list[TNY_GUARD_PROFILED])
{
  uint32_t count = 0;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    for (uint32_t number = 0; number < TNY_SIZE_CLASSES; number++) {
      list[count] =
          (struct tny_guard_result){.collective = (enum tny_collective)c, .number = number};
      count += look_up(profile, problem, &list[count]);
    }
  return count;
}
