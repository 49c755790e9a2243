/* The ranks of `tourney bench`: an MPI program that runs each collective alternately native and
   planned, by switching the preloaded runtime off and on (tourney_set_native), checks every byte of
   every result, and reports each sample as a line on standard output:

   - ranks P
   - rank R host NAME: one a rank
   - row INDEX OF COLLECTIVE BYTES: a row begins; INDEX from 1
   - sample COLLECTIVE BYTES VARIANT ALGORITHM SECONDS: VARIANT native or planned
   - done

   BYTES is the size of one block: what a pair exchanges in an all-to-all, what a rank contributes
   to an all-gather, and the whole message of a broadcast. A sample lasts from a common barrier
   until the last rank has its result. Without --repeat-max a row has --repeat pairs of samples;
   with it, short rows get more. */
#include <dlfcn.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include <tourney/runtime.h>

#include "bench/pattern.h"

#define ROWS_MAX 256
#define REPEAT_MIN 3     /* pairs that a row gets even when its time is up */
#define TRIALS_MAX 100   /* planned calls that a row waits for the runtime to settle */
#define FILL_SECONDS 1.0 /* Short rows get more pairs, up to repeat_max, within this time. */

struct buffers {
  uint8_t *input, *output;
  int block_bytes;
};

/* One collective: how many blocks it reads and writes, and how to call it. */
struct operation {
  const char *name;
  bool input_per_rank, output_per_rank; /* a block for each rank, else one in all */
  bool personal;                        /* a block is meant for one rank only */
  bool rooted;                          /* rank 0's output is the input of all */
  int (*call)(const struct buffers *buffers);
};

struct row {
  const struct operation *operation;
  uint64_t block_bytes;
};

struct options {
  uint64_t repeat, repeat_max, warmup;
  double max_seconds; /* of a row; 0: there is no limit */
  uint32_t row_count;
  struct row rows[ROWS_MAX];
};

/* The rank that runs, and the runtime's functions. */
struct context {
  uint32_t rank, rank_count;
  /* The runtime's functions, found by dlsym: so they are whatever this program is linked as. */
  __typeof__(tourney_last_algorithm) *last_algorithm;
  __typeof__(tourney_set_native) *set_native;
  __typeof__(tourney_is_trying) *is_trying;
};

static int call_bcast(const struct buffers *b)
{
  return MPI_Bcast(b->output, b->block_bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static int call_allgather(const struct buffers *b)
{
  return MPI_Allgather(b->input, b->block_bytes, MPI_BYTE, b->output, b->block_bytes, MPI_BYTE,
                       MPI_COMM_WORLD);
}

static int call_alltoall(const struct buffers *b)
{
  return MPI_Alltoall(b->input, b->block_bytes, MPI_BYTE, b->output, b->block_bytes, MPI_BYTE,
                      MPI_COMM_WORLD);
}

static const struct operation operations[] = {
    {"bcast", false, false, false, true, call_bcast},
    {"allgather", false, true, false, false, call_allgather},
    {"alltoall", true, true, true, false, call_alltoall},
};

static const struct operation *find_operation(const char *name, size_t length)
{
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    if (strlen(operations[i].name) == length && !strncmp(operations[i].name, name, length))
      return &operations[i];
  }
  return NULL;
}

/* Reads a whole number up to the end or a comma. Returns what is behind it; NULL where it isn't
   one. */
static const char *read_number(const char *text, uint64_t max, uint64_t *number)
{
  char *rest;
  if (*text < '0' || *text > '9')
    return NULL;
  *number = strtoull(text, &rest, 10);
  return *number <= max && (*rest == ',' || !*rest) ? rest : NULL;
}

/* Appends a row for each pair of a collective and a size; both arguments are comma lists. */
static bool add_rows(struct options *options, const char *collectives, const char *sizes)
{
  for (const char *name = collectives; *name;) {
    const size_t length = strcspn(name, ",");
    const struct operation *operation = find_operation(name, length);
    if (!operation)
      return false;
    for (const char *size = sizes; *size;) {
      struct row row = {operation, 0};
      size = read_number(size, INT_MAX, &row.block_bytes);
      if (!size || !row.block_bytes || options->row_count == ROWS_MAX)
        return false;
      options->rows[options->row_count++] = row;
      size += *size == ',';
    }
    name += length + (name[length] == ',');
  }
  return true;
}

static bool read_whole(const char *text, uint64_t *number)
{
  const char *rest = read_number(text, UINT32_MAX, number);
  return rest && !*rest;
}

/* The sizes after --bytes are for the collectives before it, so that each can have its own. */
static bool read_options(int argc, char **argv, struct options *options)
{
  static const struct option names[] = {{"collective", required_argument, NULL, 'c'},
                                        {"bytes", required_argument, NULL, 'b'},
                                        {"repeat", required_argument, NULL, 'r'},
                                        {"repeat-max", required_argument, NULL, 'm'},
                                        {"warmup", required_argument, NULL, 'w'},
                                        {"max-seconds", required_argument, NULL, 's'},
                                        {NULL, 0, NULL, 0}};
  const char *collectives = "bcast,allgather,alltoall";
  uint64_t seconds = 0;
  bool good = true;
  int letter;
  opterr = 0;
  while (good && (letter = getopt_long(argc, argv, "", names, NULL)) != -1) {
    if (letter == 'c')
      collectives = optarg;
    else if (letter == 'b')
      good = add_rows(options, collectives, optarg);
    else if (letter == 'r')
      good = read_whole(optarg, &options->repeat) && options->repeat;
    else if (letter == 'm')
      good = read_whole(optarg, &options->repeat_max);
    else if (letter == 'w')
      good = read_whole(optarg, &options->warmup);
    else if (letter == 's')
      good = read_whole(optarg, &seconds);
    else
      good = false;
  }
  options->max_seconds = (double)seconds;
  return good && optind == argc && options->row_count;
}

static uint32_t block_count(bool per_rank, const struct context *context)
{
  return per_rank ? context->rank_count : 1;
}

static uint64_t input_seed(const struct operation *op, const struct context *context,
                           uint32_t block, uint64_t iteration)
{
  return bench_pattern_seed(context->rank, op->personal ? block : 0, iteration);
}

static uint64_t output_seed(const struct operation *op, const struct context *context,
                            uint32_t block, uint64_t iteration)
{
  return bench_pattern_seed(op->rooted ? 0 : block, op->personal ? context->rank : 0, iteration);
}

/* Fills the inputs anew, and overwrites what an earlier turn left in the outputs. */
static void prepare(const struct row *row, const struct context *context,
                    const struct buffers *buffers, uint64_t iteration)
{
  const struct operation *op = row->operation;
  const uint32_t inputs = block_count(op->input_per_rank, context);
  for (uint32_t i = 0; i < inputs; i++)
    bench_pattern_fill(buffers->input + i * row->block_bytes, row->block_bytes,
                       input_seed(op, context, i, iteration));
  const uint32_t outputs = block_count(op->output_per_rank, context);
  memset(buffers->output, (int)(~iteration & 0xff), outputs * row->block_bytes);
  if (op->rooted && context->rank == 0)
    bench_pattern_fill(buffers->output, row->block_bytes, output_seed(op, context, 0, iteration));
}

/* Ends the whole job where a block isn't right. */
static void check_block(const struct row *row, const struct context *context, const char *what,
                        const uint8_t *block, uint64_t seed)
{
  const uint64_t wrong = bench_pattern_check(block, row->block_bytes, seed);
  if (wrong == row->block_bytes)
    return;
  fprintf(stderr,
          "tourney-bench-ranks: %s of %" PRIu64 " bytes: rank %" PRIu32
          ": %s: wrong byte at offset "
          "%" PRIu64 ": expected 0x%02x, got 0x%02x\n",
          row->operation->name, row->block_bytes, context->rank, what, wrong,
          bench_pattern_byte(seed, wrong), block[wrong]);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void check(const struct row *row, const struct context *context,
                  const struct buffers *buffers, uint64_t iteration)
{
  const struct operation *op = row->operation;
  const uint32_t outputs = block_count(op->output_per_rank, context);
  char what[48];
  for (uint32_t i = 0; i < outputs; i++) {
    snprintf(what, sizeof what, "block %" PRIu32 " of the result", i);
    check_block(row, context, what, buffers->output + i * row->block_bytes,
                output_seed(op, context, i, iteration));
  }
  const uint32_t inputs = op->rooted ? 0 : block_count(op->input_per_rank, context);
  for (uint32_t i = 0; i < inputs; i++) {
    snprintf(what, sizeof what, "block %" PRIu32 " of the input was changed", i);
    check_block(row, context, what, buffers->input + i * row->block_bytes,
                input_seed(op, context, i, iteration));
  }
}

/* Makes one call and checks its result. Everything but that call is native. Returns its time, which
   is the longest over the ranks and known at rank 0 only. */
static double time_call(const struct row *row, const struct context *context,
                        const struct buffers *buffers, bool planned, uint64_t iteration)
{
  prepare(row, context, buffers, iteration);
  MPI_Barrier(MPI_COMM_WORLD);
  context->set_native(!planned);
  const double start = MPI_Wtime();
  row->operation->call(buffers);
  const double elapsed = MPI_Wtime() - start;
  context->set_native(true);
  check(row, context, buffers, iteration);
  double longest = 0;
  MPI_Reduce(&elapsed, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return longest;
}

static void report(const struct row *row, const struct context *context, bool planned,
                   double seconds)
{
  if (context->rank)
    return;
  printf("sample %s %" PRIu64 " %s %s %.9f\n", row->operation->name, row->block_bytes,
         planned ? "planned" : "native", planned ? context->last_algorithm() : "native", seconds);
  fflush(stdout);
}

/* Returns the seconds since `start` by rank 0's clock: the same number at every rank. */
static double seconds_since(double start)
{
  double seconds = MPI_Wtime() - start;
  MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return seconds;
}

static bool is_enough(const struct options *options, uint64_t pairs, double seconds)
{
  if (pairs >= REPEAT_MIN && options->max_seconds > 0 && seconds > options->max_seconds)
    return true;
  return pairs >= options->repeat && (pairs >= options->repeat_max || seconds > FILL_SECONDS);
}

/* Native and planned take turns, so that what disturbs the machine disturbs both. The order within
   a pair changes each time, and the same calls come before each sample, so that both find the
   network in the same states. */
static void measure(const struct options *options, const struct row *row,
                    const struct context *context, const struct buffers *buffers)
{
  uint64_t iteration = 0;
  for (uint64_t i = 0; i < 2 * options->warmup; i++)
    time_call(row, context, buffers, i % 2, iteration++);
  for (int i = 0; options->warmup && i < TRIALS_MAX && context->is_trying(); i++)
    time_call(row, context, buffers, true, iteration++);
  const double start = MPI_Wtime();
  double seconds = 0;
  for (uint64_t pairs = 0; !is_enough(options, pairs, seconds); pairs++) {
    for (uint64_t turn = 0; turn < 2; turn++) {
      const bool planned = (pairs + turn) % 2;
      report(row, context, planned, time_call(row, context, buffers, planned, iteration++));
      seconds = seconds_since(start);
    }
  }
}

static void run_row(const struct options *options, uint32_t index, const struct context *context)
{
  const struct row *row = &options->rows[index];
  const struct operation *op = row->operation;
  struct buffers buffers = {
      .input = malloc(block_count(op->input_per_rank, context) * row->block_bytes),
      .output = malloc(block_count(op->output_per_rank, context) * row->block_bytes),
      .block_bytes = (int)row->block_bytes,
  };
  if (!buffers.input || !buffers.output) {
    fprintf(stderr,
            "tourney-bench-ranks: rank %" PRIu32 ": no memory for %s of %" PRIu64 " bytes\n",
            context->rank, op->name, row->block_bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
  } else {
    if (context->rank == 0)
      printf("row %" PRIu32 " %" PRIu32 " %s %" PRIu64 "\n", index + 1, options->row_count,
             op->name, row->block_bytes);
    fflush(stdout);
    measure(options, row, context, &buffers);
  }
  free(buffers.input);
  free(buffers.output);
}

/* Prints the host of every rank. */
static void report_hosts(const struct context *context)
{
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length;
  MPI_Get_processor_name(name, &length);
  char *names = context->rank ? NULL : malloc((size_t)context->rank_count * sizeof name);
  if (!context->rank && !names)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Gather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (names) {
    printf("ranks %" PRIu32 "\n", context->rank_count);
    for (uint32_t r = 0; r < context->rank_count; r++)
      printf("rank %" PRIu32 " host %s\n", r, names + r * sizeof name);
    fflush(stdout);
  }
  free(names);
}

/* Looks a function up. POSIX allows to copy dlsym's result through an object pointer. */
static bool find_function(const char *name, void *function)
{
  void *address = dlsym(RTLD_DEFAULT, name);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

/* Whether every rank has the runtime. Rank 0 reports it where one doesn't. */
static bool find_runtime(struct context *context)
{
  int here = find_function("tourney_last_algorithm", &context->last_algorithm) &&
             find_function("tourney_set_native", &context->set_native) &&
             find_function("tourney_is_trying", &context->is_trying);
  int everywhere = 0;
  MPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (!everywhere && context->rank == 0)
    fprintf(stderr, "tourney-bench-ranks: the runtime isn't loaded at every rank; start this by "
                    "tourney bench, or by tourney run -- mpirun ...\n");
  return everywhere;
}

static int run(int argc, char **argv, struct context *context)
{
  struct options options = {.repeat = 9, .warmup = 1};
  if (!read_options(argc, argv, &options)) {
    if (context->rank == 0)
      fprintf(stderr, "usage: tourney-bench-ranks [--repeat N] [--repeat-max N] "
                      "[--warmup N] [--max-seconds N] [--collective LIST] --bytes LIST ...\n");
    return 2;
  }
  if (!find_runtime(context))
    return 1;
  context->set_native(true);
  report_hosts(context);
  for (uint32_t i = 0; i < options.row_count; i++)
    run_row(&options, i, context);
  if (context->rank == 0)
    puts("done");
  fflush(stdout);
  return 0;
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  int rank, rank_count;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  struct context context = {.rank = (uint32_t)rank, .rank_count = (uint32_t)rank_count};
  const int code = run(argc, argv, &context);
  MPI_Finalize();
  return code;
}
