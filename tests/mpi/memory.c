/* An MPI program that says how much memory of its own one long collective takes: how far a rank's
   resident memory goes beyond what the program's buffers took before, the most of all ranks. Fails
   where that is more than it may be, or where the data is wrong.
   usage: memory allgather|alltoall|reducescatter|allreduce plain|in-place|strided MOST [COPIES]
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

/* A block for each rank, or one: that a rank gives, and that it gets. */
static const struct kind {
  const char *name;
  bool gives_each, gets_each, reduces;
} kinds[] = {{"allgather", false, true, false},
             {"alltoall", true, true, false},
             {"reducescatter", true, false, true},
             {"allreduce", false, false, true}};

struct test {
  const struct kind *kind;
  bool in_place;
  int spread, given, got; /* blocks */
  MPI_Datatype type;
  int *send, *receive; /* in place, the same */
};

static int *place(const struct test *test, int *memory, int block, long i)
{
  return memory + ((size_t)block * BLOCK_INTS + (size_t)i) * (size_t)test->spread;
}

static void set_up(struct test *test, const char *name, const char *layout)
{
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(name, kinds[i].name) == 0)
      test->kind = &kinds[i];
  if (!test->kind)
    MPI_Abort(MPI_COMM_WORLD, 2);
  test->in_place = strcmp(layout, "in-place") == 0;
  test->spread = strcmp(layout, "strided") == 0 ? 2 : 1;
  test->given = test->kind->gives_each ? rank_count : 1;
  test->got = test->kind->gets_each ? rank_count : 1;
  test->type = MPI_INT;
  if (test->spread == 2) {
    MPI_Type_create_resized(MPI_INT, 0, 2 * (MPI_Aint)sizeof(int), &test->type);
    MPI_Type_commit(&test->type);
  }
  const int longer = test->given > test->got ? test->given : test->got;
  test->receive = take(test->in_place ? longer : test->got, test->spread);
  test->send = test->in_place ? test->receive : take(test->given, test->spread);
  const bool has_own_block = test->in_place && test->given < test->got;
  for (int to = 0; to < test->given; to++)
    for (long i = 0; i < BLOCK_INTS; i++)
      *place(test, test->send, has_own_block ? rank : to, i) = element(rank, to, i);
}

static void call(const struct test *test, MPI_Comm comm)
{
  const void *given = test->in_place ? MPI_IN_PLACE : test->send;
  const MPI_Datatype type = test->type;
  if (test->kind->reduces && test->kind->gives_each)
    MPI_Reduce_scatter_block(given, test->receive, BLOCK_INTS, type, MPI_SUM, comm);
  else if (test->kind->reduces)
    MPI_Allreduce(given, test->receive, BLOCK_INTS, type, MPI_SUM, comm);
  else if (test->kind->gives_each)
    MPI_Alltoall(given, BLOCK_INTS, type, test->receive, BLOCK_INTS, type, comm);
  else
    MPI_Allgather(given, BLOCK_INTS, type, test->receive, BLOCK_INTS, type, comm);
}

/* What must be in a block of the result. */
static int wanted(const struct test *test, int block, long i)
{
  const int to = test->kind->gives_each ? rank : 0;
  int sum = 0;
  for (int from = 0; test->kind->reduces && from < rank_count; from++)
    sum += element(from, to, i);
  return test->kind->reduces ? sum : element(block, to, i);
}

static long count_wrong(const struct test *test)
{
  long wrong = 0;
  for (int block = 0; block < test->got; block++)
    for (long i = 0; i < BLOCK_INTS; i++) {
      const int *found = place(test, test->receive, block, i);
      wrong += found[0] != wanted(test, block, i);
      wrong += test->spread == 2 && found[1] != -1;
    }
  return wrong;
}

int main(int argc, char **argv)
{
  struct test test = {.kind = NULL};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  if (argc < 4)
    MPI_Abort(MPI_COMM_WORLD, 2);
  set_up(&test, argv[1], argv[2]);
  /* What MPI sets up in its first collectives isn't the call's. */
  int few[64] = {0}, all[64 * 64];
  MPI_Allgather(few, 16, MPI_INT, all, 16, MPI_INT, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  const long before = peak();
  const int copies = argc > 4 ? atoi(argv[4]) : 1;
  for (int copy = 0; copy < copies; copy++) {
    MPI_Comm comm; /* lives to the end */
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    call(&test, comm);
  }
  const long grown = peak() - before, wrong = count_wrong(&test);
  const int blocks =
      test.in_place ? (test.given > test.got ? test.given : test.got) : test.given + test.got;
  long most;
  MPI_Reduce(&grown, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s %s: %ld MiB beside the program's own %d (%ld allowed)\n", argv[1], argv[2],
           most / 1024, blocks * test.spread * BLOCK_INTS / (1 << 18), atol(argv[3]));
  if (wrong)
    fprintf(stderr, "rank %d: %ld integers are wrong\n", rank, wrong);
  const bool failed = wrong > 0 || (rank == 0 && most > atol(argv[3]) * 1024);
  MPI_Finalize();
  return failed;
}
