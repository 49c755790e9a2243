/* The counts of MPI_Reduce_scatter. */
#ifndef TOURNEY_MPI_ENTRY_COUNTS_H
#define TOURNEY_MPI_ENTRY_COUNTS_H

#include "mpi/call.h"

/* Are the counts of all of the communicator's ranks the same? */
bool tny_counts_are_alike(const struct tny_uneven_side *side, MPI_Comm comm);
/* Gives a reduce-scatter its counts, which are those of uneven->send: where they are alike it is
   MPI_Reduce_scatter_block's, else an uneven call. Borrows `uneven`. */
void tny_call_set_counts(struct tny_call *call, const struct tny_uneven *uneven);

#endif
