/* What the guard costs where it is told wrong things: an MPI program, to be run with the runtime
   (docs/runtime.md, "The guard"). Each call is made natively and through the runtime, one after the
   other in an order that changes, and every result is checked. A line of CSV for each count of
   calls that is asked for: the sums of all calls until then, each by its slowest rank, and what the
   runtime's took longer, as a part of native's.
   usage: regret alltoall|allgather|bcast BYTES CALLS... (ascending) */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

#include "bench/pattern.h"

enum variant { NATIVE, GUARDED, VARIANTS };

struct job {
  const char *served_by; /* what served the runtime's last call */
  const char *collective;
  bool is_alltoall, is_broadcast;
  int rank, p, bytes;
  uint8_t *given, *got;
};

static void call(const struct job *job)
{
  if (job->is_alltoall)
    MPI_Alltoall(job->given, job->bytes, MPI_BYTE, job->got, job->bytes, MPI_BYTE, MPI_COMM_WORLD);
  else if (job->is_broadcast)
    MPI_Bcast(job->got, job->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  else
    MPI_Allgather(job->given, job->bytes, MPI_BYTE, job->got, job->bytes, MPI_BYTE, MPI_COMM_WORLD);
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
      fprintf(stderr, "regret: call %llu: rank %d got a wrong block from rank %d\n",
              (unsigned long long)number, job->rank, r);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static double timed_call(struct job *job, enum variant variant, uint64_t number)
{
  fill(job, number);
  MPI_Barrier(MPI_COMM_WORLD);
  tourney_set_native(variant == NATIVE);
  const double begun = MPI_Wtime();
  call(job);
  const double mine = MPI_Wtime() - begun;
  if (variant == GUARDED)
    job->served_by = tourney_last_algorithm();
  tourney_set_native(1);
  check(job, number);
  double longest;
  MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return longest;
}

static void measure(struct job *job, int count, char *const *counts)
{
  double sums[VARIANTS] = {0};
  uint64_t done = 0;
  if (job->rank == 0)
    printf("collective,bytes,ranks,calls,native_s,guarded_s,regret,served_by\n");
  for (int i = 0; i < count; i++) {
    for (const uint64_t wanted = strtoul(counts[i], NULL, 10); done < wanted; done++)
      for (int turn = 0; turn < VARIANTS; turn++) {
        const enum variant variant = (enum variant)((done + (uint64_t)turn) % VARIANTS);
        sums[variant] += timed_call(job, variant, VARIANTS * done + (uint64_t)turn);
      }
    if (job->rank == 0)
      printf("%s,%d,%d,%llu,%.4f,%.4f,%.4f,%s\n", job->collective, job->bytes, job->p,
             (unsigned long long)done, sums[NATIVE], sums[GUARDED],
             sums[GUARDED] / sums[NATIVE] - 1, job->served_by);
    fflush(stdout);
  }
}

int main(int argc, char **argv)
{
  struct job job = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &job.p);
  job.bytes = argc > 3 ? (int)strtol(argv[2], NULL, 10) : 0;
  const size_t bytes = job.bytes > 0 ? (size_t)job.p * (size_t)job.bytes : 0;
  job.given = bytes ? malloc(bytes) : NULL;
  job.got = bytes ? malloc(bytes) : NULL;
  if (!job.given || !job.got || !tourney_set_native || !tourney_last_algorithm) {
    fprintf(stderr,
            "usage: tourney run -- mpirun regret alltoall|allgather|bcast BYTES CALLS...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
    return 2;
  }
  job.collective = argv[1];
  job.is_alltoall = strcmp(argv[1], "alltoall") == 0;
  job.is_broadcast = strcmp(argv[1], "bcast") == 0;
  tourney_set_native(1);
  measure(&job, argc - 3, argv + 3);
  free(job.given);
  free(job.got);
  MPI_Finalize();
  return 0;
}
