/* Calls of one of the three served collectives in an MPI program under the runtime: each is timed,
   natively or as the runtime serves it, and its result is checked. */
#ifndef TOURNEY_BENCH_CHECKED_CALLS_H
#define TOURNEY_BENCH_CHECKED_CALLS_H

#include <stdbool.h>
#include <stdint.h>

struct bench_calls {
  const char *collective; /* borrowed */
  const char *served_by;  /* what served the last call that wasn't native */
  bool is_alltoall, is_broadcast;
  int rank, p, bytes;
  uint8_t *given, *got;
};

/* Prepares calls of "alltoall", "allgather" or "bcast" over MPI_COMM_WORLD, by blocks of so many
   bytes. False: there are no bytes, no memory, or no runtime. Either way to be closed. */
bool bench_calls_open(struct bench_calls *calls, const char *collective, long bytes);
void bench_calls_close(struct bench_calls *calls);

/* Calls the blocking collective. */
void bench_calls_make(const struct bench_calls *calls);
/* Has `make` make the call of this number, which all ranks begin together, and checks the result;
   where that is wrong, ends the job. Returns the seconds of the slowest rank. */
double bench_calls_time(struct bench_calls *calls, void (*make)(const struct bench_calls *calls),
                        bool natively, uint64_t number);

#endif
