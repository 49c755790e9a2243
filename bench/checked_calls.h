/* Calls of a served collective in an MPI program under the runtime: each is timed, natively or as
   the runtime serves it, and its result is checked. */
#ifndef TOURNEY_BENCH_CHECKED_CALLS_H
#define TOURNEY_BENCH_CHECKED_CALLS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "bench/grid.h"

enum { BENCH_NEAR_MAX = 2 * BENCH_GRID_DIMENSIONS };

struct bench_calls {
  const char *collective; /* borrowed */
  const char *served_by;  /* what served the last call that wasn't native */
  bool is_alltoall, is_broadcast, is_uneven;
  int rank, p, bytes;
  uint8_t *given, *got;
  int *given_counts, *got_counts, *places; /* of an uneven one's blocks */
  struct bench_grid grid;                  /* of neighbours; else without a communicator */
  int near_counts[BENCH_NEAR_MAX], near_places[BENCH_NEAR_MAX];
};

/* Prepares calls over MPI_COMM_WORLD, by blocks of so many bytes, of "alltoall", "allgather",
   "bcast"; or MPI_Alltoallv in a sparse pattern, where the other blocks have no bytes: "next" (each
   rank has a block for the next one), "quarter" (one pair in four has one), "row" (the second rank
   has one for each), "short" (all blocks have 16 bytes); or MPI_Neighbor_alltoallv: "grid" (each
   rank has a block for its four neighbours on a periodic grid, whose sides are 3 or longer). False:
   another name, no bytes, no memory, or no runtime. Either way to be closed. */
bool bench_calls_open(struct bench_calls *calls, const char *collective, long bytes);
void bench_calls_close(struct bench_calls *calls);

/* Calls the blocking collective. */
void bench_calls_make(const struct bench_calls *calls);
/* Has `make` make the call of this number, which all ranks begin together, and checks the result;
   where that is wrong, ends the job. Returns the seconds of the slowest rank. */
double bench_calls_time(struct bench_calls *calls, void (*make)(const struct bench_calls *calls),
                        bool natively, uint64_t number);

#endif
