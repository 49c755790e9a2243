/* An uneven call's data brought to its plan, and the plan run. */
#ifndef TOURNEY_MPI_UNEVEN_RUN_H
#define TOURNEY_MPI_UNEVEN_RUN_H

#include "mpi/run_call.h"

/* Has a window in bytes pace the call, in place of its plan's in messages, where that is by what is
   received: to be called before the plan is laid out. */
void tny_uneven_pace(struct tny_job *job);
/* As tny_run_call (run_call.h), for a call whose blocks differ. */
int tny_run_uneven(struct tny_job *job);

#endif
