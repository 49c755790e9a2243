/* Plans proved before they are first run (TOURNEY_PROVE). */
#ifndef TOURNEY_MPI_PROVE_H
#define TOURNEY_MPI_PROVE_H

#include "mpi/comm_state.h"
#include "mpi/plans.h"

/* Has the call's plan proved, where plans are to be and this one isn't yet; returns whether it may
   be run. A plan's first call is collective over the communicator. *code is an MPI error code: of a
   call on the communicator, whose error handler has seen it, or where true is returned, of this
   rank alone, MPI_ERR_NO_MEM. */
bool tny_prove_plan(struct tny_comm_state *state, const struct tny_plan_request *request,
                    int *code);

#endif
