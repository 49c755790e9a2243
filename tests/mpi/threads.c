/* Legal MPI programs whose threads use different communicators at once: every collective is checked
   by what must arrive. Prints a line: rounds, wrong ones, and how many collectives a plan served at
   rank 0.
   usage: threads MODE ROUNDS
   modes: mixed, crossed, kept, lasting, neighbours, errors */
#include <malloc.h>
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

enum { THREADS = 4, DIFFERENT = 2, RANKS_MAX = 16, BLOCK = 6000 };

static int world_rank, world_size;

/* A thread's memory for its collectives, and what came out. */
struct account {
  int input[RANKS_MAX * BLOCK], output[RANKS_MAX * BLOCK];
  long wrong, planned;
};

/* What rank `from` gives rank `to` at `index` of a block. */
static int number_of(int stamp, int from, int to, int index)
{
  return stamp + 1000 * from + 31 * to + 7 * index;
}

static void count(struct account *account, int code, bool is_right)
{
  account->wrong += code != MPI_SUCCESS || !is_right;
  if (tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0)
    account->planned++;
}

/* What `count` ranks, from `first` on, gave rank `to`: `n` numbers each. */
struct expected {
  int first, count, to, n, stamp;
};

static bool is_right(const int *blocks, struct expected expected)
{
  for (int r = 0; r < expected.count; r++)
    for (int i = 0; i < expected.n; i++)
      if (blocks[r * expected.n + i] !=
          number_of(expected.stamp, expected.first + r, expected.to, i))
        return false;
  return true;
}

static void broadcast(struct account *account, MPI_Comm comm, int root, int n, int stamp)
{
  int rank;
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < n; i++)
    account->output[i] = rank == root ? number_of(stamp, root, 0, i) : -1;
  const int code = MPI_Bcast(account->output, n, MPI_INT, root, comm);
  count(account, code, is_right(account->output, (struct expected){root, 1, 0, n, stamp}));
}

static void allgather(struct account *account, MPI_Comm comm, int n, int stamp)
{
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < n; i++)
    account->input[i] = number_of(stamp, rank, 0, i);
  memset(account->output, 0, sizeof *account->output * (size_t)(size * n));
  const int code = MPI_Allgather(account->input, n, MPI_INT, account->output, n, MPI_INT, comm);
  count(account, code, is_right(account->output, (struct expected){0, size, 0, n, stamp}));
}

static void alltoall(struct account *account, MPI_Comm comm, int n, int stamp)
{
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int to = 0; to < size; to++)
    for (int i = 0; i < n; i++)
      account->input[to * n + i] = number_of(stamp, rank, to, i);
  memset(account->output, 0, sizeof *account->output * (size_t)(size * n));
  const int code = MPI_Alltoall(account->input, n, MPI_INT, account->output, n, MPI_INT, comm);
  count(account, code, is_right(account->output, (struct expected){0, size, rank, n, stamp}));
}

/* On a communicator of a line or ring of ranks: each gives the two beside it a block, one of which
   there may not be. */
static void give_neighbours(struct account *account, MPI_Comm comm, int n, int stamp)
{
  int rank, beside[2];
  bool is_good = true;
  MPI_Comm_rank(comm, &rank);
  MPI_Cart_shift(comm, 0, 1, &beside[0], &beside[1]);
  for (int i = 0; i < 2 * n; i++)
    account->input[i] = number_of(stamp, rank, beside[i / n], i % n);
  memset(account->output, 0, sizeof *account->output * (size_t)(2 * n));
  const int code =
      MPI_Neighbor_alltoall(account->input, n, MPI_INT, account->output, n, MPI_INT, comm);
  for (int i = 0; i < 2; i++) {
    const struct expected one = {beside[i], 1, rank, n, stamp};
    is_good &= beside[i] == MPI_PROC_NULL || is_right(account->output + i * n, one);
  }
  count(account, code, is_good);
}

/* The first number that is odd, or else the last one: associative, and doesn't commute. */
static void take_first_odd(void *left, void *right, int *count, MPI_Datatype *type)
{
  const int *from = left;
  int *into = right;
  (void)type;
  for (int i = 0; i < *count; i++)
    if (from[i] % 2 != 0)
      into[i] = from[i];
}

static MPI_Op first_odd;

/* In place, by an operation of the program's own. */
static void allreduce(struct account *account, MPI_Comm comm, int n, int stamp)
{
  int rank, size;
  bool is_good = true;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < n; i++)
    account->output[i] = number_of(stamp, rank, rank, i);
  const int code = MPI_Allreduce(MPI_IN_PLACE, account->output, n, MPI_INT, first_odd, comm);
  for (int i = 0; i < n; i++) {
    int from = 0;
    while (from + 1 < size && number_of(stamp, from, from, i) % 2 == 0)
      from++;
    is_good &= account->output[i] == number_of(stamp, from, from, i);
  }
  count(account, code, is_good);
}

static void reduce_scatter(struct account *account, MPI_Comm comm, int n, int stamp)
{
  int rank, size;
  bool is_good = true;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < size * n; i++)
    account->input[i] = number_of(stamp, rank, i / n, i % n);
  const int code =
      MPI_Reduce_scatter_block(account->input, account->output, n, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int from = 0; from < size; from++)
      sum += number_of(stamp, from, rank, i);
    is_good &= account->output[i] == sum;
  }
  count(account, code, is_good);
}

static void all_kinds(struct account *account, MPI_Comm comm, int round, int stamp)
{
  int size, topology;
  const int n = BLOCK - 500 * (round % 3);
  MPI_Comm_size(comm, &size);
  MPI_Topo_test(comm, &topology);
  if (topology == MPI_CART)
    give_neighbours(account, comm, n, stamp + 3);
  broadcast(account, comm, round % size, n, stamp);
  alltoall(account, comm, n, stamp + 1);
  allgather(account, comm, n, stamp + 2);
  allreduce(account, comm, n, stamp + 4);
  reduce_scatter(account, comm, n, stamp + 5);
}

/* What a thread does, and with what. */
struct work {
  MPI_Comm comm;
  int rounds, thread;
  bool is_kept; /* the communicator is used, not copies of it */
  struct account account;
};

static void *use_communicators(void *argument)
{
  struct work *work = argument;
  MPI_Wtime(); /* for racing.c */
  if (work->comm == MPI_COMM_NULL)
    return NULL;
  for (int round = 0; round < work->rounds; round++) {
    MPI_Comm copy = work->comm;
    if (!work->is_kept)
      MPI_Comm_dup(work->comm, &copy);
    all_kinds(&work->account, copy, round, 10000 * work->thread + round);
    if (!work->is_kept)
      MPI_Comm_free(&copy);
  }
  return NULL;
}

static struct work work[THREADS];

static void run_all(int thread_count, void *(*use)(void *work))
{
  pthread_t threads[THREADS];
  for (int t = 0; t < thread_count; t++)
    pthread_create(&threads[t], NULL, use, &work[t]);
  for (int t = 0; t < thread_count; t++)
    pthread_join(threads[t], NULL);
}

/* The first threads' communicators are all ranks but one, another at each, so that any two share
   ranks and differ in some; the others' are all ranks in one order, which share all that the
   runtime keeps of them. */
static void run_mixed(int rounds, bool is_kept)
{
  for (int t = 0; t < THREADS; t++) {
    work[t].rounds = rounds;
    work[t].thread = t;
    work[t].is_kept = is_kept;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank == t && t < DIFFERENT ? MPI_UNDEFINED : 0,
                   t == 1 ? -world_rank : world_rank, &work[t].comm);
  }
  run_all(THREADS, use_communicators);
  for (int t = 0; t < THREADS; t++)
    if (work[t].comm != MPI_COMM_NULL)
      MPI_Comm_free(&work[t].comm);
}

/* Two new communicators, which even ranks use in two threads, and odd ranks one after the other: a
   rank that waits for others on the second mustn't keep them from the first. */
static void run_crossed(int rounds)
{
  for (int t = 0; t < 2; t++) {
    work[t].rounds = 1;
    work[t].thread = t;
    work[t].is_kept = true;
  }
  for (int round = 0; round < rounds; round++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &work[0].comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &work[1].comm);
    if (world_rank % 2 == 0) {
      run_all(2, use_communicators);
    } else {
      use_communicators(&work[0]);
      use_communicators(&work[1]);
    }
    MPI_Comm_free(&work[0].comm);
    MPI_Comm_free(&work[1].comm);
  }
}

/* Lines and rings of all ranks, whose neighbours they have to find out at the same time. */
static void run_neighbours(int rounds)
{
  for (int t = 0; t < THREADS; t++) {
    const int is_ring = t % 2;
    work[t].rounds = rounds;
    work[t].thread = t;
    work[t].is_kept = false;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &world_size, &is_ring, 0, &work[t].comm);
  }
  run_all(THREADS, use_communicators);
  for (int t = 0; t < THREADS; t++)
    MPI_Comm_free(&work[t].comm);
}

/* What this thread's error handlers were told. */
static _Thread_local struct {
  int count;
  MPI_Comm comm;
} handled;

static void on_error(MPI_Comm *comm, int *code, ...)
{
  (void)code;
  handled.count++;
  handled.comm = *comm;
}

/* Nonblocking broadcasts to ranks that have room for less, and right ones in turn. */
static void *err_on_communicator(void *argument)
{
  struct work *work = argument;
  MPI_Wtime(); /* for racing.c */
  for (int round = 0; round < work->rounds; round++) {
    const bool errs = round % 3 < 2 && world_rank > 0;
    MPI_Request request;
    int class;
    handled.count = 0;
    int code = MPI_Ibcast(work->account.output, errs ? BLOCK - 1 : BLOCK, MPI_INT, 0, work->comm,
                          &request);
    if (tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0)
      work->account.planned++;
    if (code == MPI_SUCCESS)
      code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Error_class(code, &class);
    work->account.wrong += class != (errs ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    work->account.wrong += handled.count != errs || (errs && handled.comm != work->comm);
  }
  return NULL;
}

/* Each thread's errors are told to its communicator's handler; and MPI_COMM_WORLD has its own one
   at the end. */
static void run_errors(int rounds)
{
  MPI_Errhandler handler, before, after;
  MPI_Comm_create_errhandler(on_error, &handler);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  for (int t = 0; t < THREADS; t++) {
    work[t].rounds = rounds;
    MPI_Comm_dup(MPI_COMM_WORLD, &work[t].comm);
    MPI_Comm_set_errhandler(work[t].comm, handler);
  }
  run_all(THREADS, err_on_communicator);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &after);
  work[0].account.wrong += before != after;
  for (int t = 0; t < THREADS; t++)
    MPI_Comm_free(&work[t].comm);
  MPI_Errhandler_free(&handler);
}

static double bytes_in_use(void)
{
  const struct mallinfo2 info = mallinfo2();
  return (double)(info.uordblks + info.hblkhd);
}

/* What communicators that threads make and free leave behind, after as many that they made
   before. */
static void run_lasting(int rounds)
{
  run_mixed(rounds, false);
  const double before = bytes_in_use();
  run_mixed(rounds, false);
  if (world_rank == 0)
    printf("%.0f bytes a round stay; ", (bytes_in_use() - before) / rounds);
}

static bool run(const char *mode, int rounds)
{
  if (strcmp(mode, "mixed") == 0)
    run_mixed(rounds, false);
  else if (strcmp(mode, "kept") == 0)
    run_mixed(rounds, true);
  else if (strcmp(mode, "crossed") == 0)
    run_crossed(rounds);
  else if (strcmp(mode, "neighbours") == 0)
    run_neighbours(rounds);
  else if (strcmp(mode, "errors") == 0)
    run_errors(rounds);
  else if (strcmp(mode, "lasting") == 0)
    run_lasting(rounds);
  else
    return false;
  return true;
}

int main(int argc, char **argv)
{
  int level;
  long wrong = 0, planned = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  MPI_Op_create(take_first_odd, 0, &first_odd);
  const int rounds = argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0;
  if (level < MPI_THREAD_MULTIPLE || world_size > RANKS_MAX || rounds <= 0 || !run(argv[1], rounds))
    MPI_Abort(MPI_COMM_WORLD, 2);
  for (int t = 0; t < THREADS; t++) {
    wrong += work[t].account.wrong;
    planned += work[t].account.planned;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (world_rank == 0)
    printf("%s: %d rounds, %ld wrong, %ld planned\n", argv[1], rounds, wrong, planned);
  fflush(stdout);
  MPI_Op_free(&first_odd);
  MPI_Finalize();
  return wrong != 0;
}
