/* An MPI program that makes one erroneous call and says, rank by rank, what came of it: the error's
   class, how often error handlers were called and with which class, and whether the data is there;
   then whether a right call on the same communicator works. A test compares what it says with the
   runtime and without. A rank that hangs or crashes says so as well.
   usage: erroneous SECONDS COLLECTIVE [again:|once:]FAULT [RANK]     (after so many seconds a rank
   hangs; only that rank errs, none: all ranks do; again: a few times, each before a right call;
   once: instead of the first of a few right calls) */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 40000, PARTS = 3 };

enum { RANKS_MAX = 64, ROUNDS = 12 };
static int rank, rank_count, hang_seconds;
static int handled, handled_class;
static const char *stage_name = "the call";

/* Says a line in one piece, as all ranks share the output. */
static void say(const char *line)
{
  if (write(STDOUT_FILENO, line, strlen(line)) < 0)
    _exit(3);
}

static void end_here(int signal_number)
{
  char line[128];
  snprintf(line, sizeof line, "rank %d: %s %s\n", rank,
           signal_number == SIGALRM ? "hangs in" : "crashes in", stage_name);
  say(line);
  if (signal_number != SIGALRM)
    _exit(4);
  sleep(2); /* the others' own alarms are due as well, and mpirun ends all once one has gone */
  _exit(4);
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
  (void)comm;
  handled++;
  MPI_Error_class(*code, &handled_class);
}

static const char *name_of(int code)
{
  static const struct {
    int code;
    const char *name;
  } names[] = {{MPI_SUCCESS, "success"},
               {MPI_ERR_BUFFER, "MPI_ERR_BUFFER"},
               {MPI_ERR_COUNT, "MPI_ERR_COUNT"},
               {MPI_ERR_TYPE, "MPI_ERR_TYPE"},
               {MPI_ERR_ROOT, "MPI_ERR_ROOT"},
               {MPI_ERR_ARG, "MPI_ERR_ARG"},
               {MPI_ERR_COMM, "MPI_ERR_COMM"},
               {MPI_ERR_OTHER, "MPI_ERR_OTHER"},
               {MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE"},
               {MPI_ERR_IN_STATUS, "MPI_ERR_IN_STATUS"}};
  int class = code;
  if (code != MPI_SUCCESS)
    MPI_Error_class(code, &class);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].code == class)
      return names[i].name;
  return "another class";
}

/* --- the data: element i of the block from one rank to another --- */

static int element(int from, int to, int i)
{
  return from * 1000003 + to * 10007 + i;
}

static int *take(int blocks)
{
  int *memory = malloc(sizeof *memory * PARTS * COUNT * (size_t)blocks);
  if (!memory)
    MPI_Abort(MPI_COMM_WORLD, 9);
  for (int i = 0; i < PARTS * COUNT * blocks; i++)
    memory[i] = -1;
  return memory;
}

/* One call's arguments. The send side of a broadcast isn't used. */
struct arguments {
  void *send, *receive;
  int send_count, receive_count;
  MPI_Datatype send_type, receive_type;
  int root;
};

static struct arguments right(const char *collective)
{
  struct arguments call = {.send = take(rank_count),
                           .receive = take(rank_count),
                           .send_count = COUNT,
                           .receive_count = COUNT,
                           .send_type = MPI_INT,
                           .receive_type = MPI_INT};
  int *send = call.send, *receive = call.receive;
  const bool all_to_all =
      strcmp(collective, "alltoall") == 0 || strcmp(collective, "scatterv") == 0;
  for (int to = 0; to < rank_count; to++)
    for (int i = 0; i < COUNT; i++)
      send[to * COUNT + i] = element(rank, all_to_all ? to : 0, i);
  if (strcmp(collective, "bcast") == 0 && rank == call.root)
    for (int i = 0; i < PARTS * COUNT; i++)
      receive[i] = element(rank, 0, i);
  return call;
}

/* Blocks one behind another, of which the root gathers a short one from rank 1 where the
   receive count is short, or rank 1 has no room for more. */
static int perform_uneven(const char *collective, const struct arguments *call, MPI_Comm comm)
{
  int counts[RANKS_MAX], displacements[RANKS_MAX];
  const bool gathers = strcmp(collective, "gatherv") == 0;
  for (int i = 0; i < rank_count; i++) {
    counts[i] = gathers && i == 1 ? call->receive_count : COUNT;
    displacements[i] = i * COUNT;
  }
  if (gathers)
    return MPI_Gatherv(call->send, call->send_count, call->send_type, call->receive, counts,
                       displacements, call->receive_type, call->root, comm);
  return MPI_Scatterv(call->send, counts, displacements, call->send_type, call->receive,
                      rank == 1 ? call->receive_count : COUNT, call->receive_type, call->root,
                      comm);
}

static int perform(const char *collective, const struct arguments *call, MPI_Comm comm)
{
  if (strcmp(collective, "gatherv") == 0 || strcmp(collective, "scatterv") == 0)
    return perform_uneven(collective, call, comm);
  if (strcmp(collective, "bcast") == 0)
    return MPI_Bcast(call->receive, call->receive_count, call->receive_type, call->root, comm);
  if (strcmp(collective, "allgather") == 0)
    return MPI_Allgather(call->send, call->send_count, call->send_type, call->receive,
                         call->receive_count, call->receive_type, comm);
  return MPI_Alltoall(call->send, call->send_count, call->send_type, call->receive,
                      call->receive_count, call->receive_type, comm);
}

/* How many elements of each block arrived, at the least; the rest must be as it was. */
static int arrived(const char *collective, const int *receive)
{
  const bool broadcast = strcmp(collective, "bcast") == 0;
  const bool scatters = strcmp(collective, "scatterv") == 0;
  const int to = scatters || strcmp(collective, "alltoall") == 0 ? rank : 0;
  int least = PARTS * COUNT;
  for (int from = 0; from < (broadcast || scatters ? 1 : rank_count); from++) {
    int i = 0;
    while (i < (broadcast ? PARTS : 1) * COUNT && receive[from * COUNT + i] == element(from, to, i))
      i++;
    least = i < least ? i : least;
  }
  return least;
}

/* --- the faults --- */

static MPI_Datatype uncommitted(void)
{
  MPI_Datatype type;
  MPI_Type_contiguous(1, MPI_INT, &type);
  return type;
}

/* A block of integers at an address, of which the next block follows at once. */
static MPI_Datatype at_address(void *memory)
{
  MPI_Datatype placed, type;
  MPI_Aint address;
  const int count = COUNT;
  MPI_Get_address(memory, &address);
  MPI_Type_create_hindexed(1, &count, &address, MPI_INT, &placed);
  MPI_Type_create_resized(placed, 0, COUNT * (MPI_Aint)sizeof(int), &type);
  MPI_Type_commit(&type);
  return type;
}

/* Spoils the arguments; false: no such fault. */
static bool spoil(const char *fault, struct arguments *call)
{
  const bool is_root = rank == call->root;
  if (strcmp(fault, "in-place-receive") == 0)
    call->receive = MPI_IN_PLACE;
  else if (strcmp(fault, "null-receive") == 0)
    call->receive = NULL;
  else if (strcmp(fault, "null-send") == 0)
    call->send = NULL;
  else if (strcmp(fault, "uncommitted-receive") == 0)
    call->receive_type = uncommitted();
  else if (strcmp(fault, "uncommitted-send") == 0)
    call->send_type = uncommitted();
  else if (strcmp(fault, "no-receive-type") == 0)
    call->receive_type = MPI_DATATYPE_NULL;
  else if (strcmp(fault, "no-send-type") == 0)
    call->send_type = MPI_DATATYPE_NULL;
  else if (strcmp(fault, "negative-receive") == 0)
    call->receive_count = -1;
  else if (strcmp(fault, "negative-send") == 0)
    call->send_count = -1;
  else if (strcmp(fault, "short-send") == 0)
    call->send_count = COUNT / 2;
  else if (strcmp(fault, "long-send") == 0)
    call->send_count = COUNT + 100;
  else if (strncmp(fault, "triples=", 8) == 0 && !is_root) {
    call->receive_count = atoi(fault + 8);
    MPI_Type_contiguous(3, MPI_INT, &call->receive_type);
    MPI_Type_commit(&call->receive_type);
  } else if (strcmp(fault, "bottom") == 0) {
    call->receive_type = at_address(call->receive);
    call->receive = MPI_BOTTOM;
    call->receive_count = 1;
  } else if (strcmp(fault, "bad-root") == 0)
    call->root = rank_count;
  else if (strncmp(fault, "counts=", 7) == 0)
    call->send_count = call->receive_count = atoi(fault + 7);
  else if (strncmp(fault, "room=", 5) == 0)
    call->receive_count = atoi(fault + 5);
  else if (strncmp(fault, "receive-count=", 14) == 0)
    call->receive_count = is_root ? COUNT : atoi(fault + 14);
  else if (strncmp(fault, "root-count=", 11) == 0)
    call->receive_count = is_root ? atoi(fault + 11) : COUNT;
  else
    return strcmp(fault, "none") == 0 || strcmp(fault, "no-handle") == 0 ||
           strncmp(fault, "triples=", 8) == 0;
  return true;
}

/* A call with this fault, and what came of it. */
static void report(const char *collective, const char *fault, MPI_Comm comm)
{
  struct arguments call = right(collective);
  int *receive = call.receive;
  if (!spoil(fault, &call)) {
    fprintf(stderr, "no such fault: %s\n", fault);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  handled = 0;
  stage_name = strcmp(fault, "none") == 0 ? "a right call" : "the erroneous call";
  alarm((unsigned)hang_seconds);
  const bool has_handle = strcmp(fault, "no-handle") != 0;
  const int code = perform(collective, &call, has_handle ? comm : (MPI_Comm)0);
  alarm(0);
  char line[256], data[64] = "";
  if (code == MPI_SUCCESS)
    snprintf(data, sizeof data, "; %d elements", arrived(collective, receive));
  snprintf(line, sizeof line, "rank %d: %s: %s; handler called %d times%s%s%s\n", rank, stage_name,
           name_of(code), handled, handled ? " with " : "", handled ? name_of(handled_class) : "",
           data);
  say(line);
}

int main(int argc, char **argv)
{
  MPI_Comm comm;
  MPI_Errhandler handler;
  if (argc < 4)
    return 2;
  hang_seconds = atoi(argv[1]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  signal(SIGALRM, end_here);
  signal(SIGSEGV, end_here);
  signal(SIGABRT, end_here);
  MPI_Comm_create_errhandler(on_error, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler); /* some errors go there */
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const bool errs = argc < 5 || atoi(argv[4]) == rank;
  const bool repeats = strncmp(argv[3], "again:", 6) == 0;
  const bool begins = strncmp(argv[3], "once:", 5) == 0;
  for (int round = 0; (repeats || begins) && round < ROUNDS; round++) {
    const char *fault = strchr(argv[3], ':') + 1;
    if (repeats && errs)
      report(argv[2], fault, MPI_COMM_WORLD);
    report(argv[2], begins && errs && round == 0 ? fault : "none", MPI_COMM_WORLD);
  }
  if (!repeats && !begins)
    report(argv[2], errs ? argv[3] : "none", comm);
  MPI_Barrier(MPI_COMM_WORLD);
  report(argv[2], "none", comm);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
