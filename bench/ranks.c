/* The ranks of `tourney bench`: an MPI program that runs each collective alternately native and
   planned, by switching the preloaded runtime off and on (tourney_set_native), and where asked by
   the MPI's own algorithms (peers.h), checks every byte of every result, and reports each sample as
   a line on standard output:

   - ranks P
   - rank R host NAME: one a rank
   - row INDEX OF COLLECTIVE BYTES: a row begins; INDEX from 1
   - sample COLLECTIVE BYTES VARIANT ALGORITHM SECONDS: VARIANT native, planned or a peer's name
   - untried COLLECTIVE BYTES PEER: the row's time was up before its turn
   - done

   BYTES is the size of one block: what a pair exchanges in an all-to-all, what a rank contributes
   to an all-gather, the whole message of a broadcast, and one result of a reduction. Of an uneven
   collective (alltoallv) it is the mean of drawn sizes (tny_pattern_uneven). A sample lasts from
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

#include "bench/operations.h"
#include "bench/pattern.h"
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
  uint32_t peer_count;
  struct bench_peer peers[PEERS_MAX];
};

/* The rank that runs, and the runtime's functions. */
struct context {
  uint32_t rank, rank_count;
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
  struct bench_buffers buffers;
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
      if (!size || !row.block_bytes || options->row_count == ROWS_MAX)
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
  static const struct option names[] = {{"collective", required_argument, NULL, 'c'},
                                        {"bytes", required_argument, NULL, 'b'},
                                        {"peer", required_argument, NULL, 'p'},
                                        {"repeat", required_argument, NULL, 'r'},
                                        {"repeat-max", required_argument, NULL, 'm'},
                                        {"warmup", required_argument, NULL, 'w'},
                                        {"max-seconds", required_argument, NULL, 's'},
                                        {"uneven", required_argument, NULL, 'u'},
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
    else
      good = false;
  }
  options->max_seconds = (double)seconds;
  return good && optind == argc && options->row_count;
}

static uint32_t block_count(const struct bench_operation *op, bool is_input,
                            const struct context *context)
{
  if (context->rank != 0 && (is_input ? op->input_at_root : op->output_at_root))
    return 0;
  return (is_input ? op->input_per_rank : op->output_per_rank) ? context->rank_count : 1;
}

static uint64_t input_seed(const struct bench_operation *op, const struct context *context,
                           uint32_t block, uint64_t iteration)
{
  return bench_pattern_seed(context->rank, op->personal ? block : 0, iteration);
}

static uint64_t output_seed(const struct bench_operation *op, const struct context *context,
                            uint32_t block, uint64_t iteration)
{
  return bench_pattern_seed(op->rooted ? 0 : block, op->personal ? context->rank : 0, iteration);
}

/* Fills the inputs anew, and overwrites what an earlier turn left in the outputs. */
static void prepare(const struct row *row, const struct context *context,
                    const struct bench_buffers *buffers, uint64_t iteration)
{
  const struct bench_operation *op = row->operation;
  const struct bench_side *input = &buffers->input, *output = &buffers->output;
  uint64_t place = 0;
  for (uint32_t i = 0; i < input->count; place += (uint64_t)input->bytes[i++])
    bench_pattern_fill(input->memory + place, (uint64_t)input->bytes[i],
                       input_seed(op, context, i, iteration));
  memset(output->memory, (int)(~iteration & 0xff), output->total);
  if (op->rooted && context->rank == 0)
    bench_pattern_fill(output->memory, row->block_bytes, output_seed(op, context, 0, iteration));
}

/* A block to be checked. */
struct checked {
  const uint8_t *block;
  uint64_t bytes, seed;
};

/* Ends the whole job where a block isn't right. */
static void check_block(const struct row *row, const struct context *context, const char *what,
                        const struct checked *checked)
{
  const uint64_t wrong = bench_pattern_check(checked->block, checked->bytes, checked->seed);
  if (wrong == checked->bytes)
    return;
  fprintf(stderr,
          "tourney-bench-ranks: %s of %" PRIu64 " bytes: rank %" PRIu32
          ": %s: wrong byte at offset "
          "%" PRIu64 ": expected 0x%02x, got 0x%02x\n",
          row->operation->name, row->block_bytes, context->rank, what, wrong,
          bench_pattern_byte(checked->seed, wrong), checked->block[wrong]);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Takes the other ranks' blocks out of a result again, so that rank 0's is left. */
static void take_apart(const struct row *row, const struct context *context,
                       const struct bench_side *output, uint64_t iteration)
{
  for (uint32_t rank = 1; output->count > 0 && rank < context->rank_count; rank++)
    bench_pattern_mix(
        output->memory, output->total,
        bench_pattern_seed(rank, row->operation->personal ? context->rank : 0, iteration));
}

static void check(const struct row *row, const struct context *context,
                  const struct bench_buffers *buffers, uint64_t iteration)
{
  const struct bench_operation *op = row->operation;
  const struct bench_side *input = &buffers->input, *output = &buffers->output;
  char what[48];
  uint64_t place = 0;
  if (op->reduces)
    take_apart(row, context, output, iteration);
  for (uint32_t i = 0; i < output->count; place += (uint64_t)output->bytes[i++]) {
    snprintf(what, sizeof what, "block %" PRIu32 " of the result", i);
    check_block(row, context, what,
                &(struct checked){output->memory + place, (uint64_t)output->bytes[i],
                                  output_seed(op, context, i, iteration)});
  }
  place = 0;
  for (uint32_t i = 0; !op->rooted && i < input->count; place += (uint64_t)input->bytes[i++]) {
    snprintf(what, sizeof what, "block %" PRIu32 " of the input was changed", i);
    check_block(row, context, what,
                &(struct checked){input->memory + place, (uint64_t)input->bytes[i],
                                  input_seed(op, context, i, iteration)});
  }
}

/* Makes one call and checks its result. Everything but that call is native. Returns its time, which
   is the longest over the ranks: the same number at every rank. */
static double time_call(struct contest *contest, const struct variant *variant)
{
  const struct context *context = contest->context;
  const uint64_t iteration = contest->iteration++;
  prepare(contest->row, context, &contest->buffers, iteration);
  const double start = bench_operation_begin(contest->row->operation);
  context->set_native(!variant->planned);
  contest->row->operation->call(&contest->buffers, variant->comm);
  const double elapsed = MPI_Wtime() - start;
  contest->served_by = variant->planned ? context->last_algorithm() : "native";
  contest->was_trial = context->is_trying();
  context->set_native(true);
  double times[2] = {elapsed, context->rank ? 0 : MPI_Wtime() - contest->start};
  MPI_Allreduce(MPI_IN_PLACE, times, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  contest->seconds = times[1];
  /* not before: a rank that is done would take the processors from those that aren't */
  check(contest->row, context, &contest->buffers, iteration);
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
  add_variant(contest, (struct variant){"native", false, MPI_COMM_WORLD});
  add_variant(contest, (struct variant){"planned", true, MPI_COMM_WORLD});
  for (uint32_t i = 0; i < contest->options->peer_count; i++) {
    const struct bench_peer *peer = &contest->options->peers[i];
    if (peer->comm != MPI_COMM_NULL && !strcmp(peer->collective, row->operation->name) &&
        row->block_bytes >= peer->bytes_min && row->block_bytes <= peer->bytes_max)
      add_variant(contest, (struct variant){peer->name, false, peer->comm});
  }
}

/* Lays a side's blocks out; false: no memory, or more than MPI's displacements reach. `sizes` is
   NULL where all are alike. */
static bool make_side(const struct row *row, const struct context *context,
                      const struct tny_pattern *sizes, bool is_input, struct bench_side *side)
{
  const struct bench_operation *op = row->operation;
  const size_t own = context->rank, p = context->rank_count;
  side->count = block_count(op, is_input, context);
  side->bytes = malloc((side->count + 1) * sizeof *side->bytes);
  side->places = malloc((side->count + 1) * sizeof *side->places);
  if (!side->bytes || !side->places)
    return false;
  for (uint32_t i = 0; i < side->count; i++) {
    const uint64_t bytes =
        sizes ? sizes->bytes[is_input ? own * p + i : i * p + own] : row->block_bytes;
    if (op->uneven && (bytes > INT_MAX || side->total > INT_MAX))
      return false;
    side->bytes[i] = (int)bytes;
    side->places[i] = op->uneven ? (int)side->total : 0;
    side->total += bytes;
  }
  side->memory = malloc(side->total ? side->total : 1);
  return side->memory != NULL;
}

/* What ranks have for each other, of an uneven collective; of another one NULL. */
static enum tny_status draw_sizes(const struct options *options, const struct row *row,
                                  uint32_t rank_count, struct tny_pattern **sizes)
{
  struct tny_unevenness spread = options->spread;
  enum tny_collective collective;
  bool is_uneven;
  *sizes = NULL;
  spread.mean_bytes = row->block_bytes;
  const enum tny_status status =
      tny_collective_parse_form(row->operation->name, &collective, &is_uneven, NULL);
  return status == TNY_OK && is_uneven
             ? tny_pattern_uneven(rank_count, collective, &spread, sizes, NULL)
             : status;
}

static bool make_buffers(const struct options *options, const struct row *row,
                         const struct context *context, struct bench_buffers *buffers)
{
  struct tny_pattern *sizes;
  const bool good = draw_sizes(options, row, context->rank_count, &sizes) == TNY_OK &&
                    make_side(row, context, sizes, true, &buffers->input) &&
                    make_side(row, context, sizes, false, &buffers->output);
  tny_pattern_free(sizes);
  return good;
}

static void free_side(struct bench_side *side)
{
  free(side->memory);
  free(side->bytes);
  free(side->places);
}

static void run_row(const struct options *options, uint32_t index, const struct context *context)
{
  const struct row *row = &options->rows[index];
  const struct bench_operation *op = row->operation;
  struct contest contest = {.row = row, .context = context, .options = options};
  if (!make_buffers(options, row, context, &contest.buffers)) {
    fprintf(stderr,
            "tourney-bench-ranks: rank %" PRIu32 ": no memory for %s of %" PRIu64 " bytes\n",
            context->rank, op->name, row->block_bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
  } else {
    if (context->rank == 0)
      printf("row %" PRIu32 " %" PRIu32 " %s %" PRIu64 "\n", index + 1, options->row_count,
             op->name, row->block_bytes);
    fflush(stdout);
    add_variants(&contest);
    measure(&contest);
  }
  free_side(&contest.buffers.input);
  free_side(&contest.buffers.output);
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
                      "[--collective LIST] "
                      "--bytes LIST ...\n");
    return 2;
  }
  if (!find_runtime(context))
    return 1;
  context->set_native(true);
  bench_report_hosts();
  bench_peers_open(options.peers, options.peer_count);
  for (uint32_t i = 0; i < options.row_count; i++)
    run_row(&options, i, context);
  bench_peers_close(options.peers, options.peer_count);
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
