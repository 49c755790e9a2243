/* `tourney algorithms`: what there is to choose from, and what each costs for so many ranks. */
#include "cli.h"

#include <getopt.h>
#include <inttypes.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "json.h"
#include "scene.h"

enum { RANKS_STANDARD = 16 };

static const char help[] =
    "usage: tourney algorithms [OPTION...]\n"
    "Lists the algorithms: collective, name, where it is published, what it needs, the pieces "
    "that\n"
    "it cuts a block in by itself, its rounds (a message takes one), the blocks that a rank sends\n"
    "at most (the block of bcast is the whole message), and a line about it; - where it refuses.\n"
    "\n"
    "  --ranks N          the ranks to count for (16; with a cluster: one a host)\n"
    "  --cluster CLUSTER  the cluster to count for, a file or a generator, instead of one switch\n"
    "  --map block|interleaved   where the ranks sit on it (block)\n"
    "  --format text|csv|json    how to print it (text)\n"
    "  --help             this text\n";

enum letter { LETTER_RANKS = 1, LETTER_CLUSTER, LETTER_MAP, LETTER_FORMAT, LETTER_HELP };

static const struct option names[] = {
    {"ranks", required_argument, NULL, LETTER_RANKS},
    {"cluster", required_argument, NULL, LETTER_CLUSTER},
    {"map", required_argument, NULL, LETTER_MAP},
    {"format", required_argument, NULL, LETTER_FORMAT},
    {"help", no_argument, NULL, LETTER_HELP},
    {NULL, 0, NULL, 0},
};

struct options {
  const char *cluster;
  uint32_t ranks;
  enum tny_map map;
  enum scene_format format;
  bool help;
};

/* One algorithm on the ranks asked for. */
struct row {
  const struct tny_algorithm *algorithm;
  char name[64];       /* "bruck:RADIX" */
  const char *refused; /* why, or NULL */
  uint32_t pieces;
  struct tny_claim claim; /* zero where refused */
};

/* Where the rows are counted. */
struct setting {
  const char *cluster; /* NULL: one switch */
  uint32_t rank_count;
  const struct tny_placement *placement;
  const struct tny_network *network;
  struct row *rows; /* one for each algorithm */
  uint32_t row_count;
};

static enum tny_status read_option(void *into, int letter, struct tny_error *error)
{
  struct options *options = into;
  switch (letter) {
  case LETTER_RANKS:
    return scene_number_parse("--ranks", optarg, (const uint32_t[]){1, 1000000}, &options->ranks,
                              error);
  case LETTER_CLUSTER:
    options->cluster = optarg;
    return TNY_OK;
  case LETTER_MAP:
    return scene_map_parse("--map", optarg, &options->map, error);
  case LETTER_FORMAT:
    return scene_format_parse(optarg, true, &options->format, error);
  default:
    options->help = true;
    return TNY_OK;
  }
}

static void name_with_parameter(const struct tny_algorithm *algorithm, char name[64])
{
  const char *parameter = algorithm->parameter.name;
  const int length = snprintf(name, 64, "%s%s%s", algorithm->name, parameter ? ":" : "",
                              parameter ? parameter : "");
  for (int i = (int)strlen(algorithm->name); i < length && i < 64; i++)
    if (name[i] >= 'a' && name[i] <= 'z')
      name[i] = (char)(name[i] - 'a' + 'A');
}

static enum tny_status make_row(const struct tny_algorithm *algorithm,
                                const struct setting *setting, struct row *row,
                                struct tny_error *error)
{
  const struct tny_problem problem = {.collective = algorithm->collective,
                                      .rank_count = setting->rank_count,
                                      .placement = setting->placement,
                                      .network = setting->network};
  struct tny_problem prepared;
  *row = (struct row){.algorithm = algorithm};
  name_with_parameter(algorithm, row->name);
  row->refused = tny_algorithm_refusal(algorithm, &problem);
  if (row->refused)
    return TNY_OK;
  const enum tny_status status = tny_problem_prepare(algorithm, &problem, &prepared, error);
  if (status == TNY_OK) {
    const struct tny_problem settled = tny_plan_problem(algorithm, &prepared, 1);
    row->pieces = settled.piece_count;
    row->claim = algorithm->claim(&settled);
  }
  tny_problem_release(algorithm, &prepared);
  return status;
}

static enum tny_status make_rows(struct setting *setting, struct tny_error *error)
{
  uint32_t count = 0;
  enum tny_status status = TNY_OK;
  while (tny_algorithms[count])
    count++;
  setting->rows = tny_new(count, sizeof *setting->rows);
  if (!setting->rows)
    return tny_error_memory(error);
  for (uint32_t i = 0; status == TNY_OK && i < count; i++)
    status = make_row(tny_algorithms[i], setting, &setting->rows[setting->row_count++], error);
  return status;
}

/* Are its rounds promised? */
static bool has_rounds(const struct row *row, uint32_t ranks)
{
  return !row->refused && (row->claim.rounds > 0 || ranks == 1);
}

struct count_words {
  char text[16];
};

static struct count_words rounds_words(const struct row *row, uint32_t ranks)
{
  struct count_words words = {"-"};
  if (has_rounds(row, ranks))
    snprintf(words.text, sizeof words.text, "%" PRIu32, row->claim.rounds);
  return words;
}

static int wider(int width, const char *text)
{
  const int length = (int)strlen(text);
  return length > width ? length : width;
}

static void add_text_row(const struct row *row, const struct setting *setting, const int widths[3],
                         struct tny_text *text)
{
  const struct tny_algorithm *algorithm = row->algorithm;
  tny_text_add(text, "%-10s %-*s %-*s %-*s ", tny_collective_name(algorithm->collective), widths[0],
               row->name, widths[1], algorithm->source, widths[2], algorithm->needs);
  if (row->refused)
    tny_text_add(text, "%6s %6s %6s  %s; not here: %s\n", "-", "-", "-", algorithm->summary,
                 row->refused);
  else
    tny_text_add(text, "%6" PRIu32 " %6s %6" PRIu64 "  %s\n", row->pieces,
                 rounds_words(row, setting->rank_count).text, row->claim.blocks_sent_max,
                 algorithm->summary);
}

static enum tny_status write_text(const struct setting *setting, char **shown,
                                  struct tny_error *error)
{
  struct tny_text text = {0};
  int widths[3] = {0};
  for (const struct row *row = setting->rows; row < setting->rows + setting->row_count; row++) {
    widths[0] = wider(widths[0], row->name);
    widths[1] = wider(widths[1], row->algorithm->source);
    widths[2] = wider(widths[2], row->algorithm->needs);
  }
  tny_text_add(&text, "%" PRIu32 " rank%s on %s; blocks: what a rank sends, at most\n\n",
               setting->rank_count, setting->rank_count == 1 ? "" : "s",
               setting->cluster ? setting->cluster : "one switch");
  tny_text_add(&text, "%-10s %-*s %-*s %-*s %6s %6s %6s  %s\n", "collective", widths[0], "name",
               widths[1], "source", widths[2], "needs", "pieces", "rounds", "blocks",
               "what it does");
  for (uint32_t i = 0; i < setting->row_count; i++)
    add_text_row(&setting->rows[i], setting, widths, &text);
  return tny_text_take(&text, shown, error);
}

/* What algorithms say of themselves has no quotation marks. */
static void add_csv_row(const struct row *row, const struct setting *setting, struct tny_text *text)
{
  const struct tny_algorithm *algorithm = row->algorithm;
  tny_text_add(text, "%s,%s,%s,%s,\"%s\",%" PRIu32 ",", tny_collective_name(algorithm->collective),
               algorithm->name, algorithm->parameter.name ? algorithm->parameter.name : "",
               algorithm->source, algorithm->needs, setting->rank_count);
  if (row->refused)
    tny_text_add(text, "-,-,-,\"%s\",\"%s\"\n", row->refused, algorithm->summary);
  else
    tny_text_add(text, "%" PRIu32 ",%s,%" PRIu64 ",,\"%s\"\n", row->pieces,
                 rounds_words(row, setting->rank_count).text, row->claim.blocks_sent_max,
                 algorithm->summary);
}

static enum tny_status write_csv(const struct setting *setting, char **shown,
                                 struct tny_error *error)
{
  struct tny_text text = {0};
  tny_text_add(&text, "collective,name,parameter,source,needs,ranks,pieces,rounds,blocks_sent_max,"
                      "refused,summary\n");
  for (uint32_t i = 0; i < setting->row_count; i++)
    add_csv_row(&setting->rows[i], setting, &text);
  return tny_text_take(&text, shown, error);
}

static json_t *parameter_json(const struct tny_algorithm *algorithm)
{
  const struct tny_parameter *parameter = &algorithm->parameter;
  if (!parameter->name)
    return json_null();
  return json_pack("{s:s, s:o, s:I}", "name", parameter->name, "standard",
                   json_parameter(&(struct tny_algorithm_choice){algorithm, parameter->standard}),
                   "least", (json_int_t)parameter->least);
}

/* Counts are null where the algorithm refuses, and rounds where it promises none. */
static json_t *row_json(const struct row *row, const struct setting *setting)
{
  const struct tny_algorithm *algorithm = row->algorithm;
  const bool refused = row->refused != NULL;
  const struct tny_claim *claim = &row->claim;
  return json_pack("{s:s, s:s, s:o, s:s, s:s, s:s, s:s?, s:o, s:o, s:o, s:o, s:o}", "collective",
                   tny_collective_name(algorithm->collective), "name", algorithm->name, "parameter",
                   parameter_json(algorithm), "source", algorithm->source, "needs",
                   algorithm->needs, "summary", algorithm->summary, "refused", row->refused,
                   "pieces", refused ? json_null() : json_integer(row->pieces), "rounds",
                   has_rounds(row, setting->rank_count) ? json_integer(claim->rounds) : json_null(),
                   "blocks_sent_max",
                   refused ? json_null() : json_integer((json_int_t)claim->blocks_sent_max),
                   "phases", refused ? json_null() : json_integer(claim->phases), "scratch_blocks",
                   refused ? json_null() : json_integer(claim->scratch_blocks));
}

static enum tny_status write_json(const struct setting *setting, char **shown,
                                  struct tny_error *error)
{
  json_t *rows = json_array();
  for (uint32_t i = 0; i < setting->row_count; i++)
    json_add(&rows, row_json(&setting->rows[i], setting));
  json_t *root = json_pack("{s:s?, s:I, s:o}", "cluster", setting->cluster, "ranks",
                           (json_int_t)setting->rank_count, "algorithms", rows);
  return json_take(root, shown, error);
}

/* Owns: *shown by tny_text_free. */
static enum tny_status list(const struct options *options, char **shown, struct tny_error *error)
{
  static enum tny_status (*const write[])(const struct setting *, char **, struct tny_error *) = {
      [SCENE_TEXT] = write_text, [SCENE_CSV] = write_csv, [SCENE_JSON] = write_json};
  struct scene scene = {0};
  struct setting setting = {.rank_count = options->ranks ? options->ranks : RANKS_STANDARD};
  enum tny_status status = TNY_OK;
  if (options->cluster) {
    const struct scene_wanted wanted = {
        .cluster = options->cluster, .map = options->map, .ranks = options->ranks};
    status = scene_open(&scene, &wanted, error);
    setting = (struct setting){.cluster = options->cluster,
                               .rank_count = scene.rank_count,
                               .placement = scene.placement,
                               .network = &scene.network};
  }
  if (status == TNY_OK)
    status = make_rows(&setting, error);
  if (status == TNY_OK)
    status = write[options->format](&setting, shown, error);
  tny_free(setting.rows);
  scene_close(&scene);
  return status;
}

int cli_algorithms(int argc, char **argv)
{
  struct options options = {.map = TNY_MAP_BLOCK};
  const struct cli_options reader = {.names = names, .read = read_option, .into = &options};
  struct tny_error error = {0};
  char *shown = NULL;
  if (cli_options_read(argc, argv, &reader, &error) != TNY_OK)
    return cli_usage_error("algorithms", "%s", error.text);
  if (options.help)
    return cli_print(help);
  if (optind < argc)
    return cli_usage_error("algorithms", "unknown argument '%s'", argv[optind]);
  const int code = list(&options, &shown, &error) == TNY_OK ? cli_print(shown) : cli_fail(&error);
  tny_text_free(shown);
  return code;
}
