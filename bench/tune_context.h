/* What the files of tourney-tune-ranks need of the rank that runs. */
#ifndef TOURNEY_BENCH_TUNE_CONTEXT_H
#define TOURNEY_BENCH_TUNE_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include <tourney/runtime.h>

enum { TUNE_NAME_CHARS = 64, TUNE_FORCED_MAX = 64 };

/* A communicator on which the MPI uses an algorithm of its own. */
struct tune_forced {
  char collective[16], name[TUNE_NAME_CHARS]; /* as in a row */
  MPI_Comm comm;                              /* MPI_COMM_NULL: the MPI can't be told so */
};

/* The rank that runs, and the runtime's functions. */
struct tune_context {
  int rank, rank_count;
  double end;                             /* when all must have ended, by rank 0's MPI_Wtime */
  double expected_seconds, taken_seconds; /* of the rows so far */
  bool is_time_up;                        /* a row wasn't begun, as it would have ended too late */
  uint32_t forced_count;                  /* making one takes long, so rows share them */
  struct tune_forced forced[TUNE_FORCED_MAX];
  /* The runtime's functions, found by dlsym: so they are whatever this program is linked as. */
  __typeof__(tourney_last_algorithm) *last_algorithm;
  __typeof__(tourney_set_native) *set_native;
  __typeof__(tourney_set_algorithm) *set_algorithm;
};

#endif
