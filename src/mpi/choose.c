/* Which algorithm serves a communicator: ranked once for every collective and class of sizes. */
#include "mpi/choose.h"

#include "mpi/profiled.h"

static uint32_t class_number(uint64_t class_bytes)
{
  uint32_t number = 0;
  while (number + 1 < TNY_SIZE_CLASSES && class_bytes >> (number + 1))
    number++;
  return number;
}

static int choose(struct tny_group *group, enum tny_collective collective, uint64_t block_bytes,
                  struct tny_algorithm_choice *choice)
{
  const uint64_t class_bytes = tny_model_size_class(block_bytes);
  struct tny_algorithm_choice *chosen = &group->chosen[collective][class_number(class_bytes)];
  if (!chosen->algorithm) {
    struct tny_ranking ranking;
    const struct tny_problem problem = tny_group_problem(
        group, (struct tny_algorithm_choice){.algorithm = tny_model_default_algorithm(collective)},
        0);
    if (tny_model_rank(&group->model, &problem, tny_model_limits, class_bytes, &ranking, NULL) !=
        TNY_OK)
      return MPI_ERR_NO_MEM;
    /* Where no algorithm could be predicted there is still the standard one. */
    *chosen =
        ranking.list[0].why_not
            ? (struct tny_algorithm_choice){.algorithm = tny_model_default_algorithm(collective)}
            : ranking.list[0].choice;
    tny_ranking_free(&ranking);
  }
  *choice = *chosen;
  return MPI_SUCCESS;
}

int tny_group_choose(struct tny_group *group, enum tny_collective collective, uint64_t block_bytes,
                     struct tny_algorithm_choice *choice)
{
  if (tny_group_profiled(group, collective, block_bytes, choice) == TNY_PROFILED_PLANNED)
    return MPI_SUCCESS;
  pthread_mutex_lock(&group->lock);
  const int code = choose(group, collective, block_bytes, choice);
  pthread_mutex_unlock(&group->lock);
  return code;
}
