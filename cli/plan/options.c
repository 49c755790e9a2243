/* The options of `tourney plan`, and what follows from them for the plan and its proof. */
#include "show.h"

#include <getopt.h>

#include "cli/shared/drawing/draw.h"
#include "cli/shared/options.h"
#include "cli/shared/pattern.h"
#include "cli/shared/routing.h"
#include "core/error.h"

const char plan_help[] =
    "usage: tourney plan CLUSTER COLLECTIVE [OPTION...]\n"
    "Plans {or}\n"
    "on a cluster (a file or a generator such as switches:8+8), proves the schedule, and shows "
    "it.\n\n"
    "  --algorithm NAME[:N]   instead of the one that is predicted to be the fastest\n"
    "  --profile FILE     what 'tourney tune' measured here goes before what is predicted\n"
    "  --ranks N          instead of one a host\n"
    "  --map block|interleaved   where the ranks sit (block)\n"
    "  --routing " ROUTING_VALUES "\n"
    "                     which way messages take (auto)\n"
    "  --root R           of a {rooted} (0)\n"
    "  --bytes B          what one rank has for one receiver (64KiB; bcast: the whole message)\n"
    "  --chunks C         pieces a block is cut in, instead of as many as the port buffers call "
    "for\n"
    "  --window W         how many sends may start before the receives that pace them; 0: any\n"
    "  --separate none|barrier|tokens   what keeps the phases apart (none)\n"
    "  --pattern " PATTERN_VALUES "\n"
    "                     of alltoall: plan only these messages; a file has a line a sender, with\n"
    "                     the bytes for each receiver\n"
    "  --show summary|table|budgets|picture|phases|steps\n"
    "                     what to print (summary): table is a line for each phase; budgets what\n"
    "                     can be in flight over the links, by window; picture a Graphviz graph of\n"
    "                     the network with what its links carry, phases a line for programs,\n"
    "                     steps the text form\n"
    "  --phase N          of picture: the messages of that phase on their way\n"
    "  --summary-csv      a header and a line: cluster,collective,algorithm,phases,bound,\n"
    "                     gap_percent,plan_ms,verify_ms\n"
    "  --format text|json how to print it (text)\n"
    "  --links            in the summary's text, every link instead of the fullest ports\n"
    "  --store FOLDER     instead of showing it: write what each rank needs of the plan there, "
    "for\n"
    "                     'tourney run --store FOLDER'; of several sizes with --bytes B,B,...\n"
    "  --output FILE      also write the text form there, for 'tourney verify FILE'; of picture:\n"
    "                     draw it there, FILE.svg or FILE.png by Graphviz's dot, or FILE.dot\n"
    "  --help             this text\n\n"
    "Without --algorithm, all algorithms of the collective are compared by what their plans would\n"
    "take, or where all ranks have more than 262144 steps, by an estimate; planners that look at\n"
    "every message for up to 256 ranks. The best one whose plan is proved is shown.\n";

static enum tny_status read_show(void *into, const char *text, struct tny_error *error)
{
  enum plan_show *show = into;
  static const char *const words[] = {
      [PLAN_SUMMARY] = "summary", [PLAN_PHASES] = "phases",   [PLAN_STEPS] = "steps",
      [PLAN_TABLE] = "table",     [PLAN_PICTURE] = "picture", [PLAN_BUDGETS] = "budgets"};
  for (*show = PLAN_SUMMARY; *show <= PLAN_BUDGETS; ++*show)
    if (strcmp(text, words[*show]) == 0)
      return TNY_OK;
  *show = PLAN_SUMMARY;
  return tny_error_set(error, TNY_BAD_INPUT,
                       "--show is summary, table, budgets, picture, phases or steps, not '%s'",
                       text);
}

static enum tny_status add_size(void *into, char *item, struct tny_error *error)
{
  struct plan_options *options = into;
  if (options->size_count == PLAN_SIZES_MAX)
    return tny_error_set(error, TNY_BAD_INPUT, "--bytes has more than %d sizes", PLAN_SIZES_MAX);
  return cli_bytes_parse(item, CLI_BYTES_MAX, &options->sizes[options->size_count++], error);
}

static enum tny_status read_sizes(void *into, const char *list, struct tny_error *error)
{
  struct plan_options *options = into;
  options->size_count = 0;
  const enum tny_status status = cli_list_parse(list, add_size, into, error);
  options->request.bytes = options->sizes[0];
  return status;
}

/* Stored plans are what the runtime would make, so nothing else may be asked of them. */
static enum tny_status check_store(const struct plan_options *options, struct tny_error *error)
{
  const struct plan_request *request = &options->request;
  if (!options->store)
    return options->size_count > 1
               ? tny_error_set(error, TNY_BAD_INPUT, "several sizes for --bytes go with --store")
               : TNY_OK;
  if (options->show != PLAN_SUMMARY || options->summary_csv || options->format != CLI_TEXT ||
      options->output || options->all_links)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--store goes without --show, --format, --summary-csv, --links and "
                         "--output: it shows nothing but what it writes");
  if (tny_collective_synchronizes(request->collective))
    return tny_error_set(
        error, TNY_BAD_INPUT,
        "--store is for blocks of some size: a %s is planned as it is first called",
        tny_collective_name(request->collective));
  if (request->chunks_given || request->window_given || request->pattern || request->routing ||
      request->separation != TNY_SEPARATE_NONE)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--store goes without --chunks, --window, --pattern, --routing and "
                         "--separate: it writes what the runtime would plan");
  return TNY_OK;
}

/* Options that don't go together. */
static enum tny_status check(const struct plan_options *options, struct tny_error *error)
{
  const struct plan_request *request = &options->request;
  if (check_store(options, error) != TNY_OK)
    return TNY_BAD_INPUT;
  const bool drawn =
      options->show == PLAN_TABLE || options->show == PLAN_PICTURE || options->show == PLAN_BUDGETS;
  if (request->pattern && !tny_collective_is_pairwise(request->collective))
    return tny_error_set(error, TNY_BAD_INPUT, "only alltoall has a --pattern");
  if (options->bytes_given && plan_check_bytes(request, error) != TNY_OK)
    return TNY_BAD_INPUT;
  if (options->output && options->show == PLAN_PICTURE &&
      draw_check_name(options->output, error) != TNY_OK)
    return TNY_BAD_INPUT;
  if (options->phase != TNY_NONE && options->show != PLAN_PICTURE)
    return tny_error_set(error, TNY_BAD_INPUT, "--phase is for --show picture");
  if (drawn && options->format == CLI_JSON)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "a table or a picture isn't JSON: take --show phases --format json");
  if (options->summary_csv && (options->show != PLAN_SUMMARY || options->format != CLI_TEXT))
    return tny_error_set(error, TNY_BAD_INPUT, "--summary-csv goes without --show and --format");
  return TNY_OK;
}

/* What follows for the plan from how it is shown. */
static void settle(struct plan_options *options)
{
  struct plan_request *request = &options->request;
  const bool is_summary = options->show == PLAN_SUMMARY;
  if (is_summary && !options->summary_csv)
    request->proof = PLAN_PROOF_IN_FLIGHT;
  else if (is_summary || options->show == PLAN_PICTURE)
    request->proof = PLAN_PROOF_LINKS;
  request->may_outline = is_summary && !options->summary_csv && options->format != CLI_JSON &&
                         !options->output && !request->pattern &&
                         request->separation == TNY_SEPARATE_NONE;
}

enum tny_status plan_options_read(int argc, char **argv, struct plan_options *options,
                                  struct tny_error *error)
{
  struct plan_request *request = &options->request;
  const struct cli_option table[] = {
      {.name = "algorithm", .text = &request->algorithm},
      {.name = "profile", .text = &options->profile},
      {.name = "ranks", .number = &request->ranks, .least = 1, .most = CLI_COUNT_MAX},
      {.name = "map", .map = &request->map},
      {.name = "routing", .text = &request->routing},
      {.name = "root", .number = &request->root, .most = CLI_COUNT_MAX},
      {.name = "bytes", .take = read_sizes, .into = options, .given = &options->bytes_given},
      {.name = "chunks",
       .number = &request->chunks,
       .least = 1,
       .most = CLI_COUNT_MAX,
       .given = &request->chunks_given},
      {.name = "window",
       .number = &request->window,
       .most = CLI_COUNT_MAX,
       .given = &request->window_given},
      {.name = "separate", .take = plan_separation_read, .into = &request->separation},
      {.name = "pattern", .text = &request->pattern},
      {.name = "show", .take = read_show, .into = &options->show},
      {.name = "phase", .number = &options->phase, .most = TNY_NONE - 1},
      {.name = "summary-csv", .flag = &options->summary_csv},
      {.name = "format", .format = &options->format},
      {.name = "links", .flag = &options->all_links},
      {.name = "output", .text = &options->output},
      {.name = "store", .text = &options->store},
      {.name = "help", .flag = &options->help},
      {0}};
  *options = (struct plan_options){
      .request = {.bytes = 65536}, .sizes = {65536}, .size_count = 1, .phase = TNY_NONE};
  const enum tny_status status = cli_options_read(argc, argv, table, error);
  if (status != TNY_OK || options->help)
    return status;
  if (argc - optind != 2)
    return tny_error_set(error, TNY_BAD_INPUT, "a cluster and a collective are wanted");
  options->request.cluster = argv[optind];
  if (tny_collective_parse(argv[optind + 1], &options->request.collective, error) != TNY_OK)
    return TNY_BAD_INPUT;
  if (check(options, error) != TNY_OK)
    return TNY_BAD_INPUT;
  settle(options);
  return TNY_OK;
}
