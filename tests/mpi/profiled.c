/* An MPI program that says what serves it: an all-to-all of 4096 and of 65536 bytes, and a
   broadcast of 64 bytes, on MPI_COMM_WORLD, on a copy of it, on one in another order, and on all
   but the last rank. Then by algorithms that it sets itself. Each line is "NAME BYTES COMMUNICATOR
   ALGORITHM"; each result is checked.
   usage: mpi_profiled [COUNT]   (so many all-to-alls of 65536 bytes come before that) */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

enum { BYTES_MAX = 65536 };

static int wrong;
static unsigned char *sent, *received;

static void say(const char *name, int bytes, const char *where)
{
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    printf("%s %d %s %s\n", name, bytes, where, tourney_last_algorithm());
}

static void exchange(int bytes, MPI_Comm comm, const char *where)
{
  int rank, p;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &p);
  for (int i = 0; i < p; i++)
    memset(sent + (size_t)i * (size_t)bytes, 16 * rank + i, (size_t)bytes);
  MPI_Alltoall(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, comm);
  for (int i = 0; i < p * bytes; i++)
    wrong += received[i] != (unsigned char)(16 * (i / bytes) + rank);
  say("alltoall", bytes, where);
}

static void spread(int bytes, MPI_Comm comm, const char *where)
{
  int rank;
  MPI_Comm_rank(comm, &rank);
  memset(received, rank == 0 ? 77 : 0, (size_t)bytes);
  MPI_Bcast(received, bytes, MPI_BYTE, 0, comm);
  for (int i = 0; i < bytes; i++)
    wrong += received[i] != 77;
  say("bcast", bytes, where);
}

static void all(MPI_Comm comm, const char *where)
{
  exchange(4096, comm, where);
  exchange(BYTES_MAX, comm, where);
  spread(64, comm, where);
}

static void by_hand(const char *list, const char *where)
{
  const int code = tourney_set_algorithm(list);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    printf("set %s %d\n", where, code != 0);
  exchange(4096, MPI_COMM_WORLD, where);
}

int main(int argc, char **argv)
{
  MPI_Comm other;
  int rank, p;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  sent = malloc((size_t)p * BYTES_MAX);
  received = malloc((size_t)p * BYTES_MAX);
  if (!sent || !received)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--)
    MPI_Alltoall(sent, BYTES_MAX, MPI_BYTE, received, BYTES_MAX, MPI_BYTE, MPI_COMM_WORLD);
  all(MPI_COMM_WORLD, "world");
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  all(other, "copy");
  MPI_Comm_free(&other);
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank % 2 ? rank : rank + p, &other);
  exchange(BYTES_MAX, other, "reordered");
  MPI_Comm_free(&other);
  MPI_Comm_split(MPI_COMM_WORLD, rank < p - 1, rank, &other);
  exchange(BYTES_MAX, other, "fewer");
  MPI_Comm_free(&other);
  by_hand("alltoall=pairwise,bcast=native", "pairwise");
  by_hand("alltoall=wednesday", "unreadable");
  by_hand("alltoall=native", "native");
  by_hand("", "again");
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d wrong\n", wrong);
  free(sent);
  free(received);
  MPI_Finalize();
  return wrong > 0;
}
