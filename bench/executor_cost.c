/* What the runtime's executor costs beside the MPI's own calls: the table of docs/runtime.md, "Its
   own cost". The executor (src/mpi/execute.c) runs a plan of many short messages, in turns with a
   loop written by hand that makes the same MPI_Isend, MPI_Irecv and MPI_Wait in the same order.

   A rank alone sends to itself: no rank waits for another, so that a message's time is work.
   Several ranks, in a chain of which each passes on what it gets, wait for each other too; there it
   also counts how often the MPI was asked to make progress (Open MPI only; else -1).

   Each figure is the median of the rounds; of a round's times, the slowest rank's counts. CSV:
   plan, messages, nanoseconds a message by hand and by the executor, their ratio, and calls for
   progress a message of both.

   usage: executor_cost [ROUNDS]                          (31; one rank, or more by mpirun)
          LD_PRELOAD=RUNTIME executor_cost short [ROUNDS] what a passed-on broadcast costs */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/alloc.h"
#include "mpi/execute.h"

enum {
  BYTES = 64,
  CHUNKS = 2048,
  WINDOW = 1024 /* as the executor's */,
  CALLS = 20000,
  ROUNDS_MAX = 1001
};

static int rank, rank_count;

/* --- clocks and counters --- */

static uint64_t progress_calls;

static int count_progress(void)
{
  progress_calls++;
  return 0;
}

/* Returns whether the MPI has a place for such a callback, as Open MPI has. */
static bool watch_progress(void)
{
  int (*add)(int (*callback)(void)) = NULL;
  const void *address = dlsym(RTLD_DEFAULT, "opal_progress_register");
  memcpy(&add, &address, sizeof add);
  return add && add(count_progress) == 0;
}

static double now_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  const double one = *(const double *)a, other = *(const double *)b;
  return (one > other) - (one < other);
}

static double median(double *values, int count)
{
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

static void fail(const char *what)
{
  fprintf(stderr, "executor_cost: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* --- plans, and the same by hand --- */

/* Where a rank stands in the chain: who sends to it and to whom it sends; TNY_NONE: nobody. A rank
   alone is both to itself. */
struct place {
  uint32_t before, behind;
};

static struct place place_of(void)
{
  if (rank_count == 1)
    return (struct place){0, 0};
  return (struct place){rank > 0 ? (uint32_t)rank - 1 : TNY_NONE,
                        rank + 1 < rank_count ? (uint32_t)rank + 1 : TNY_NONE};
}

struct shape {
  const char *name;
  uint32_t blocks; /* of each message; more than one lie apart */
};
static const struct shape shapes[] = {{"chain", 1}, {"chain of two blocks a message", 2}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct tny_span span_of(const struct shape *shape, enum tny_buffer buffer, uint32_t chunk)
{
  return (struct tny_span){buffer, 0, shape->blocks, chunk, CHUNKS, 1};
}

/* A send of a chunk waits for the chunk that came before: for itself from another rank, for the one
   ahead of it from the rank itself. */
static struct tny_plan *make_plan(const struct shape *shape)
{
  const struct place place = place_of();
  struct tny_builder builder;
  struct tny_steps steps;
  uint32_t received = TNY_NONE;
  tny_builder_init(&builder);
  for (uint32_t chunk = 0; chunk < CHUNKS; chunk++) {
    const uint32_t ahead = received;
    if (place.before != TNY_NONE)
      received =
          tny_builder_recv(&builder, place.before, span_of(shape, TNY_OUTPUT, chunk), TNY_NONE);
    if (place.behind == TNY_NONE)
      continue;
    const enum tny_buffer from = rank == 0 ? TNY_INPUT : TNY_OUTPUT;
    tny_builder_send(&builder, place.behind, span_of(shape, from, chunk), TNY_NONE);
    const uint32_t waits_for = rank_count == 1 ? ahead : received;
    if (waits_for != TNY_NONE)
      tny_builder_after(&builder, waits_for);
  }
  if (tny_builder_finish(&builder, &steps, NULL) != TNY_OK)
    return NULL;
  return tny_plan_of_steps(&steps);
}

/* What the loop by hand works on. */
struct loop {
  const struct shape *shape;
  MPI_Comm comm;
  MPI_Datatype type; /* of a message */
  int count, tag;
  char *input, *output;
  MPI_Request *sends, *receives; /* CHUNKS of each */
};

static void receive(const struct loop *loop, uint32_t chunk)
{
  MPI_Irecv(loop->output + chunk * BYTES, loop->count, loop->type, (int)place_of().before,
            loop->tag, loop->comm, &loop->receives[chunk]);
}

static void run_by_hand(const struct loop *loop)
{
  const struct place place = place_of();
  const bool takes = place.before != TNY_NONE, passes = place.behind != TNY_NONE;
  const uint32_t lag = rank_count == 1; /* how far sends are ahead of what they wait for */
  const char *from = rank == 0 ? loop->input : loop->output;
  for (uint32_t chunk = 0; takes && chunk < WINDOW; chunk++)
    receive(loop, chunk);
  for (uint32_t chunk = 0; chunk < CHUNKS; chunk++) {
    if (takes && chunk >= lag) {
      MPI_Wait(&loop->receives[chunk - lag], MPI_STATUS_IGNORE);
      if (chunk - lag + WINDOW < CHUNKS)
        receive(loop, chunk - lag + WINDOW);
    }
    if (passes && chunk >= WINDOW)
      MPI_Wait(&loop->sends[chunk - WINDOW], MPI_STATUS_IGNORE);
    if (passes)
      MPI_Isend(from + chunk * BYTES, loop->count, loop->type, (int)place.behind, loop->tag,
                loop->comm, &loop->sends[chunk]);
  }
  if (takes && lag)
    MPI_Wait(&loop->receives[CHUNKS - 1], MPI_STATUS_IGNORE);
  for (uint32_t chunk = CHUNKS - WINDOW; passes && chunk < CHUNKS; chunk++)
    MPI_Wait(&loop->sends[chunk], MPI_STATUS_IGNORE);
}

/* --- measuring --- */

struct samples {
  double ns[2][ROUNDS_MAX], progress[2][ROUNDS_MAX]; /* by hand, by the executor */
};

static void run_rounds(const struct loop *loop, struct tny_plan *plan, int rounds,
                       struct samples *samples)
{
  const uint64_t block_bytes = (uint64_t)CHUNKS * BYTES;
  int world_ranks[64];
  for (int i = 0; i < rank_count; i++)
    world_ranks[i] = i;
  struct tny_group group = {.rank_count = (uint32_t)rank_count, .world_ranks = world_ranks};
  const struct tny_comm_state state = {.comm = loop->comm, .group = &group};
  const struct tny_buffers buffers = {
      .areas = {[TNY_INPUT] = {.memory = loop->input, .stride = block_bytes},
                [TNY_OUTPUT] = {.memory = loop->output, .stride = block_bytes}},
      .bytes = block_bytes};
  struct tny_flaws flaws = {0};
  for (int round = -2; round < rounds; round++)
    for (int turn = 0; turn < 2; turn++) {
      const int by = turn ^ (round & 1); /* who goes first has colder caches */
      memset(loop->output, 0, loop->shape->blocks * block_bytes);
      MPI_Barrier(MPI_COMM_WORLD);
      const uint64_t calls = progress_calls;
      const double begin = now_ns();
      if (by == 0)
        run_by_hand(loop);
      else if (tny_execute(plan, &state, &buffers, &flaws) != MPI_SUCCESS)
        fail("the plan failed");
      const double end = now_ns();
      const bool takes = place_of().before != TNY_NONE;
      if (takes && memcmp(loop->input, loop->output, loop->shape->blocks * block_bytes) != 0)
        fail("wrong data");
      if (round < 0)
        continue;
      samples->ns[by][round] = (end - begin) / CHUNKS;
      samples->progress[by][round] = (double)(progress_calls - calls) / CHUNKS;
    }
}

static void take_slowest(struct samples *samples, int rounds)
{
  for (int by = 0; by < 2; by++)
    MPI_Allreduce(MPI_IN_PLACE, samples->ns[by], rounds, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static MPI_Datatype type_of(const struct shape *shape)
{
  MPI_Datatype type;
  MPI_Type_vector((int)shape->blocks, BYTES, CHUNKS * BYTES, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

static void measure(const struct shape *shape, int rounds, bool watched)
{
  static struct samples samples;
  const size_t bytes = (size_t)CHUNKS * BYTES * shape->blocks;
  struct loop loop = {.shape = shape,
                      .input = tny_new(bytes, 1),
                      .output = tny_new(bytes, 1),
                      .sends = tny_new(CHUNKS, sizeof(MPI_Request)),
                      .receives = tny_new(CHUNKS, sizeof(MPI_Request))};
  struct tny_plan *plan = make_plan(shape);
  if (!loop.input || !loop.output || !loop.sends || !loop.receives || !plan)
    fail("no memory");
  for (size_t i = 0; i < bytes; i++)
    loop.input[i] = (char)(i * 7 + (i >> 8));
  MPI_Comm_dup(MPI_COMM_WORLD, &loop.comm);
  loop.type = shape->blocks == 1 ? MPI_BYTE : type_of(shape);
  loop.count = shape->blocks == 1 ? BYTES : 1;
  run_rounds(&loop, plan, rounds, &samples);
  take_slowest(&samples, rounds);
  if (rank == 0) {
    const double hand = median(samples.ns[0], rounds), executor = median(samples.ns[1], rounds);
    printf("%s,%d,%.1f,%.1f,%.3f,%.3f,%.3f\n", shape->name, CHUNKS, hand, executor, executor / hand,
           watched ? median(samples.progress[0], rounds) : -1,
           watched ? median(samples.progress[1], rounds) : -1);
  }
  if (shape->blocks > 1)
    MPI_Type_free(&loop.type);
  MPI_Comm_free(&loop.comm);
  tny_plan_free(plan);
  tny_free(loop.input);
  tny_free(loop.output);
  tny_free(loop.sends);
  tny_free(loop.receives);
}

/* --- a broadcast of 8 bytes --- */

static double time_broadcasts(__typeof__(MPI_Bcast) *broadcast)
{
  uint64_t number = 0;
  const double begin = now_ns();
  for (int i = 0; i < CALLS; i++)
    broadcast(&number, 1, MPI_UINT64_T, 0, MPI_COMM_SELF);
  return (now_ns() - begin) / CALLS;
}

/* Over a rank alone, where the MPI's own takes least, so that what is added shows. */
static void measure_short(int rounds)
{
  static struct samples samples;
  __typeof__(MPI_Bcast) *native = NULL;
  void *mpi = dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
  const void *address = mpi ? dlsym(mpi, "PMPI_Bcast") : NULL;
  memcpy(&native, &address, sizeof native);
  if (!native)
    fail("the MPI's own PMPI_Bcast isn't found");
  for (int round = 0; round < rounds; round++) {
    samples.ns[0][round] = time_broadcasts(native);
    samples.ns[1][round] = time_broadcasts(MPI_Bcast);
  }
  const double own = median(samples.ns[0], rounds), through = median(samples.ns[1], rounds);
  if (rank == 0)
    printf("calls,native_ns,through_ns,added_ns\n%d,%.1f,%.1f,%.1f\n", CALLS, own, through,
           through - own);
}

int main(int argc, char **argv)
{
  const bool is_short = argc > 1 && strcmp(argv[1], "short") == 0;
  const int at = is_short ? 2 : 1, rounds = argc > at ? (int)strtol(argv[at], NULL, 10) : 31;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  if (rounds < 1 || rounds > ROUNDS_MAX || rank_count > 64)
    fail("usage: executor_cost [short] [ROUNDS], 1 to 1001 rounds on up to 64 ranks");
  if (is_short) {
    measure_short(rounds);
  } else {
    const bool watched = watch_progress();
    if (rank == 0)
      puts("plan,messages,hand_ns,executor_ns,ratio,hand_progress,executor_progress");
    for (int i = 0; i < SHAPES; i++)
      measure(&shapes[i], rounds, watched);
  }
  MPI_Finalize();
  return 0;
}
