/* Looks a profile up in every class of sizes. */
#include "mpi/guard/profiled.h"

enum { PROFILED_MAX = 32 }; /* algorithms of a size that are looked at */

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
                    bool has_guard, struct tny_guard_result *result)
{
  struct tny_profile_best best;
  if (!tny_profile_find_best(profile, result->collective, problem->rank_count,
                             UINT64_C(1) << result->number, &best) ||
      is_refused(problem, best.candidate.choice) || (best.is_doubtful && has_guard))
    return false;
  result->choice = best.candidate.choice;
  result->native_ns = 2 * (double)(best.native_ns ? best.native_ns : best.candidate.ns);
  result->settled_ns = 2 * (double)best.candidate.ns;
  return true;
}

bool tny_guard_measured(const struct tny_profile *profile, const struct tny_problem *problem,
                        uint32_t number, struct tny_guard_candidate list[TNY_GUARD_CANDIDATES],
                        uint32_t *count)
{
  struct tny_profile_candidate known[PROFILED_MAX];
  const uint32_t known_count =
      tny_profile_candidates(profile, problem->collective, problem->rank_count,
                             UINT64_C(1) << number, known, PROFILED_MAX);
  bool has_plan = false;
  *count = 0;
  for (uint32_t i = 0; i < known_count; i++) {
    if (!known[i].choice.algorithm || is_refused(problem, known[i].choice))
      continue;
    has_plan = true;
    if (*count < TNY_GUARD_CANDIDATES &&
        (double)known[i].ns <= TNY_GUARD_WORTH * (double)known[0].ns)
      list[(*count)++] = (struct tny_guard_candidate){known[i].choice, (double)known[i].ns};
  }
  return has_plan;
}

uint32_t tny_guard_profiled(const struct tny_profile *profile, const struct tny_problem *problem,
                            bool has_guard, struct tny_guard_result list[TNY_GUARD_PROFILED])
{
  uint32_t count = 0;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    for (uint32_t number = 0; number < TNY_SIZE_CLASSES; number++) {
      list[count] = (struct tny_guard_result){
          .collective = (enum tny_collective)c, .number = number, .is_read = true};
      count += look_up(profile, problem, has_guard, &list[count]);
    }
  return count;
}
