/* What serves a class, by the guard's table and the profile. */
#include "mpi/background/known.h"

/* While blocking calls look at a class again, it stays as it was settled. */
static bool is_settled(const struct tny_comm_state *state, enum tny_collective collective,
                       uint32_t number, struct tny_algorithm_choice *choice)
{
  const struct tny_guard_class *class =
      state ? tny_guard_table_find(&state->guard, collective, number) : NULL;
  if (!class || !class->settled.algorithm)
    return false;
  *choice = class->settled;
  return true;
}

/* Of a class of which the communicator has seen a call, its table tells. */
static bool is_profiled(const struct tny_comm_state *state, const struct tny_group *group,
                        enum tny_collective collective, uint32_t number,
                        struct tny_algorithm_choice *choice)
{
  if (state && tny_guard_table_has_seen(&state->guard, collective, number))
    return false;
  for (uint32_t i = 0; i < group->profiled_count; i++) {
    const struct tny_guard_result *result = &group->profiled[i];
    if (result->collective != collective || result->number != number || !result->choice.algorithm)
      continue;
    *choice = result->choice;
    return true;
  }
  return false;
}

enum tny_known tny_known_find(const struct tny_comm_state *state, const struct tny_group *group,
                              enum tny_collective collective, uint32_t number,
                              struct tny_algorithm_choice *choice)
{
  if (is_settled(state, collective, number, choice))
    return TNY_SETTLED;
  return group && is_profiled(state, group, collective, number, choice) ? TNY_PROFILED
                                                                        : TNY_UNKNOWN;
}
