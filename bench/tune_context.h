/* What the files of tourney-tune-ranks need of the rank that runs. */
#ifndef TOURNEY_BENCH_TUNE_CONTEXT_H
#define TOURNEY_BENCH_TUNE_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include <tourney/runtime.h>

/* The rank that runs, and the runtime's functions. */
struct tune_context {
  int rank, rank_count;
  double end;                             /* when all must have ended, by rank 0's MPI_Wtime */
  double expected_seconds, taken_seconds; /* of the rows so far */
  bool is_time_up;                        /* a row wasn't begun, as it would have ended too late */
  /* The runtime's functions, found by dlsym: so they are whatever this program is linked as. */
  __typeof__(tourney_last_algorithm) *last_algorithm;
  __typeof__(tourney_set_native) *set_native;
  __typeof__(tourney_set_algorithm) *set_algorithm;
};

#endif
