/* What a nonblocking collective takes beside the blocking one, native and by a plan: an MPI
   program, to be run with the runtime (docs/runtime.md, "Nonblocking and persistent"). A
   nonblocking one is waited for at once, or tested each millisecond by ranks that sleep between, as
   if they computed on processors of their own. Each is called so many times in a row, after a call
   that isn't counted, and every result is checked. Lines of CSV: of each the median, the slowest
   rank counts, in milliseconds, and what served.
   usage: nonblocking alltoall|allgather|bcast BYTES CALLS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <tourney/runtime.h>

#include "bench/checked_calls.h"

enum { CALLS_MAX = 101 };

static MPI_Request begin(const struct bench_calls *calls)
{
  MPI_Request request;
  const int bytes = calls->bytes;
  if (calls->is_alltoall)
    MPI_Ialltoall(calls->given, bytes, MPI_BYTE, calls->got, bytes, MPI_BYTE, MPI_COMM_WORLD,
                  &request);
  else if (calls->is_broadcast)
    MPI_Ibcast(calls->got, bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
  else
    MPI_Iallgather(calls->given, bytes, MPI_BYTE, calls->got, bytes, MPI_BYTE, MPI_COMM_WORLD,
                   &request);
  return request;
}

static void wait_at_once(const struct bench_calls *calls)
{
  MPI_Request request = begin(calls);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void test_now_and_then(const struct bench_calls *calls)
{
  MPI_Request request = begin(calls);
  for (int is_over = 0; !is_over;) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    MPI_Test(&request, &is_over, MPI_STATUS_IGNORE);
  }
}

/* The ways to call, each natively and not. */
static const struct way {
  const char *name;
  void (*make)(const struct bench_calls *calls);
} ways[] = {
    {"blocking", bench_calls_make}, {"waited for", wait_at_once}, {"tested", test_now_and_then}};
enum { WAYS = sizeof ways / sizeof *ways };

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(struct bench_calls *calls, int count)
{
  static double times[1 + CALLS_MAX];
  if (calls->rank == 0)
    printf("collective,bytes,ranks,calls,way,native_ms,planned_ms,served_by\n");
  for (int way = 0; way < WAYS; way++) {
    double medians[2];
    for (int is_planned = 0; is_planned < 2; is_planned++) {
      for (int i = 0; i <= count; i++)
        times[i] = 1e3 * bench_calls_time(calls, ways[way].make, !is_planned,
                                          (uint64_t)(2 * WAYS * i + 2 * way + is_planned));
      qsort(times + 1, (size_t)count, sizeof *times, compare);
      medians[is_planned] = times[1 + count / 2];
    }
    if (calls->rank == 0)
      printf("%s,%d,%d,%d,%s,%.1f,%.1f,%s\n", calls->collective, calls->bytes, calls->p, count,
             ways[way].name, medians[0], medians[1], calls->served_by);
    fflush(stdout);
  }
}

int main(int argc, char **argv)
{
  struct bench_calls calls = {0};
  MPI_Init(&argc, &argv);
  const int count = argc == 4 ? (int)strtol(argv[3], NULL, 10) : 0;
  if (count < 1 || count > CALLS_MAX ||
      !bench_calls_open(&calls, argv[1], strtol(argv[2], NULL, 10)) || calls.is_uneven) {
    fprintf(stderr,
            "usage: tourney run -- mpirun nonblocking alltoall|allgather|bcast BYTES CALLS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
    return 2;
  }
  tourney_set_native(1);
  measure(&calls, count);
  bench_calls_close(&calls);
  MPI_Finalize();
  return 0;
}
