/* A call's data brought to its plan, and the plan run. */
#ifndef TOURNEY_MPI_RUN_CALL_H
#define TOURNEY_MPI_RUN_CALL_H

#include "mpi/job.h"

/* Brings the data into blocks of bytes, segment by segment, and runs the plan over them. Returns an
   MPI error code. */
int tny_run_call(struct tny_job *job);

#endif
