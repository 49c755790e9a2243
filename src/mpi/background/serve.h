/* One call of a nonblocking collective. */
#ifndef TOURNEY_MPI_BACKGROUND_SERVE_H
#define TOURNEY_MPI_BACKGROUND_SERVE_H

#include <stdbool.h>

#include "mpi/call.h"

/* Begins to run the call by a plan and returns true, or returns false: the caller calls native.
   *code is what the MPI function returns where it was served. Waits for no other rank. Counts both.
 */
bool tny_serve_nonblocking(const struct tny_call *call, MPI_Request *request, int *code);

#endif
