/* What a datatype was made by, and of what; MPIs differ in how they tell. */
#ifndef TOURNEY_MPI_TYPES_TAKEN_APART_H
#define TOURNEY_MPI_TYPES_TAKEN_APART_H

#include <mpi.h>

/* By which constructor: MPI_COMBINER_NAMED, ... Returns an MPI error code, as the next one. */
int tny_type_combiner(MPI_Datatype type, int *combiner);
/* The type of which this one was made by MPI_COMBINER_DUP, _CONTIGUOUS or _RESIZED; the caller's to
   free where it isn't predefined. */
int tny_type_inner(MPI_Datatype type, MPI_Datatype *inner);

#endif
