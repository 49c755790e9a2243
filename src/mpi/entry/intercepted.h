/* What calls by an MPI_* name lead to. */
#ifndef TOURNEY_MPI_INTERCEPTED_H
#define TOURNEY_MPI_INTERCEPTED_H

#include "mpi/native.h"

/* What this library's MPI_* lead to: its own PMPI_*, or the MPI_* of another tool that stands
   between it and the MPI, and whose PMPI_* calls come back to ours. */
extern struct tny_mpi tny_below;

/* Fills the structs of functions, where that isn't done yet: a library that is loaded after this
   one begins before it, and may initialise the MPI then. */
void tny_intercepted_find(void);

#endif
