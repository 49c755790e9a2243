/* `tourney tune`: measures what messages cost the machine and how long collectives take, in the lab
   or on a real cluster, and writes a profile. The ranks measure (bench/tune_ranks.c): they are
   started twice, first for themselves and the machine, then for the rows of an agenda that is made
   of what they are. */
#include <inttypes.h>

#include "agenda.h"
#include "cli/shared/clock.h"
#include "cli/shared/help.h"
#include "cli/shared/launch/child.h"
#include "cli/shared/launch/launch.h"
#include "cli/shared/launch/ranks.h"
#include "cli/shared/launch/target.h"
#include "cli/shared/options.h"
#include "cli/shared/progress.h"
#include "cli/shared/report.h"
#include "cli/shared/signals.h"
#include "cli/shared/subcommands.h"
#include "cli/shared/whole_file.h"
#include "cli/shared/words.h"
#include "core/arena.h"
#include "core/error.h"
#include "core/units.h"
#include "journal.h"
#include "options.h"
#include "result.h"

#define START_SECONDS 4.0 /* of the time that is given, for starting ranks and writing */

static const char help[] =
    "usage: tourney tune [CLUSTER] -o FILE [OPTION...]\n"
    "\n"
    "Measures this cluster and writes a profile: what a message costs the machine, and how long\n"
    "collectives of many sizes take natively and by the planned algorithms that are predicted to\n"
    "be fastest. 'tourney run --profile FILE' then takes what was fastest. In the lab that is up\n"
    "(tourney lab up), or by --launcher on a real cluster. Says how long it takes before it\n"
    "starts; what matters most comes first. After Ctrl-C the same command goes on where it was.\n"
    "\n"
    "  -o, --output FILE   the profile, as JSON; FILE.journal keeps what is measured meanwhile\n"
    "  --max-minutes N     in all; default: 5\n"
    "  --collective LIST   of {measured};\n"
    "                      default: all\n"
    "  --bytes LIST        sizes of a block, as in 64,8KiB,1MiB; default: from 64 to 1MiB, of\n"
    "                      whole messages (bcast, reduce, allreduce) to 4MiB, as far as there is\n"
    "                      time\n"
    "  --candidates N      planned algorithms for each size, those predicted to be fastest;\n"
    "                      up to 24; default: 3\n"
    "  --fresh             begins anew, whatever an interrupted run has measured\n"
    "for who can't preload anything:\n"
    "  --native-algorithms  measures each of Open MPI's own algorithms for all sizes, instead of\n"
    "                      those for which that takes little\n"
    "  --mpi openmpi|mpich  the MPI to measure; default: the launcher's, else openmpi\n"
    "  --export openmpi-rules|mpich-json\n"
    "                      writes a file for the MPI instead of a profile: openmpi-rules (for\n"
    "                      coll_tuned_dynamic_rules_filename) or mpich-json (for\n"
    "                      MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE)\n"
    "  --profile FILE      exports from this profile, and measures nothing\n"
    "  --base FILE         of mpich-json: MPICH's own coll_selection.json\n"
    "in the lab:\n"
    "  --lab NAME          which; default: $TOURNEY_LAB, else the one named lab\n"
    "  --ranks N           default: one a host\n"
    "  --map block|interleaved   where the ranks sit; default: block\n"
    "on a real cluster:\n"
    "  --launcher COMMAND  as in 'mpirun -n 16 --hostfile hosts'; CLUSTER is needed\n"
    "\n"
    "CLUSTER is a generator or a file; in the lab the lab's own is the default.\n"
    "Exit code: 0 done; 1 the ranks failed; 2 bad arguments or cluster; 3 this machine can't: a\n"
    "program is missing; 130 interrupted.\n";

/* A tuning run: what was asked for, what it uses, what it has found. */
struct tune {
  struct tune_options options;
  struct tune_findings findings;
  struct tune_journal journal;
  struct tune_agenda agenda;
  struct whole_file output;
  struct progress progress;
  struct signals_blocked blocked;
  struct launch_target target;
  struct tny_routes *routes;
  struct tny_placement *placement;
  struct tny_network network;
  struct tny_arena *arena; /* the commands' words */
  double start, kept;      /* when it began, and when the journal last got a row */
  struct tny_error error;
};

/* --- before --- */

/* The cluster to plan for, and what the runtime is told. */
static enum tny_status open_target(struct tune *tune, char **value)
{
  const struct tune_options *options = &tune->options;
  const struct launch_target_wanted wanted = {
      .in_lab = !options->launcher,
      .lab = options->lab,
      .cluster = options->cluster,
      .otherwise = "measure on a real cluster by 'tourney tune CLUSTER -o FILE --launcher ...'"};
  const enum tny_status status = launch_target_open(&tune->target, &wanted, value, &tune->error);
  if (status != TNY_OK)
    return status;
  return launch_target_ranks(&tune->target, 2, &tune->options.ranks, &tune->error);
}

/* The ranks choose algorithms themselves: nothing else may. */
static enum tny_status prepare_environment(struct tune *tune)
{
  static const char *const chosen_otherwise[] = {"TOURNEY_ALGORITHM", "TOURNEY_PROFILE",
                                                 "TOURNEY_PROVE", "TOURNEY_EXPLAIN"};
  char *value = NULL;
  for (size_t i = 0; i < sizeof chosen_otherwise / sizeof *chosen_otherwise; i++)
    unsetenv(chosen_otherwise[i]);
  enum tny_status status = open_target(tune, &value);
  const struct launch_settings settings = {
      .mpi = tune->options.mpi, .cluster = value, .forces_natives = true};
  if (status == TNY_OK)
    status = launch_export(&settings, &tune->error);
  if (status == TNY_OK && tune->options.lab && setenv("TOURNEY_LAB", tune->options.lab, 1))
    status = tny_error_memory(&tune->error);
  if (status == TNY_OK)
    status = launch_places_begin(&tune->findings.places, tune->target.cluster, &tune->error);
  tny_text_free(value);
  return status;
}

/* --- the ranks --- */

/* Shows which of the agenda's rows has begun: "row COLLECTIVE BYTES". */
static void show_row(struct tune *tune, const char *said)
{
  const struct tune_agenda *agenda = &tune->agenda;
  uint32_t at = 0;
  char line[160];
  while (at < agenda->row_count && !tune_row_is(&agenda->rows[at], said))
    at++;
  if (at == agenda->row_count)
    return;
  snprintf(line, sizeof line, "row %" PRIu32 " of %" PRIu32 ": %s %s, about %.0f s left", at + 1,
           agenda->row_count, tny_collective_name(agenda->rows[at].collective),
           tny_bytes_format(agenda->rows[at].bytes).text, tune_agenda_rest(agenda, at));
  if (tune->progress.terminal)
    progress_show(&tune->progress, "%s", line);
  else
    fprintf(stderr, "%s\n", line);
}

/* A complete row goes into the journal. */
static enum tny_status keep_row(struct tune *tune, const char *points, const char *line)
{
  struct tny_text text = {0};
  char *taken;
  const double now = clock_seconds();
  tny_text_add(&text, "%s%s\nseconds %.1f\n", points, line, now - tune->kept);
  tune->kept = now;
  enum tny_status status = tny_text_take(&text, &taken, &tune->error);
  if (status == TNY_OK)
    status = tune_journal_add(&tune->journal, taken, &tune->error);
  tny_text_free(taken);
  return status;
}

static bool take_output(void *context, const char *line)
{
  struct tune *tune = context;
  enum tune_line kind;
  char *points = NULL;
  enum tny_status status = TNY_OK;
  if (!strncmp(line, "row-done ", strlen("row-done "))) {
    struct tny_text copy = {0};
    tny_text_add(&copy, "%s", tune->findings.row.length ? tune->findings.row.bytes : "");
    status = tny_text_take(&copy, &points, &tune->error);
  }
  if (status == TNY_OK)
    status = tune_findings_take(&tune->findings, line, &kind, &tune->error);
  if (status == TNY_OK && points)
    status = keep_row(tune, points, line);
  tny_text_free(points);
  if (status != TNY_OK)
    return false;
  if (kind == TUNE_LINE_ROW)
    show_row(tune, line);
  if (kind == TUNE_LINE_OTHER) {
    progress_clear(&tune->progress);
    fprintf(stderr, "%s\n", line);
  }
  return true;
}

static void take_errors(void *context, const char *line)
{
  struct tune *tune = context;
  progress_clear(&tune->progress);
  fprintf(stderr, "%s\n", line);
}

/* Runs the ranks with these arguments; *code is CLI_OK where they came to their end. */
static enum tny_status run_ranks(struct tune *tune, char *const *arguments, int *code)
{
  const struct launch_ranks ranks = {.program = "tourney-tune-ranks",
                                     .mpi = tune->options.mpi,
                                     .launcher = tune->options.launcher,
                                     .rank_count = tune->options.ranks,
                                     .map = tune->options.map,
                                     .arguments = arguments};
  const struct launch_listener listener = {
      .context = tune, .output = take_output, .errors = take_errors};
  struct launch_end end = {.cause = LAUNCH_FAILED};
  char **command;
  tune->findings.is_over = false;
  enum tny_status status = launch_ranks_command(tune->arena, &ranks, &command, &tune->error);
  if (status == TNY_OK)
    status = launch_child_run(command, &tune->blocked, &listener, &end, &tune->error);
  progress_clear(&tune->progress);
  if (status == TNY_OK)
    status = tune->error.status;
  *code = end.cause == LAUNCH_EXITED && tune->findings.is_over ? CLI_OK : CLI_FAILED;
  if (end.cause == LAUNCH_INTERRUPTED)
    *code = CLI_INTERRUPTED;
  else if (*code != CLI_OK && status == TNY_OK) {
    fprintf(stderr, "tourney tune: the ranks failed (exit code %d)\n", end.exit_code);
    if (tune->target.lab && end.exit_code == CLI_UNABLE) /* a lab run's own word */
      *code = CLI_UNABLE;
  }
  return status;
}

/* --- the run --- */

/* Who the ranks are, and what messages cost them. */
static enum tny_status measure_machine(struct tune *tune, int *code)
{
  char machine[] = "--machine";
  char *const all[] = {machine, NULL}, *const none[] = {NULL};
  const bool is_known = tune_raws_are_complete(&tune->findings.raws);
  if (is_known)
    progress_show(&tune->progress, "asking the ranks who they are");
  else
    progress_show(&tune->progress, "measuring what a message costs: some seconds");
  enum tny_status status = run_ranks(tune, is_known ? none : all, code);
  if (status != TNY_OK || *code != CLI_OK)
    return status;
  const struct launch_places *places = &tune->findings.places;
  if (!launch_places_are_complete(places))
    return tny_error_set(&tune->error, TNY_BAD_INPUT,
                         "only %" PRIu32 " of %" PRIu32 " ranks said where they are",
                         places->placed_count, places->rank_count);
  status = tny_routes_make(tune->target.cluster, &tune->routes, &tune->error);
  if (status == TNY_OK)
    status = tny_placement_make(tune->target.cluster, places->host_of_rank, places->rank_count,
                                &tune->placement, &tune->error);
  tune->network = (struct tny_network){.routes = tune->routes,
                                       .host_of_rank = places->host_of_rank,
                                       .rank_count = places->rank_count};
  return status;
}

static void announce(const struct tune *tune)
{
  const struct tune_agenda *agenda = &tune->agenda;
  const uint32_t before = tune->findings.done_count;
  fprintf(stderr, "tourney tune: %" PRIu32 " row%s with %" PRIu32 " points, about %.0f s",
          agenda->row_count, plural(agenda->row_count), agenda->point_count, agenda->seconds + 1);
  if (before)
    fprintf(stderr, "; %" PRIu32 " row%s measured before", before, plural(before));
  if (agenda->left_out)
    fprintf(stderr, "; %" PRIu32 " that take too long left out (--max-minutes)", agenda->left_out);
  fputc('\n', stderr);
}

static enum tny_status measure_rows(struct tune *tune, double seconds, int *code)
{
  const struct tune_agenda *agenda = &tune->agenda;
  char number[32], option[] = "--max-seconds";
  snprintf(number, sizeof number, "%.0f", seconds);
  char **arguments = tny_arena_take(tune->arena, agenda->row_count + 3, sizeof *arguments);
  if (!arguments)
    return tny_error_memory(&tune->error);
  arguments[0] = option;
  arguments[1] = number;
  for (uint32_t i = 0; i < agenda->row_count; i++)
    arguments[2 + i] = agenda->rows[i].text;
  return run_ranks(tune, arguments, code);
}

/* What is left of the time for rows. */
static double seconds_left(const struct tune *tune)
{
  const double left =
      60.0 * tune->options.max_minutes - (clock_seconds() - tune->start) - START_SECONDS;
  return left > 1 ? left : 1;
}

static enum tny_status plan_rows(struct tune *tune)
{
  struct tny_fingerprint fingerprint;
  const struct tny_problem problem = {.rank_count = tune->network.rank_count,
                                      .placement = tune->placement,
                                      .network = &tune->network};
  enum tny_status status = tny_fingerprint_make(&tune->network, &fingerprint, &tune->error);
  if (status == TNY_OK)
    status = tune_journal_open(&tune->journal, &fingerprint, &tune->findings, &tune->error);
  tune->agenda.seconds_max = seconds_left(tune);
  if (status == TNY_OK)
    status =
        tune_agenda_make(&tune->agenda, &tune->options, &tune->findings, &problem, &tune->error);
  return status;
}

/* Says what became of the rows that aren't measured. */
static int end_early(const struct tune *tune, int code)
{
  const uint32_t done = tune->findings.done_count;
  if (code == CLI_INTERRUPTED)
    fputs("tourney tune: interrupted; ", stderr);
  else
    fputs("tourney tune: ", stderr);
  if (tune->journal.stream)
    fprintf(stderr, "%" PRIu32 " row%s kept in %s: the same command goes on\n", done,
            done == 1 ? " is" : "s are", tune->journal.path);
  else
    fputs("nothing was measured yet\n", stderr);
  return code;
}

/* The profile, or what was to be exported of it. */
static enum tny_status write_text(const struct tune_options *options,
                                  const struct profile_file *file, char **text,
                                  struct tny_error *error)
{
  if (options->export == TUNE_EXPORT_OPENMPI_RULES)
    return tune_export_openmpi(file, text, error);
  if (options->export == TUNE_EXPORT_MPICH_JSON)
    return tune_export_mpich(file, options->base, text, error);
  return profile_file_write(file, text, error);
}

/* Exports from a profile that is there; nothing is measured. */
static int export_profile(const struct tune_options *options)
{
  struct tny_error error = {0};
  struct profile_file file;
  char *text = NULL;
  enum tny_status status = profile_file_read(options->profile, &file, &error);
  if (status == TNY_OK)
    status = write_text(options, &file, &text, &error);
  if (status == TNY_OK)
    status = whole_file_write(options->output, text, &error);
  tny_text_free(text);
  profile_file_release(&file);
  return status == TNY_OK ? CLI_OK : cli_fail(&error);
}

static int write_profile(struct tune *tune)
{
  struct profile_file file;
  char *text = NULL, *shown = NULL;
  struct tny_error *error = &tune->error;
  enum tny_status status = tune_result_make(&tune->findings, &tune->network, &file, error);
  file.seconds = tune->journal.seconds_before + clock_seconds() - tune->start;
  if (status == TNY_OK)
    status = write_text(&tune->options, &file, &text, error);
  if (status == TNY_OK)
    status = whole_file_finish(&tune->output, text, error);
  if (status == TNY_OK)
    status = tune_result_show(&file, &shown, error);
  tune_journal_close(&tune->journal, status == TNY_OK);
  tny_text_free(text);
  profile_file_release(&file);
  return cli_finish(status, shown, error);
}

static int run(struct tune *tune)
{
  int code = CLI_OK;
  enum tny_status status = whole_file_open(&tune->output, tune->options.output, &tune->error);
  if (status == TNY_OK && !tune->options.fresh)
    status = tune_journal_read(&tune->journal, tune->options.output, &tune->findings, &tune->error);
  else if (status == TNY_OK)
    status = tune_journal_begin(&tune->journal, tune->options.output, &tune->error);
  fprintf(stderr, "tourney tune: at most %" PRIu32 " minute%s in all\n", tune->options.max_minutes,
          plural(tune->options.max_minutes));
  if (status == TNY_OK)
    status = measure_machine(tune, &code);
  if (status == TNY_OK && code == CLI_OK)
    status = plan_rows(tune);
  if (status == TNY_OK && code == CLI_OK && tune->agenda.row_count) {
    announce(tune);
    status = measure_rows(tune, seconds_left(tune), &code);
  }
  if (status != TNY_OK)
    return cli_fail(&tune->error);
  if (code != CLI_OK)
    return end_early(tune, code);
  if (tune->findings.is_time_up)
    fputs("tourney tune: time is up; what isn't measured yet is left out\n", stderr);
  return write_profile(tune);
}

static void release(struct tune *tune)
{
  whole_file_abandon(&tune->output);
  tune_journal_close(&tune->journal, false);
  tune_agenda_release(&tune->agenda);
  tune_findings_release(&tune->findings);
  tny_placement_free(tune->placement);
  tny_routes_free(tune->routes);
  launch_target_close(&tune->target);
  tny_arena_free(tune->arena);
}

int cli_tune(int argc, char **argv)
{
  struct tune tune = {.start = clock_seconds(), .findings.places.program = "tourney-tune-ranks"};
  tune.kept = tune.start;
  if (tune_options_read(argc, argv, &tune.options, &tune.error) != TNY_OK)
    return cli_usage_error("tune", "%s", tune.error.text);
  if (tune.options.help)
    return cli_print_help(help);
  if (tune.options.profile)
    return export_profile(&tune.options);
  tune.arena = tny_arena_new();
  tune.progress = progress_begin();
  enum tny_status status = tune.arena ? TNY_OK : tny_error_memory(&tune.error);
  if (status == TNY_OK)
    status = prepare_environment(&tune);
  signals_block(&tune.blocked);
  const int code = status == TNY_OK ? run(&tune) : cli_fail(&tune.error);
  release(&tune);
  signals_release(&tune.blocked);
  return code;
}
