/* One call of a served collective. */
#ifndef TOURNEY_MPI_SERVE_H
#define TOURNEY_MPI_SERVE_H

#include <stdbool.h>

#include "mpi/call.h"

/* Runs the call by a plan, or else natively, and counts it. Returns what the MPI function returns.
 */
int tny_serve(const struct tny_call *call);

/* Are calls native by tourney_set_native? */
bool tny_serve_is_off(void);
/* For tourney_last_algorithm: what serves this thread's call, NULL: native; a literal, or as long
   as that. It is no trial. */
void tny_serve_note(const char *algorithm);

#endif
