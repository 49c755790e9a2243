/* The clocks that calls and planning are timed by, in nanoseconds. */
#ifndef TOURNEY_MPI_GUARD_CLOCK_H
#define TOURNEY_MPI_GUARD_CLOCK_H

#include <time.h>

static inline double tny_clock_of_ns(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static inline double tny_clock_ns(void)
{
  return tny_clock_of_ns(CLOCK_MONOTONIC);
}

/* What the processor has done for this thread. */
static inline double tny_processor_ns(void)
{
  return tny_clock_of_ns(CLOCK_THREAD_CPUTIME_ID);
}

#endif
