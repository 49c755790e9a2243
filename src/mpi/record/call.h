/* A call of the program's, timed for the run's record. */
#ifndef TOURNEY_MPI_RECORD_CALL_H
#define TOURNEY_MPI_RECORD_CALL_H

#include <mpi.h>

#include "mpi/record/record.h"

/* Begins a call, where a record is kept. */
static inline void tny_record_call_begin(struct tny_recorded *call)
{
  if (tny_record_is_open)
    tny_recorded_begin(call);
}

/* Ends a call that went as `code` says; root: negative where there is none. Returns the code. */
int tny_record_call_end_now(struct tny_recorded *call, int code, MPI_Comm comm, int root);

/* The same, where a record is kept. */
static inline int tny_record_call_end(struct tny_recorded *call, int code, MPI_Comm comm, int root)
{
  return tny_record_is_open ? tny_record_call_end_now(call, code, comm, root) : code;
}

#endif
