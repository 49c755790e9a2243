/* The list of all algorithms: by collective, simple before clever. */
#include "algorithms/list.h"

const struct tny_algorithm *const tny_algorithms[] = {
    &tny_bcast_binomial,
    &tny_bcast_switch_ordered_binomial,
    &tny_bcast_chain,
    &tny_bcast_switch_ordered_chain,
    &tny_allgather_ring,
    &tny_allgather_switch_ordered_ring,
    &tny_alltoall_shift,
    &tny_alltoall_shuffle,
    NULL,
};

const struct tny_algorithm *tny_algorithm_find(enum tny_collective collective, const char *name)
{
  for (const struct tny_algorithm *const *at = tny_algorithms; *at; at++)
    if ((*at)->collective == collective && strcmp((*at)->name, name) == 0)
      return *at;
  return NULL;
}
