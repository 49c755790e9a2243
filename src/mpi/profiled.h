/* What the world's profile says of a communicator's ranks: measured, so it goes before what is
   predicted. */
#ifndef TOURNEY_MPI_PROFILED_H
#define TOURNEY_MPI_PROFILED_H

#include "mpi/group.h"

/* Looks up what is fastest for a collective and a size, once for each class of sizes, alike at
   every rank. A profile covers the ranks of MPI_COMM_WORLD in their order, which it was measured
   with. `choice` is filled where a planned algorithm is. */
enum tny_profiled tny_group_profiled(struct tny_group *group, enum tny_collective collective,
                                     uint64_t block_bytes, struct tny_algorithm_choice *choice);
/* Why a call is native or planned. */
extern const char tny_profiled_fastest[];

#endif
