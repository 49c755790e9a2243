/* `tourney algorithms`: lists the registered algorithms, and what each claims for so many ranks:
   pieces, rounds, blocks sent. Nothing is planned or predicted here; `tourney plan` compares
   algorithms by time. */

#include <getopt.h>
#include <inttypes.h>

#include "cli/shared/json.h"
#include "cli/shared/mapping.h"
#include "cli/shared/options.h"
#include "cli/shared/report.h"
#include "cli/shared/subcommands.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"

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

struct options {
  const char *cluster;
  uint32_t ranks;
  enum tny_map map;
  enum cli_format format;
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
struct algorithm_list {
  const char *cluster; /* NULL: one switch */
  uint32_t rank_count;
  const struct tny_placement *placement;
  const struct tny_network *network;
  struct row *rows; /* one for each algorithm */
  uint32_t row_count;
};

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
                                const struct algorithm_list *list, struct row *row,
                                struct tny_error *error)
{
  const struct tny_problem problem = {.collective = algorithm->collective,
                                      .rank_count = list->rank_count,
                                      .placement = list->placement,
                                      .network = list->network};
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
    row->claim = tny_algorithm_claim(algorithm, &settled);
  }
  tny_problem_release(algorithm, &prepared);
  return status;
}

static enum tny_status make_rows(struct algorithm_list *list, struct tny_error *error)
{
  uint32_t count = 0;
  enum tny_status status = TNY_OK;
  while (tny_algorithms[count])
    count++;
  list->rows = tny_new(count, sizeof *list->rows);
  if (!list->rows)
    return tny_error_memory(error);
  for (uint32_t i = 0; status == TNY_OK && i < count; i++)
    status = make_row(tny_algorithms[i], list, &list->rows[list->row_count++], error);
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

static void add_text_row(const struct row *row, const struct algorithm_list *list,
                         const int widths[3], struct tny_text *text)
{
  const struct tny_algorithm *algorithm = row->algorithm;
  tny_text_add(text, "%-13s %-*s %-*s %-*s ", tny_collective_name(algorithm->collective), widths[0],
               row->name, widths[1], algorithm->source, widths[2], algorithm->needs);
  if (row->refused)
    tny_text_add(text, "%6s %6s %6s  %s; not here: %s\n", "-", "-", "-", algorithm->summary,
                 row->refused);
  else
    tny_text_add(text, "%6" PRIu32 " %6s %6" PRIu64 "  %s\n", row->pieces,
                 rounds_words(row, list->rank_count).text, row->claim.blocks_sent_max,
                 algorithm->summary);
}

static enum tny_status write_text(const struct algorithm_list *list, char **shown,
                                  struct tny_error *error)
{
  struct tny_text text = {0};
  int widths[3] = {0};
  for (const struct row *row = list->rows; row < list->rows + list->row_count; row++) {
    widths[0] = wider(widths[0], row->name);
    widths[1] = wider(widths[1], row->algorithm->source);
    widths[2] = wider(widths[2], row->algorithm->needs);
  }
  tny_text_add(&text, "%" PRIu32 " rank%s on %s; blocks: what a rank sends, at most\n\n",
               list->rank_count, list->rank_count == 1 ? "" : "s",
               list->cluster ? list->cluster : "one switch");
  tny_text_add(&text, "%-13s %-*s %-*s %-*s %6s %6s %6s  %s\n", "collective", widths[0], "name",
               widths[1], "source", widths[2], "needs", "pieces", "rounds", "blocks",
               "what it does");
  for (uint32_t i = 0; i < list->row_count; i++)
    add_text_row(&list->rows[i], list, widths, &text);
  return tny_text_take(&text, shown, error);
}

/* What algorithms say of themselves has no quotation marks. */
static void add_csv_row(const struct row *row, const struct algorithm_list *list,
                        struct tny_text *text)
{
  const struct tny_algorithm *algorithm = row->algorithm;
  tny_text_add(text, "%s,%s,%s,%s,%s,\"%s\",%" PRIu32 ",",
               tny_collective_name(algorithm->collective), algorithm->name,
               algorithm->parameter.name ? algorithm->parameter.name : "", algorithm->source,
               tny_algorithm_takes_uneven(algorithm) ? "yes" : "no", algorithm->needs,
               list->rank_count);
  if (row->refused)
    tny_text_add(text, "-,-,-,\"%s\",\"%s\"\n", row->refused, algorithm->summary);
  else
    tny_text_add(text, "%" PRIu32 ",%s,%" PRIu64 ",,\"%s\"\n", row->pieces,
                 rounds_words(row, list->rank_count).text, row->claim.blocks_sent_max,
                 algorithm->summary);
}

static enum tny_status write_csv(const struct algorithm_list *list, char **shown,
                                 struct tny_error *error)
{
  struct tny_text text = {0};
  tny_text_add(&text, "collective,name,parameter,source,uneven,needs,ranks,pieces,rounds,"
                      "blocks_sent_max,refused,summary\n");
  for (uint32_t i = 0; i < list->row_count; i++)
    add_csv_row(&list->rows[i], list, &text);
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
static json_t *row_json(const struct row *row, const struct algorithm_list *list)
{
  const struct tny_algorithm *algorithm = row->algorithm;
  const bool refused = row->refused != NULL;
  const struct tny_claim *claim = &row->claim;
  return json_pack("{s:s, s:s, s:o, s:s, s:b, s:s, s:s, s:s?, s:o, s:o, s:o, s:o, s:o}",
                   "collective", tny_collective_name(algorithm->collective), "name",
                   algorithm->name, "parameter", parameter_json(algorithm), "source",
                   algorithm->source, "uneven", tny_algorithm_takes_uneven(algorithm), "needs",
                   algorithm->needs, "summary", algorithm->summary, "refused", row->refused,
                   "pieces", refused ? json_null() : json_integer(row->pieces), "rounds",
                   has_rounds(row, list->rank_count) ? json_integer(claim->rounds) : json_null(),
                   "blocks_sent_max",
                   refused ? json_null() : json_integer((json_int_t)claim->blocks_sent_max),
                   "phases", refused ? json_null() : json_integer(claim->phases), "scratch_blocks",
                   refused ? json_null() : json_integer(claim->scratch_blocks));
}

static enum tny_status write_json(const struct algorithm_list *list, char **shown,
                                  struct tny_error *error)
{
  json_t *rows = json_array();
  for (uint32_t i = 0; i < list->row_count; i++)
    json_add(&rows, row_json(&list->rows[i], list));
  json_t *root = json_pack("{s:s?, s:I, s:o}", "cluster", list->cluster, "ranks",
                           (json_int_t)list->rank_count, "algorithms", rows);
  return json_take(root, shown, error);
}

/* Owns: *shown by tny_text_free. */
static enum tny_status make_list(const struct options *options, char **shown,
                                 struct tny_error *error)
{
  static enum tny_status (*const write[])(const struct algorithm_list *, char **,
                                          struct tny_error *) = {
      [CLI_TEXT] = write_text, [CLI_CSV] = write_csv, [CLI_JSON] = write_json};
  struct mapping mapping = {0};
  struct algorithm_list list = {.rank_count = options->ranks ? options->ranks : RANKS_STANDARD};
  enum tny_status status = TNY_OK;
  if (options->cluster) {
    const struct mapping_wanted wanted = {
        .cluster = options->cluster, .map = options->map, .ranks = options->ranks};
    status = mapping_open(&mapping, &wanted, error);
    list = (struct algorithm_list){.cluster = options->cluster,
                                   .rank_count = mapping.rank_count,
                                   .placement = mapping.placement,
                                   .network = &mapping.network};
  }
  if (status == TNY_OK)
    status = make_rows(&list, error);
  if (status == TNY_OK)
    status = write[options->format](&list, shown, error);
  tny_free(list.rows);
  mapping_close(&mapping);
  return status;
}

int cli_algorithms(int argc, char **argv)
{
  struct options options = {.map = TNY_MAP_BLOCK};
  const struct cli_option table[] = {
      {.name = "ranks", .number = &options.ranks, .least = 1, .most = CLI_COUNT_MAX},
      {.name = "cluster", .text = &options.cluster},
      {.name = "map", .map = &options.map},
      {.name = "format", .format = &options.format, .csv_too = true},
      {.name = "help", .flag = &options.help},
      {0}};
  struct tny_error error = {0};
  char *shown = NULL;
  if (cli_options_read(argc, argv, table, &error) != TNY_OK)
    return cli_usage_error("algorithms", "%s", error.text);
  if (options.help)
    return cli_print(help);
  if (optind < argc)
    return cli_usage_error("algorithms", "unknown argument '%s'", argv[optind]);
  const enum tny_status status = make_list(&options, &shown, &error);
  return cli_finish(status, shown, &error);
}
