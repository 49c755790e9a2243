/* What a collective takes where calls follow each other without a barrier between, native and by a
   plan: an MPI program, to be run with the runtime (docs/measured.md, "MPICH beside Open MPI").
   Behind a barrier, ranks begin as far apart as they leave it, and a sample of tourney bench has
   that in it. Calls in a row are made natively and not, in turns, so many rounds; each row is
   behind a call whose result is checked. A line of CSV: medians, in milliseconds a call, of the
   slowest rank.
   usage: in_a_row alltoall|allgather|bcast|grid BYTES CALLS ROUNDS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include <tourney/runtime.h>

#include "bench/checked_calls.h"

enum { ROUNDS_MAX = 101 };

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Milliseconds a call. */
static double time_row(struct bench_calls *calls, bool natively, int count, uint64_t number)
{
  bench_calls_time(calls, bench_calls_make, natively, number);
  MPI_Barrier(MPI_COMM_WORLD);
  tourney_set_native(natively);
  const double start = MPI_Wtime();
  for (int i = 0; i < count; i++)
    bench_calls_make(calls);
  double elapsed = MPI_Wtime() - start;
  tourney_set_native(1);
  MPI_Allreduce(MPI_IN_PLACE, &elapsed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return 1e3 * elapsed / count;
}

static void measure(struct bench_calls *calls, int count, int rounds)
{
  static double times[2][ROUNDS_MAX];
  for (int round = 0; round < rounds; round++)
    for (int is_planned = 0; is_planned < 2; is_planned++)
      times[is_planned][round] =
          time_row(calls, !is_planned, count, (uint64_t)(2 * round + is_planned));
  for (int is_planned = 0; is_planned < 2; is_planned++)
    qsort(times[is_planned], (size_t)rounds, sizeof times[0][0], compare);
  if (calls->rank == 0)
    printf("collective,bytes,ranks,calls,rounds,native_ms,planned_ms,served_by\n"
           "%s,%d,%d,%d,%d,%.3f,%.3f,%s\n",
           calls->collective, calls->bytes, calls->p, count, rounds, times[0][rounds / 2],
           times[1][rounds / 2], calls->served_by);
}

static int read_number(int argc, char **argv, int which)
{
  return which < argc ? (int)strtol(argv[which], NULL, 10) : 0;
}

int main(int argc, char **argv)
{
  struct bench_calls calls = {0};
  MPI_Init(&argc, &argv);
  const int bytes = read_number(argc, argv, 2), count = read_number(argc, argv, 3);
  const int rounds = read_number(argc, argv, 4);
  if (argc != 5 || count < 1 || rounds < 1 || rounds > ROUNDS_MAX ||
      !bench_calls_open(&calls, argv[1], bytes) ||
      (calls.is_uneven && calls.grid.comm == MPI_COMM_NULL)) {
    fprintf(stderr, "usage: tourney run -- mpirun in_a_row alltoall|allgather|bcast|grid BYTES "
                    "CALLS ROUNDS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
    return 2;
  }
  tourney_set_native(1);
  measure(&calls, count, rounds);
  bench_calls_close(&calls);
  MPI_Finalize();
  return 0;
}
