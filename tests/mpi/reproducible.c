/* Prints, of each reduction and several counts, the bits of the first results: sums of doubles that
   round, so that they tell in which order they were added.
   usage: reproducible */
#include <inttypes.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 5, COUNT_MAX = 30011, RANKS_MAX = 16 };

static int rank, rank_count;
static int unlike[RANKS_MAX];
static double input[RANKS_MAX * COUNT_MAX], output[COUNT_MAX];

/* Element i of what a rank has for `receiver`, whatever the count. */
static double value(int receiver, int i)
{
  uint64_t x = (uint64_t)rank * 2654435761U + (uint64_t)receiver * 40503U + (uint64_t)i * 97U + 1;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return ((double)(x % 2000003) - 1e6) * (x % 3 == 0 ? 1e-9 : 1e3) / 7;
}

static void fill(int blocks, int count)
{
  for (int block = 0; block < blocks; block++)
    for (int i = 0; i < count; i++)
      input[block * count + i] = value(block, i);
}

static void show(const char *name)
{
  if (rank != 0)
    return;
  printf("%s", name);
  for (int i = 0; i < SHOWN; i++) {
    uint64_t bits;
    memcpy(&bits, &output[i], sizeof bits);
    printf(" %016" PRIx64, bits);
  }
  printf("\n");
  fflush(stdout);
}

int main(int argc, char **argv)
{
  static const int counts[] = {SHOWN, 64, 1000, COUNT_MAX};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  if (rank_count > RANKS_MAX)
    MPI_Abort(MPI_COMM_WORLD, 2);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    fill(1, counts[i]);
    MPI_Allreduce(input, output, counts[i], MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    show("allreduce");
    MPI_Request request;
    MPI_Iallreduce(input, output, counts[i], MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    show("iallreduce");
    MPI_Reduce(input, output, counts[i], MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    show("reduce");
    fill(rank_count, counts[i]);
    MPI_Reduce_scatter_block(input, output, counts[i], MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    show("reducescatter");
    for (int receiver = 0, at = 0; receiver < rank_count; receiver++) {
      unlike[receiver] = counts[i] - receiver % 3;
      for (int j = 0; j < unlike[receiver]; j++)
        input[at++] = value(receiver, j);
    }
    MPI_Reduce_scatter(input, output, unlike, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    show("reducescatter");
  }
  MPI_Finalize();
  return 0;
}
