/* Looks the world's profile up for a group, in every class of sizes. */
#include "mpi/profiled.h"

#include "core/alloc.h"
#include "mpi/world.h"

/* Are these the ranks of MPI_COMM_WORLD, in their order? */
static bool is_covered(const struct tny_group *group)
{
  if (group->rank_count != tny_world_get()->rank_count)
    return false;
  for (uint32_t r = 0; r < group->rank_count; r++)
    if (group->world_ranks[r] != (int)r)
      return false;
  return true;
}

static bool is_refused(const struct tny_group *group, struct tny_algorithm_choice choice)
{
  if (!choice.algorithm)
    return false;
  const struct tny_problem problem = tny_group_problem(group, choice, 0);
  return tny_algorithm_refusal(choice.algorithm, &problem) != NULL;
}

/* Times are those of the class's longest blocks, which are twice as long as its shortest. */
static void look_up(struct tny_group *group, enum tny_collective collective, uint32_t number)
{
  struct tny_profile_candidate best;
  uint64_t native_ns;
  if (!tny_profile_best(tny_world_get()->profile, collective, group->rank_count,
                        UINT64_C(1) << number, &best, &native_ns) ||
      is_refused(group, best.choice))
    return;
  group->profiled[group->profiled_count++] =
      (struct tny_guard_result){.collective = collective,
                                .number = number,
                                .choice = best.choice,
                                .native_ns = 2 * (double)(native_ns ? native_ns : best.ns),
                                .settled_ns = 2 * (double)best.ns};
}

bool tny_group_look_up(struct tny_group *group)
{
  const struct tny_profile *profile = tny_world_get()->profile;
  if (!profile || !is_covered(group))
    return true;
  group->profiled = tny_new(TNY_COLLECTIVE_COUNT * TNY_SIZE_CLASSES, sizeof *group->profiled);
  if (!group->profiled)
    return false;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    const enum tny_collective collective = (enum tny_collective)c;
    const uint64_t shortest = tny_profile_bytes_min(profile, collective);
    if (shortest < group->bytes_min[c])
      group->bytes_min[c] = shortest;
    for (uint32_t number = 0; number < TNY_SIZE_CLASSES; number++)
      look_up(group, collective, number);
  }
  return true;
}
