/* How many bytes each rank of a call has for each other, gathered where a plan goes by them. */
#ifndef TOURNEY_MPI_UNEVEN_COUNTS_H
#define TOURNEY_MPI_UNEVEN_COUNTS_H

#include "mpi/run_call.h"

/* Why no plan of the algorithm can go by the counts of the call, or NULL. All ranks find the same.
   */
const char *tny_counts_refusal(const struct tny_job *job);
/* Fills job->counts, whose pattern is the communicator's until its next call; collective over the
   communicator. Returns why the call is native, or NULL. An MPI error, of which the error handler
   knows, goes to *code. */
const char *tny_counts_gather(struct tny_job *job, int *code);

#endif
