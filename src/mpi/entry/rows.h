/* The rows of the table of what is intercepted. */
#ifndef TOURNEY_MPI_ROWS_H
#define TOURNEY_MPI_ROWS_H

#include <stddef.h>

/* What becomes of a call. */
enum tny_use {
  TNY_STARTS,  /* the ranks agree on what is planned, once the MPI is initialised */
  TNY_STOPS,   /* what was counted, learnt and recorded is written, then the MPI is finalised */
  TNY_WATCHED, /* the communicator loses its plans and is native from then on */
  TNY_SERVED,  /* a plan serves it where all ranks know that one can, and it is the faster */
  TNY_ASKED,   /* a plan serves it where one is asked for by name; else native, and counted */
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

/* Rows, up to one without a name, and the structs that they fill: of the MPI's own functions, and
   of what this library's MPI_* lead to. */
struct tny_rows {
  const struct tny_row *rows;
  void *native, *below;
};

/* The table's part that has the collectives of large counts; none where the MPI hasn't them. */
extern const struct tny_rows tny_large_rows;

#endif
