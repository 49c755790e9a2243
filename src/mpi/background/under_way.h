/* The operations that are under way in this process, and the program's requests for them. */
#ifndef TOURNEY_MPI_BACKGROUND_UNDER_WAY_H
#define TOURNEY_MPI_BACKGROUND_UNDER_WAY_H

#include "mpi/background/lane.h"
#include "mpi/run_call.h"

/* Puts an operation in behind the others of its lane, begins with it where it is the only one, and
   gives the program a request for it. From then on it goes on in whatever MPI calls the program
   makes. `state` is as for tny_operation_new. Returns an MPI error code, of which no error handler
   has been told; after it, the lane's later operations have the same error. */
int tny_under_way_add(struct tny_mpi_lane *lane, const struct tny_job *job,
                      const struct tny_comm_state *state, MPI_Request *request);
/* Calls the MPI's own MPI_Comm_free or MPI_Comm_disconnect, behind the communicator's operations,
   which all its ranks have begun; its lane goes with it. */
int tny_under_way_free(MPI_Comm *comm, int (*native)(MPI_Comm *comm));
/* Goes on with nothing any more. */
void tny_under_way_close(void);

#endif
