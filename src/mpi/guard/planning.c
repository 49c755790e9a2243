/* What planning may take. */
#include "mpi/guard/planning.h"

#include <stdatomic.h>

#include "mpi/guard/clock.h"

/* This share of the time since MPI_Init, and so much besides. */
#define SHARE 0.02
#define FREE_NS 100e6
#define WAIT_CALLS_MOST 4096.0

static atomic_uint_fast64_t spent_ns;

void tny_planning_add(double ns)
{
  atomic_fetch_add_explicit(&spent_ns, ns > 0 ? (uint64_t)ns : 0, memory_order_relaxed);
}

uint64_t tny_planning_wait(double start_ns, double call_ns)
{
  const double spent = (double)atomic_load_explicit(&spent_ns, memory_order_relaxed);
  const double missing_ns = start_ns + (spent - FREE_NS) / SHARE - tny_clock_ns();
  if (missing_ns <= 0)
    return 0;
  const double calls = call_ns > 0 ? missing_ns / call_ns : WAIT_CALLS_MOST;
  return 1 + (uint64_t)(calls < WAIT_CALLS_MOST ? calls : WAIT_CALLS_MOST);
}
