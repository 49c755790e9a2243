/* Calls of a collective, timed and checked. */
#include "bench/checked_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

#include "bench/pattern.h"

enum { SHORT_BYTES = 16 };

static bool are_near(const struct bench_calls *calls, int from, int to)
{
  for (int i = 0; i < calls->grid.neighbour_count; i++)
    if ((from == calls->rank && calls->grid.neighbours[i] == to) ||
        (to == calls->rank && calls->grid.neighbours[i] == from))
      return true;
  return false;
}

/* The bytes of a block of MPI_Alltoallv, to or from this rank; -1: there is no such pattern. */
static int uneven_bytes(const struct bench_calls *calls, int from, int to)
{
  const char *pattern = calls->collective;
  if (strcmp(pattern, "next") == 0)
    return to == (from + 1) % calls->p ? calls->bytes : 0;
  if (strcmp(pattern, "quarter") == 0)
    return bench_pattern_seed((uint32_t)from, (uint32_t)to, 0) % 4 == 0 ? calls->bytes : 0;
  if (strcmp(pattern, "row") == 0)
    return from == 1 ? calls->bytes : 0;
  if (calls->grid.comm != MPI_COMM_NULL)
    return are_near(calls, from, to) ? calls->bytes : 0;
  return strcmp(pattern, "short") == 0 ? SHORT_BYTES : -1;
}

/* Two neighbours in each of two dimensions, no one twice. */
static bool open_grid(struct bench_calls *calls)
{
  struct bench_grid *grid = &calls->grid;
  if (calls->bytes <= 0 || !bench_grid_open(grid) || grid->shape.size[0] < 3 ||
      grid->shape.size[1] < 3)
    return false;
  for (int i = 0; i < grid->neighbour_count; i++) {
    calls->near_counts[i] = calls->bytes;
    calls->near_places[i] = grid->neighbours[i] * calls->bytes;
  }
  return true;
}

/* Blocks stand where those of an MPI_Alltoall would. */
static bool open_uneven(struct bench_calls *calls)
{
  const size_t p = (size_t)calls->p;
  calls->given_counts = malloc(p * sizeof(int));
  calls->got_counts = malloc(p * sizeof(int));
  calls->places = malloc(p * sizeof(int));
  if (!calls->given_counts || !calls->got_counts || !calls->places)
    return false;
  for (int r = 0; r < calls->p; r++) {
    calls->given_counts[r] = uneven_bytes(calls, calls->rank, r);
    calls->got_counts[r] = uneven_bytes(calls, r, calls->rank);
    calls->places[r] = r * calls->bytes;
  }
  return calls->bytes >= SHORT_BYTES && calls->given_counts[0] >= 0;
}

bool bench_calls_open(struct bench_calls *calls, const char *collective, long bytes)
{
  *calls = (struct bench_calls){.collective = collective,
                                .is_alltoall = strcmp(collective, "alltoall") == 0,
                                .is_broadcast = strcmp(collective, "bcast") == 0,
                                .bytes = (int)bytes,
                                .grid = {.comm = MPI_COMM_NULL}};
  calls->is_uneven =
      !calls->is_alltoall && !calls->is_broadcast && strcmp(collective, "allgather") != 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &calls->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &calls->p);
  const size_t all = calls->bytes > 0 ? (size_t)calls->p * (size_t)calls->bytes : 0;
  calls->given = all ? malloc(all) : NULL;
  calls->got = all ? malloc(all) : NULL;
  if (strcmp(collective, "grid") == 0 && !open_grid(calls))
    return false;
  if (calls->is_uneven && !open_uneven(calls))
    return false;
  return calls->given && calls->got && tourney_set_native && tourney_last_algorithm;
}

void bench_calls_close(struct bench_calls *calls)
{
  bench_grid_close(&calls->grid);
  free(calls->given);
  free(calls->got);
  free(calls->given_counts);
  free(calls->got_counts);
  free(calls->places);
}

void bench_calls_make(const struct bench_calls *calls)
{
  const int bytes = calls->bytes;
  if (calls->grid.comm != MPI_COMM_NULL)
    MPI_Neighbor_alltoallv(calls->given, calls->near_counts, calls->near_places, MPI_BYTE,
                           calls->got, calls->near_counts, calls->near_places, MPI_BYTE,
                           calls->grid.comm);
  else if (calls->is_uneven)
    MPI_Alltoallv(calls->given, calls->given_counts, calls->places, MPI_BYTE, calls->got,
                  calls->got_counts, calls->places, MPI_BYTE, MPI_COMM_WORLD);
  else if (calls->is_alltoall)
    MPI_Alltoall(calls->given, bytes, MPI_BYTE, calls->got, bytes, MPI_BYTE, MPI_COMM_WORLD);
  else if (calls->is_broadcast)
    MPI_Bcast(calls->got, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  else
    MPI_Allgather(calls->given, bytes, MPI_BYTE, calls->got, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

/* Has each receiver a block of its own? */
static bool is_personal(const struct bench_calls *calls)
{
  return calls->is_alltoall || calls->is_uneven;
}

/* What rank `from` has for rank `to` in this call. */
static uint64_t seed(const struct bench_calls *calls, int from, int to, uint64_t number)
{
  return bench_pattern_seed((uint32_t)from, is_personal(calls) ? (uint32_t)to : 0, number);
}

static void fill(const struct bench_calls *calls, uint64_t number)
{
  const size_t bytes = (size_t)calls->bytes;
  for (int r = 0; r < (is_personal(calls) ? calls->p : 1); r++)
    bench_pattern_fill(calls->given + (size_t)r * bytes, bytes,
                       seed(calls, calls->rank, r, number));
  memset(calls->got, 0, (size_t)calls->p * bytes);
  if (calls->is_broadcast && calls->rank == 0)
    bench_pattern_fill(calls->got, bytes, seed(calls, 0, 0, number));
}

static void check(const struct bench_calls *calls, uint64_t number)
{
  const size_t bytes = (size_t)calls->bytes;
  for (int r = 0; r < (calls->is_broadcast ? 1 : calls->p); r++) {
    const size_t wanted = calls->is_uneven ? (size_t)calls->got_counts[r] : bytes;
    if (bench_pattern_check(calls->got + (size_t)r * bytes, wanted,
                            seed(calls, r, calls->rank, number)) != wanted) {
      fprintf(stderr, "%s: call %llu: rank %d got a wrong block from rank %d\n", calls->collective,
              (unsigned long long)number, calls->rank, r);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
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
