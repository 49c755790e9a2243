/* What the ranks of a communicator agree on of its edges, before a neighbourhood collective on it
   can be planned. The communicator has a topology. */
#ifndef TOURNEY_MPI_NEIGHBOURS_AGREE_H
#define TOURNEY_MPI_NEIGHBOURS_AGREE_H

#include "mpi/comm_state.h"

enum { TNY_NEIGHBOURS_COLLECTIVES = 6 }; /* that an agreement takes */

/* Fills the state of the neighbourhood of a communicator, whose own state is `whole`: its group,
   its edges, and what its ranks settled before; or says in *why_native, the same at all ranks, why
   its calls are native. Collective over the communicator. `state` is NULL at a rank that has no
   memory for it. What it filled is the state's also after a failure. Returns an MPI error code, of
   which the communicator's error handler has been told. */
int tny_neighbours_agree(const struct tny_comm_state *whole, struct tny_comm_state *state,
                         const char **why_native);

#endif
