/* Legal MPI programs under the runtime's guard. Every result is checked, and after the calls all
   ranks compare by what each call was served. Prints a line for each part.
   usage: guarded MODE CALLS
   modes:
     settle   broadcasts and all-to-alls of one size; says what served the last of each
     mix      three collectives of several sizes by turns, broadcasts with several roots
     many     communicators that live for few calls, some freed in the middle of trials
     own      all-reduces by one of the MPI's operations, and by one of the program's own
     known    a duplicate after MPI_COMM_WORLD has settled: is it served so from its first call?
     threads  three communicators in three threads, in another order at each rank
     time     broadcasts of CALLS bytes, once they have settled: nanoseconds a call, at rank 0 */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

#include "composition_support.h"

enum { BYTES = 40000, RANKS_MAX = 16, THREADS = 3, SETTLES_WITHIN = 100, TIMED = 20000 };

static int world_rank, world_size;

/* What a thread's calls came to: wrong results, planned ones, and a hash of what served each. */
struct account {
  unsigned char *input, *output;
  long wrong, planned;
  uint64_t hash;
};

static void open_account(struct account *account)
{
  *account = (struct account){.input = malloc((size_t)BYTES * RANKS_MAX),
                              .output = malloc((size_t)BYTES * RANKS_MAX)};
  if (!account->input || !account->output)
    abort();
}

static void close_account(struct account *account)
{
  free(account->input);
  free(account->output);
}

static void add_to_hash(struct account *account)
{
  const char *name = tourney_last_algorithm ? tourney_last_algorithm() : "native";
  account->planned += strcmp(name, "native") != 0;
  for (; *name; name++)
    account->hash = (account->hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
}

static unsigned char stamp(int from, int to, int call)
{
  return (unsigned char)(1 + 31 * from + 7 * to + call);
}

static void broadcast(struct account *account, MPI_Comm comm, int bytes, int root, int call)
{
  int rank;
  MPI_Comm_rank(comm, &rank);
  memset(account->output, rank == root ? stamp(root, 0, call) : 0, (size_t)bytes);
  account->wrong += MPI_Bcast(account->output, bytes, MPI_BYTE, root, comm) != MPI_SUCCESS;
  add_to_hash(account);
  for (int i = 0; i < bytes; i++)
    if (account->output[i] != stamp(root, 0, call)) {
      account->wrong++;
      return;
    }
}

static void exchange(struct account *account, MPI_Comm comm, int bytes, bool is_gather, int call)
{
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int to = 0; to < (is_gather ? 1 : size); to++)
    memset(account->input + (size_t)to * bytes, stamp(rank, is_gather ? 0 : to, call),
           (size_t)bytes);
  memset(account->output, 0, (size_t)bytes * size);
  const int code =
      is_gather
          ? MPI_Allgather(account->input, bytes, MPI_BYTE, account->output, bytes, MPI_BYTE, comm)
          : MPI_Alltoall(account->input, bytes, MPI_BYTE, account->output, bytes, MPI_BYTE, comm);
  account->wrong += code != MPI_SUCCESS;
  add_to_hash(account);
  for (int from = 0; from < size; from++)
    for (int i = 0; i < bytes; i++)
      if (account->output[(size_t)from * bytes + i] != stamp(from, is_gather ? 0 : rank, call)) {
        account->wrong++;
        return;
      }
}

/* Prints a line; whether the ranks agree on what served each call. */
static void report(const char *what, const struct account *account)
{
  uint64_t mine[2] = {account->hash, ~account->hash}, greatest[2];
  long wrong;
  const char *last = tourney_last_algorithm ? tourney_last_algorithm() : "native";
  PMPI_Allreduce(mine, greatest, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  PMPI_Allreduce(&account->wrong, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (world_rank == 0)
    printf("%s: %ld wrong, %s, %ld planned, last %s\n", what, wrong,
           greatest[0] == ~greatest[1] ? "all ranks alike" : "RANKS DIFFER", account->planned,
           last);
}

static void run_settle(int calls)
{
  struct account account;
  open_account(&account);
  for (int call = 0; call < calls; call++)
    broadcast(&account, MPI_COMM_WORLD, BYTES, 0, call);
  report("bcast", &account);
  account.planned = 0;
  for (int call = 0; call < calls; call++)
    exchange(&account, MPI_COMM_WORLD, BYTES, false, call);
  report("alltoall", &account);
  close_account(&account);
}

static void run_mix(int calls)
{
  struct account account;
  open_account(&account);
  for (int call = 0; call < calls; call++) {
    broadcast(&account, MPI_COMM_WORLD, BYTES / (1 + call % 3), call % world_size, call);
    exchange(&account, MPI_COMM_WORLD, BYTES / (1 + call % 5), false, call);
    exchange(&account, MPI_COMM_WORLD, BYTES, true, call);
    broadcast(&account, MPI_COMM_WORLD, 100, 1, call);
  }
  report("mix", &account);
  close_account(&account);
}

/* Each communicator gets one call more than the one before it, of all ranks or of all but one. */
static void run_many(int calls)
{
  struct account account;
  open_account(&account);
  for (int i = 0; i < calls; i++) {
    MPI_Comm comm, split;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank == i % world_size, -world_rank, &split);
    for (int call = 0; call < i % 13; call++) {
      exchange(&account, comm, BYTES / 2, call % 2, call);
      if (world_rank != i % world_size)
        exchange(&account, split, BYTES / 2, true, call);
      else
        exchange(&account, MPI_COMM_SELF, BYTES / 2, true, call);
    }
    MPI_Comm_free(&split);
    MPI_Comm_free(&comm);
  }
  account.hash = 0; /* the lonely ranks are native */
  report("many", &account);
  close_account(&account);
}

static void run_known(int calls)
{
  struct account account;
  MPI_Comm comm;
  open_account(&account);
  for (int call = 0; call < calls; call++)
    exchange(&account, MPI_COMM_WORLD, BYTES, false, call);
  report("world", &account);
  account.planned = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  exchange(&account, comm, BYTES, false, 0);
  report("duplicate", &account);
  MPI_Comm_free(&comm);
  close_account(&account);
}

static uint64_t map_of(int rank, int i, int call)
{
  return (uint64_t)(2 * rank + 3) << 32 | (uint32_t)(1000 * rank + i + call);
}

/* Every second call is in place. */
static void combine(struct account *account, MPI_Op op, bool is_sum, int call)
{
  enum { MAPS = BYTES / sizeof(uint64_t) };
  static uint64_t input[MAPS], output[MAPS];
  for (int i = 0; i < MAPS; i++)
    input[i] = output[i] = map_of(world_rank, i, call);
  const int code = MPI_Allreduce(call % 2 ? MPI_IN_PLACE : input, output, MAPS, MPI_UINT64_T, op,
                                 MPI_COMM_WORLD);
  account->wrong += code != MPI_SUCCESS;
  add_to_hash(account);
  for (int i = 0; i < MAPS; i++) {
    uint64_t wanted = map_of(0, i, call);
    for (int rank = 1; rank < world_size; rank++)
      wanted = is_sum ? wanted + map_of(rank, i, call) : compose(wanted, map_of(rank, i, call));
    if (output[i] != wanted) {
      account->wrong++;
      return;
    }
  }
}

/* By turns, so that they would share a class if there were one for both. */
static void run_own(int calls)
{
  struct account sums = {.wrong = 0}, maps = {.wrong = 0};
  MPI_Op composing;
  MPI_Op_create(compose_all, 0, &composing);
  for (int call = 0; call < calls; call++) {
    combine(&sums, MPI_SUM, true, call);
    combine(&maps, composing, false, call);
  }
  report("own", &maps);
  combine(&sums, MPI_SUM, true, 0);
  report("sum", &sums);
  MPI_Op_free(&composing);
}

struct thread {
  MPI_Comm comm;
  struct account account;
  int calls;
};

static void *run_thread(void *argument)
{
  struct thread *thread = argument;
  for (int call = 0; call < thread->calls; call++)
    exchange(&thread->account, thread->comm, BYTES / 4, false, call);
  return NULL;
}

static void run_threads(int calls)
{
  struct thread threads[THREADS];
  pthread_t ids[THREADS];
  for (int i = 0; i < THREADS; i++) {
    threads[i] = (struct thread){.calls = calls};
    open_account(&threads[i].account);
    MPI_Comm_dup(MPI_COMM_WORLD, &threads[i].comm);
  }
  for (int i = 0; i < THREADS; i++) {
    const int turn = (i + world_rank) % THREADS;
    pthread_create(&ids[turn], NULL, run_thread, &threads[turn]);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(ids[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    report("thread", &threads[i].account);
    MPI_Comm_free(&threads[i].comm);
    close_account(&threads[i].account);
  }
}

/* Calls until the runtime tries nothing any more, as a benchmark does; then times rank 0's calls,
   in ten parts, and gives the best part. */
static void run_time(int bytes)
{
  static unsigned char buffer[BYTES];
  double best = 1e9;
  int trials = 0;
  do
    MPI_Bcast(buffer, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  while (tourney_is_trying && tourney_is_trying() && ++trials < SETTLES_WITHIN);
  for (int part = 0; part < 10; part++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int call = 0; call < TIMED; call++)
      MPI_Bcast(buffer, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    const double ns = 1e9 * (MPI_Wtime() - start) / TIMED;
    best = ns < best ? ns : best;
  }
  if (world_rank == 0)
    printf("%.1f ns a call of %d bytes, served by %s\n", best, bytes,
           tourney_last_algorithm ? tourney_last_algorithm() : "native");
}

static const struct mode {
  const char *name;
  void (*run)(int);
} modes[] = {{"settle", run_settle}, {"mix", run_mix},         {"many", run_many}, {"own", run_own},
             {"known", run_known},   {"threads", run_threads}, {"time", run_time}};

int main(int argc, char **argv)
{
  int level;
  MPI_Init_thread(&argc, &argv,
                  argc > 1 && strcmp(argv[1], "threads") == 0 ? MPI_THREAD_MULTIPLE
                                                              : MPI_THREAD_SINGLE,
                  &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  for (size_t i = 0; argc == 3 && i < sizeof modes / sizeof *modes; i++)
    if (strcmp(argv[1], modes[i].name) == 0)
      modes[i].run((int)strtol(argv[2], NULL, 10));
  MPI_Finalize();
  return 0;
}
