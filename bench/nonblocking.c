/* What a nonblocking collective takes with the wait for it, beside the blocking one, native and by
   a plan: an MPI program, to be run with the runtime (docs/runtime.md, "Nonblocking and
   persistent"). Each of the three is called so many times in a row, after a call that isn't
   counted, and every result is checked. A line of CSV: of each the median, the slowest rank
   counts, in milliseconds.
   usage: nonblocking alltoall|allgather|bcast BYTES CALLS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include <tourney/runtime.h>

#include "bench/checked_calls.h"

enum variant { NATIVE, NONBLOCKING, PLANNED, VARIANTS };
enum { CALLS_MAX = 101 };

static void call_nonblocking(const struct bench_calls *calls)
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
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static double time_ms(struct bench_calls *calls, enum variant variant, uint64_t number)
{
  return 1e3 * bench_calls_time(calls, variant == NONBLOCKING ? call_nonblocking : bench_calls_make,
                                variant != PLANNED, number);
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(struct bench_calls *calls, int count)
{
  static double times[VARIANTS][1 + CALLS_MAX];
  for (int variant = 0; variant < VARIANTS; variant++) {
    for (int i = 0; i <= count; i++)
      times[variant][i] = time_ms(calls, (enum variant)variant, (uint64_t)(VARIANTS * i + variant));
    qsort(times[variant] + 1, (size_t)count, sizeof **times, compare);
  }
  if (calls->rank == 0)
    printf("collective,bytes,ranks,calls,native_ms,nonblocking_ms,planned_ms,served_by\n"
           "%s,%d,%d,%d,%.1f,%.1f,%.1f,%s\n",
           calls->collective, calls->bytes, calls->p, count, times[NATIVE][1 + count / 2],
           times[NONBLOCKING][1 + count / 2], times[PLANNED][1 + count / 2], calls->served_by);
}

int main(int argc, char **argv)
{
  struct bench_calls calls = {0};
  MPI_Init(&argc, &argv);
  const int count = argc == 4 ? (int)strtol(argv[3], NULL, 10) : 0;
  if (count < 1 || count > CALLS_MAX ||
      !bench_calls_open(&calls, argv[1], strtol(argv[2], NULL, 10))) {
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
