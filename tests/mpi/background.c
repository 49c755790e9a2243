/* Nonblocking collectives, as legal MPI programs use them: many at once, ended in any order, while
   ranks stand in other calls. Every result is checked by the definition. Prints a line: rounds,
   wrong ones, and how many collectives a plan served at rank 0.
   usage: background MODE ROUNDS
   modes: plain, many, standing, freed, threads, lasting, settled, alike, errors, roomy,
   refused, alive */
#include <malloc.h>
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "background_support.h"

enum { COMMS = 4, OUTSTANDING = 6, THREADS = 3 };

static int world_rank, world_size;

static struct operation operations[COMMS * OUTSTANDING];

/* --- one after another --- */

static void run_plain(int rounds)
{
  for (int round = 0; round < rounds; round++) {
    struct operation *operation = &operations[0];
    const long planned = operation->planned;
    MPI_Status status;
    int code = start(operation, MPI_COMM_WORLD, round), is_over = round % 2, count = 0;
    while (code == MPI_SUCCESS && !is_over)
      code = round % 4 ? MPI_Test(&operation->request, &is_over, &status)
                       : MPI_Request_get_status(operation->request, &is_over, &status);
    if (code == MPI_SUCCESS && operation->request != MPI_REQUEST_NULL)
      code = MPI_Wait(&operation->request, &status);
    if (operation->planned > planned) /* else it is the MPI's matter */
      MPI_Get_count(&status, MPI_BYTE, &count);
    check(operation, count == 0 ? code : MPI_ERR_OTHER);
  }
}

/* --- many at once --- */

static MPI_Comm comms[COMMS];

static void make_comms(void)
{
  comms[0] = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &comms[2]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, (world_rank * 3 + 1) % world_size, &comms[3]);
}

static void free_comms(void)
{
  for (int i = 1; i < COMMS; i++)
    MPI_Comm_free(&comms[i]);
}

/* Blocking collectives on the same communicator, while others are under way. */
static void call_blocking(struct operation *operation, MPI_Comm comm, int stamp)
{
  static int numbers[RANKS_MAX * BLOCK], all[RANKS_MAX * BLOCK];
  int rank, size, sum = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < BLOCK; i++)
    numbers[i] = number_of(stamp, rank, 0, i);
  MPI_Allgather(numbers, BLOCK, MPI_INT, all, BLOCK, MPI_INT, comm);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
  for (int from = 0; from < size; from++)
    for (int i = 0; i < BLOCK; i++)
      operation->wrong += all[from * BLOCK + i] != number_of(stamp, from, 0, i);
  operation->wrong += sum != size;
}

/* Ends all of them: in the order of calls, backwards, or whichever is over. Every rank has an order
   of its own. */
static void end_all(int way)
{
  enum { ALL = COMMS * OUTSTANDING };
  MPI_Request requests[ALL];
  int code = MPI_SUCCESS;
  for (int i = 0; i < ALL; i++)
    requests[i] = operations[i].request;
  for (int i = 0; i < ALL && way < 3; i++) {
    int at = way == 0 ? i : ALL - 1 - i;
    if (way == 2)
      MPI_Waitany(ALL, requests, &at, MPI_STATUS_IGNORE);
    else
      code |= MPI_Wait(&requests[at], MPI_STATUS_IGNORE);
  }
  if (way == 3)
    code = MPI_Waitall(ALL, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < ALL; i++) {
    operations[i].request = requests[i];
    check(&operations[i], code);
  }
}

static void run_many(int rounds)
{
  make_comms();
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < OUTSTANDING; i++)
      for (int c = 0; c < COMMS; c++) {
        struct operation *operation = &operations[i * COMMS + c];
        operation->wrong += start(operation, comms[c], round + i + c) != MPI_SUCCESS;
        if (i == OUTSTANDING / 2 && c % 2 == round % 2)
          call_blocking(operation, comms[c], round);
      }
    end_all((round + world_rank) % 4);
  }
  free_comms();
}

/* --- while ranks stand in other calls --- */

/* Rank 0 comes into a call that no other can leave, or enters, before its part of the operation is
   done: it has to do that there. */
static void stand_in(int call, int number)
{
  int token = number;
  MPI_Comm copy;
  MPI_File file;
  MPI_Win window;
  static int memory[RANKS_MAX];
  char path[64];
  switch (call) {
  case 0:
    if (world_rank == 0)
      MPI_Recv(&token, 1, MPI_INT, world_size - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (world_rank == world_size - 1)
      MPI_Send(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    break;
  case 1:
    MPI_Barrier(MPI_COMM_WORLD);
    break;
  case 2:
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&token, 1, MPI_INT, (world_rank + 1) % world_size, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    break;
  case 3:
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_free(&copy);
    break;
  case 4:
    snprintf(path, sizeof path, "background-%d", number);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, world_rank * (MPI_Offset)sizeof token, &token, 1, MPI_INT,
                          MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    break;
  default:
    MPI_Allreduce(MPI_IN_PLACE, &token, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    break;
  }
}

/* Rank 0 goes into the call with its operation under way, the others only when theirs is over.
   Every block goes through rank 0, or comes from it, or has its contribution in it, in those that
   are begun. */
static void run_standing(int rounds)
{
  static const enum kind kinds[] = {ALLGATHER, ALLTOALL, ALLREDUCE, REDUCE_SCATTER};
  make_comms();
  for (int round = 0; round < rounds; round++) {
    struct operation *operation = &operations[0];
    const int number = KINDS * round + (int)kinds[round / COMMS % 4];
    int code = start(operation, comms[round % COMMS], number);
    if (world_rank > 0 && code == MPI_SUCCESS)
      code = MPI_Wait(&operation->request, MPI_STATUS_IGNORE);
    stand_in(round % 6, round);
    if (world_rank == 0 && code == MPI_SUCCESS)
      code = MPI_Wait(&operation->request, MPI_STATUS_IGNORE);
    check(operation, code);
  }
  free_comms();
}

/* --- what is freed before the end --- */

/* The communicator is freed while its operations are under way, at even ranks before they could be
   over; some ranks are late. */
static void run_freed(int rounds)
{
  for (int round = 0; round < rounds; round++) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (world_rank % 2 == 1 && round % 5 == 0)
      for (double until = MPI_Wtime() + 0.001; MPI_Wtime() < until;)
        continue;
    for (int i = 0; i < OUTSTANDING; i++)
      operations[i].wrong += start(&operations[i], copy, round + i) != MPI_SUCCESS;
    if (round % 2)
      MPI_Comm_free(&copy);
    else
      MPI_Comm_disconnect(&copy);
    for (int i = OUTSTANDING; i-- > 0;)
      check(&operations[i], MPI_Wait(&operations[i].request, MPI_STATUS_IGNORE));
  }
}

/* --- threads --- */

struct work {
  MPI_Comm comm;
  int rounds, thread;
};

/* Each thread has its communicator, and operations of its own. */
static void *use_communicator(void *argument)
{
  const struct work *work = argument;
  struct operation *own = &operations[work->thread * OUTSTANDING];
  for (int round = 0; round < work->rounds; round++) {
    for (int i = 0; i < OUTSTANDING; i++)
      own[i].wrong += start(&own[i], work->comm, round + i) != MPI_SUCCESS;
    if (work->thread == 0)
      MPI_Barrier(work->comm);
    for (int i = OUTSTANDING; i-- > 0;)
      check(&own[i], MPI_Wait(&own[i].request, MPI_STATUS_IGNORE));
  }
  return NULL;
}

static void run_threads(int rounds)
{
  pthread_t threads[THREADS];
  struct work work[THREADS];
  make_comms();
  for (int t = 0; t < THREADS; t++) {
    work[t] = (struct work){.comm = comms[t + 1], .rounds = rounds, .thread = t};
    pthread_create(&threads[t], NULL, use_communicator, &work[t]);
  }
  for (int t = 0; t < THREADS; t++)
    pthread_join(threads[t], NULL);
  free_comms();
}

/* --- memory --- */

static double bytes_in_use(void)
{
  const struct mallinfo2 info = mallinfo2();
  return (double)(info.uordblks + info.hblkhd);
}

/* What operations on communicators that come and go leave behind, in three times as many rounds as
   before: so that what is kept to be used again, of which more may be needed at once than before,
   counts for little. */
static void run_lasting(int rounds)
{
  const int counted = 3 * rounds;
  run_freed(rounds);
  const double before = bytes_in_use();
  run_freed(counted);
  if (world_rank == 0)
    printf("%.0f bytes a round stay; ", (bytes_in_use() - before) / counted);
}

/* --- of one size, alone and behind blocking calls, by which the guard settles what serves --- */

static void run_alike(int rounds)
{
  for (int round = 0; round < rounds; round++) {
    struct operation *operation = &operations[0];
    const int number = KINDS * LAYOUTS * 4 * round + 20; /* an all-to-all of whole blocks */
    const int code = start(operation, MPI_COMM_WORLD, number);
    check(operation, code == MPI_SUCCESS ? MPI_Wait(&operation->request, MPI_STATUS_IGNORE) : code);
  }
}

static void run_settled(int rounds)
{
  static int given[RANKS_MAX * BLOCK], got[RANKS_MAX * BLOCK];
  for (int round = 0; round < rounds; round++)
    MPI_Alltoall(given, BLOCK, MPI_INT, got, BLOCK, MPI_INT, MPI_COMM_WORLD);
  run_alike(rounds);
}

/* --- errors --- */

static struct {
  int count, class;
  MPI_Comm comm;
} handled;

static void on_error(MPI_Comm *comm, int *code, ...)
{
  handled.count++;
  handled.comm = *comm;
  MPI_Error_class(*code, &handled.class);
}

static bool is_handled(MPI_Comm comm, int count, int class)
{
  const bool is_so =
      handled.count == count && (count == 0 || (handled.comm == comm && handled.class == class));
  handled.count = 0;
  return is_so;
}

/* Ends the request one way or the other; returns the class of its error. */
static int end_with_error(MPI_Request *request, int way)
{
  MPI_Status status = {.MPI_ERROR = MPI_SUCCESS};
  int code = MPI_SUCCESS, is_over = 0, class;
  if (way == 0)
    code = MPI_Wait(request, &status);
  while (way == 1 && !is_over)
    code = MPI_Test(request, &is_over, &status);
  if (way == 2 && MPI_Waitall(1, request, &status) == MPI_ERR_IN_STATUS)
    code = status.MPI_ERROR;
  MPI_Error_class(code, &class);
  return class;
}

/* Two such broadcasts end with one call: the MPI tells of the first. */
static void run_two_errors(int rounds, MPI_Errhandler handler)
{
  MPI_Comm copies[2];
  for (int i = 0; i < 2; i++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &copies[i]);
    MPI_Comm_set_errhandler(copies[i], handler);
  }
  for (int round = 0; round < rounds; round++) {
    const int n = world_rank == 0 ? BLOCK : BLOCK - 1, is_short = world_rank > 0;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    for (int i = 0; i < 2; i++)
      operations[0].wrong += MPI_Ibcast(operations[i].output, n, MPI_INT, 0,
                                        copies[(round + i) % 2], &requests[i]) != MPI_SUCCESS;
    const int code = MPI_Waitall(2, requests, statuses);
    operations[0].wrong += (code != MPI_SUCCESS) != is_short;
    operations[0].wrong += !is_handled(copies[round % 2], is_short, MPI_ERR_TRUNCATE);
  }
  for (int i = 0; i < 2; i++)
    MPI_Comm_free(&copies[i]);
}

/* A broadcast to ranks that have room for less: each tells the communicator's own error handler,
   once, and MPI_COMM_WORLD's is as it was. What is called next is right. */
static void run_errors(int rounds)
{
  MPI_Errhandler handler, before, after;
  MPI_Comm copy;
  MPI_Comm_create_errhandler(on_error, &handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_errhandler(copy, handler);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  for (int round = 0; round < rounds; round++) {
    struct operation *operation = &operations[0];
    const MPI_Comm comm = round % 6 == 5 ? MPI_COMM_WORLD : copy;
    if (round % 6 == 5)
      MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    const int n = world_rank == 0 ? BLOCK : BLOCK - 1, is_short = world_rank > 0;
    const int expected = is_short ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    int code = MPI_Ibcast(operation->output, n, MPI_INT, 0, comm, &operation->request);
    if (code == MPI_SUCCESS)
      code = end_with_error(&operation->request, round % 3);
    operation->wrong += code != expected || !is_handled(comm, is_short, expected);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    code =
        MPI_Ialltoall(NULL, -1, MPI_INT, operation->output, 1, MPI_INT, copy, &operation->request);
    MPI_Error_class(code, &code);
    operation->wrong += code != MPI_ERR_COUNT || !is_handled(copy, 1, code);
    code = start(operation, copy, round);
    check(operation, code == MPI_SUCCESS ? MPI_Wait(&operation->request, MPI_STATUS_IGNORE) : code);
    operation->wrong += !is_handled(copy, 0, 0);
  }
  run_two_errors(rounds, handler);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &after);
  operations[0].wrong += before != after;
  MPI_Comm_free(&copy);
  MPI_Errhandler_free(&handler);
}

/* --- blocks of other classes than the root's --- */

/* A broadcast to ranks that have room for twice as much: by what serves the root's size, on a
   communicator that has had blocking calls of both sizes, and on one that hasn't. */
static void run_roomy(int rounds)
{
  MPI_Comm copies[2];
  for (int i = 0; i < 2; i++)
    MPI_Comm_dup(MPI_COMM_WORLD, &copies[i]);
  for (int blocks = 1; blocks <= 2; blocks++)
    MPI_Bcast(operations[0].output, blocks * BLOCK, MPI_INT, 0, copies[1]);
  for (int round = 0; round < rounds; round++) {
    struct operation *operation = &operations[0];
    *operation = (struct operation){.kind = BCAST,
                                    .comm = copies[round % 2],
                                    .rank = world_rank,
                                    .size = world_size,
                                    .root = round / 2 % world_size,
                                    .n = BLOCK,
                                    .stamp = round,
                                    .wrong = operation->wrong,
                                    .planned = operation->planned};
    prepare(operation);
    operation->n = world_rank == operation->root ? BLOCK : 2 * BLOCK;
    const int code = begin(operation);
    operation->n = BLOCK;
    check(operation, code == MPI_SUCCESS ? MPI_Wait(&operation->request, MPI_STATUS_IGNORE) : code);
  }
  for (int i = 0; i < 2; i++)
    MPI_Comm_free(&copies[i]);
}

/* --- where the MPI has no memory for a request --- */

enum { PIECES = 128, PIECE_STEP = 16 };

/* Memory of many sizes, as what was freed before is likely to be given out for one of them. */
static void take_pieces(unsigned char *pieces[PIECES])
{
  for (int i = 0; i < PIECES; i++) {
    pieces[i] = malloc((size_t)(i + 1) * PIECE_STEP);
    if (!pieces[i])
      MPI_Abort(MPI_COMM_WORLD, 9);
    memset(pieces[i], 0x5a, (size_t)(i + 1) * PIECE_STEP);
  }
}

static long give_back(unsigned char *pieces[PIECES])
{
  long wrong = 0;
  for (int i = 0; i < PIECES; i++) {
    for (int at = 0; at < (i + 1) * PIECE_STEP; at++)
      wrong += pieces[i][at] != 0x5a;
    free(pieces[i]);
  }
  return wrong;
}

/* Each rank is told so, and may free the communicator; rank 0 comes late. Nothing is written into
   memory that others have by then. */
static void run_refused(int rounds)
{
  struct operation *operation = &operations[0];
  unsigned char *pieces[PIECES];
  for (int round = 0; round < rounds; round++) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    if (world_rank == 0)
      usleep(20000);
    int class = start(operation, copy, round);
    operation->planned--; /* it was to be */
    MPI_Error_class(class, &class);
    operation->wrong += class != MPI_ERR_NO_MEM || MPI_Comm_free(&copy) != MPI_SUCCESS;
    take_pieces(pieces);
    for (int i = 0; i < 4; i++)
      MPI_Barrier(MPI_COMM_WORLD);
    operation->wrong += give_back(pieces);
  }
}

/* --- many communicators at a time --- */

/* Each has a blocking call before, and all are freed at the end. */
static void run_alive(int rounds)
{
  MPI_Comm *copies = malloc((size_t)rounds * sizeof *copies);
  if (!copies)
    MPI_Abort(MPI_COMM_WORLD, 9);
  for (int round = 0; round < rounds; round++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &copies[round]);
    call_blocking(&operations[0], copies[round], round);
    operations[0].wrong += start(&operations[0], copies[round], round) != MPI_SUCCESS;
    check(&operations[0], MPI_Wait(&operations[0].request, MPI_STATUS_IGNORE));
  }
  for (int round = 0; round < rounds; round++)
    MPI_Comm_free(&copies[round]);
  free(copies);
}

int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*run)(int rounds);
  } modes[] = {{"plain", run_plain},     {"many", run_many},       {"standing", run_standing},
               {"freed", run_freed},     {"threads", run_threads}, {"lasting", run_lasting},
               {"settled", run_settled}, {"alike", run_alike},     {"errors", run_errors},
               {"roomy", run_roomy},     {"refused", run_refused}, {"alive", run_alive}};
  const size_t mode_count = sizeof modes / sizeof *modes;
  int level;
  size_t mode = 0;
  long sums[2] = {0, 0};
  const int rounds = argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0;
  while (argc == 3 && mode < mode_count && strcmp(argv[1], modes[mode].name) != 0)
    mode++;
  const bool has_threads = mode < mode_count && modes[mode].run == run_threads;
  MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  if (rounds <= 0 || mode == mode_count || world_size > RANKS_MAX ||
      (has_threads && level < MPI_THREAD_MULTIPLE))
    MPI_Abort(MPI_COMM_WORLD, 2);
  modes[mode].run(rounds);
  for (int i = 0; i < COMMS * OUTSTANDING; i++) {
    sums[0] += operations[i].wrong;
    sums[1] += operations[i].planned;
  }
  MPI_Allreduce(MPI_IN_PLACE, &sums[0], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (world_rank == 0)
    printf("%s: %d rounds, %ld wrong, %ld planned\n", argv[1], rounds, sums[0], sums[1]);
  fflush(stdout);
  MPI_Finalize();
  return sums[0] != 0;
}
