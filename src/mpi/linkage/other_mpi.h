/* A program of the other MPI, for which this library isn't made: its handles are of another
   kind. */
#ifndef TOURNEY_MPI_OTHER_MPI_H
#define TOURNEY_MPI_OTHER_MPI_H

#include <stdbool.h>

/* As this library is loaded: where the program is linked with the other MPI, or with the MPI before
   this library, so that calls don't reach it, says so, once in a job. The other MPI's program is
   started anew with these arguments, without this library, if LD_PRELOAD has it; NULL: they aren't
   known, and it isn't. Returns whether it is the other MPI's
   and goes on here. */
bool tny_other_mpi_leave(char *const *arguments);
/* In MPI_Init: the other MPI's library, where the library that `caller` lies in needs that, and so
   has had it loaded since; NULL: none. Says so, once in a job, and has the calls of all libraries
   that are linked with it lead there. */
void *tny_other_mpi_find(const void *caller);

#endif
