/* Reductions against their definition: operations of the MPI's and of the program's, in place and
   not, over several counts, roots and types. Prints how many calls were compared, how many failed,
   and how many a plan served.
   usage: reductions planned|ordered|long|any
     planned: plans must serve the MPI's own operations; ordered: those of the program's as well;
     long: plans must serve the longest blocks by the program's operations */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

#include "composition_support.h"

enum { COUNT_MAX = 20011, RANKS_MAX = 16, ELEMENT_MAX = 16 };

static int world_rank, world_size, compared, failed, planned;
static bool expects_planned, expects_ordered, expects_long;

/* --- elements --- */

struct located {
  double value;
  int place;
};

/* Number i of a rank's data. */
static uint32_t draw(int rank, int i)
{
  uint32_t x = (uint32_t)rank * 2654435761U + (uint32_t)i * 40503U + 1;
  x ^= x >> 15;
  x *= 2246822519U;
  return x ^ x >> 13;
}

static void fill_int(void *element, int rank, int i)
{
  *(int32_t *)element = (int32_t)(draw(rank, i) % 1000);
}

static void fill_double(void *element, int rank, int i)
{
  *(double *)element = draw(rank, i) % 3 + 1; /* sums and products are exact */
}

static void fill_byte(void *element, int rank, int i)
{
  *(unsigned char *)element = (unsigned char)draw(rank, i);
}

static void fill_pair(void *element, int rank, int i)
{
  ((int *)element)[0] = (int)(draw(rank, i) % 5);
  ((int *)element)[1] = rank;
}

static void fill_located(void *element, int rank, int i)
{
  const struct located located = {draw(rank, i) % 5, rank};
  memset(element, 0, sizeof located);
  memcpy(element, &located, sizeof located);
}

static void fill_map(void *element, int rank, int i)
{
  *(uint64_t *)element = (uint64_t)(draw(rank, i) | 1) << 32 | draw(i, rank);
}

static void sum_int(const void *left, void *right)
{
  *(int32_t *)right += *(const int32_t *)left;
}

static void multiply_double(const void *left, void *right)
{
  *(double *)right *= *(const double *)left;
}

static void greater_double(const void *left, void *right)
{
  if (*(const double *)left > *(double *)right)
    *(double *)right = *(const double *)left;
}

static void exclude_byte(const void *left, void *right)
{
  *(unsigned char *)right ^= *(const unsigned char *)left;
}

static void least_pair(const void *left, void *right)
{
  if (*(const int *)left <= *(int *)right)
    memcpy(right, left, 2 * sizeof(int));
}

static void greatest_located(const void *left, void *right)
{
  if (((const struct located *)left)->value >= ((struct located *)right)->value)
    memcpy(right, left, sizeof(struct located));
}

static void compose_one(const void *left, void *right)
{
  *(uint64_t *)right = compose(*(const uint64_t *)left, *(uint64_t *)right);
}

/* What is combined, and how: by the MPI, and one element after another as it is defined. */
struct kind {
  const char *name;
  MPI_Op op;
  MPI_Datatype type;
  size_t bytes;
  void (*fill)(void *element, int rank, int i);
  void (*combine)(const void *left, void *right);
  bool is_own, has_gaps;
};

/* --- calls --- */

/* MPI_Reduce_scatter with counts that are alike, and with others. */
enum { REDUCE, ALLREDUCE, REDUCE_SCATTER, ALIKE, UNLIKE, COLLECTIVES };
static const char *const names[] = {"reduce", "allreduce", "reduce_scatter_block", "reduce_scatter",
                                    "reduce_scatter of unlike blocks"};

static unsigned char send[RANKS_MAX * COUNT_MAX * ELEMENT_MAX];
static unsigned char receive[RANKS_MAX * COUNT_MAX * ELEMENT_MAX];

static void fill(const struct kind *kind, unsigned char *memory, int count)
{
  for (int i = 0; i < count; i++)
    kind->fill(memory + (size_t)i * kind->bytes, world_rank, i);
}

/* Is the result, element by element, that of all ranks' elements from `first` on? */
static bool is_right(const struct kind *kind, int first, int count)
{
  for (int i = 0; i < count; i++) {
    _Alignas(16) unsigned char result[ELEMENT_MAX], left[ELEMENT_MAX];
    kind->fill(result, world_size - 1, first + i);
    for (int rank = world_size - 2; rank >= 0; rank--) {
      kind->fill(left, rank, first + i);
      kind->combine(left, result);
    }
    const size_t compared_bytes = kind->has_gaps ? 12 : kind->bytes;
    if (memcmp(result, receive + (size_t)i * kind->bytes, compared_bytes) != 0)
      return false;
  }
  return true;
}

/* The elements of a rank's block. Of unlike ones the first is shorter, and every third is empty. */
static int count_of(int collective, int count, int rank)
{
  if (collective != UNLIKE)
    return count;
  if (rank == 0)
    return count / 2;
  return rank % 3 == 2 ? 0 : count;
}

/* From where on a rank has its block of a reduce-scatter. */
static int first_of(int collective, int count)
{
  int first = 0;
  for (int rank = 0; collective >= REDUCE_SCATTER && rank < world_rank; rank++)
    first += count_of(collective, count, rank);
  return first;
}

static int call(int collective, const struct kind *kind, int count, bool in_place, int root)
{
  const bool gets = collective != REDUCE || world_rank == root;
  const int count_in = collective >= REDUCE_SCATTER ? count * world_size : count;
  int counts[RANKS_MAX];
  for (int rank = 0; rank < world_size; rank++)
    counts[rank] = count_of(collective, count, rank);
  const void *from = in_place && gets ? MPI_IN_PLACE : send;
  fill(kind, send, count_in);
  memset(receive, 0x55, sizeof receive / RANKS_MAX);
  if (in_place)
    fill(kind, receive, count_in);
  void *into = gets ? receive : NULL;
  switch (collective) {
  case REDUCE:
    return MPI_Reduce(from, into, count, kind->type, kind->op, root, MPI_COMM_WORLD);
  case ALLREDUCE:
    return MPI_Allreduce(from, into, count, kind->type, kind->op, MPI_COMM_WORLD);
  case REDUCE_SCATTER:
    return MPI_Reduce_scatter_block(from, into, count, kind->type, kind->op, MPI_COMM_WORLD);
  default:
    return MPI_Reduce_scatter(from, into, counts, kind->type, kind->op, MPI_COMM_WORLD);
  }
}

/* Must a plan serve it? */
static bool must_be_planned(const struct kind *kind, int count)
{
  if (kind->has_gaps || !kind->is_own)
    return !kind->has_gaps && expects_planned;
  return expects_ordered || (expects_long && count == COUNT_MAX);
}

/* MPICH 4.0.2 itself crashes in a long MPI_Reduce in place at another root than rank 0: those calls
   are made where a plan must serve them. */
static void compare(int collective, const struct kind *kind, int count, bool in_place, int root)
{
  const bool gets = collective != REDUCE || world_rank == root;
  const bool has_plan = must_be_planned(kind, count);
  if (in_place && root != 0 && !has_plan)
    return;
  const int code = call(collective, kind, count, in_place, root);
  const bool is_planned = tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0;
  int fails = code != MPI_SUCCESS || (gets && !is_right(kind, first_of(collective, count),
                                                        count_of(collective, count, world_rank)));
  if (fails)
    printf("rank %d: %s %s of %d%s, root %d: wrong\n", world_rank, names[collective], kind->name,
           count, in_place ? " in place" : "", root);
  if (has_plan && !is_planned) {
    fails = 1;
    printf("rank %d: %s %s of %d is native\n", world_rank, names[collective], kind->name, count);
  }
  compared++;
  planned += is_planned;
  failed += fails;
}

int main(int argc, char **argv)
{
  static const int counts[] = {1, 2, 13, 1000, COUNT_MAX};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  expects_ordered = argc > 1 && strcmp(argv[1], "ordered") == 0;
  expects_planned = expects_ordered || (argc > 1 && strcmp(argv[1], "planned") == 0);
  expects_long = argc > 1 && strcmp(argv[1], "long") == 0;
  MPI_Op composing;
  MPI_Op_create(compose_all, 0, &composing);
  const struct kind kinds[] = {
      {"sums of int", MPI_SUM, MPI_INT32_T, 4, fill_int, sum_int, false, false},
      {"products of double", MPI_PROD, MPI_DOUBLE, 8, fill_double, multiply_double, false, false},
      {"maxima of double", MPI_MAX, MPI_DOUBLE, 8, fill_double, greater_double, false, false},
      {"exclusive ors of bytes", MPI_BXOR, MPI_BYTE, 1, fill_byte, exclude_byte, false, false},
      {"minima with places", MPI_MINLOC, MPI_2INT, 8, fill_pair, least_pair, false, false},
      {"maxima with places", MPI_MAXLOC, MPI_DOUBLE_INT, 16, fill_located, greatest_located, false,
       true},
      {"compositions", composing, MPI_UINT64_T, 8, fill_map, compose_one, true, false}};
  for (int collective = 0; collective < COLLECTIVES; collective++)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int in_place = 0; in_place < 2; in_place++)
          for (int root = 0; root < (collective == REDUCE ? world_size : 1); root++)
            compare(collective, &kinds[k], counts[c], in_place, root);
  int all_failed;
  MPI_Op_free(&composing);
  MPI_Reduce(&failed, &all_failed, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (world_rank == 0)
    printf("%d calls compared, %d failed, %d planned\n", compared, all_failed, planned);
  MPI_Finalize();
  return 0;
}
