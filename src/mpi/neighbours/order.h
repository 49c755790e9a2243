/* Where several edges lead from one rank to the same other: which of their blocks meet. MPIs differ
   in it, even from function to function; so they are asked. */
#ifndef TOURNEY_MPI_NEIGHBOURS_ORDER_H
#define TOURNEY_MPI_NEIGHBOURS_ORDER_H

#include "mpi/neighbours/edges.h"

/* Before the first plan for a function: has the MPI's own exchange the numbers of blocks, and
   brings the edges that are received over into the order in which they are sent over. Does nothing
   where that is known, or no matter. Collective over the communicator. Returns an MPI error code,
   of which its error handler has been told. */
int tny_order_find(MPI_Comm comm, struct tny_edges *edges, enum tny_neighbours form);

#endif
