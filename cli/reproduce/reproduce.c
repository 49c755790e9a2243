/* `tourney reproduce`: runs the papers' tables and figures, and shows ours beside theirs. What is
   run for each is in the folder reproduce/; here it is chosen, run and shown. */

#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "cli/shared/clock.h"
#include "cli/shared/drawing/gnuplot.h"
#include "cli/shared/json.h"
#include "cli/shared/options.h"
#include "cli/shared/progress.h"
#include "cli/shared/report.h"
#include "cli/shared/signals.h"
#include "cli/shared/subcommands.h"
#include "core/alloc.h"
#include "core/error.h"
#include "reproduced.h"

static const char help[] =
    "usage: tourney reproduce [WHAT...] [OPTION...]\n"
    "Makes the papers' tables and figures again, by simulation, and shows ours beside theirs.\n"
    "WHAT is a paper, a table or figure by its name, PAPER/NAME for one, or all (all).\n"
    "\n"
    "  --list        say what there is\n"
    "  --quick       a sample that takes less than two minutes, with the same limits\n"
    "  --check       exit with 1 where a number is out of its limits\n"
    "  --output DIR  write DIR/reproduction.md, and data and charts in DIR/reproduction\n"
    "  --seed N      of all that is drawn at random (1)\n"
    "  --csv         print CSV\n"
    "  --json        print JSON\n"
    "  --help        this text\n";

struct options {
  bool list, quick, check, csv, json, help;
  const char *output; /* NULL: none */
  uint32_t seed;
};

/* What a run shows while it lasts. */
struct show {
  struct progress progress;
  const struct tny_reproduction *entry;
  size_t number, total;
  double begun, shown; /* seconds */
};

/* The entries asked for, and what came of them so far. */
struct work {
  const struct options *options;
  struct reproduced *list;
  size_t total, count; /* to be run; run */
  struct show show;
};

static bool tick(void *context, uint64_t cycle, double share)
{
  struct show *show = context;
  const double time = clock_seconds();
  if (time - show->begun > 2 && time - show->shown > 0.2) {
    char run[64] = "";
    if (cycle > 0) /* else nothing is simulated */
      snprintf(run, sizeof run, "cycle %" PRIu64 " of a run, ", cycle);
    progress_show(&show->progress, "%s/%s, %zu of %zu, %.0f s: %s%.0f %%", show->entry->paper,
                  show->entry->name, show->number, show->total, time - show->begun, run,
                  100 * share);
    show->shown = time;
  }
  return !signals_came();
}

/* "all", a paper, a name, or PAPER/NAME. */
static bool is_meant(const char *what, const struct tny_reproduction *entry)
{
  const size_t length = strlen(entry->paper);
  return !strcmp(what, "all") || !strcmp(what, entry->paper) || !strcmp(what, entry->name) ||
         (!strncmp(what, entry->paper, length) && what[length] == '/' &&
          !strcmp(what + length + 1, entry->name));
}

static bool is_wanted(char **whats, const struct tny_reproduction *entry)
{
  if (!*whats)
    return true;
  for (; *whats; whats++)
    if (is_meant(*whats, entry))
      return true;
  return false;
}

/* The first argument that means nothing, or NULL. */
static const char *find_unknown(char **whats)
{
  for (; *whats; whats++) {
    bool is_known = !strcmp(*whats, "all");
    for (size_t i = 0; !is_known && tny_reproductions[i]; i++)
      is_known = is_meant(*whats, tny_reproductions[i]);
    if (!is_known)
      return *whats;
  }
  return NULL;
}

static enum tny_status choose(char **whats, struct work *work, struct tny_error *error)
{
  size_t most = 0;
  while (tny_reproductions[most])
    most++;
  work->list = tny_new(most, sizeof *work->list);
  if (!work->list)
    return tny_error_memory(error);
  for (size_t i = 0; i < most; i++)
    if (is_wanted(whats, tny_reproductions[i]))
      work->list[work->total++].entry = tny_reproductions[i];
  return TNY_OK;
}

static int print_list(const struct work *work)
{
  int code = CLI_OK;
  for (size_t i = 0; code == CLI_OK && i < work->total; i++) {
    const struct tny_reproduction *entry = work->list[i].entry;
    char line[256];
    snprintf(line, sizeof line, "%s/%s: %s\n", entry->paper, entry->name, entry->title);
    code = cli_print(line);
  }
  return code;
}

static enum tny_status run_entry(struct work *work, struct reproduced *reproduced,
                                 struct tny_error *error)
{
  struct show *show = &work->show;
  const struct tny_simulate_watch watch = {.tick = tick, .context = show};
  const struct tny_reproduce_options options = {
      .is_quick = work->options->quick, .seed = work->options->seed, .watch = &watch};
  show->entry = reproduced->entry;
  show->number++;
  show->begun = clock_seconds();
  enum tny_status status = reproduced->entry->run(&options, &reproduced->findings, error);
  reproduced->seconds = clock_seconds() - show->begun;
  progress_clear(&show->progress);
  if (status == TNY_OK && signals_came())
    status = tny_error_set(error, TNY_INTERRUPTED, "interrupted");
  if (status == TNY_OK && work->options->output)
    status = reproduced_write_files(reproduced, work->options->output, error);
  return status;
}

/* What is printed of an entry as soon as it is done. */
static int print_entry(const struct work *work, const struct reproduced *reproduced,
                       struct tny_error *error)
{
  struct tny_text text = {0};
  char *taken;
  if (work->options->json)
    return CLI_OK;
  if (work->options->csv) {
    reproduced_write_csv(reproduced, &text);
  } else {
    reproduced_write_text(reproduced, &text);
    tny_text_add(&text, "  (%.1f s)\n\n", reproduced->seconds);
  }
  const enum tny_status status = tny_text_take(&text, &taken, error);
  return cli_finish(status, taken, error);
}

static int run_all(struct work *work, struct tny_error *error)
{
  int code = work->options->csv ? cli_print(reproduced_csv_header) : CLI_OK;
  for (size_t i = 0; code == CLI_OK && i < work->total; i++) {
    work->count++;
    const enum tny_status status = run_entry(work, &work->list[i], error);
    code = status == TNY_OK ? print_entry(work, &work->list[i], error) : cli_fail(error);
  }
  return code;
}

static int print_json(const struct work *work, struct tny_error *error)
{
  json_t *entries = json_array();
  char *text = NULL;
  for (size_t i = 0; i < work->count; i++)
    json_add(&entries, reproduced_json(&work->list[i]));
  json_t *root = json_pack("{s:b, s:I, s:o}", "quick", work->options->quick, "seed",
                           (json_int_t)work->options->seed, "entries", entries);
  const enum tny_status status = json_take(root, &text, error);
  return cli_finish(status, text, error);
}

static int write_document(const struct work *work, struct tny_error *error)
{
  const char *command =
      work->options->quick ? "tourney reproduce --quick --output" : "tourney reproduce --output";
  const enum tny_status status =
      reproduced_write_document(work->list, work->count, command, work->options->output, error);
  return status == TNY_OK ? CLI_OK : cli_fail(error);
}

/* What comes after all entries: the rest of the output, and the verdict. */
static int conclude(const struct work *work, struct tny_error *error)
{
  size_t in = 0, out = 0;
  int code = work->options->json ? print_json(work, error) : CLI_OK;
  for (size_t i = 0; i < work->count; i++) {
    in += reproduced_count(&work->list[i], REPRODUCED_IN);
    out += reproduced_count(&work->list[i], REPRODUCED_OUT);
  }
  if (code == CLI_OK && work->options->output)
    code = write_document(work, error);
  if (code == CLI_OK && !work->options->csv && !work->options->json) {
    char line[96];
    snprintf(line, sizeof line, "%zu number%s with limits: %zu in, %zu out\n", in + out,
             in + out == 1 ? "" : "s", in, out);
    code = cli_print(line);
  }
  return code == CLI_OK && work->options->check && out > 0 ? CLI_FAILED : code;
}

static int reproduce(char **whats, const struct options *options, struct tny_error *error)
{
  struct work work = {.options = options, .show.progress = progress_begin()};
  int code = CLI_OK;
  enum tny_status status = choose(whats, &work, error);
  work.show.total = work.total;
  if (status == TNY_OK && options->output && !options->list)
    status = gnuplot_check(error);
  if (status == TNY_OK && options->output && !options->list)
    status = reproduced_make_folders(options->output, error);
  if (status != TNY_OK) {
    code = cli_fail(error);
  } else if (options->list) {
    code = print_list(&work);
  } else {
    struct signals_caught caught;
    signals_catch(&caught);
    code = run_all(&work, error);
    if (code == CLI_OK)
      code = conclude(&work, error);
    signals_leave(&caught);
  }
  for (size_t i = 0; i < work.count; i++)
    tny_findings_release(&work.list[i].findings);
  tny_free(work.list);
  return code;
}

int cli_reproduce(int argc, char **argv)
{
  struct options options = {.seed = 1};
  const struct cli_option table[] = {{.name = "list", .flag = &options.list},
                                     {.name = "quick", .flag = &options.quick},
                                     {.name = "check", .flag = &options.check},
                                     {.name = "output", .text = &options.output},
                                     {.name = "seed", .number = &options.seed, .most = UINT32_MAX},
                                     {.name = "csv", .flag = &options.csv},
                                     {.name = "json", .flag = &options.json},
                                     {.name = "help", .flag = &options.help},
                                     {0}};
  struct tny_error error = {0};
  if (cli_options_read(argc, argv, table, &error) != TNY_OK)
    return cli_usage_error("reproduce", "%s", error.text);
  if (options.help)
    return cli_print(help);
  if (options.csv && options.json)
    return cli_usage_error("reproduce", "--csv and --json don't go together");
  const char *unknown = find_unknown(argv + optind);
  if (unknown)
    return cli_usage_error("reproduce", "there is no paper, table or figure '%s': see --list",
                           unknown);
  return reproduce(argv + optind, &options, &error);
}
