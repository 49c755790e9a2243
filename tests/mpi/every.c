/* An MPI program that compares collectives with their definition, byte for byte, on the
   communicators of the first 2, 3, ..., P ranks, for short and long blocks, four roots where
   there is one, and in place too. Of a barrier, no rank leaves before the last has come. Prints
   a line for each: for how many ranks a plan served it. usage: every COLLECTIVE[=ALGORITHM]...
   [LEAST] the tool's names; without ALGORITHM, the environment's. Communicators of LEAST ranks
   or more */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <tourney/runtime.h>

static const int sizes[] = {1, 7, 64, 1000, 9001}; /* bytes of a block */
enum { SIZES = sizeof sizes / sizeof *sizes, BYTES_MAX = 9001 };

enum collective {
  BCAST,
  ALLGATHER,
  ALLTOALL,
  REDUCE,
  REDUCE_SCATTER,
  ALLREDUCE,
  BARRIER,
  COLLECTIVES
};
static const char *const names[COLLECTIVES] = {"bcast",         "allgather", "alltoall", "reduce",
                                               "reducescatter", "allreduce", "barrier"};

static unsigned char *send, *planned, *expected;

/* One call: its blocks and where it stands. */
struct call {
  enum collective collective;
  MPI_Comm comm;
  int rank, p, bytes, root;
  bool in_place;
};

/* What a rank sends. The sum of 17 ranks' bytes is one: Open MPI's own sums of bytes saturate where
   the processor has AVX. */
struct content {
  size_t salt;
  unsigned mask;
};

static struct content content_of(const struct call *call, int rank)
{
  return (struct content){.salt = (size_t)(rank * 131 + call->bytes + call->root),
                          .mask = call->collective >= REDUCE ? 15 : 255};
}

static unsigned char byte_at(struct content content, size_t i)
{
  return (unsigned char)((content.salt + i * 7 + (i >> 8) * 13) & content.mask);
}

/* Fills the buffers: what each rank sends is its own, what it receives into is no result. */
static void prepare(const struct call *call, size_t room)
{
  const struct content own = content_of(call, call->rank);
  for (size_t i = 0; i < room; i++) {
    send[i] = byte_at(own, i);
    planned[i] = expected[i] = (unsigned char)(0xa5 ^ i);
  }
}

/* What is sent in place lies where the result will be: all of it, and of an all-gather the rank's
   own block. A root's broadcast is always in place. */
static void put_in_place(const struct call *call, size_t room)
{
  const bool is_own = call->collective == ALLGATHER;
  const size_t from = is_own ? (size_t)call->rank * (size_t)call->bytes : 0;
  const size_t count = is_own ? (size_t)call->bytes : room;
  memcpy(planned + from, send, count);
  memcpy(expected + from, send, count);
}

/* A block of the result: what a rank sends from byte `first` on. */
static void define_block(const struct call *call, int block, int from, size_t first)
{
  const struct content content = content_of(call, from);
  const size_t bytes = (size_t)call->bytes;
  unsigned char *into = expected + (size_t)block * bytes;
  for (size_t i = 0; i < bytes; i++)
    into[i] = byte_at(content, first + i);
}

/* The sums of all ranks' bytes from `first` on. */
static void define_sums(const struct call *call, size_t first)
{
  const size_t bytes = (size_t)call->bytes;
  unsigned char *sums = expected;
  memset(sums, 0, bytes);
  for (int rank = 0; rank < call->p; rank++) {
    const struct content content = content_of(call, rank);
    for (size_t i = 0; i < bytes; i++)
      sums[i] = (unsigned char)(sums[i] + byte_at(content, first + i));
  }
}

/* Without a message: what the other ranks send is known. */
static void define(const struct call *call)
{
  const size_t own = (size_t)call->rank * (size_t)call->bytes;
  switch (call->collective) {
  case BCAST:
    define_block(call, 0, call->root, 0);
    break;
  case ALLGATHER:
    for (int from = 0; from < call->p; from++)
      define_block(call, from, from, 0);
    break;
  case ALLTOALL:
    for (int from = 0; from < call->p; from++)
      define_block(call, from, from, own);
    break;
  case REDUCE_SCATTER:
    define_sums(call, own);
    break;
  default:
    define_sums(call, 0);
  }
}

static void plan(const struct call *call)
{
  const int bytes = call->bytes;
  const bool gets = call->collective != REDUCE || call->rank == call->root;
  const void *from = call->in_place && gets ? MPI_IN_PLACE : send;
  switch (call->collective) {
  case BCAST:
    MPI_Bcast(planned, bytes, MPI_BYTE, call->root, call->comm);
    break;
  case ALLGATHER:
    MPI_Allgather(from, bytes, MPI_BYTE, planned, bytes, MPI_BYTE, call->comm);
    break;
  case ALLTOALL:
    MPI_Alltoall(from, bytes, MPI_BYTE, planned, bytes, MPI_BYTE, call->comm);
    break;
  case REDUCE:
    MPI_Reduce(from, gets ? planned : NULL, bytes, MPI_UNSIGNED_CHAR, MPI_SUM, call->root,
               call->comm);
    break;
  case REDUCE_SCATTER:
    MPI_Reduce_scatter_block(from, planned, bytes, MPI_UNSIGNED_CHAR, MPI_SUM, call->comm);
    break;
  default:
    MPI_Allreduce(from, planned, bytes, MPI_UNSIGNED_CHAR, MPI_SUM, call->comm);
  }
}

/* One collective both ways; false where they differ. What MPI leaves undefined isn't compared: a
   reduce's result at the other ranks, and a reduce-scatter's in place behind the rank's block. */
static bool agrees(const struct call *call)
{
  const size_t room = (size_t)call->bytes * (size_t)call->p;
  prepare(call, room);
  if (call->in_place || (call->collective == BCAST && call->rank == call->root))
    put_in_place(call, room);
  plan(call);
  define(call);
  if (call->collective == REDUCE && call->rank != call->root)
    return true;
  const bool is_undefined = call->collective == REDUCE_SCATTER && call->in_place;
  return memcmp(planned, expected, is_undefined ? (size_t)call->bytes : room) == 0;
}

/* The collective on one communicator; counts what differs, and says whether a plan served it.
   Reduces that no plan serves aren't made in place: MPICH 4.0.2's own crashes there at any root but
   rank 0. */
static int try_all(enum collective collective, MPI_Comm comm, bool *served)
{
  struct call call = {.collective = collective, .comm = comm};
  const bool has_root = collective == BCAST || collective == REDUCE;
  int wrong = 0;
  MPI_Comm_rank(comm, &call.rank);
  MPI_Comm_size(comm, &call.p);
  const int roots[] = {0, call.p - 1, 1, call.p / 2};
  const int ways = !has_root || call.p == 2 ? 2 : call.p == 3 ? 3 : 4;
  for (int s = 0; s < SIZES; s++)
    for (int way = 0; way < ways; way++) {
      call.bytes = sizes[s];
      call.root = has_root ? roots[way] : 0;
      call.in_place = collective != BCAST && way % 2 == 1 && (collective != REDUCE || *served);
      const bool good = agrees(&call);
      *served = tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0;
      if (good)
        continue;
      wrong++;
      fprintf(stderr, "%d ranks, root %d%s: differs from the definition for blocks of %d bytes\n",
              call.p, call.root, call.in_place ? ", in place" : "", call.bytes);
    }
  return wrong;
}

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time); /* one clock for all ranks of this machine */
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Barriers to which each rank comes late in turn, and all at random: no rank leaves one before
   every rank has come. Counts those of which that isn't so. */
static int try_barriers(MPI_Comm comm, bool *served)
{
  int rank, p, wrong = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &p);
  unsigned seed = 12345u * (unsigned)(rank + 1);
  for (int call = 0; call < 2 * p; call++) {
    seed = seed * 1103515245u + 12345u;
    usleep(call == rank ? 3000 : seed >> 16 & 511);
    double come = now(), left;
    MPI_Barrier(comm);
    left = now();
    *served = tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0;
    MPI_Allreduce(MPI_IN_PLACE, &come, 1, MPI_DOUBLE, MPI_MAX, comm);
    if (left >= come)
      continue;
    wrong++;
    fprintf(stderr, "%d ranks: rank %d left a barrier %.6f s before the last came\n", p, rank,
            come - left);
  }
  return wrong;
}

/* What a word of the command line names, and has it served so. */
static enum collective ask_for(const char *word)
{
  int collective = 0;
  const size_t length = strcspn(word, "=");
  while (collective < COLLECTIVES &&
         (strlen(names[collective]) != length || strncmp(word, names[collective], length) != 0))
    collective++;
  if (collective == COLLECTIVES)
    MPI_Abort(MPI_COMM_WORLD, 2);
  if (word[length] != '\0' && (!tourney_set_algorithm || tourney_set_algorithm(word) != 0))
    MPI_Abort(MPI_COMM_WORLD, 3);
  return (enum collective)collective;
}

/* On all communicators; counts what differs. */
static int try_word(const char *word, int least)
{
  const enum collective collective = ask_for(word);
  int rank, p, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  char line[512] = "";
  for (int q = least; q <= p; q++) {
    MPI_Comm comm;
    bool served = false;
    MPI_Comm_split(MPI_COMM_WORLD, rank < q ? 0 : MPI_UNDEFINED, rank, &comm);
    if (comm == MPI_COMM_NULL)
      continue;
    wrong +=
        collective == BARRIER ? try_barriers(comm, &served) : try_all(collective, comm, &served);
    if (served)
      snprintf(line + strlen(line), sizeof line - strlen(line), " %d", q);
    MPI_Comm_free(&comm);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%s: %d wrong, served with ranks:%s\n", word, wrong, line);
    fflush(stdout);
  }
  return wrong;
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  int p, wrong = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const bool has_least = argc > 2 && atoi(argv[argc - 1]) > 0;
  const size_t room = (size_t)BYTES_MAX * (size_t)p;
  send = malloc(room);
  planned = malloc(room);
  expected = malloc(room);
  if (argc < 2 || !send || !planned || !expected)
    MPI_Abort(MPI_COMM_WORLD, 2);
  for (int word = 1; word < argc - has_least; word++)
    wrong += try_word(argv[word], has_least ? atoi(argv[argc - 1]) : 2);
  free(send);
  free(planned);
  free(expected);
  MPI_Finalize();
  return wrong ? 1 : 0;
}
