/* An MPI program that says what serves it: an all-to-all of 4096 and of 65536 bytes, a broadcast of
   64 bytes, and an all-reduce and a reduce of 4096 bytes, on MPI_COMM_WORLD and on a copy of it;
   the long all-to-all on one in another order and on all but the last rank, too. Then by algorithms
   that it sets itself. Each line is "NAME BYTES COMMUNICATOR ALGORITHM"; each result is checked.
   usage: mpi_profiled [COUNT [mixed]]   (so many all-to-alls of 65536 bytes come before that;
   mixed: and a broadcast that the ranks describe by different types) */
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

/* Each rank has a bit of its own; of each there is one in the result. */
static void combine(int bytes, MPI_Comm comm, const char *where)
{
  int rank, p;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &p);
  memset(sent, 1 << rank, (size_t)bytes);
  MPI_Allreduce(sent, received, bytes, MPI_BYTE, MPI_BXOR, comm);
  for (int i = 0; i < bytes; i++)
    wrong += received[i] != (1 << p) - 1;
  say("allreduce", bytes, where);
  memset(received, 0, (size_t)bytes);
  MPI_Reduce(sent, received, bytes, MPI_BYTE, MPI_BXOR, 0, comm);
  for (int i = 0; i < bytes; i++)
    wrong += received[i] != (rank == 0 ? (1 << p) - 1 : 0);
  say("reduce", bytes, where);
}

enum { MIXED_BYTES = 32768, MIXED_PIECE = 512, MIXED_PIECES = MIXED_BYTES / MIXED_PIECE };

/* Bytes; whole pieces; pieces with gaps between them. */
static MPI_Datatype make_type(int rank)
{
  MPI_Datatype type = MPI_BYTE, pieces;
  if (rank % 3 == 1)
    MPI_Type_contiguous(MIXED_PIECE / 4, MPI_INT, &type);
  if (rank % 3 == 2) {
    MPI_Type_vector(2, MIXED_PIECE / 2, MIXED_PIECE, MPI_BYTE, &pieces);
    MPI_Type_create_resized(pieces, 0, 2 * MIXED_PIECE, &type);
    MPI_Type_free(&pieces);
  }
  MPI_Type_commit(&type);
  return type;
}

static unsigned char mixed_byte(int i)
{
  return (unsigned char)(i % 251);
}

static void spread_mixed(int root)
{
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Datatype type = make_type(rank);
  const int count = rank % 3 ? MIXED_PIECES : MIXED_BYTES;
  const int step = rank % 3 == 2 ? 2 : 1; /* from half a piece to the next one */
  memset(received, 0, 2 * MIXED_BYTES);
  for (int i = 0; i < MIXED_BYTES && rank == root; i++)
    received[i / (MIXED_PIECE / 2) * step * (MIXED_PIECE / 2) + i % (MIXED_PIECE / 2)] =
        mixed_byte(i);
  MPI_Bcast(received, count, type, root, MPI_COMM_WORLD);
  for (int i = 0; i < MIXED_BYTES; i++)
    wrong += received[i / (MIXED_PIECE / 2) * step * (MIXED_PIECE / 2) + i % (MIXED_PIECE / 2)] !=
             mixed_byte(i);
  for (int i = MIXED_PIECE / 2; i < MIXED_PIECE && step == 2; i++)
    wrong += received[i] != 0; /* the gap */
  if (type != MPI_BYTE)
    MPI_Type_free(&type);
  say("bcast", MIXED_BYTES, "mixed");
}

static void all(MPI_Comm comm, const char *where)
{
  exchange(4096, comm, where);
  exchange(BYTES_MAX, comm, where);
  spread(64, comm, where);
  combine(4096, comm, where);
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
  for (int root = 0; argc > 2 && root < 3; root++)
    spread_mixed(root);
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
