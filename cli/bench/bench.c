/* `tourney bench`: measures native and planned collectives alternately, in the lab or on a real
   cluster, and sets them against the bound. The ranks measure (bench/ranks.c, an MPI program of its
   own); this file starts them, hands what they say to reader.c, and shows the result. */
#include <inttypes.h>

#include "chart.h"
#include "cli/shared/drawing/gnuplot.h"
#include "cli/shared/help.h"
#include "cli/shared/launch/child.h"
#include "cli/shared/launch/launch.h"
#include "cli/shared/launch/ranks.h"
#include "cli/shared/launch/target.h"
#include "cli/shared/launch/words.h"
#include "cli/shared/options.h"
#include "cli/shared/profile/profile_file.h"
#include "cli/shared/report.h"
#include "cli/shared/signals.h"
#include "cli/shared/subcommands.h"
#include "cli/shared/whole_file.h"
#include "core/alloc.h"
#include "core/arena.h"
#include "core/error.h"
#include "lab/lab.h"
#include "options.h"
#include "predict.h"
#include "reader.h"
#include "table.h"

#define RATIO_MIN 0.97 /* --check: a planned row below is slower, beyond what noise makes */

static const char help[] =
    "usage: tourney bench [OPTION...]\n"
    "\n"
    "Measures native and planned collectives alternately, checks every byte of every result, and\n"
    "shows medians, quartiles, their ratio and their share of the bound: the least time that the\n"
    "raw rate of the limiting link allows. In the lab that is up (tourney lab up), or by\n"
    "--launcher on a real cluster.\n"
    "\n"
    "  --collective LIST   of {served}; default: all these; also reduce,\n"
    "                      reducescatter and allreduce, by MPI_BXOR; allgatherv, alltoallv,\n"
    "                      gatherv, scatterv and reduce_scatter, whose blocks differ (--uneven);\n"
    "                      neighbor_allgather, neighbor_allgatherv, neighbor_alltoall and\n"
    "                      neighbor_alltoallv on a periodic grid of the ranks (--grid);\n"
    "                      and barrier, which is planned where --algorithm says so\n"
    "  --bytes LIST        sizes of a block, as in 64,8KiB,1MiB: all-to-all: a pair of ranks;\n"
    "                      all-gather: a rank; broadcast: the whole message; reductions: a\n"
    "                      result; default: 1KiB,8KiB,64KiB, of a broadcast 1KiB,64KiB,1MiB\n"
    "  --uneven A:B        blocks of the uneven ones: sizes drawn from least to most,\n"
    "                      which are to each other as A to B, with the size that --bytes gives in\n"
    "                      the middle; or zipf: by Zipf's law, with that size on the mean; the\n"
    "                      bound is that of the drawn sizes; default: 1:8\n"
    "  --grid AxB          the grid's sides, one to three; ranks that follow each other are\n"
    "                      neighbours in the last one; default: two, as MPI_Dims_create has them\n"
    "  --algorithm NAME|COLLECTIVE=NAME[,...]\n"
    "                      for the collective, or for some; default: what the variable\n"
    "                      TOURNEY_ALGORITHM says, else chosen by the runtime\n"
    "  --profile FILE      what 'tourney tune' measured here, for the runtime to choose by\n"
    "  --repeat N          samples of each variant; default: 9, and for short rows up to 499,\n"
    "                      as many as take a second\n"
    "  --warmup N          calls before, not counted; default: 1\n"
    "  --max-seconds N     a row ends early after this long; 0: never; default: 60\n"
    "  --peers             also each of Open MPI's own algorithms, forced, and its HAN\n"
    "                      component, in turns with the others; those that are much slower than\n"
    "                      the best of them are called less often; not with MPICH\n"
    "  --csv FILE          writes CSV too; FILE is replaced only at the end; -: to standard\n"
    "                      output, instead of the table\n"
    "  --chart FILE.svg    draws native, planned and the best peer beside the bound, by gnuplot\n"
    "  --check             exit code 1 where a planned row's ratio is under 0.97\n"
    "  --mpi openmpi|mpich  the MPI to measure; default: the launcher's, else openmpi\n"
    "in the lab:\n"
    "  --lab NAME          which; default: $TOURNEY_LAB, else the one named lab\n"
    "  --ranks N           default: one a host\n"
    "  --map block|interleaved   where the ranks sit; default: block\n"
    "  --cluster C         the cluster to plan for, instead of the lab's own\n"
    "  --congestion LIST   repeats all rows with each of these TCP congestion controls, as in\n"
    "                      cubic,reno,bbr; afterwards the lab has its own again\n"
    "on a real cluster:\n"
    "  --launcher COMMAND  as in 'mpirun -n 16 --hostfile hosts'\n"
    "  --cluster C         the network: a generator or a file; needed\n"
    "\n"
    "Exit code: 0 done; 1 the ranks failed, a result was wrong or --check says no; 2 bad\n"
    "arguments or cluster; 3 this machine can't: a program is missing; 130 interrupted.\n";

/* A bench: what was asked for, what it uses, what it measured. */
struct bench {
  struct bench_options options;
  struct bench_result result;
  struct bench_reader reader;
  struct bench_progress progress;
  struct whole_file csv;
  struct tny_text csv_rows;       /* of all passes */
  bool is_slow;                   /* --check: a planned row was */
  bool has_other_congestion;      /* the lab, for the time being */
  struct signals_blocked blocked; /* while measuring, for the CSV's sake */
  struct launch_target target;
  struct tny_arena *arena; /* the command's words */
  struct tny_error error;
};

/* The cluster to plan for and to measure against, and what the runtime is told. */
static enum tny_status open_target(struct bench *bench, char **value)
{
  const struct bench_options *options = &bench->options;
  const struct launch_target_wanted wanted = {
      .in_lab = !options->launcher,
      .lab = options->lab,
      .cluster = options->cluster,
      .otherwise = "measure on a real cluster by --launcher 'mpirun ...' --cluster C"};
  const enum tny_status status = launch_target_open(&bench->target, &wanted, value, &bench->error);
  if (status != TNY_OK)
    return status;
  return launch_target_ranks(&bench->target, 2, &bench->options.ranks, &bench->error);
}

static enum tny_status prepare_environment(struct bench *bench)
{
  char *value = NULL, *algorithms = NULL, *profile = NULL;
  enum tny_status status = bench_options_algorithms(&bench->options, &algorithms, &bench->error);
  if (status == TNY_OK)
    status = open_target(bench, &value);
  if (status == TNY_OK && bench->options.profile)
    status = profile_file_flatten(bench->options.profile, &profile, &bench->error);
  const struct launch_settings settings = {.mpi = bench->options.mpi,
                                           .cluster = value,
                                           .algorithms = algorithms,
                                           .profile = profile,
                                           .forces_natives = bench->options.peers || profile};
  if (status == TNY_OK)
    status = launch_export(&settings, &bench->error);
  if (status == TNY_OK && bench->options.lab && setenv("TOURNEY_LAB", bench->options.lab, 1))
    status = tny_error_memory(&bench->error);
  tny_text_free(value);
  tny_text_free(algorithms);
  tny_text_free(profile);
  return status;
}

/* --collective C --bytes A,B for each collective. */
static void add_rows(struct launch_words *words, const struct bench_result *result)
{
  for (uint32_t i = 0; i < result->row_count;) {
    const char *name = bench_row_name(&result->rows[i]);
    struct tny_text sizes = {0};
    for (; i < result->row_count && !strcmp(bench_row_name(&result->rows[i]), name); i++)
      tny_text_add(&sizes, "%s%" PRIu64, sizes.length ? "," : "", result->rows[i].bytes);
    words->failed |= sizes.failed;
    if (!sizes.failed) {
      launch_words_add(words, "--collective");
      launch_words_add(words, name);
      launch_words_add(words, "--bytes");
      launch_words_add(words, sizes.bytes);
    }
    tny_text_release(&sizes);
  }
}

/* --peer COLLECTIVE/ALGORITHM/SEGMENT/MIN/MAX/NAME for each. */
static void add_peers(struct launch_words *words, const struct bench_options *options)
{
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    struct peer peers[PEERS_MAX];
    const enum tny_collective collective = (enum tny_collective)c;
    const size_t count = options->rows.asked[CLI_FORM_ALIKE][c] ? peers_of(collective, peers) : 0;
    for (size_t i = 0; i < count; i++) {
      char text[192];
      const struct peer *peer = &peers[i];
      snprintf(text, sizeof text, "%s/%" PRIu32 "/%" PRIu32 "/%" PRIu64 "/%" PRIu64 "/%s",
               tny_collective_name(collective), peer->algorithm ? peer->algorithm->number : 0,
               peer->segment_bytes, peer->bytes_min, peer->bytes_max, peer->name);
      launch_words_add(words, "--peer");
      launch_words_add(words, text);
    }
  }
}

/* The command line that starts the ranks. */
static enum tny_status make_command(struct bench *bench, char ***command)
{
  const struct bench_options *options = &bench->options;
  struct launch_words words = {.arena = bench->arena};
  launch_words_add_number(&words, "--repeat", options->repeat);
  launch_words_add_number(&words, "--repeat-max", options->repeat_max);
  launch_words_add_number(&words, "--warmup", options->warmup);
  launch_words_add_number(&words, "--max-seconds", options->max_seconds);
  launch_words_add(&words, "--uneven");
  launch_words_add(&words, options->uneven);
  if (options->grid) {
    launch_words_add(&words, "--grid");
    launch_words_add(&words, options->grid);
  }
  add_rows(&words, &bench->result);
  if (options->peers)
    add_peers(&words, options);
  if (words.failed)
    return tny_error_memory(&bench->error);
  const struct launch_ranks ranks = {.program = "tourney-bench-ranks",
                                     .mpi = options->mpi,
                                     .arguments = words.list,
                                     .launcher = options->launcher,
                                     .rank_count = options->ranks,
                                     .map = options->map};
  return launch_ranks_command(bench->arena, &ranks, command, &bench->error);
}

static bool take_output(void *context, const char *line)
{
  struct bench *bench = context;
  enum bench_line kind;
  if (bench_reader_read(&bench->reader, line, &kind, &bench->error) != TNY_OK)
    return false;
  if (kind == BENCH_LINE_OTHER) {
    bench_progress_clear(&bench->progress);
    fprintf(stderr, "%s\n", line);
  } else if (kind == BENCH_LINE_ROW || kind == BENCH_LINE_SAMPLE) {
    bench_progress_show(&bench->progress, &bench->result, bench->reader.row_index);
  }
  return true;
}

static void take_errors(void *context, const char *line)
{
  struct bench *bench = context;
  bench_progress_clear(&bench->progress);
  fprintf(stderr, "%s\n", line);
}

static enum tny_status run_ranks(struct bench *bench, struct launch_end *end)
{
  char **command = NULL;
  enum tny_status status = make_command(bench, &command);
  const struct launch_listener listener = {
      .context = bench, .output = take_output, .errors = take_errors};
  bench->progress = bench_progress_begin();
  if (status == TNY_OK)
    status = launch_child_run(command, &bench->blocked, &listener, end, &bench->error);
  bench_progress_clear(&bench->progress);
  return status == TNY_OK ? bench->error.status : status;
}

/* The placement's name: as in the lab, or "other". */
static enum tny_status name_map(struct bench *bench)
{
  const uint32_t count = bench->result.rank_count;
  uint32_t *hosts = tny_arena_take(bench->arena, count, sizeof *hosts);
  if (!hosts)
    return tny_error_memory(&bench->error);
  bench->result.map = "other";
  for (enum tny_map map = TNY_MAP_BLOCK; map <= TNY_MAP_INTERLEAVED; map++) {
    const enum tny_status status =
        tny_map_ranks(bench->target.cluster, map, count, hosts, &bench->error);
    if (status != TNY_OK)
      return status;
    if (!memcmp(hosts, bench->reader.places.host_of_rank, count * sizeof *hosts)) {
      bench->result.map = cli_map_name(map);
      break;
    }
  }
  if (bench->target.lab)
    bench->result.map = cli_map_name(bench->options.map);
  return TNY_OK;
}

static bool is_csv_output(const struct bench *bench)
{
  return bench->options.csv && !strcmp(bench->options.csv, "-");
}

static int show(struct bench *bench)
{
  char *table = NULL;
  const enum tny_status status = bench_table_write(&bench->result, &table, &bench->error);
  return cli_finish(status, table, &bench->error);
}

/* To its file, or to standard output. */
static int write_csv(struct bench *bench)
{
  char *csv = NULL;
  enum tny_status status = tny_text_take(&bench->csv_rows, &csv, &bench->error);
  if (status == TNY_OK && !bench->csv.stream)
    return cli_finish(status, csv, &bench->error);
  if (status == TNY_OK)
    status = whole_file_finish(&bench->csv, csv, &bench->error);
  tny_text_free(csv);
  return status == TNY_OK ? CLI_OK : cli_fail(&bench->error);
}

/* --check: names the rows that are slower. Returns whether there are any. */
static bool has_slow_rows(struct bench_result *result)
{
  bool has = false;
  for (uint32_t i = 0; i < result->rows_done; i++) {
    const double ratio = bench_row_figures(&result->rows[i]).ratio;
    if (ratio >= RATIO_MIN)
      continue;
    fprintf(stderr, "tourney bench: planned %s of %" PRIu64 " bytes is slower than native: %.2f\n",
            bench_row_name(&result->rows[i]), result->rows[i].bytes, ratio);
    has = true;
  }
  return has;
}

/* Says that it ended early; the complete rows are shown all the same, the CSV file isn't touched.
   */
static int end_early(struct bench *bench, const struct launch_end *end)
{
  const struct bench_result *result = &bench->result;
  const bool interrupted = end->cause == LAUNCH_INTERRUPTED;
  if (result->rows_done && !is_csv_output(bench) && name_map(bench) == TNY_OK)
    show(bench);
  fputs("tourney bench: ", stderr);
  if (interrupted)
    fputs("interrupted", stderr);
  else
    fprintf(stderr, "the ranks failed (exit code %d)", end->exit_code);
  fprintf(stderr, "; %" PRIu32 " of %" PRIu32 " rows measured%s\n", result->rows_done,
          result->row_count, bench->csv.stream ? ", no CSV written" : "");
  if (interrupted)
    return CLI_INTERRUPTED;
  const bool lab_unable =
      bench->target.lab && end->exit_code == CLI_UNABLE; /* a lab run's own word */
  return lab_unable ? CLI_UNABLE : CLI_FAILED;
}

/* Makes empty rows, with the lab's congestion control or another one. */
static enum tny_status begin_pass(struct bench *bench, const char *congestion)
{
  struct tny_error *error = &bench->error;
  enum tny_status status = TNY_OK;
  if (congestion) {
    bench->has_other_congestion = true;
    status = tny_lab_change_congestion(bench->target.lab, congestion, error);
  }
  bench_reader_release(&bench->reader);
  bench_result_release(&bench->result);
  if (status == TNY_OK)
    status = bench_options_rows(&bench->options, &bench->result, error);
  if (status != TNY_OK)
    return status;
  bench->result.cluster = bench->target.cluster->name;
  bench->result.mpi = launch_mpi_title(bench->options.mpi);
  bench->result.congestion = congestion          ? congestion
                             : bench->target.lab ? bench->target.lab->congestion
                                                 : "";
  return bench_reader_begin(&bench->reader, bench->target.cluster, &bench->result, error);
}

/* Starts the ranks, has them measure all rows, and shows these. */
static int measure_pass(struct bench *bench, const char *congestion)
{
  struct launch_end end = {.cause = LAUNCH_FAILED};
  if (begin_pass(bench, congestion) != TNY_OK || run_ranks(bench, &end) != TNY_OK)
    return cli_fail(&bench->error);
  if (end.cause != LAUNCH_EXITED || !bench->reader.done)
    return end_early(bench, &end);
  if (name_map(bench) != TNY_OK ||
      bench_predict(&bench->result, bench->target.cluster, bench->reader.places.host_of_rank,
                    bench->options.profile, &bench->error) != TNY_OK)
    return cli_fail(&bench->error);
  bench_csv_add(&bench->csv_rows, &bench->result);
  const int code = is_csv_output(bench) ? CLI_OK : show(bench);
  bench->is_slow |= bench->options.check && has_slow_rows(&bench->result);
  return code;
}

static int measure(struct bench *bench)
{
  const struct bench_options *options = &bench->options;
  enum tny_status status = options->chart ? gnuplot_check(&bench->error) : TNY_OK;
  if (status == TNY_OK && options->csv && !is_csv_output(bench))
    status = whole_file_open(&bench->csv, options->csv, &bench->error);
  if (status != TNY_OK)
    return cli_fail(&bench->error);
  tny_text_add(&bench->csv_rows, BENCH_CSV_HEADER);
  int code = options->congestion_count ? CLI_OK : measure_pass(bench, NULL);
  for (uint32_t i = 0; code == CLI_OK && i < options->congestion_count; i++)
    code = measure_pass(bench, options->congestions[i]);
  if (code == CLI_OK && options->csv)
    code = write_csv(bench);
  if (code == CLI_OK && options->chart &&
      bench_chart_draw(&bench->result, options->chart, &bench->error) != TNY_OK)
    return cli_fail(&bench->error);
  return code == CLI_OK && bench->is_slow ? CLI_FAILED : code;
}

/* The lab's own congestion control again. */
static int restore_congestion(struct bench *bench, int code)
{
  struct tny_error error = {0};
  if (!bench->has_other_congestion ||
      tny_lab_change_congestion(bench->target.lab, bench->target.lab->congestion, &error) == TNY_OK)
    return code;
  const int failed = cli_fail(&error);
  return code == CLI_OK ? failed : code;
}

static void release(struct bench *bench)
{
  whole_file_abandon(&bench->csv);
  tny_text_release(&bench->csv_rows);
  bench_reader_release(&bench->reader);
  bench_result_release(&bench->result);
  launch_target_close(&bench->target);
  tny_arena_free(bench->arena);
}

int cli_bench(int argc, char **argv)
{
  struct bench bench = {0};
  if (bench_options_read(argc, argv, &bench.options, &bench.error) != TNY_OK)
    return cli_usage_error("bench", "%s", bench.error.text);
  if (bench.options.help)
    return cli_print_help(help);
  bench.arena = tny_arena_new();
  enum tny_status status = bench.arena ? TNY_OK : tny_error_memory(&bench.error);
  if (status == TNY_OK)
    status = prepare_environment(&bench);
  signals_block(&bench.blocked);
  const int code =
      restore_congestion(&bench, status == TNY_OK ? measure(&bench) : cli_fail(&bench.error));
  release(&bench);
  signals_release(&bench.blocked);
  return code;
}
