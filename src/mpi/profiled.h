/* What the world's profile says of a communicator's ranks: measured, so it goes before what is
   predicted. */
#ifndef TOURNEY_MPI_PROFILED_H
#define TOURNEY_MPI_PROFILED_H

#include "mpi/group.h"

/* Fills group->profiled, alike at every rank, and lowers group->bytes_min where the profile has a
   plan for shorter blocks. A profile covers the ranks of MPI_COMM_WORLD in their order, which it
   was measured with. False: no memory. */
bool tny_group_look_up(struct tny_group *group);

#endif
