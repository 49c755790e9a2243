/* All-reduces of a million doubles whose sum depends on the order, in calls of several sizes:
   prints for each size, as often as told, a line "bits SIZE DIGEST" of all results of all ranks.
   usage: bits TIMES SIZE...     (elements a call, each a divisor of a million) */
#include <inttypes.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 1000000 };

static double input[ELEMENTS], output[ELEMENTS];

/* Of ranks that are told nothing of the size of the calls: element i is the same in all of them. */
static void fill(int rank)
{
  uint64_t x = 88172645463325252U + (uint64_t)rank * 2654435761U;
  for (int i = 0; i < ELEMENTS; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    input[i] = ((double)(x % 2000003) - 1e6) * (x >> 60 == 0 ? 1e-9 : 1e3) / 7;
  }
}

/* FNV-1a over the bits of all elements. */
static uint64_t digest(void)
{
  uint64_t hash = 14695981039346656037U;
  for (int i = 0; i < ELEMENTS; i++) {
    uint64_t bits;
    memcpy(&bits, &output[i], sizeof bits);
    hash = (hash ^ bits) * 1099511628211U;
    hash ^= hash >> 32;
  }
  return hash;
}

int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fill(rank);
  for (int time = 0; argc > 2 && time < atoi(argv[1]); time++)
    for (int i = 2; i < argc; i++) {
      const int size = atoi(argv[i]);
      if (size <= 0 || ELEMENTS % size != 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
      memset(output, 0, sizeof output);
      for (int at = 0; at < ELEMENTS; at += size)
        MPI_Allreduce(input + at, output + at, size, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      uint64_t own = digest(), first = own;
      int same, all_same;
      MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
      same = own == first;
      MPI_Reduce(&same, &all_same, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
      if (rank == 0)
        printf("bits %d %016" PRIx64 "%s\n", size, own, all_same ? "" : " and others, by rank");
      fflush(stdout);
    }
  MPI_Finalize();
  return 0;
}
