/* The clock that calls are timed by, in nanoseconds. */
#ifndef TOURNEY_MPI_GUARD_CLOCK_H
#define TOURNEY_MPI_GUARD_CLOCK_H

#include <time.h>

static inline double tny_clock_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

#endif
