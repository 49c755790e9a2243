/* An MPI program that says how much memory of its own one long collective takes: how far a rank's
   resident memory goes beyond what the program's buffers took before, the most of all ranks. Fails
   where that is more than it may be, or where the data is wrong.
   usage: memory allgather|alltoall plain|in-place|strided MOST [COPIES]
   (MOST: MiB; COPIES: make the call on so many duplicates of MPI_COMM_WORLD, all alive; 1) */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_INTS = 6 << 20 }; /* 24 MiB, and no whole number of segments */

static int rank, rank_count;

/* The most resident memory so far, in KiB. */
static long peak(void)
{
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  long kib = -1;
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %ld", &kib) == 1)
      break;
  if (status)
    fclose(status);
  return kib;
}

static int element(int from, int to, long i)
{
  return (int)(from * 7919 + to * 104729 + i * 31);
}

/* `spread`: between one integer and the next lies another. */
static int *take(int blocks, int spread)
{
  const size_t bytes = sizeof(int) * BLOCK_INTS * (size_t)blocks * (size_t)spread;
  int *memory = malloc(bytes);
  if (!memory)
    MPI_Abort(MPI_COMM_WORLD, 9);
  memset(memory, 0xff, bytes);
  return memory;
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  if (argc < 4)
    MPI_Abort(MPI_COMM_WORLD, 2);
  const bool all_to_all = strcmp(argv[1], "alltoall") == 0;
  const bool in_place = strcmp(argv[2], "in-place") == 0;
  const int spread = strcmp(argv[2], "strided") == 0 ? 2 : 1;
  MPI_Datatype type;
  MPI_Type_create_resized(MPI_INT, 0, spread * (MPI_Aint)sizeof(int), &type);
  MPI_Type_commit(&type);
  if (spread == 1)
    type = MPI_INT;
  const int sent_blocks = all_to_all ? rank_count : 1;
  int *receive = take(rank_count, spread);
  int *send = in_place ? receive : take(sent_blocks, spread);
  int *own = in_place && !all_to_all ? receive + (size_t)rank * BLOCK_INTS : send;
  for (int to = 0; to < sent_blocks; to++)
    for (long i = 0; i < BLOCK_INTS; i++)
      own[((size_t)to * BLOCK_INTS + (size_t)i) * (size_t)spread] = element(rank, to, i);
  /* What MPI sets up in its first collectives isn't the call's. */
  int few[64] = {0}, all[64 * 64];
  MPI_Allgather(few, 16, MPI_INT, all, 16, MPI_INT, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  const long before = peak();
  const void *given = in_place ? MPI_IN_PLACE : send;
  const int copies = argc > 4 ? atoi(argv[4]) : 1;
  for (int copy = 0; copy < copies; copy++) {
    MPI_Comm comm; /* lives to the end */
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (all_to_all)
      MPI_Alltoall(given, BLOCK_INTS, type, receive, BLOCK_INTS, type, comm);
    else
      MPI_Allgather(given, BLOCK_INTS, type, receive, BLOCK_INTS, type, comm);
  }
  long grown = peak() - before, most, wrong = 0;
  for (int from = 0; from < rank_count; from++)
    for (long i = 0; i < BLOCK_INTS; i++) {
      const size_t at = ((size_t)from * BLOCK_INTS + (size_t)i) * (size_t)spread;
      wrong += receive[at] != element(from, all_to_all ? rank : 0, i);
      wrong += spread == 2 && receive[at + 1] != -1;
    }
  MPI_Reduce(&grown, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s %s: %ld MiB beside the program's own %d (%ld allowed)\n", argv[1], argv[2],
           most / 1024,
           (rank_count + (in_place ? 0 : sent_blocks)) * spread * BLOCK_INTS / (1 << 18),
           atol(argv[3]));
  if (wrong)
    fprintf(stderr, "rank %d: %ld integers are wrong\n", rank, wrong);
  const bool failed = wrong > 0 || (rank == 0 && most > atol(argv[3]) * 1024);
  MPI_Finalize();
  return failed;
}
