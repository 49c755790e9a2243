/* The state by which a call is served: its communicator's, or that of the communicator's
   neighbourhood, which has plans and classes of its own. */
#ifndef TOURNEY_MPI_NEIGHBOURS_STATE_H
#define TOURNEY_MPI_NEIGHBOURS_STATE_H

#include "mpi/call.h"
#include "mpi/comm_state.h"

/* As tny_comm_state_find: what is there, or NULL; where a neighbourhood's is still to be made, its
   communicator's. */
int tny_call_state_find(const struct tny_call *call, struct tny_comm_state **state);
/* As tny_comm_state_get: made on the first use, which is collective. What a neighbourhood's takes
   is on the account of its calls. */
int tny_call_state_get(const struct tny_call *call, struct tny_comm_state **state);

#endif
