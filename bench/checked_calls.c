/* Calls of a collective, timed and checked. */
#include "bench/checked_calls.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

#include "bench/pattern.h"

bool bench_calls_open(struct bench_calls *calls, const char *collective, long bytes)
{
  *calls = (struct bench_calls){.collective = collective,
                                .is_alltoall = strcmp(collective, "alltoall") == 0,
                                .is_broadcast = strcmp(collective, "bcast") == 0,
                                .bytes = (int)bytes};
  MPI_Comm_rank(MPI_COMM_WORLD, &calls->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &calls->p);
  const size_t all = calls->bytes > 0 ? (size_t)calls->p * (size_t)calls->bytes : 0;
  calls->given = all ? malloc(all) : NULL;
  calls->got = all ? malloc(all) : NULL;
  return calls->given && calls->got && tourney_set_native && tourney_last_algorithm;
}

void bench_calls_close(struct bench_calls *calls)
{
  free(calls->given);
  free(calls->got);
}

void bench_calls_make(const struct bench_calls *calls)
{
  const int bytes = calls->bytes;
  if (calls->is_alltoall)
    MPI_Alltoall(calls->given, bytes, MPI_BYTE, calls->got, bytes, MPI_BYTE, MPI_COMM_WORLD);
  else if (calls->is_broadcast)
    MPI_Bcast(calls->got, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  else
    MPI_Allgather(calls->given, bytes, MPI_BYTE, calls->got, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

/* What rank `from` has for rank `to` in this call. */
static uint64_t seed(const struct bench_calls *calls, int from, int to, uint64_t number)
{
  return bench_pattern_seed((uint32_t)from, calls->is_alltoall ? (uint32_t)to : 0, number);
}

static void fill(const struct bench_calls *calls, uint64_t number)
{
  const size_t bytes = (size_t)calls->bytes;
  for (int r = 0; r < (calls->is_alltoall ? calls->p : 1); r++)
    bench_pattern_fill(calls->given + (size_t)r * bytes, bytes,
                       seed(calls, calls->rank, r, number));
  memset(calls->got, 0, (size_t)calls->p * bytes);
  if (calls->is_broadcast && calls->rank == 0)
    bench_pattern_fill(calls->got, bytes, seed(calls, 0, 0, number));
}

static void check(const struct bench_calls *calls, uint64_t number)
{
  const size_t bytes = (size_t)calls->bytes;
  for (int r = 0; r < (calls->is_broadcast ? 1 : calls->p); r++)
    if (bench_pattern_check(calls->got + (size_t)r * bytes, bytes,
                            seed(calls, r, calls->rank, number)) != bytes) {
      fprintf(stderr, "%s: call %llu: rank %d got a wrong block from rank %d\n", calls->collective,
              (unsigned long long)number, calls->rank, r);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

double bench_calls_time(struct bench_calls *calls, void (*make)(const struct bench_calls *calls),
                        bool natively, uint64_t number)
{
  fill(calls, number);
  MPI_Barrier(MPI_COMM_WORLD);
  tourney_set_native(natively);
  const double begun = MPI_Wtime();
  make(calls);
  const double mine = MPI_Wtime() - begun;
  if (!natively)
    calls->served_by = tourney_last_algorithm();
  tourney_set_native(1);
  check(calls, number);
  double longest;
  MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return longest;
}
