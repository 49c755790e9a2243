/* One call of a served collective. */
#ifndef TOURNEY_MPI_SERVE_H
#define TOURNEY_MPI_SERVE_H

#include <stdbool.h>

#include "mpi/call.h"

/* Runs the call by a plan and returns true, or returns false: the caller calls native. *code is
   what the MPI function returns where it was served. Counts both. */
bool tny_serve(const struct tny_call *call, int *code);

/* Are calls native by tourney_set_native? */
bool tny_serve_is_off(void);
/* For tourney_last_algorithm: what serves this thread's call, NULL: native; a literal, or as long
   as that. It is no trial. */
void tny_serve_note(const char *algorithm);

#endif
