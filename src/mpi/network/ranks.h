/* Ranks that agree on something, by the MPI's own collectives. */
#ifndef TOURNEY_MPI_RANKS_H
#define TOURNEY_MPI_RANKS_H

#include <mpi.h>

#include <tourney/status.h>

/* All ranks of a communicator, and which this one is. */
struct tny_ranks {
  MPI_Comm comm;
  int rank, count;
};

/* Gives all ranks a copy of rank 0's text. NULL: rank 0 has none, or a rank has no memory for it.
   Owns: the caller's, tny_free. Collective. */
char *tny_ranks_share_text(const struct tny_ranks *ranks, const char *text);
/* The lowest rank that has an error; the number of ranks where none has. Collective. */
int tny_ranks_first_failed(const struct tny_ranks *ranks, const struct tny_error *error);

#endif
