/* The ranks of `tourney bench`: an MPI program that runs each collective alternately native and
   planned, by switching the preloaded runtime off and on (tourney_set_native), and where asked by
   the MPI's own algorithms (peers.h), checks every byte of every result, and reports each sample as
   a line on standard output:

   - ranks P
   - rank R host NAME: one a rank
   - grid AxB: of neighbours, where a row is of neighbourhood collectives
   - row INDEX OF COLLECTIVE BYTES: a row begins; INDEX from 1
   - sample COLLECTIVE BYTES VARIANT ALGORITHM SECONDS: VARIANT native, planned or a peer's name
   - untried COLLECTIVE BYTES PEER: the row's time was up before its turn
   - done

   BYTES is the size of one block: what a pair exchanges in an all-to-all, what a rank contributes
   to an all-gather, the whole message of a broadcast, and one result of a reduction; of neighbours,
   what is for one of them. Of an uneven collective (alltoallv) it is the mean of drawn sizes
   (tny_pattern_draw). A sample lasts from
   a common barrier until the last rank has its result. Without --repeat-max a row has --repeat
   rounds, in each of which every variant takes a turn; with it, short rows get more. */
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include <tourney/pattern.h>
#include <tourney/runtime.h>

#include "bench/blocks.h"
#include "bench/grid.h"
#include "bench/peers.h"
#include "bench/turns.h"
#include "bench/world.h"

#define ROWS_MAX 256
#define PEERS_MAX 64
#define VARIANTS_MAX (2 + PEERS_MAX)
#define TRIALS_MAX 100     /* planned calls that a row waits for the runtime to settle */
#define REPEAT_MIN 3       /* rounds that native and planned get even when the row's time is up */
#define FLUSH_SECONDS 0.25 /* between two times that what was measured is handed on */
#define FILL_SECONDS 1.0   /* Short rows get more rounds, up to repeat_max: so long for a pair. */
#define LONG_SECONDS 0.5   /* To a call of that length, setting connections up adds nothing. */

struct row {
  const struct bench_operation *operation;
  uint64_t block_bytes;
};

struct options {
  uint64_t repeat, repeat_max, warmup;
  double max_seconds; /* of a row; 0: there is no limit */
  uint32_t row_count;
  struct row rows[ROWS_MAX];
  struct tny_unevenness spread; /* of uneven blocks */
  struct tny_shape grid;        /* of neighbours; no dimensions: as the MPI has it */
  uint32_t peer_count;
  struct bench_peer peers[PEERS_MAX];
};

/* The rank that runs, and the runtime's functions. */
struct context {
  uint32_t rank, rank_count;
  struct bench_grid grid; /* where a row is of neighbours */
  /* The runtime's functions, found by dlsym: so they are whatever this program is linked as. */
  __typeof__(tourney_last_algorithm) *last_algorithm;
  __typeof__(tourney_set_native) *set_native;
  __typeof__(tourney_is_trying) *is_trying;
};

/* One of those that take turns in a row. */
struct variant {
  const char *name;
  bool planned;
  MPI_Comm comm;
};

/* A row under way. */
struct contest {
  const struct row *row;
  const struct context *context;
  const struct options *options;
  struct bench_blocks blocks;
  MPI_Comm comm;          /* of the row's own: what the runtime counts of others doesn't touch it */
  uint32_t variant_count; /* native, planned, and the peers that take part */
  struct variant variants[VARIANTS_MAX];
  struct bench_turn turns[VARIANTS_MAX];
  uint64_t iteration;
  const char *served_by; /* the last call; read before the ranks agree on its time */
  bool was_trial;        /* the last call, of the guard's */
  double start;          /* when what counts for max_seconds began, at rank 0 */
  double seconds;        /* since then, by rank 0's clock: the same number at every rank */
  double flushed;        /* when what was measured was last handed on */
};

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
    const struct bench_operation *operation = bench_operation_find(name, length);
    if (!operation)
      return false;
    for (const char *size = sizes; *size;) {
      struct row row = {operation, 0};
      size = read_number(size, INT_MAX, &row.block_bytes);
      if (!size || (row.block_bytes == 0) != operation->synchronizes ||
          options->row_count == ROWS_MAX)
        return false;
      options->rows[options->row_count++] = row;
      size += *size == ',';
    }
    name += length + (name[length] == ',');
  }
  return true;
}

static bool add_peer(struct options *options, const char *text)
{
  return options->peer_count < PEERS_MAX &&
         bench_peer_read(text, &options->peers[options->peer_count++]);
}

static bool read_whole(const char *text, uint64_t *number)
{
  const char *rest = read_number(text, UINT32_MAX, number);
  return rest && !*rest;
}

/* The sizes after --bytes are for the collectives before it, so that each can have its own. */
static bool read_options(int argc, char **argv, struct options *options)
{
  static const struct option names[] = {
      {"collective", required_argument, NULL, 'c'},  {"bytes", required_argument, NULL, 'b'},
      {"peer", required_argument, NULL, 'p'},        {"repeat", required_argument, NULL, 'r'},
      {"repeat-max", required_argument, NULL, 'm'},  {"warmup", required_argument, NULL, 'w'},
      {"max-seconds", required_argument, NULL, 's'}, {"uneven", required_argument, NULL, 'u'},
      {"grid", required_argument, NULL, 'g'},        {NULL, 0, NULL, 0}};
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
    else if (letter == 'p')
      good = add_peer(options, optarg);
    else if (letter == 'r')
      good = read_whole(optarg, &options->repeat) && options->repeat;
    else if (letter == 'm')
      good = read_whole(optarg, &options->repeat_max);
    else if (letter == 'w')
      good = read_whole(optarg, &options->warmup);
    else if (letter == 's')
      good = read_whole(optarg, &seconds);
    else if (letter == 'u')
      good = tny_unevenness_parse(optarg, &options->spread, NULL) == TNY_OK;
    else if (letter == 'g')
      good = tny_grid_parse(optarg, &options->grid, NULL) == TNY_OK;
    else
      good = false;
  }
  options->max_seconds = (double)seconds;
  return good && optind == argc && options->row_count;
}

/* Makes one call and checks its result. Everything but that call is native. Returns its time, which
   is the longest over the ranks: the same number at every rank. */
static double time_call(struct contest *contest, const struct variant *variant)
{
  const struct context *context = contest->context;
  const uint64_t iteration = contest->iteration++;
  bench_blocks_fill(&contest->blocks, iteration);
  const double start = bench_operation_begin(contest->row->operation);
  context->set_native(!variant->planned);
  contest->row->operation->call(&contest->blocks.buffers, variant->comm);
  const double elapsed = MPI_Wtime() - start;
  contest->served_by = variant->planned ? context->last_algorithm() : "native";
  contest->was_trial = context->is_trying();
  context->set_native(true);
  double times[2] = {elapsed, context->rank ? 0 : MPI_Wtime() - contest->start};
  MPI_Allreduce(MPI_IN_PLACE, times, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  contest->seconds = times[1];
  /* not before: a rank that is done would take the processors from those that aren't */
  bench_blocks_check(&contest->blocks, iteration);
  return times[0];
}

/* Flushed now and then only: who reads it takes processor time from the next call. */
static void report(struct contest *contest, const struct variant *variant, double seconds)
{
  if (contest->context->rank)
    return;
  printf("sample %s %" PRIu64 " %s %s %.9f\n", contest->row->operation->name,
         contest->row->block_bytes, variant->name, contest->served_by, seconds);
  if (MPI_Wtime() - contest->flushed < FLUSH_SECONDS)
    return;
  fflush(stdout);
  contest->flushed = MPI_Wtime();
}

static void report_untried(const struct contest *contest, const struct variant *variant)
{
  if (contest->context->rank)
    return;
  printf("untried %s %" PRIu64 " %s\n", contest->row->operation->name, contest->row->block_bytes,
         variant->name);
}

static bool is_over(const struct contest *contest)
{
  return contest->options->max_seconds > 0 && contest->seconds > contest->options->max_seconds;
}

/* counted: the seconds of the samples alone. */
static bool is_enough(const struct contest *contest, uint64_t rounds, double counted)
{
  const struct options *options = contest->options;
  if (rounds >= REPEAT_MIN && is_over(contest))
    return true;
  const double fill = FILL_SECONDS * bench_turns_left(contest->turns, contest->variant_count) / 2;
  return rounds >= options->repeat && (rounds >= options->repeat_max || counted > fill);
}

/* Calls of native and planned that aren't counted: the first planned call makes the plan. What the
   runtime tries by itself before it settles on an algorithm belongs here too, so that samples are
   of what it settled on. Returns native's last time. */
static double warm_up(struct contest *contest)
{
  double seconds = 0;
  for (uint64_t i = 0; i < contest->options->warmup; i++) {
    seconds = time_call(contest, &contest->variants[0]);
    time_call(contest, &contest->variants[1]);
  }
  for (int i = 0; contest->options->warmup && i < TRIALS_MAX && contest->was_trial; i++)
    time_call(contest, &contest->variants[1]);
  return seconds;
}

/* The same for the peers, whose first calls set connections up: only where that counts. */
static void warm_up_peers(struct contest *contest, double native_seconds)
{
  if (!contest->options->warmup || native_seconds > LONG_SECONDS)
    return;
  for (uint32_t i = 2; i < contest->variant_count && !is_over(contest); i++)
    time_call(contest, &contest->variants[i]);
}

static void take_turn(struct contest *contest, uint32_t index)
{
  const struct variant *variant = &contest->variants[index];
  struct bench_turn *turn = &contest->turns[index];
  if (turn->out)
    return;
  if (turn->is_peer && is_over(contest)) {
    turn->out = true;
    if (!turn->samples)
      report_untried(contest, variant);
    return;
  }
  const double longest = time_call(contest, variant);
  bench_turn_add(turn, longest);
  report(contest, variant, longest);
}

/* All take turns, so that what disturbs the machine disturbs all. The order within a round is
   drawn, so that what one call leaves behind falls on all alike. */
static void measure(struct contest *contest)
{
  const double native_seconds = warm_up(contest);
  contest->start = MPI_Wtime();
  contest->seconds = 0;
  warm_up_peers(contest, native_seconds);
  const double tried = contest->seconds;
  uint32_t order[VARIANTS_MAX];
  for (uint64_t rounds = 0; !is_enough(contest, rounds, contest->seconds - tried); rounds++) {
    bench_turns_order(contest->variant_count, rounds, order);
    for (uint32_t place = 0; place < contest->variant_count; place++)
      take_turn(contest, order[place]);
    bench_turns_drop(contest->turns, contest->variant_count);
  }
}

static void add_variant(struct contest *contest, struct variant variant)
{
  contest->turns[contest->variant_count].is_peer = contest->variant_count >= 2;
  contest->variants[contest->variant_count++] = variant;
}

static void add_variants(struct contest *contest)
{
  const struct row *row = contest->row;
  add_variant(contest, (struct variant){"native", false, contest->comm});
  add_variant(contest, (struct variant){"planned", true, contest->comm});
  for (uint32_t i = 0; i < contest->options->peer_count; i++) {
    const struct bench_peer *peer = &contest->options->peers[i];
    if (peer->comm != MPI_COMM_NULL && !strcmp(peer->collective, row->operation->name) &&
        row->block_bytes >= peer->bytes_min && row->block_bytes <= peer->bytes_max)
      add_variant(contest, (struct variant){peer->name, false, peer->comm});
  }
}

static void run_row(const struct options *options, uint32_t index, const struct context *context)
{
  const struct row *row = &options->rows[index];
  const struct bench_operation *op = row->operation;
  struct contest contest = {.row = row,
                            .context = context,
                            .options = options,
                            .blocks = {.operation = op,
                                       .block_bytes = row->block_bytes,
                                       .rank = context->rank,
                                       .rank_count = context->rank_count,
                                       .grid = &context->grid}};
  struct tny_error error = {0};
  if (bench_blocks_make(&contest.blocks, &options->spread, &error) != TNY_OK) {
    fprintf(stderr, "tourney-bench-ranks: rank %" PRIu32 ": %s of %" PRIu64 " bytes: %s\n",
            context->rank, op->name, row->block_bytes, error.text);
    MPI_Abort(MPI_COMM_WORLD, 1);
  } else {
    if (context->rank == 0)
      printf("row %" PRIu32 " %" PRIu32 " %s %" PRIu64 "\n", index + 1, options->row_count,
             op->name, row->block_bytes);
    fflush(stdout);
    MPI_Comm_dup(op->neighbours ? context->grid.comm : MPI_COMM_WORLD, &contest.comm);
    add_variants(&contest);
    measure(&contest);
    MPI_Comm_free(&contest.comm);
  }
  bench_blocks_free(&contest.blocks);
}

static bool has_neighbours(const struct options *options)
{
  for (uint32_t i = 0; i < options->row_count; i++)
    if (options->rows[i].operation->neighbours)
      return true;
  return false;
}

/* Makes the grid, if a row needs it, and says its sides. False: it is one of other ranks. */
static bool open_grid(const struct options *options, struct context *context)
{
  struct bench_grid *grid = &context->grid;
  *grid = (struct bench_grid){.comm = MPI_COMM_NULL, .shape = options->grid};
  if (!has_neighbours(options))
    return true;
  const bool is_open = bench_grid_open(grid);
  if (context->rank == 0 && is_open)
    printf("grid ");
  else if (context->rank == 0)
    fprintf(stderr,
            "tourney-bench-ranks: there are %" PRIu32 " ranks, and none or several for "
            "each place of the grid that --grid gives\n",
            context->rank_count);
  for (uint32_t d = grid->shape.dimension_count; context->rank == 0 && is_open && d-- > 0;)
    printf("%" PRIu32 "%c", grid->shape.size[d], d > 0 ? 'x' : '\n');
  return is_open;
}

/* Whether every rank has the runtime. Rank 0 reports it where one doesn't. */
static bool find_runtime(struct context *context)
{
  const bool here = bench_find_function("tourney_last_algorithm", &context->last_algorithm) &&
                    bench_find_function("tourney_set_native", &context->set_native) &&
                    bench_find_function("tourney_is_trying", &context->is_trying);
  const bool everywhere = bench_is_everywhere(here, MPI_COMM_WORLD);
  if (!everywhere && context->rank == 0)
    fprintf(stderr, "tourney-bench-ranks: the runtime isn't loaded at every rank; start this by "
                    "tourney bench, or by tourney run -- mpirun ...\n");
  return everywhere;
}

static int run(int argc, char **argv, struct context *context)
{
  struct options options = {.repeat = 9, .warmup = 1, .spread = {.least_part = 1, .most_part = 8}};
  if (!read_options(argc, argv, &options)) {
    if (context->rank == 0)
      fprintf(stderr, "usage: tourney-bench-ranks [--repeat N] [--repeat-max N] "
                      "[--warmup N] [--max-seconds N] [--peer "
                      "COLLECTIVE/ALGORITHM/SEGMENT/MIN/MAX/NAME]... [--uneven LEAST:MOST|zipf] "
                      "[--grid AxB] [--collective LIST] "
                      "--bytes LIST ...\n");
    return 2;
  }
  if (!find_runtime(context))
    return 1;
  context->set_native(true);
  bench_report_hosts();
  if (!open_grid(&options, context))
    return 2;
  bench_peers_open(options.peers, options.peer_count);
  for (uint32_t i = 0; i < options.row_count; i++)
    run_row(&options, i, context);
  bench_peers_close(options.peers, options.peer_count);
  bench_grid_close(&context->grid);
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
