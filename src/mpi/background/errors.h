/* Errors of operations, told to the error handler of their communicator. */
#ifndef TOURNEY_MPI_BACKGROUND_ERRORS_H
#define TOURNEY_MPI_BACKGROUND_ERRORS_H

#include <mpi.h>

/* Before a request's query function returns this error, which the MPI then takes to
   MPI_COMM_WORLD's error handler: has it taken to that of the communicator instead. */
void tny_errors_redirect(MPI_Comm comm, int code);

#endif
