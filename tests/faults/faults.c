/* A program for networks and ranks that fail: rounds of calls of one collective, each checked
   against its definition. Rank 0 prints a line when a round is over. Ranks may come late to calls,
   or one may kill itself in the middle of one.
   usage: faults COLLECTIVE BYTES CALLS ROUNDS [late MS | die RANK CALL US FILE]
   COLLECTIVE  as `collectives` below has them
   BYTES       of the longest block
   CALLS       of each round
   ROUNDS      how many, or until=FILE: until that file exists
   late        in each round one rank sleeps for MS milliseconds before one call, another and
               before another in the next
   die         RANK is killed US microseconds after it began with CALL of the first round. FILE says
               when, "dies MICROSECONDS", and when a call was over that brought wrong data, "wrong
               MICROSECONDS": such may be the MPI's own only after the death */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <tourney/runtime.h>

enum { RANKS_MAX = 16 };

static int rank, rank_count;

/* A block for each rank on both sides; a block lies at the start of a slot of `slot_bytes`. */
static struct {
  int slot_bytes;
  unsigned char *input, *output;
  int send_bytes[RANKS_MAX], receive_bytes[RANKS_MAX], places[RANKS_MAX];
  MPI_Datatype types[RANKS_MAX];
} blocks;

static void broadcast(int root)
{
  unsigned char *message = blocks.output + blocks.places[root];
  if (rank == root)
    memcpy(message, blocks.input, (size_t)blocks.slot_bytes);
  MPI_Bcast(message, blocks.slot_bytes, MPI_BYTE, root, MPI_COMM_WORLD);
}

static void gather_all(int root)
{
  (void)root;
  MPI_Allgather(blocks.input, blocks.slot_bytes, MPI_BYTE, blocks.output, blocks.slot_bytes,
                MPI_BYTE, MPI_COMM_WORLD);
}

static void gather_all_uneven(int root)
{
  (void)root;
  MPI_Allgatherv(blocks.input, blocks.send_bytes[0], MPI_BYTE, blocks.output, blocks.receive_bytes,
                 blocks.places, MPI_BYTE, MPI_COMM_WORLD);
}

static void exchange_all(int root)
{
  (void)root;
  MPI_Alltoall(blocks.input, blocks.slot_bytes, MPI_BYTE, blocks.output, blocks.slot_bytes,
               MPI_BYTE, MPI_COMM_WORLD);
}

static void exchange_all_uneven(int root)
{
  (void)root;
  MPI_Alltoallv(blocks.input, blocks.send_bytes, blocks.places, MPI_BYTE, blocks.output,
                blocks.receive_bytes, blocks.places, MPI_BYTE, MPI_COMM_WORLD);
}

static void exchange_all_of_types(int root)
{
  (void)root;
  MPI_Alltoallw(blocks.input, blocks.send_bytes, blocks.places, blocks.types, blocks.output,
                blocks.receive_bytes, blocks.places, blocks.types, MPI_COMM_WORLD);
}

static void gather_uneven(int root)
{
  MPI_Gatherv(blocks.input + blocks.places[root], blocks.send_bytes[root], MPI_BYTE, blocks.output,
              blocks.receive_bytes, blocks.places, MPI_BYTE, root, MPI_COMM_WORLD);
}

static void scatter_uneven(int root)
{
  MPI_Scatterv(blocks.input, blocks.send_bytes, blocks.places, MPI_BYTE,
               blocks.output + blocks.places[root], blocks.receive_bytes[root], MPI_BYTE, root,
               MPI_COMM_WORLD);
}

static void combine(int root)
{
  MPI_Reduce(blocks.input + blocks.places[root], blocks.output, blocks.slot_bytes, MPI_BYTE,
             MPI_BXOR, root, MPI_COMM_WORLD);
}

static void combine_all(int root)
{
  (void)root;
  MPI_Allreduce(blocks.input, blocks.output, blocks.slot_bytes, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD);
}

static void combine_and_scatter(int root)
{
  (void)root;
  MPI_Reduce_scatter_block(blocks.input, blocks.output, blocks.slot_bytes, MPI_BYTE, MPI_BXOR,
                           MPI_COMM_WORLD);
}

static const struct collective {
  const char *name;
  bool is_personal; /* each receiver gets a block of its own */
  bool is_uneven;
  bool from_root, to_root; /* only the root has blocks, only the root gets any */
  /* One block comes: the exclusive or of those of all ranks, in which one that comes three times
     isn't seen. */
  bool combines;
  void (*call)(int root);
} collectives[] = {
    {"bcast", false, false, true, false, false, broadcast},
    {"allgather", false, false, false, false, false, gather_all},
    {"allgatherv", false, true, false, false, false, gather_all_uneven},
    {"gatherv", false, true, false, true, false, gather_uneven},
    {"scatterv", true, true, true, false, false, scatter_uneven},
    {"alltoall", true, false, false, false, false, exchange_all},
    {"alltoallv", true, true, false, false, false, exchange_all_uneven},
    {"alltoallw", true, true, false, false, false, exchange_all_of_types},
    {"reduce", false, false, false, true, true, combine},
    {"allreduce", false, false, false, false, true, combine_all},
    {"reducescatter", true, false, false, false, true, combine_and_scatter},
};

/* The length of a block; of uneven ones some are empty. */
static int length(const struct collective *collective, int from, int to, int root)
{
  if ((collective->from_root && from != root) || (collective->to_root && to != root))
    return 0;
  if (!collective->is_uneven)
    return blocks.slot_bytes;
  return blocks.slot_bytes / 3 * ((from + (collective->is_personal ? 2 * to : 0)) % 4);
}

/* The byte at a place of the block that a rank has for another in a call. No two parts of a block
   are the same, wherever it is cut. */
static unsigned char stamp(int from, int to, int call, int place)
{
  return (unsigned char)(1 + 31 * from + 7 * to + 13 * call + place + place / 251);
}

/* The byte that should be at a place of a block that came. */
static unsigned char expected(const struct collective *collective, int from, int to, int call,
                              int place)
{
  unsigned char all = 0;
  if (!collective->combines)
    return stamp(from, to, call, place);
  for (int each = 0; each < rank_count; each++)
    all ^= stamp(each, to, call, place);
  return all;
}

static void fill(const struct collective *collective, int call, int root)
{
  for (int peer = 0; peer < rank_count; peer++) {
    unsigned char *block = blocks.input + blocks.places[peer];
    blocks.send_bytes[peer] = length(collective, rank, peer, root);
    blocks.receive_bytes[peer] = length(collective, peer, rank, root);
    for (int place = 0; place < blocks.send_bytes[peer]; place++)
      block[place] = stamp(rank, collective->is_personal ? peer : 0, call, place);
  }
  memset(blocks.output, 0, (size_t)blocks.slot_bytes * (size_t)rank_count);
}

/* Makes a call; returns how many bytes aren't as expected. */
static long perform(const struct collective *collective, int call)
{
  long wrong = 0;
  const int root = call % rank_count, to = collective->is_personal ? rank : 0;
  fill(collective, call, root);
  collective->call(root);
  for (int from = 0; from < (collective->combines ? 1 : rank_count); from++) {
    const unsigned char *block = blocks.output + blocks.places[from];
    for (int place = 0; place < blocks.receive_bytes[from]; place++)
      wrong += block[place] != expected(collective, from, to, call, place);
  }
  return wrong;
}

static long long now_us(void)
{
  struct timeval now;
  gettimeofday(&now, NULL);
  return (long long)now.tv_sec * 1000000 + now.tv_usec;
}

/* One write, which those of other ranks can't get into. */
static void note(const char *file, const char *what, long long us)
{
  char line[64];
  const int length = snprintf(line, sizeof line, "%s %lld\n", what, us);
  const int open_file = open(file, O_WRONLY | O_APPEND | O_CREAT, 0644);
  if (open_file < 0 || write(open_file, line, (size_t)length) != length)
    MPI_Abort(MPI_COMM_WORLD, 9);
  close(open_file);
}

static void end_now(int number)
{
  (void)number;
  kill(getpid(), SIGKILL);
}

/* What the program was told to do. */
struct order {
  const struct collective *collective;
  int calls, rounds;
  const char *stop;       /* the file that ends it; NULL: `rounds` do */
  int late_ms;            /* 0: nobody is late */
  int victim, fatal_call; /* -1: nobody dies */
  long fatal_us;
  const char *notes; /* the file for what happens; NULL: nobody dies */
};

static void let_happen(const struct order *order, int round, int call)
{
  if (order->late_ms > 0 && rank == round % rank_count && call == round % order->calls)
    usleep((useconds_t)order->late_ms * 1000);
  if (order->victim != rank || round > 0 || call != order->fatal_call)
    return;
  const struct itimerval timer = {
      .it_value = {.tv_sec = order->fatal_us / 1000000, .tv_usec = order->fatal_us % 1000000 + 1}};
  signal(SIGALRM, end_now);
  note(order->notes, "dies", now_us() + order->fatal_us);
  setitimer(ITIMER_REAL, &timer, NULL);
}

/* Returns whether another round follows, as all ranks know. */
static bool run_round(const struct order *order, int round)
{
  /* Wrong bytes, planned calls at the rank that has the fewest (negated), is it the end. */
  long mine[3] = {0, 0, 0}, all[3];
  for (int call = 0; call < order->calls; call++) {
    let_happen(order, round, call);
    const long wrong = perform(order->collective, round * order->calls + call);
    if (wrong > 0 && order->notes)
      note(order->notes, "wrong", now_us());
    mine[0] += wrong;
    if (tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0)
      mine[1]--;
  }
  if (rank == 0)
    mine[2] = order->stop ? access(order->stop, F_OK) == 0 : round + 1 == order->rounds;
  MPI_Allreduce(mine, all, 3, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("round %d over at %lld us: %d calls, %s data, %ld planned\n", round + 1, now_us(),
           order->calls, all[0] > 0 ? "wrong" : "right", -all[1]);
    fflush(stdout);
  }
  return all[2] == 0;
}

static bool read_order(int argc, char **argv, struct order *order)
{
  *order = (struct order){.victim = -1, .fatal_call = -1};
  if (argc < 5)
    return false;
  for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
    if (strcmp(collectives[i].name, argv[1]) == 0)
      order->collective = &collectives[i];
  blocks.slot_bytes = atoi(argv[2]);
  order->calls = atoi(argv[3]);
  order->rounds = atoi(argv[4]);
  if (strncmp(argv[4], "until=", 6) == 0)
    order->stop = argv[4] + 6;
  if (argc == 7 && strcmp(argv[5], "late") == 0)
    order->late_ms = atoi(argv[6]);
  if (argc == 10 && strcmp(argv[5], "die") == 0) {
    order->victim = atoi(argv[6]);
    order->fatal_call = atoi(argv[7]);
    order->fatal_us = strtol(argv[8], NULL, 10);
    order->notes = argv[9];
  }
  return order->collective && blocks.slot_bytes > 0 && order->calls > 0 &&
         (argc == 5 || order->late_ms > 0 || order->victim >= 0);
}

int main(int argc, char **argv)
{
  struct order order;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  if (!read_order(argc, argv, &order) || rank_count > RANKS_MAX)
    MPI_Abort(MPI_COMM_WORLD, 2);
  blocks.input = malloc((size_t)blocks.slot_bytes * (size_t)rank_count);
  blocks.output = malloc((size_t)blocks.slot_bytes * (size_t)rank_count);
  if (!blocks.input || !blocks.output)
    MPI_Abort(MPI_COMM_WORLD, 9);
  for (int peer = 0; peer < rank_count; peer++) {
    blocks.places[peer] = peer * blocks.slot_bytes;
    blocks.types[peer] = MPI_BYTE;
  }
  int round = 0;
  while (run_round(&order, round))
    round++;
  free(blocks.input);
  free(blocks.output);
  MPI_Finalize();
  return 0;
}
