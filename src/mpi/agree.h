/* The size of a broadcast's block, told by its root to all ranks. */
#ifndef TOURNEY_MPI_AGREE_H
#define TOURNEY_MPI_AGREE_H

#include "mpi/comm_state.h"

/* Before a broadcast is planned: puts the bytes of the root's block in the place of this rank's
   own. Collective over the communicator; returns an MPI error code. */
int tny_agree_on_size(struct tny_comm_state *state, uint32_t root, uint64_t *block_bytes);

#endif
