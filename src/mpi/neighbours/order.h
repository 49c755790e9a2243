/* Where several edges lead from one rank to the same other: which of their blocks meet. MPIs differ
   in it, even from function to function; so they are asked. */
#ifndef TOURNEY_MPI_NEIGHBOURS_ORDER_H
#define TOURNEY_MPI_NEIGHBOURS_ORDER_H

#include "mpi/comm_state.h"
#include "mpi/neighbours/edges.h"

/* Before the first plan for a function: has the MPI's own exchange the numbers of blocks, and
   brings the edges that are received over into the order in which they are sent over. Does nothing
   where that is known, or no matter. Collective over the communicator of the neighbourhood, on
   whose account it is. Returns an MPI error code, of which the error handler has been told. */
int tny_order_find(struct tny_comm_state *state, enum tny_neighbours form);

#endif
