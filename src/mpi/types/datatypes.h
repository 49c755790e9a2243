/* What the runtime has to know of a program's datatypes. */
#ifndef TOURNEY_MPI_TYPES_DATATYPES_H
#define TOURNEY_MPI_TYPES_DATATYPES_H

#include <mpi.h>
#include <stdbool.h>

/* Finds out whether elements of this type lie in memory just as they are sent: one after another,
   without gaps, from the buffer's address on, and in the order of the type's own signature. False
   also where that isn't found out. Returns an MPI error code. */
int tny_type_look_at(MPI_Datatype type, bool *is_bytes);

/* Is it one of the MPI's own, whose elements lie so? Returns an MPI error code. */
int tny_type_is_elementary(MPI_Datatype type, bool *is_elementary);

/* Is it committed, or need it not be? `self` returns its errors. */
bool tny_type_is_usable(MPI_Datatype type, MPI_Comm self);

#endif
