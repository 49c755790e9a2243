/* The usual round trips between hosts. Each rank stays on one processor meanwhile: where it runs
   makes more of a difference than a switch does. */
#include "bench/discover/context.h"

#include <math.h>
#include <sched.h>
#include <unistd.h>

#include "discover/alike.h"

enum {
  PINGS_MIN = 10, /* of a pair, */
  PINGS_MAX = 100,
  PINGS_A_ROW = 5, /* then a pause: how often both look for what comes stays the same in a row */
};
#define SECONDS_MAX 0.05 /* ... unless they take longer together */
enum { CALLS = 100, CALLS_TRIES = 5 };
#define STEADY 0.02 /* of what calls take it may change by */

/* Stays on the last processor that it may use, the one that other work is least likely on; gives
   back where it might be before. */
static cpu_set_t stay(void)
{
  cpu_set_t before, one;
  CPU_ZERO(&one);
  if (sched_getaffinity(0, sizeof before, &before)) {
    CPU_ZERO(&before);
    return before;
  }
  for (size_t processor = CPU_SETSIZE; processor-- > 0;)
    if (CPU_ISSET(processor, &before)) {
      CPU_SET(processor, &one);
      break;
    }
  sched_setaffinity(0, sizeof one, &one);
  return before;
}

/* What some system calls take, the least of a few tries: that is how fast a rank's processor is
   with what a round trip is made of. */
static double time_calls_ns(void)
{
  double least = INFINITY;
  for (int i = 0; i < CALLS_TRIES; i++) {
    const double began = MPI_Wtime();
    for (int call = 0; call < CALLS; call++)
      getppid();
    least = fmin(least, MPI_Wtime() - began);
  }
  return 1e9 * least;
}

/* The usual seconds, since in the shortest round trip both may have looked for what comes at just
   the right time, which saves more than a switch takes. The byte says whether it is the last. */
static double ping(int other, MPI_Comm comm)
{
  double seconds[PINGS_MAX];
  size_t count = 0;
  const double began = MPI_Wtime();
  char is_last = 0;
  while (!is_last) {
    if (count % PINGS_A_ROW == PINGS_A_ROW - 1)
      usleep((useconds_t)((count + 1) % 7));
    const double begin = MPI_Wtime();
    is_last = count + 1 >= PINGS_MAX || (count + 1 >= PINGS_MIN && begin - began > SECONDS_MAX);
    MPI_Send(&is_last, 1, MPI_BYTE, other, DISCOVER_PING, comm);
    MPI_Recv(&is_last, 1, MPI_BYTE, other, DISCOVER_PING, comm, MPI_STATUS_IGNORE);
    seconds[count++] = MPI_Wtime() - begin;
  }
  tny_sort_numbers(seconds, count);
  return tny_find_usual(seconds, count);
}

static void pong(int other, MPI_Comm comm)
{
  char is_last = 0;
  while (!is_last) {
    MPI_Recv(&is_last, 1, MPI_BYTE, other, DISCOVER_PING, comm, MPI_STATUS_IGNORE);
    MPI_Send(&is_last, 1, MPI_BYTE, other, DISCOVER_PING, comm);
  }
}

static double join_times(double before_ns, double after_ns)
{
  return fabs(after_ns - before_ns) < STEADY * before_ns ? (before_ns + after_ns) / 2 : INFINITY;
}

/* The first begins when the second is awake. */
static void meet(struct discover_host *host, const struct discover_pair *pair)
{
  if (host->host == pair->second) {
    const double before_ns = time_calls_ns();
    MPI_Send(NULL, 0, MPI_BYTE, pair->first, DISCOVER_GO, host->hosts);
    pong(pair->first, host->hosts);
    const double calls_ns = join_times(before_ns, time_calls_ns());
    MPI_Send(&calls_ns, 1, MPI_DOUBLE, pair->first, DISCOVER_CALLS, host->hosts);
    return;
  }
  struct discover_result result;
  discover_wait(NULL, 0, pair->second, DISCOVER_GO, host->hosts);
  const double before_ns = time_calls_ns();
  result.value = 1e9 * ping(pair->second, host->hosts);
  result.first_calls_ns = join_times(before_ns, time_calls_ns());
  discover_wait(&result.second_calls_ns, sizeof result.second_calls_ns, pair->second,
                DISCOVER_CALLS, host->hosts);
  discover_report(host, &result, pair->number);
}

void discover_measure_round_trips(struct discover_host *host, const struct discover_order *order)
{
  const cpu_set_t before = stay();
  for (int i = 0; i < order->count; i++)
    meet(host, &host->pairs[i]);
  if (CPU_COUNT(&before) > 0)
    sched_setaffinity(0, sizeof before, &before);
}
