/* The size of a broadcast's block, told by its root to all ranks. */
#ifndef TOURNEY_MPI_AGREE_H
#define TOURNEY_MPI_AGREE_H

#include "mpi/comm_state.h"

/* Before a broadcast is planned: puts the bytes of the root's block in the place of this rank's
   own. Collective over the communicator; returns an MPI error code. */
int tny_agree_on_size(struct tny_comm_state *state, uint32_t root, uint64_t *block_bytes);

/* The tree by which it goes. Vertices are counted from the root; vertex v is told by v - b / 2 and
   tells v + b, v + 2 b, ..., where b is the least power of two beyond v. */
uint32_t tny_size_vertex(const struct tny_comm_state *state, uint32_t root);
uint32_t tny_size_bit(uint32_t vertex);
/* The rank at a vertex, in MPI_COMM_WORLD. */
int tny_size_rank_at(const struct tny_comm_state *state, uint32_t root, uint32_t vertex);

#endif
