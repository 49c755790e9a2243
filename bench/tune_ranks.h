/* What the files of tourney-tune-ranks share. */
#ifndef TOURNEY_BENCH_TUNE_RANKS_H
#define TOURNEY_BENCH_TUNE_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include <tourney/runtime.h>

/* The rank that runs, and the runtime's functions. */
struct tune_context {
  int rank, rank_count;
  double end; /* when all must have ended, by rank 0's MPI_Wtime */
  /* The runtime's functions, found by dlsym: so they are whatever this program is linked as. */
  __typeof__(tourney_last_algorithm) *last_algorithm;
  __typeof__(tourney_set_native) *set_native;
  __typeof__(tourney_set_algorithm) *set_algorithm;
};

/* Sorts. The quantile q of n values lies at position q * (n - 1), between two by interpolation. */
void tune_sort(double *values, uint32_t count);
double tune_quantile(const double *sorted, uint32_t count, double q);

/* Measures what messages cost, and prints it: tune_machine.c says what. */
void tune_machine(const struct tune_context *context);
/* Measures a row, which is as tune_ranks.c says. False where it can't be understood. */
bool tune_row(const struct tune_context *context, const char *text);

#endif
