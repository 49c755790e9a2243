/* What a nonblocking collective takes with the wait for it, beside the blocking one, native and by
   a plan: an MPI program, to be run with the runtime (docs/runtime.md, "Nonblocking and
   persistent"). Each of the three is called so many times in a row, after a call that isn't
   counted, and every result is checked. A line of CSV: of each the median, the slowest rank
   counts, in milliseconds.
   usage: nonblocking alltoall|allgather|bcast BYTES CALLS */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

#include "bench/pattern.h"

enum variant { NATIVE, NONBLOCKING, PLANNED, VARIANTS };
enum { CALLS_MAX = 101 };

struct job {
  const char *collective, *served_by;
  bool is_alltoall, is_broadcast;
  int rank, p, bytes;
  uint8_t *given, *got;
};

static void call_blocking(const struct job *job)
{
  if (job->is_alltoall)
    MPI_Alltoall(job->given, job->bytes, MPI_BYTE, job->got, job->bytes, MPI_BYTE, MPI_COMM_WORLD);
  else if (job->is_broadcast)
    MPI_Bcast(job->got, job->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  else
    MPI_Allgather(job->given, job->bytes, MPI_BYTE, job->got, job->bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void call_nonblocking(const struct job *job)
{
  MPI_Request request;
  if (job->is_alltoall)
    MPI_Ialltoall(job->given, job->bytes, MPI_BYTE, job->got, job->bytes, MPI_BYTE, MPI_COMM_WORLD,
                  &request);
  else if (job->is_broadcast)
    MPI_Ibcast(job->got, job->bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
  else
    MPI_Iallgather(job->given, job->bytes, MPI_BYTE, job->got, job->bytes, MPI_BYTE, MPI_COMM_WORLD,
                   &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* What rank `from` has for rank `to` in this call. */
static uint64_t seed(const struct job *job, int from, int to, uint64_t number)
{
  return bench_pattern_seed((uint32_t)from, job->is_alltoall ? (uint32_t)to : 0, number);
}

static void fill(const struct job *job, uint64_t number)
{
  const size_t bytes = (size_t)job->bytes;
  for (int r = 0; r < (job->is_alltoall ? job->p : 1); r++)
    bench_pattern_fill(job->given + (size_t)r * bytes, bytes, seed(job, job->rank, r, number));
  memset(job->got, 0, (size_t)job->p * bytes);
  if (job->is_broadcast && job->rank == 0)
    bench_pattern_fill(job->got, bytes, seed(job, 0, 0, number));
}

static void check(const struct job *job, uint64_t number)
{
  const size_t bytes = (size_t)job->bytes;
  for (int r = 0; r < (job->is_broadcast ? 1 : job->p); r++)
    if (bench_pattern_check(job->got + (size_t)r * bytes, bytes, seed(job, r, job->rank, number)) !=
        bytes) {
      fprintf(stderr, "nonblocking: call %llu: rank %d got a wrong block from rank %d\n",
              (unsigned long long)number, job->rank, r);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static double timed_call(struct job *job, enum variant variant, uint64_t number)
{
  fill(job, number);
  tourney_set_native(variant != PLANNED);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begun = MPI_Wtime();
  if (variant == NONBLOCKING)
    call_nonblocking(job);
  else
    call_blocking(job);
  const double mine = MPI_Wtime() - begun;
  if (variant == PLANNED)
    job->served_by = tourney_last_algorithm();
  tourney_set_native(1);
  check(job, number);
  double longest;
  MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return longest * 1e3;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(struct job *job, int calls)
{
  static double times[VARIANTS][1 + CALLS_MAX];
  for (int variant = 0; variant < VARIANTS; variant++) {
    for (int i = 0; i <= calls; i++)
      times[variant][i] =
          timed_call(job, (enum variant)variant, (uint64_t)(VARIANTS * i + variant));
    qsort(times[variant] + 1, (size_t)calls, sizeof **times, compare);
  }
  if (job->rank == 0)
    printf("collective,bytes,ranks,calls,native_ms,nonblocking_ms,planned_ms,served_by\n"
           "%s,%d,%d,%d,%.1f,%.1f,%.1f,%s\n",
           job->collective, job->bytes, job->p, calls, times[NATIVE][1 + calls / 2],
           times[NONBLOCKING][1 + calls / 2], times[PLANNED][1 + calls / 2], job->served_by);
}

int main(int argc, char **argv)
{
  struct job job = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &job.p);
  job.bytes = argc == 4 ? (int)strtol(argv[2], NULL, 10) : 0;
  const int calls = argc == 4 ? (int)strtol(argv[3], NULL, 10) : 0;
  const size_t bytes = job.bytes > 0 ? (size_t)job.p * (size_t)job.bytes : 0;
  job.given = bytes ? malloc(bytes) : NULL;
  job.got = bytes ? malloc(bytes) : NULL;
  if (!job.given || !job.got || calls < 1 || calls > CALLS_MAX || !tourney_set_native ||
      !tourney_last_algorithm) {
    fprintf(stderr,
            "usage: tourney run -- mpirun nonblocking alltoall|allgather|bcast BYTES CALLS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
    return 2;
  }
  job.collective = argv[1];
  job.is_alltoall = strcmp(argv[1], "alltoall") == 0;
  job.is_broadcast = strcmp(argv[1], "bcast") == 0;
  measure(&job, calls);
  free(job.given);
  free(job.got);
  MPI_Finalize();
  return 0;
}
