/* Which algorithm serves a communicator. */
#ifndef TOURNEY_MPI_CHOOSE_H
#define TOURNEY_MPI_CHOOSE_H

#include "mpi/group.h"

/* The algorithm for this collective and size: the profile's, or all are ranked for the size's class
   on its first use, by every rank alike. Returns an MPI error code. */
int tny_group_choose(struct tny_group *group, enum tny_collective collective, uint64_t block_bytes,
                     struct tny_algorithm_choice *choice);

#endif
