/* What `tourney plan` was asked for. */
#include "plan.h"

#include <getopt.h>

#include "cli.h"
#include "core/error.h"
#include "draw.h"
#include "pattern.h"
#include "routing.h"

const char plan_help[] =
    "usage: tourney plan CLUSTER COLLECTIVE [OPTION...]\n"
    "Plans {or} on a cluster (a file or a generator such as\n"
    "switches:8+8), proves the schedule, and shows it.\n\n"
    "  --algorithm NAME[:N]   instead of the one that is predicted to be the fastest\n"
    "  --ranks N          instead of one a host\n"
    "  --map block|interleaved   where the ranks sit (block)\n"
    "  --routing " ROUTING_VALUES "\n"
    "                     which way messages take (auto)\n"
    "  --root R           of a {rooted} (0)\n"
    "  --bytes B          what one rank has for one receiver (64KiB; bcast: the whole message)\n"
    "  --chunks C         pieces a block is cut in, instead of as many as the port buffers call "
    "for\n"
    "  --window W         how far sends may run ahead of what arrives; 0: not paced\n"
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
    "  --output FILE      also write the text form there, for 'tourney verify FILE'; of picture:\n"
    "                     draw it there, FILE.svg or FILE.png by Graphviz's dot, or FILE.dot\n"
    "  --help             this text\n\n"
    "Without --algorithm, all algorithms of the collective are compared by what their plans would\n"
    "take, or where all ranks have more than 262144 steps, by an estimate; planners that look at\n"
    "every message for up to 256 ranks. The best one whose plan is proved is shown.\n";

enum letter {
  LETTER_ALGORITHM = 1,
  LETTER_RANKS,
  LETTER_MAP,
  LETTER_ROUTING,
  LETTER_ROOT,
  LETTER_BYTES,
  LETTER_CHUNKS,
  LETTER_WINDOW,
  LETTER_SEPARATE,
  LETTER_PATTERN,
  LETTER_SHOW,
  LETTER_PHASE,
  LETTER_SUMMARY_CSV,
  LETTER_LINKS,
  LETTER_FORMAT,
  LETTER_OUTPUT,
  LETTER_HELP,
};

static const struct option names[] = {
    {"algorithm", required_argument, NULL, LETTER_ALGORITHM},
    {"ranks", required_argument, NULL, LETTER_RANKS},
    {"map", required_argument, NULL, LETTER_MAP},
    {"routing", required_argument, NULL, LETTER_ROUTING},
    {"root", required_argument, NULL, LETTER_ROOT},
    {"bytes", required_argument, NULL, LETTER_BYTES},
    {"chunks", required_argument, NULL, LETTER_CHUNKS},
    {"window", required_argument, NULL, LETTER_WINDOW},
    {"separate", required_argument, NULL, LETTER_SEPARATE},
    {"pattern", required_argument, NULL, LETTER_PATTERN},
    {"show", required_argument, NULL, LETTER_SHOW},
    {"phase", required_argument, NULL, LETTER_PHASE},
    {"summary-csv", no_argument, NULL, LETTER_SUMMARY_CSV},
    {"format", required_argument, NULL, LETTER_FORMAT},
    {"links", no_argument, NULL, LETTER_LINKS},
    {"output", required_argument, NULL, LETTER_OUTPUT},
    {"help", no_argument, NULL, LETTER_HELP},
    {NULL, 0, NULL, 0},
};

static enum tny_status read_show(const char *text, enum plan_show *show, struct tny_error *error)
{
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

const char *plan_separation_name(enum tny_separation separation)
{
  static const char *const words[] = {[TNY_SEPARATE_NONE] = "none",
                                      [TNY_SEPARATE_BARRIER] = "barrier",
                                      [TNY_SEPARATE_TOKENS] = "tokens"};
  return words[separation];
}

static enum tny_status read_separation(const char *text, enum tny_separation *separation,
                                       struct tny_error *error)
{
  for (*separation = TNY_SEPARATE_NONE; *separation <= TNY_SEPARATE_TOKENS; ++*separation)
    if (strcmp(text, plan_separation_name(*separation)) == 0)
      return TNY_OK;
  *separation = TNY_SEPARATE_NONE;
  return tny_error_set(error, TNY_BAD_INPUT, "--separate is none, barrier or tokens, not '%s'",
                       text);
}

static enum tny_status read_option(void *into, int letter, struct tny_error *error)
{
  struct plan_options *options = into;
  static const uint32_t from_zero[] = {0, 1000000}, from_one[] = {1, 1000000};
  switch (letter) {
  case LETTER_ALGORITHM:
    options->algorithm = optarg;
    return TNY_OK;
  case LETTER_RANKS:
    return scene_number_parse("--ranks", optarg, from_one, &options->ranks, error);
  case LETTER_MAP:
    return scene_map_parse("--map", optarg, &options->map, error);
  case LETTER_ROUTING:
    options->routing = optarg;
    return TNY_OK;
  case LETTER_ROOT:
    return scene_number_parse("--root", optarg, from_zero, &options->root, error);
  case LETTER_BYTES:
    return scene_bytes_parse(optarg, SCENE_BYTES_MAX, &options->bytes, error);
  case LETTER_CHUNKS:
    options->chunks_given = true;
    return scene_number_parse("--chunks", optarg, from_one, &options->chunks, error);
  case LETTER_WINDOW:
    options->window_given = true;
    return scene_number_parse("--window", optarg, from_zero, &options->window, error);
  case LETTER_SEPARATE:
    return read_separation(optarg, &options->separation, error);
  case LETTER_PATTERN:
    options->pattern = optarg;
    return TNY_OK;
  case LETTER_SHOW:
    return read_show(optarg, &options->show, error);
  case LETTER_PHASE:
    return scene_number_parse("--phase", optarg, (const uint32_t[]){0, TNY_NONE - 1},
                              &options->phase, error);
  case LETTER_SUMMARY_CSV:
    options->summary_csv = true;
    return TNY_OK;
  case LETTER_LINKS:
    options->all_links = true;
    return TNY_OK;
  case LETTER_FORMAT:
    return scene_format_parse(optarg, false, &options->format, error);
  case LETTER_OUTPUT:
    options->output = optarg;
    return TNY_OK;
  default:
    options->help = true;
    return TNY_OK;
  }
}

/* Options that don't go together. */
static enum tny_status check(const struct plan_options *options, struct tny_error *error)
{
  const bool drawn =
      options->show == PLAN_TABLE || options->show == PLAN_PICTURE || options->show == PLAN_BUDGETS;
  if (options->pattern && !tny_collective_is_pairwise(options->collective))
    return tny_error_set(error, TNY_BAD_INPUT, "only alltoall has a --pattern");
  if (options->output && options->show == PLAN_PICTURE &&
      draw_check_name(options->output, error) != TNY_OK)
    return TNY_BAD_INPUT;
  if (options->phase != TNY_NONE && options->show != PLAN_PICTURE)
    return tny_error_set(error, TNY_BAD_INPUT, "--phase is for --show picture");
  if (drawn && options->format == SCENE_JSON)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "a table or a picture isn't JSON: take --show phases --format json");
  if (options->summary_csv && (options->show != PLAN_SUMMARY || options->format != SCENE_TEXT))
    return tny_error_set(error, TNY_BAD_INPUT, "--summary-csv goes without --show and --format");
  return TNY_OK;
}

enum tny_status plan_options_read(int argc, char **argv, struct plan_options *options,
                                  struct tny_error *error)
{
  const struct cli_options reader = {.names = names, .read = read_option, .into = options};
  *options = (struct plan_options){.bytes = 65536, .phase = TNY_NONE};
  const enum tny_status status = cli_options_read(argc, argv, &reader, error);
  if (status != TNY_OK || options->help)
    return status;
  if (argc - optind != 2)
    return tny_error_set(error, TNY_BAD_INPUT, "a cluster and a collective are wanted");
  options->cluster = argv[optind];
  if (tny_collective_parse(argv[optind + 1], &options->collective, error) != TNY_OK)
    return TNY_BAD_INPUT;
  return check(options, error);
}
