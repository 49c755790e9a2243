/* The exchange of entry_points.c by MPI's C functions. */
#include "entry_points_support.h"

#include <stdlib.h>

static int own_bcast(int by_pmpi, void *buffer, int count, MPI_Datatype type, int root)
{
  return by_pmpi ? PMPI_Bcast(buffer, count, type, root, MPI_COMM_WORLD)
                 : MPI_Bcast(buffer, count, type, root, MPI_COMM_WORLD);
}

static int own_allgather(int by_pmpi, const void *send, int *receive)
{
  return by_pmpi ? PMPI_Allgather(send, EXCHANGED_BLOCK, MPI_INT, receive, EXCHANGED_BLOCK, MPI_INT,
                                  MPI_COMM_WORLD)
                 : MPI_Allgather(send, EXCHANGED_BLOCK, MPI_INT, receive, EXCHANGED_BLOCK, MPI_INT,
                                 MPI_COMM_WORLD);
}

static int own_alltoall(int by_pmpi, const void *send, int *receive)
{
  return by_pmpi ? PMPI_Alltoall(send, EXCHANGED_BLOCK, MPI_INT, receive, EXCHANGED_BLOCK, MPI_INT,
                                 MPI_COMM_WORLD)
                 : MPI_Alltoall(send, EXCHANGED_BLOCK, MPI_INT, receive, EXCHANGED_BLOCK, MPI_INT,
                                MPI_COMM_WORLD);
}

/* Counts numbers that aren't what rank `from` gave for rank `to`. */
static void check(const int *block, int from, int to, int *wrong)
{
  for (int i = 0; i < EXCHANGED_BLOCK; i++)
    *wrong += block[i] != exchanged_number(from, to, i + 1);
}

static void fill(int *block, int from, int to)
{
  for (int i = 0; i < EXCHANGED_BLOCK; i++)
    block[i] = exchanged_number(from, to, i + 1);
}

static void broadcast(int by_pmpi, int rank, int root, int *wrong)
{
  static int numbers[EXCHANGED_BLOCK];
  MPI_Aint address;
  MPI_Datatype absolute;
  const int length = EXCHANGED_BLOCK;
  fill(numbers, rank, 0);
  own_bcast(by_pmpi, numbers, EXCHANGED_BLOCK, MPI_INT, root);
  check(numbers, root, 0, wrong);
  fill(numbers, rank, 1);
  MPI_Get_address(numbers, &address);
  MPI_Type_create_hindexed(1, &length, &address, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  own_bcast(by_pmpi, MPI_BOTTOM, 1, absolute, root);
  MPI_Type_free(&absolute);
  check(numbers, root, 1, wrong);
}

void exchange_c(const int *by_pmpi, int *wrong)
{
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *send = malloc(sizeof *send * EXCHANGED_BLOCK * (size_t)size);
  int *receive = malloc(sizeof *receive * EXCHANGED_BLOCK * (size_t)size);
  if (!send || !receive)
    MPI_Abort(MPI_COMM_WORLD, 9);
  broadcast(*by_pmpi, rank, 1, wrong);
  for (int in_place = 0; in_place < 2; in_place++) {
    fill(send, rank, 2);
    fill(receive + rank * EXCHANGED_BLOCK, rank, 2);
    own_allgather(*by_pmpi, in_place ? MPI_IN_PLACE : send, receive);
    for (int peer = 0; peer < size; peer++)
      check(receive + peer * EXCHANGED_BLOCK, peer, 2, wrong);
    for (int peer = 0; peer < size; peer++) {
      fill(send + peer * EXCHANGED_BLOCK, rank, peer);
      fill(receive + peer * EXCHANGED_BLOCK, rank, peer);
    }
    own_alltoall(*by_pmpi, in_place ? MPI_IN_PLACE : send, receive);
    for (int peer = 0; peer < size; peer++)
      check(receive + peer * EXCHANGED_BLOCK, peer, rank, wrong);
  }
  free(send);
  free(receive);
}
