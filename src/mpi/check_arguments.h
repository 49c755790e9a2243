/* Are a call's arguments such that the MPI's own collective would accept them? */
#ifndef TOURNEY_MPI_CHECK_ARGUMENTS_H
#define TOURNEY_MPI_CHECK_ARGUMENTS_H

#include <stdbool.h>

#include "mpi/call.h"

/* The bytes of a block of so many elements; false: no such block. */
bool tny_block_size(MPI_Count count, MPI_Datatype type, uint64_t *block_bytes);
/* Is there memory behind a buffer? A null pointer is MPI_BOTTOM, which is right for a type that
   begins at an address of its own. */
bool tny_has_memory(const void *buffer, MPI_Datatype type, uint64_t bytes);
/* Why no plan combines what a reduction is given, or NULL; also for other collectives. The
   program's own operations need the ranks' order, whatever the program says of them, as ranks may
   have different ones; keeps_order: the algorithm will be one that keeps it. An MPI error goes
   to *code. */
const char *tny_check_operation(const struct tny_call *call, bool keeps_order, int *code);
/* What the MPI's own collective says of a call's types and buffers, for no elements. */
bool tny_check_natively(const struct tny_call *call);
/* Has the MPI's own collective look at buffers, counts and types, without any communication;
   returns whether there is nothing in them that it refuses or dies of. */
bool tny_check_arguments(const struct tny_call *call);

#endif
