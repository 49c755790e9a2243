/* An MPI program that makes plans itself (include/tourney/plan.h), and compares what each gives
   with the collective's definition, byte for byte: every algorithm that serves the ranks, on the
   communicators of the first 1, 2, ..., P; several under way at once that ranks end in different
   orders; two threads, each with plans of its own; and requests that can't be served, of which all
   ranks have to hear alike. With watch.c preloaded, a run that isn't a plan's first allocates
   nothing.
   Prints how many runs were compared, and how many faults were found.
   usage: own_plans CLUSTER     (with TOURNEY_MAP) */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/algorithm.h>
#include <tourney/plan.h>

#include "watch_support.h"

enum { BYTES_MAX = 70001, RANKS_MAX = 16, AT_ONCE = 6, THREADS = 2, THREAD_ROUNDS = 30 };
static const int sizes[] = {1, 1000, BYTES_MAX};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char *cluster;
static int world_rank, runs, faults;

/* Counts a fault, and says what it is. */
static void check(bool is_right, const char *what)
{
  if (is_right)
    return;
  faults++;
  fprintf(stderr, "own_plans: rank %d: %s\n", world_rank, what);
}

/* --- blocks --- */

/* A collective of some ranks, with buffers of this one's. */
struct exchange {
  enum tny_collective collective;
  int bytes, root, rank, rank_count, salt;
  bool in_place;
  unsigned char *send, *receive;
};

/* Byte `i` of the block that a rank gives another. */
static unsigned char byte_of(const struct exchange *exchange, int from, int to, int i)
{
  const bool personal = exchange->collective == TNY_ALLTOALL;
  return (unsigned char)(from * 131 + (personal ? to * 17 : 0) + i * 7 + (i >> 8) * 13 +
                         exchange->salt);
}

static void fill_block(const struct exchange *exchange, unsigned char *block, int to)
{
  for (int i = 0; i < exchange->bytes; i++)
    block[i] = byte_of(exchange, exchange->rank, to, i);
}

static unsigned char *block_of(const struct exchange *exchange, unsigned char *blocks, int index)
{
  return blocks + (size_t)index * (size_t)exchange->bytes;
}

/* Fills the input where the collective reads it, and what is received into with no result. */
static void fill(const struct exchange *exchange)
{
  const int p = exchange->rank_count;
  unsigned char *input = exchange->in_place ? exchange->receive : exchange->send;
  memset(exchange->receive, 0xa5, (size_t)p * (size_t)exchange->bytes);
  if (exchange->collective == TNY_ALLTOALL)
    for (int to = 0; to < p; to++)
      fill_block(exchange, block_of(exchange, input, to), to);
  else if (exchange->collective == TNY_ALLGATHER)
    fill_block(exchange, block_of(exchange, input, exchange->in_place ? exchange->rank : 0), 0);
  else if (exchange->rank == exchange->root)
    fill_block(exchange, exchange->receive, 0);
}

static bool is_block_right(const struct exchange *exchange, int index, int from)
{
  const unsigned char *block = block_of(exchange, exchange->receive, index);
  for (int i = 0; i < exchange->bytes; i++)
    if (block[i] != byte_of(exchange, from, exchange->rank, i))
      return false;
  return true;
}

static bool is_right(const struct exchange *exchange)
{
  if (exchange->collective == TNY_BROADCAST)
    return is_block_right(exchange, 0, exchange->root);
  for (int from = 0; from < exchange->rank_count; from++)
    if (!is_block_right(exchange, from, from))
      return false;
  return true;
}

static const void *input_of(const struct exchange *exchange)
{
  return exchange->in_place ? MPI_IN_PLACE : exchange->send;
}

/* --- every algorithm --- */

static unsigned char *send_buffer, *receive_buffer;

/* Runs a plan twice: waited for, and tested until it is over. */
static void run(struct tourney_plan *plan, struct exchange *exchange)
{
  for (int turn = 0; turn < 2; turn++) {
    struct watched counts = {0};
    int is_over = 0;
    exchange->salt = turn;
    fill(exchange);
    if (watch_begin && turn == 1)
      watch_begin();
    check(tourney_plan_start(plan, input_of(exchange), exchange->receive) == MPI_SUCCESS,
          "a plan isn't started");
    while (turn == 1 && !is_over)
      check(tourney_plan_test(plan, &is_over) == MPI_SUCCESS, "a message failed");
    check(tourney_plan_wait(plan) == MPI_SUCCESS, "a message failed");
    check(tourney_plan_test(plan, &is_over) == MPI_SUCCESS && is_over, "what is over isn't over");
    if (watch_end && turn == 1)
      watch_end(&counts);
    check(counts.allocations == 0 && counts.types == 0, "a plan's second run allocates");
    check(is_right(exchange), tourney_plan_algorithm(plan));
    runs++;
  }
}

static void run_algorithm(MPI_Comm comm, const struct tny_algorithm *algorithm, int bytes, int root)
{
  const struct tourney_plan_request request = {.collective = algorithm->collective,
                                               .block_bytes = (uint64_t)bytes,
                                               .root = root,
                                               .algorithm = algorithm->name,
                                               .cluster = world_rank == 0 ? cluster : NULL};
  struct exchange exchange = {.collective = algorithm->collective,
                              .bytes = bytes,
                              .root = root,
                              .send = send_buffer,
                              .receive = receive_buffer};
  struct tourney_plan *plan;
  struct tny_error error = {0};
  MPI_Comm_rank(comm, &exchange.rank);
  MPI_Comm_size(comm, &exchange.rank_count);
  const enum tny_status status = tourney_plan_new(comm, &request, &plan, &error);
  check(status == TNY_OK || (status == TNY_REFUSED && error.text[0] && !plan), error.text);
  if (status != TNY_OK)
    return;
  run(plan, &exchange);
  exchange.in_place = algorithm->collective != TNY_BROADCAST;
  if (exchange.in_place)
    run(plan, &exchange);
  tourney_plan_free(plan);
}

static void run_all_algorithms(MPI_Comm comm)
{
  int rank_count;
  MPI_Comm_size(comm, &rank_count);
  for (const struct tny_algorithm *const *at = tny_algorithms; *at; at++)
    for (int i = 0; i < SIZES && tny_collective_is_served((*at)->collective); i++)
      run_algorithm(comm, *at, sizes[i],
                    (*at)->collective == TNY_BROADCAST ? (i + 1) % rank_count : 0);
}

/* --- several at once --- */

/* Two of each collective, on two communicators whose ranks are in opposite orders. All are started
   in one order, by every rank; ranks end them in orders of their own. */
static void run_at_once(void)
{
  struct tourney_plan *plans[AT_ONCE];
  struct exchange exchanges[AT_ONCE];
  MPI_Comm comms[2];
  for (int i = 0; i < 2; i++)
    MPI_Comm_split(MPI_COMM_WORLD, 0, i == 0 ? world_rank : -world_rank, &comms[i]);
  for (int i = 0; i < AT_ONCE; i++) {
    const MPI_Comm comm = comms[i % 2];
    struct exchange *exchange = &exchanges[i];
    *exchange = (struct exchange){.collective = (enum tny_collective)(i / 2),
                                  .bytes = sizes[2] - i,
                                  .salt = i,
                                  .send = malloc((size_t)BYTES_MAX * RANKS_MAX),
                                  .receive = malloc((size_t)BYTES_MAX * RANKS_MAX)};
    MPI_Comm_rank(comm, &exchange->rank);
    MPI_Comm_size(comm, &exchange->rank_count);
    const struct tourney_plan_request request = {.collective = exchange->collective,
                                                 .block_bytes = (uint64_t)exchange->bytes,
                                                 .cluster = cluster};
    struct tny_error error = {0};
    if (!exchange->send || !exchange->receive ||
        tourney_plan_new(comm, &request, &plans[i], &error) != TNY_OK) {
      fprintf(stderr, "own_plans: %s\n", error.text);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  for (int i = 0; i < 2; i++)
    MPI_Comm_free(&comms[i]); /* plans need them no more */
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < AT_ONCE; i++) {
      fill(&exchanges[i]);
      check(tourney_plan_start(plans[i], exchanges[i].send, exchanges[i].receive) == MPI_SUCCESS,
            "a plan isn't started beside others");
    }
    for (int i = 0; i < AT_ONCE; i++) {
      const int next = (world_rank * 5 + (world_rank % 2 ? i : AT_ONCE - i)) % AT_ONCE;
      check(tourney_plan_wait(plans[next]) == MPI_SUCCESS, "a message failed");
      check(is_right(&exchanges[next]), "plans at once give something else");
      runs++;
    }
  }
  for (int i = 0; i < AT_ONCE; i++) {
    tourney_plan_free(plans[i]);
    free(exchanges[i].send);
    free(exchanges[i].receive);
  }
}

/* --- threads --- */

struct worker {
  MPI_Comm comm;
  pthread_t thread;
  int wrong;
};

/* Makes a plan, and runs it many times. */
static void *work(void *argument)
{
  struct worker *worker = argument;
  const struct tourney_plan_request request = {
      .collective = TNY_ALLTOALL, .block_bytes = 3000, .cluster = cluster};
  struct exchange exchange = {.collective = request.collective,
                              .bytes = (int)request.block_bytes,
                              .send = malloc((size_t)BYTES_MAX * RANKS_MAX),
                              .receive = malloc((size_t)BYTES_MAX * RANKS_MAX)};
  struct tourney_plan *plan;
  MPI_Comm_rank(worker->comm, &exchange.rank);
  MPI_Comm_size(worker->comm, &exchange.rank_count);
  if (!exchange.send || !exchange.receive ||
      tourney_plan_new(worker->comm, &request, &plan, NULL) != TNY_OK)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int round = 0; round < THREAD_ROUNDS; round++) {
    exchange.salt = round;
    fill(&exchange);
    worker->wrong += tourney_plan_start(plan, exchange.send, exchange.receive) != MPI_SUCCESS ||
                     tourney_plan_wait(plan) != MPI_SUCCESS || !is_right(&exchange);
  }
  tourney_plan_free(plan);
  free(exchange.send);
  free(exchange.receive);
  return NULL;
}

static void run_threads(void)
{
  struct worker workers[THREADS] = {0};
  for (int i = 0; i < THREADS; i++)
    MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].comm);
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
      MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(workers[i].thread, NULL);
    MPI_Comm_free(&workers[i].comm);
    check(workers[i].wrong == 0, "a thread's plan gives something else");
    runs += THREAD_ROUNDS;
  }
}

/* --- what can't be had --- */

/* A request that can't be served: all ranks have this status, and one text, with this in it. */
static void expect(const struct tourney_plan_request *request, enum tny_status wanted,
                   const char *words)
{
  struct tourney_plan *plan;
  struct tny_error error = {0}, first;
  const enum tny_status status = tourney_plan_new(MPI_COMM_WORLD, request, &plan, &error);
  first = error;
  MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (status == wanted && !plan && strstr(error.text, words) &&
      strcmp(error.text, first.text) == 0 && error.status == first.status)
    return;
  fprintf(stderr, "own_plans: expected '%s', got status %d, '%s'\n", words, (int)status,
          error.text);
  faults++;
}

static void expect_refusals(void)
{
  int rank_count;
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  const struct tourney_plan_request good = {
      .collective = TNY_BROADCAST, .block_bytes = 1000, .cluster = cluster};
  struct tourney_plan_request request = good;
  request.block_bytes = 0;
  expect(&request, TNY_BAD_INPUT, "a block is");
  request.block_bytes = UINT64_C(1) << 31;
  expect(&request, TNY_BAD_INPUT, "a block is");
  request = good;
  request.root = rank_count;
  expect(&request, TNY_BAD_INPUT, "isn't one of the");
  request = good;
  request.algorithm = "wednesday";
  expect(&request, TNY_BAD_INPUT, "wednesday");
  request = good;
  request.cluster = "/no/such/file";
  expect(&request, TNY_BAD_INPUT, "can't be opened");
  request.cluster = "switches:";
  expect(&request, TNY_BAD_INPUT, "switches");
  request.cluster = NULL; /* nor does TOURNEY_CLUSTER name one */
  expect(&request, TNY_BAD_INPUT, "no cluster");
  if (rank_count == 1)
    return;
  request = good;
  request.collective = (enum tny_collective)(world_rank == rank_count - 1 ? 77 : TNY_BROADCAST);
  expect(&request, TNY_BAD_INPUT, "no collective 77");
  request = good;
  request.block_bytes = 1000 + (world_rank == 1);
  expect(&request, TNY_BAD_INPUT, "different plans");
  request = good;
  request.algorithm = world_rank == 1 ? "binomial" : NULL;
  expect(&request, TNY_BAD_INPUT, "different plans");
}

/* Rank 0 starts before all others, so that its plan isn't over when it starts again. */
static void start_twice(struct tourney_plan *plan)
{
  int rank_count;
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  if (world_rank > 0)
    MPI_Barrier(MPI_COMM_WORLD);
  check(tourney_plan_start(plan, send_buffer, receive_buffer) == MPI_SUCCESS, "it isn't started");
  check(rank_count == 1 || world_rank > 0 ||
            tourney_plan_start(plan, send_buffer, receive_buffer) == MPI_ERR_REQUEST,
        "a plan is started twice");
  if (world_rank == 0)
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The plan that is started last is freed while it is under way. */
static void expect_errors_of_calls(void)
{
  const struct tourney_plan_request request = {
      .collective = TNY_ALLGATHER, .block_bytes = 8, .cluster = cluster};
  struct tourney_plan *plan = NULL;
  struct tny_error error = {0};
  check(tourney_plan_new(MPI_COMM_NULL, &request, &plan, &error) == TNY_BAD_INPUT && !plan,
        "a plan of no communicator");
  check(tourney_plan_new(MPI_COMM_WORLD, &request, &plan, NULL) == TNY_OK, "no plan");
  check(plan && tourney_plan_start(plan, NULL, receive_buffer) == MPI_ERR_BUFFER,
        "a plan is started without input");
  check(plan && tourney_plan_start(plan, send_buffer, NULL) == MPI_ERR_BUFFER,
        "a plan is started without output");
  check(plan && tourney_plan_wait(plan) == MPI_SUCCESS, "what isn't started can't be waited for");
  start_twice(plan);
  tourney_plan_free(plan);
  tourney_plan_free(NULL);
}

/* --- what a program's MPI notices --- */

static int copies;

static int count_copy(MPI_Comm comm, int key, void *extra, void *value, void *copy, int *is_copied)
{
  (void)comm, (void)key, (void)extra, (void)value, (void)copy;
  copies++;
  *is_copied = 0;
  return MPI_SUCCESS;
}

/* MPI's functions are the MPI's own, and a communicator's attributes aren't copied. (watch.c counts
   other collectives than this one.) */
static void expect_nothing_taken_over(void)
{
  Dl_info found;
  int key;
  const void *address = dlsym(RTLD_DEFAULT, "MPI_Alltoall");
  check(dladdr(address, &found) && strstr(found.dli_fname, "libmpi"),
        "MPI_Alltoall isn't the MPI's");
  MPI_Comm_create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &copies);
  expect_errors_of_calls();
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  MPI_Comm_free_keyval(&key);
  check(copies == 0, "a plan copies attributes");
}

int main(int argc, char **argv)
{
  int rank_count, all_faults = 0, level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  cluster = argc > 1 ? argv[1] : "";
  send_buffer = malloc((size_t)BYTES_MAX * RANKS_MAX);
  receive_buffer = malloc((size_t)BYTES_MAX * RANKS_MAX);
  if (!send_buffer || !receive_buffer || rank_count > RANKS_MAX)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int p = 1; p <= rank_count; p++) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank < p ? 0 : MPI_UNDEFINED, world_rank, &comm);
    if (comm == MPI_COMM_NULL)
      continue;
    run_all_algorithms(comm);
    MPI_Comm_free(&comm);
  }
  run_at_once();
  if (level == MPI_THREAD_MULTIPLE)
    run_threads();
  expect_refusals();
  expect_nothing_taken_over();
  MPI_Reduce(&faults, &all_faults, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (world_rank == 0)
    printf("%d ranks on %s: %d runs, %d faults\n", rank_count, cluster, runs, all_faults);
  free(send_buffer);
  free(receive_buffer);
  MPI_Finalize();
  return world_rank == 0 && all_faults > 0;
}
