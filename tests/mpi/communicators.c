/* Legal MPI programs about communicators, in each of which long collectives are checked by what
   must arrive. Prints a line: rounds, wrong ones, and how many collectives a plan served at rank 0;
   some print a measure of their own too.
   usage: communicators MODE ROUNDS
   modes: idup, callback, disconnect, refused, live, grids, rolling, overlap, threads, finalize,
          mixed */
#include <malloc.h>
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

enum { COUNT = 30000, THREADS = 4 };

static int world_rank, world_size;

/* A thread's memory for its collectives, and what came out. */
struct account {
  int buffer[COUNT];
  long wrong, planned;
};
static struct account main_account;

static void count_planned(struct account *account)
{
  if (tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0)
    account->planned++;
}

/* A broadcast whose every number tells who sent it and when. */
static void broadcast(struct account *account, MPI_Comm comm, int root, int stamp)
{
  int rank;
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < COUNT; i++)
    account->buffer[i] = rank == root ? stamp + 7 * i : -1;
  if (MPI_Bcast(account->buffer, COUNT, MPI_INT, root, comm) != MPI_SUCCESS)
    account->wrong++;
  count_planned(account);
  for (int i = 0; i < COUNT; i++)
    if (account->buffer[i] != stamp + 7 * i) {
      account->wrong++;
      break;
    }
}

static size_t bytes_in_use(void)
{
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/* How many bytes stay, in each part of the second half of the rounds. What a round leaves behind is
   in every part; when the MPI's lists of fragments grow, that is in one. */
enum { PARTS = 5 };
struct growth {
  int rounds;
  size_t bytes[PARTS + 1]; /* where parts begin, and at the end */
};

static int part_rounds(const struct growth *growth)
{
  return (growth->rounds - growth->rounds / 2) / PARTS;
}

/* Before each round, and with the number of rounds after the last. */
static void look_at_growth(struct growth *growth, int round)
{
  const int later = round - growth->rounds / 2;
  if (later >= 0 && later % part_rounds(growth) == 0 && later / part_rounds(growth) <= PARTS)
    growth->bytes[later / part_rounds(growth)] = bytes_in_use();
}

static int compare_numbers(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* By the median of the parts. */
static void print_growth(const struct growth *growth)
{
  double grown[PARTS];
  for (int part = 0; part < PARTS; part++)
    grown[part] = (double)growth->bytes[part + 1] - (double)growth->bytes[part];
  qsort(grown, PARTS, sizeof *grown, compare_numbers);
  if (world_rank == 0)
    printf("%.0f bytes a round stay; ", grown[PARTS / 2] / part_rounds(growth));
}

/* A duplicate is under way while the program broadcasts on its parent. */
static void run_idup(int rounds)
{
  for (int round = 0; round < rounds; round++) {
    MPI_Comm first, copy;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_idup(first, &copy, &request);
    broadcast(&main_account, first, round % world_size, round);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    broadcast(&main_account, copy, 0, round + 1);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&first);
  }
}

static int on_delete(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
  (void)keyval;
  (void)extra;
  broadcast(&main_account, comm, 0, *(int *)attribute);
  return MPI_SUCCESS;
}

/* A long collective in an attribute's delete callback. By turns the communicator has served one
   before, and odd ranks set their attribute before that and even ones after it. */
static void run_callback(int rounds, int (*let_go)(MPI_Comm *))
{
  int keyval, stamp;
  struct growth growth = {.rounds = rounds};
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyval, NULL);
  for (int round = 0; round < rounds; round++) {
    MPI_Comm comm;
    stamp = round;
    look_at_growth(&growth, round);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (world_rank % 2)
      MPI_Comm_set_attr(comm, keyval, &stamp);
    if (round % 2)
      broadcast(&main_account, comm, 0, round + 1);
    if (world_rank % 2 == 0)
      MPI_Comm_set_attr(comm, keyval, &stamp);
    let_go(&comm);
  }
  look_at_growth(&growth, rounds);
  print_growth(&growth);
  MPI_Comm_free_keyval(&keyval);
}

static int on_refused_delete(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
  (void)comm;
  (void)keyval;
  (void)extra;
  return (*(int *)attribute)-- > 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/* A communicator that is used on after an attribute's delete callback has refused to let it be
   freed. Even and odd ranks set the attribute before and after the first long collective. */
static void run_refused(int rounds)
{
  int keyval;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_refused_delete, &keyval, NULL);
  for (int round = 0; round < rounds; round++) {
    MPI_Comm comm;
    int refusals = 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (world_rank % 2)
      MPI_Comm_set_attr(comm, keyval, &refusals);
    broadcast(&main_account, comm, 0, round);
    if (world_rank % 2 == 0)
      MPI_Comm_set_attr(comm, keyval, &refusals);
    main_account.wrong += MPI_Comm_free(&comm) == MPI_SUCCESS;
    broadcast(&main_account, comm, 0, round + 1);
    MPI_Comm_free(&comm);
  }
  MPI_Comm_free_keyval(&keyval);
}

/* As many duplicates at once as the MPI makes, up to `rounds`; the first and last are used again
   after all were made. */
static void run_live(int rounds)
{
  MPI_Comm *comms = calloc((size_t)rounds, sizeof *comms);
  int made = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  broadcast(&main_account, MPI_COMM_WORLD, 0, 5);
  const size_t bytes_before = bytes_in_use();
  for (; made < rounds && MPI_Comm_dup(MPI_COMM_WORLD, &comms[made]) == MPI_SUCCESS; made++)
    broadcast(&main_account, comms[made], 0, made);
  if (world_rank == 0)
    printf("%d live, %.0f bytes each; ", made,
           ((double)bytes_in_use() - (double)bytes_before) / made);
  for (int i = 0; i<made; i += made> 1 ? made - 1 : 1)
    broadcast(&main_account, comms[i], world_size - 1, i);
  for (int i = 0; i < made; i++)
    MPI_Comm_free(&comms[i]);
  free(comms);
}

/* Each rank of a ring gives the two beside it a block. */
static void give_beside(MPI_Comm ring, int stamp)
{
  enum { BLOCK = COUNT / 10 };
  static int got[2 * BLOCK];
  int *given = main_account.buffer;
  const int beside[] = {(world_rank + world_size - 1) % world_size, (world_rank + 1) % world_size};
  for (int i = 0; i < 2 * BLOCK; i++) {
    given[i] = stamp + 7 * world_rank + beside[i / BLOCK];
    got[i] = -1;
  }
  if (MPI_Neighbor_alltoall(given, BLOCK, MPI_INT, got, BLOCK, MPI_INT, ring) != MPI_SUCCESS)
    main_account.wrong++;
  count_planned(&main_account);
  for (int i = 0; i < 2 * BLOCK; i++)
    if (got[i] != stamp + 7 * beside[i / BLOCK] + world_rank) {
      main_account.wrong++;
      break;
    }
}

/* Rings of all ranks, all alive at once. What they share is there with the first. */
static void run_grids(int rounds)
{
  MPI_Comm *comms = calloc((size_t)rounds, sizeof *comms);
  const int is_periodic = 1;
  size_t bytes_before = 0;
  for (int i = 0; i < rounds; i++) {
    MPI_Cart_create(MPI_COMM_WORLD, 1, &world_size, &is_periodic, 0, &comms[i]);
    give_beside(comms[i], i);
    if (i == 0)
      bytes_before = bytes_in_use();
  }
  if (world_rank == 0)
    printf("%d live, %.0f bytes each; ", rounds,
           ((double)bytes_in_use() - (double)bytes_before) / (rounds - 1));
  for (int i = 0; i < rounds; i++)
    MPI_Comm_free(&comms[i]);
  free(comms);
}

/* A new one before the old one is freed, always. */
static void run_rolling(int rounds)
{
  MPI_Comm old, comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &old);
  broadcast(&main_account, old, 0, 3);
  for (int round = 0; round < rounds; round++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    broadcast(&main_account, comm, round % world_size, round);
    MPI_Comm_free(&old);
    old = comm;
  }
  MPI_Comm_free(&old);
}

/* Communicators of random members in random order come, serve and go, some alive at once; all ranks
   draw the same numbers. */
static void run_overlap(int rounds)
{
  enum { LIVE = 6 };
  MPI_Comm comms[LIVE];
  unsigned state = 20221;
  for (int i = 0; i < LIVE; i++)
    comms[i] = MPI_COMM_NULL;
  for (int round = 0; round < rounds; round++) {
    state = state * 1664525U + 1013904223U;
    const int which = (int)(state >> 16) % LIVE;
    const unsigned members = state >> 8, order = state >> 20;
    if (comms[which] != MPI_COMM_NULL && round % 3 == 0)
      MPI_Comm_free(&comms[which]);
    if (comms[which] == MPI_COMM_NULL && round % 3 == 0) {
      const bool is_in = members >> world_rank & 1;
      MPI_Comm_split(MPI_COMM_WORLD, is_in ? 0 : MPI_UNDEFINED,
                     (int)((order * (unsigned)(world_rank + 1)) % 31), &comms[which]);
    }
    if (comms[which] != MPI_COMM_NULL) {
      int size;
      MPI_Comm_size(comms[which], &size);
      broadcast(&main_account, comms[which], round % size, round);
    }
  }
  for (int i = 0; i < LIVE; i++)
    if (comms[i] != MPI_COMM_NULL)
      MPI_Comm_free(&comms[i]);
}

/* What a thread does: on communicators of its own, whose members overlap with other threads'. */
struct work {
  MPI_Comm parent;
  int rounds, thread;
  struct account account;
};

static void *thread_main(void *argument)
{
  struct work *work = argument;
  int size;
  if (work->parent == MPI_COMM_NULL)
    return NULL;
  MPI_Comm_size(work->parent, &size);
  for (int round = 0; round < work->rounds; round++) {
    MPI_Comm copy;
    MPI_Comm_dup(work->parent, &copy);
    broadcast(&work->account, copy, round % size, 1000 * work->thread + round);
    broadcast(&work->account, work->parent, 0, 1000 * work->thread - round);
    broadcast(&work->account, copy, 0, round);
    MPI_Comm_free(&copy);
  }
  return NULL;
}

/* Threads of each rank make communicators and use them beside each other: thread t's are all ranks
   but rank t, so that any two share ranks and differ in some; the last thread's are all ranks. */
static void run_threads(int rounds)
{
  static struct work work[THREADS];
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; t++) {
    work[t].rounds = rounds;
    work[t].thread = t;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank == t && t + 1 < THREADS ? MPI_UNDEFINED : 0,
                   t % 2 ? -world_rank : world_rank, &work[t].parent);
  }
  for (int t = 0; t < THREADS; t++)
    pthread_create(&threads[t], NULL, thread_main, &work[t]);
  for (int t = 0; t < THREADS; t++) {
    pthread_join(threads[t], NULL);
    main_account.wrong += work[t].account.wrong;
    main_account.planned += work[t].account.planned;
    if (work[t].parent != MPI_COMM_NULL)
      MPI_Comm_free(&work[t].parent);
  }
}

static MPI_Comm left_over;

static int on_finalize(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
  (void)comm;
  (void)keyval;
  (void)attribute;
  (void)extra;
  broadcast(&main_account, left_over, 0, 17);
  MPI_Comm_free(&left_over);
  broadcast(&main_account, MPI_COMM_WORLD, 0, 18);
  if (main_account.wrong)
    fprintf(stderr, "rank %d: wrong in MPI_Finalize\n", world_rank);
  return MPI_SUCCESS;
}

/* Communicators that are alive in MPI_Finalize, one of them used and freed within it. */
static void run_finalize(int rounds)
{
  int keyval;
  MPI_Comm comm;
  for (int round = 0; round < rounds; round++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    broadcast(&main_account, comm, 0, round);
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &left_over);
  broadcast(&main_account, left_over, 0, 16);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
}

/* A communicator made in one of several ways. */
static MPI_Comm make_any(int round)
{
  MPI_Comm comm;
  MPI_Request request;
  switch (round % 5) {
  case 0:
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    break;
  case 1:
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &comm);
    break;
  case 2:
    MPI_Comm_split(MPI_COMM_WORLD, 0, (world_rank + round) % world_size, &comm);
    break;
  case 3:
    MPI_Cart_create(MPI_COMM_WORLD, 1, &world_size, (int[]){1}, 0, &comm);
    break;
  default:
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return comm;
}

/* One of the collectives, of blocks of `count` integers, each all alike; whether what came is
   right. Uneven ones give ranks of odd numbers an integer less. */
static bool is_exchanged(MPI_Comm comm, int which, int count)
{
  enum { RANKS_MAX = 16 };
  static int send[RANKS_MAX * COUNT / 8], receive[RANKS_MAX * COUNT / 8];
  int counts[RANKS_MAX], places[RANKS_MAX], rank;
  MPI_Comm_rank(comm, &rank);
  for (int peer = 0; peer < world_size; peer++) {
    counts[peer] = count - (peer + rank) % 2;
    places[peer] = peer * count;
    for (int i = 0; i < count; i++) {
      send[peer * count + i] = rank;
      receive[peer * count + i] = -1;
    }
  }
  if (which == 0)
    MPI_Allgather(send, count, MPI_INT, receive, count, MPI_INT, comm);
  else if (which == 1)
    MPI_Alltoall(send, count, MPI_INT, receive, count, MPI_INT, comm);
  else
    MPI_Alltoallv(send, counts, places, MPI_INT, receive, counts, places, MPI_INT, comm);
  count_planned(&main_account);
  for (int peer = 0; peer < world_size; peer++)
    for (int i = 0; i < count; i++)
      if (receive[peer * count + i] != (which == 2 && i >= counts[peer] ? -1 : peer))
        return false;
  return true;
}

/* Communicators made in several ways, each used by several collectives of several sizes, with an
   attribute by turns whose callback communicates, and freed or disconnected. */
static void run_mixed(int rounds)
{
  int keyval, stamp;
  struct growth growth = {.rounds = rounds};
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyval, NULL);
  for (int round = 0; round < rounds; round++) {
    stamp = round;
    look_at_growth(&growth, round);
    MPI_Comm comm = make_any(round);
    if (round % 7 == 0)
      MPI_Comm_set_attr(comm, keyval, &stamp);
    for (int which = 0; which < 3; which++)
      main_account.wrong += !is_exchanged(comm, which, 700 + 500 * (round % 3));
    if (round % 11 == 0)
      broadcast(&main_account, comm, round % world_size, round);
    if (round % 2)
      MPI_Comm_free(&comm);
    else
      MPI_Comm_disconnect(&comm);
  }
  look_at_growth(&growth, rounds);
  print_growth(&growth);
  MPI_Comm_free_keyval(&keyval);
}

static bool run(const char *mode, int rounds)
{
  if (strcmp(mode, "idup") == 0)
    run_idup(rounds);
  else if (strcmp(mode, "callback") == 0)
    run_callback(rounds, MPI_Comm_free);
  else if (strcmp(mode, "disconnect") == 0)
    run_callback(rounds, MPI_Comm_disconnect);
  else if (strcmp(mode, "refused") == 0)
    run_refused(rounds);
  else if (strcmp(mode, "live") == 0)
    run_live(rounds);
  else if (strcmp(mode, "grids") == 0)
    run_grids(rounds);
  else if (strcmp(mode, "rolling") == 0)
    run_rolling(rounds);
  else if (strcmp(mode, "overlap") == 0)
    run_overlap(rounds);
  else if (strcmp(mode, "threads") == 0)
    run_threads(rounds);
  else if (strcmp(mode, "finalize") == 0)
    run_finalize(rounds);
  else if (strcmp(mode, "mixed") == 0)
    run_mixed(rounds);
  else
    return false;
  return true;
}

int main(int argc, char **argv)
{
  int level = MPI_THREAD_SINGLE, wanted = MPI_THREAD_SINGLE;
  const int rounds = argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0;
  if (argc == 3 && strcmp(argv[1], "threads") == 0)
    wanted = MPI_THREAD_MULTIPLE;
  MPI_Init_thread(&argc, &argv, wanted, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  if (rounds <= 0 || level < wanted || !run(argv[1], rounds))
    MPI_Abort(MPI_COMM_WORLD, 2);
  long wrong = main_account.wrong;
  const long planned = main_account.planned;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (world_rank == 0)
    printf("%s: %d rounds, %ld wrong, %ld planned\n", argv[1], rounds, wrong, planned);
  fflush(stdout);
  MPI_Finalize();
  return wrong != 0 || main_account.wrong != 0;
}
