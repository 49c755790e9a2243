/* What is intercepted, and what calls by an MPI_* name lead to. */
#ifndef TOURNEY_MPI_INTERCEPTED_H
#define TOURNEY_MPI_INTERCEPTED_H

#include <stddef.h>

#include "mpi/native.h"

/* What becomes of a call. */
enum tny_use {
  TNY_STARTS,  /* the ranks agree on what is planned, once the MPI is initialised */
  TNY_STOPS,   /* what was counted and learnt is written, then the MPI is finalised */
  TNY_WATCHED, /* the communicator loses its plans and is native from then on */
  TNY_SERVED,  /* a plan serves it where all ranks know that one can, and it is the faster */
  TNY_COUNTED, /* native, and counted for --explain */
};

/* A function of any type. */
typedef void tny_any_function(void);

/* A row of the table of what is intercepted. */
struct tny_row {
  const char *name; /* as a profiling tool calls it, "PMPI_Bcast" */
  size_t offset;    /* in the structs of functions */
  enum tny_use use;
  tny_any_function *own; /* this library's function of that name */
};

/* Rows, up to one without a name, and the structs that they fill: of the MPI's own functions, and of
   what this library's MPI_* lead to. */
struct tny_rows {
  const struct tny_row *rows;
  void *native, *below;
};

/* The part of the table that has the collectives of large counts; none where the MPI hasn't them. */
extern const struct tny_rows tny_large_rows;

/* What this library's MPI_* lead to: its own PMPI_*, or the MPI_* of another tool that stands
   between it and the MPI, and whose PMPI_* calls come back to ours. */
extern struct tny_mpi tny_below;

/* The program uses another library than the MPI that this one is for: from now on all calls lead
   there. */
void tny_intercepted_leave(void *library);

#endif
