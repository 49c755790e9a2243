/* Looks the world's profile up for a group, and keeps what it says by class of sizes. */
#include "mpi/profiled.h"

#include "mpi/world.h"

const char tny_profiled_fastest[] = "the fastest in the profile";

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

static struct tny_profiled_choice look_up(const struct tny_group *group,
                                          enum tny_collective collective, uint64_t class_bytes)
{
  struct tny_profile_candidate best;
  if (!is_covered(group) || !tny_profile_candidates(tny_world_get()->profile, collective,
                                                    group->rank_count, class_bytes, &best, 1))
    return (struct tny_profiled_choice){.is = TNY_PROFILED_UNKNOWN};
  return (struct tny_profiled_choice){.is = best.choice.algorithm ? TNY_PROFILED_PLANNED
                                                                  : TNY_PROFILED_NATIVE,
                                      .choice = best.choice};
}

enum tny_profiled tny_group_profiled(struct tny_group *group, enum tny_collective collective,
                                     uint64_t block_bytes, struct tny_algorithm_choice *choice)
{
  if (!tny_world_get()->profile)
    return TNY_PROFILED_UNKNOWN;
  const uint64_t class_bytes = tny_model_size_class(block_bytes);
  uint32_t class_number = 0;
  while (class_number + 1 < TNY_SIZE_CLASSES && class_bytes >> (class_number + 1))
    class_number++;
  pthread_mutex_lock(&group->lock);
  struct tny_profiled_choice *found = &group->profiled[collective][class_number];
  if (found->is == TNY_PROFILED_NOT_YET)
    *found = look_up(group, collective, class_bytes);
  const struct tny_profiled_choice copy = *found;
  pthread_mutex_unlock(&group->lock);
  if (copy.is == TNY_PROFILED_PLANNED)
    *choice = copy.choice;
  return copy.is;
}
