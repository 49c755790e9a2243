/* An MPI program that compares one collective with its definition, byte for byte, on the
   communicators of the first 2, 3, ..., P ranks, for short and long blocks, every root of a
   broadcast, and the others in place too. Prints a line: for how many ranks a plan served it.
   usage: every bcast|allgather|alltoall [LEAST]     (communicators of LEAST ranks or more; 2) */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

#include "definition_support.h"

static const int sizes[] = {1, 7, 64, 1000, 9001}; /* bytes of a block */
enum { SIZES = sizeof sizes / sizeof *sizes, BYTES_MAX = 9001 };

static unsigned char *send, *planned, *expected;

/* Fills the buffers: what each rank sends is its own, what it receives into is no result. */
static void prepare(int rank, size_t bytes, int salt)
{
  for (size_t i = 0; i < bytes; i++) {
    send[i] = (unsigned char)((size_t)(rank * 131 + salt) + i * 7 + (i >> 8) * 13);
    planned[i] = expected[i] = (unsigned char)(0xa5 ^ i);
  }
}

/* What is sent in place lies where the result will be: all of an all-to-all, and of an all-gather
   the rank's own block. */
static void put_in_place(char which, int rank, size_t bytes, size_t room)
{
  const size_t from = which == 'r' ? (size_t)rank * bytes : 0, count = which == 'r' ? bytes : room;
  memcpy(planned + from, send, count);
  memcpy(expected + from, send, count);
}

/* One collective both ways; false where they differ. `which` is the last letter of its name: bcast,
   allgather, alltoall. */
static bool agrees(char which, MPI_Comm comm, int bytes, int root, bool in_place)
{
  int rank, p;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &p);
  const size_t room = (size_t)bytes * (size_t)p;
  prepare(rank, room, bytes + root);
  const void *from = in_place ? MPI_IN_PLACE : send;
  const struct definition_blocks given = {from, bytes, MPI_BYTE}, got = {expected, bytes, MPI_BYTE};
  if (in_place)
    put_in_place(which, rank, (size_t)bytes, room);
  if (which == 't') {
    if (rank == root) {
      memcpy(planned, send, (size_t)bytes);
      memcpy(expected, send, (size_t)bytes);
    }
    MPI_Bcast(planned, bytes, MPI_BYTE, root, comm);
    definition_bcast(expected, bytes, MPI_BYTE, root, comm);
  } else if (which == 'r') {
    MPI_Allgather(from, bytes, MPI_BYTE, planned, bytes, MPI_BYTE, comm);
    definition_allgather(&given, &got, comm);
  } else {
    MPI_Alltoall(from, bytes, MPI_BYTE, planned, bytes, MPI_BYTE, comm);
    definition_alltoall(&given, &got, comm);
  }
  return memcmp(planned, expected, room) == 0;
}

/* The collective on one communicator; counts what differs, and says whether a plan served it. */
static int try_all(char which, MPI_Comm comm, bool *served)
{
  int p, wrong = 0;
  MPI_Comm_size(comm, &p);
  for (int s = 0; s < SIZES; s++)
    for (int way = 0; way < (which == 't' ? p : 2); way++) {
      const int root = which == 't' ? way : 0;
      const bool in_place = which != 't' && way == 1;
      const bool good = agrees(which, comm, sizes[s], root, in_place);
      *served = tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0;
      if (good)
        continue;
      wrong++;
      fprintf(stderr, "%d ranks, root %d%s: differs from the definition for blocks of %d bytes\n",
              p, root, in_place ? ", in place" : "", sizes[s]);
    }
  return wrong;
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  int rank, p, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const char which = argc > 1 ? argv[1][strlen(argv[1]) - 1] : '?';
  const int least = argc > 2 ? atoi(argv[2]) : 2;
  const size_t room = (size_t)BYTES_MAX * (size_t)p;
  send = malloc(room);
  planned = malloc(room);
  expected = malloc(room);
  if (!strchr("trl", which) || !send || !planned || !expected)
    MPI_Abort(MPI_COMM_WORLD, 2);
  char line[512] = "";
  for (int q = least; q <= p; q++) {
    MPI_Comm comm;
    bool served = false;
    MPI_Comm_split(MPI_COMM_WORLD, rank < q ? 0 : MPI_UNDEFINED, rank, &comm);
    if (comm == MPI_COMM_NULL)
      continue;
    wrong += try_all(which, comm, &served);
    if (served)
      snprintf(line + strlen(line), sizeof line - strlen(line), " %d", q);
    MPI_Comm_free(&comm);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: %d wrong, served with ranks:%s\n", argv[1], wrong, line);
  free(send);
  free(planned);
  free(expected);
  MPI_Finalize();
  return wrong ? 1 : 0;
}
