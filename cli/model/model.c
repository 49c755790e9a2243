/* `tourney model`: prints what the papers' own formulas say, and beside it what is simulated or
   counted. This file reads the options; papers.c fills the tables, try.c adds our numbers, text.c
   writes them. */
#include "table.h"

#include <getopt.h>
#include <inttypes.h>

#include "cli/shared/options.h"
#include "cli/shared/report.h"
#include "cli/shared/subcommands.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"

static const char help[] =
    "usage: tourney model [PAPER|all] [OPTION...]\n"
    "Prints what the formulas of the papers behind the algorithms predict, and next to it what "
    "the\n"
    "simulator says for the same schedule on the same model, or what is counted in the schedule:\n"
    "jacunski1999, hinrichs1994, axida2009, tam2000, jeannot2007 (or the beginning of a key; "
    "all).\n"
    "\n"
    "What a paper's formulas know; without an option, the paper's own value:\n"
    "  --nodes N          nodes; of jeannot2007, in the one cluster\n"
    "  --others N         nodes in the other cluster (jeannot2007)\n"
    "  --side N, --dimensions D   of the ring or torus (hinrichs1994)\n"
    "  --flits N, --flit TIME     of a node's message, and of a flit (jacunski1999)\n"
    "  --bytes SIZE       from each node for each other one; of axida2009, the message broadcast\n"
    "  --message SIZE     pieces that it is cut in (axida2009)\n"
    "  --packet SIZE      packets that it is cut in (tam2000)\n"
    "  --fan-out N        of group shuffle (tam2000)\n"
    "  --overhead TIME    of sending, and of receiving, a message (jacunski1999)\n"
    "  --startup TIME     of a phase (hinrichs1994), of a message (axida2009)\n"
    "  --rate RATE        of a link (hinrichs1994, axida2009)\n"
    "  --send TIME, --receive TIME, --user TIME, --gap TIME, --latency TIME\n"
    "                     O_s, O_r, U_r, g and L of a packet (tam2000)\n"
    "\n"
    "  --predict-only     only the formulas: nothing is simulated or counted\n"
    "  --format text|csv|json    how to print it (text)\n"
    "  --csv, --json      the same for short\n"
    "  --help             this text\n";

struct options {
  const char *texts[MODEL_PARAMETER_COUNT]; /* as given; NULL: the paper's own */
  bool predict_only, help;
  enum cli_format format;
};

static enum tny_status read_options(int argc, char **argv, struct options *options,
                                    struct tny_error *error)
{
  struct cli_option table[MODEL_PARAMETER_COUNT + 6] = {
      {.name = "predict-only", .flag = &options->predict_only},
      {.name = "format", .format = &options->format, .csv_too = true},
      {.name = "csv", .format = &options->format, .shorthand = CLI_CSV},
      {.name = "json", .format = &options->format, .shorthand = CLI_JSON},
      {.name = "help", .flag = &options->help}};
  struct cli_option *next = table + 5;
  for (int i = 0; i < MODEL_PARAMETER_COUNT; i++)
    *next++ = (struct cli_option){.name = model_options[i].name, .text = &options->texts[i]};
  return cli_options_read(argc, argv, table, error);
}

static enum tny_status parse_value(enum model_kind kind, const char *text, uint64_t *value,
                                   struct tny_error *error)
{
  char *end;
  switch (kind) {
  case MODEL_TIME:
    return tny_time_parse(text, value, error);
  case MODEL_SIZE:
    return tny_bytes_parse(text, value, error);
  case MODEL_BANDWIDTH:
    return tny_bandwidth_parse(text, value, error);
  default:
    *value = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end)
      return TNY_OK;
    return tny_error_set(error, TNY_BAD_INPUT, "'%s' is no whole number", text);
  }
}

/* Reads one parameter's value, and looks whether the paper can have it. */
static enum tny_status read_value(const struct model_field *field, const char *text,
                                  uint64_t *value, struct tny_error *error)
{
  const struct model_option *option = &model_options[field->parameter];
  struct tny_error why = {0};
  const enum tny_status status = parse_value(option->kind, text, value, &why);
  if (status != TNY_OK)
    return tny_error_set(error, status, "--%s: %s", option->name, why.text);
  if (*value < field->least || *value > field->most)
    return tny_error_set(error, TNY_BAD_INPUT, "--%s is from %s to %s (%s), not '%s'", option->name,
                         model_value_words(field, field->least).text,
                         model_value_words(field, field->most).text, field->what, text);
  return TNY_OK;
}

/* The paper's own values, and those given. A parameter that it doesn't have is only an error where
   no other paper was asked for. */
static enum tny_status read_values(const struct model_paper *paper, const struct options *options,
                                   bool is_alone, struct model_values *values,
                                   struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  *values = (struct model_values){0};
  for (enum model_parameter i = 0; status == TNY_OK && i < MODEL_PARAMETER_COUNT; i++) {
    const struct model_field *field = model_field_find(paper, i);
    if (field)
      values->of[i] = field->standard;
    if (field && options->texts[i])
      status = read_value(field, options->texts[i], &values->of[i], error);
    if (!field && options->texts[i] && is_alone)
      return tny_error_set(error, TNY_BAD_INPUT, "%s has no --%s", paper->key,
                           model_options[i].name);
  }
  return status;
}

/* The first of the papers that the word names, and how many. */
static enum tny_status find_papers(const char *word, uint32_t *first, uint32_t *count,
                                   struct tny_error *error)
{
  *first = *count = 0;
  if (strcmp(word, "all") == 0) {
    while (model_papers[*count])
      ++*count;
    return TNY_OK;
  }
  for (uint32_t i = 0; *word && model_papers[i]; i++)
    if (strncmp(model_papers[i]->key, word, strlen(word)) == 0) {
      *first = i;
      ++*count;
    }
  if (*count == 1)
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT,
                       "PAPER is jacunski1999, hinrichs1994, axida2009, tam2000, jeannot2007 or "
                       "all, not '%s'",
                       word);
}

/* Owns: *shown by tny_text_free. */
static enum tny_status answer(const char *word, const struct options *options, char **shown,
                              struct tny_error *error)
{
  uint32_t first, count;
  enum tny_status status = find_papers(word, &first, &count, error);
  if (status != TNY_OK)
    return status;
  struct model_answer *answers = tny_new(count, sizeof *answers);
  if (!answers)
    return tny_error_memory(error);
  for (uint32_t i = 0; status == TNY_OK && i < count; i++) {
    answers[i].paper = model_papers[first + i];
    status = read_values(answers[i].paper, options, count == 1, &answers[i].values, error);
  }
  for (uint32_t i = 0; status == TNY_OK && i < count; i++) {
    answers[i].paper->fill(&answers[i].values, &answers[i].table);
    if (!options->predict_only)
      status = model_try(answers[i].paper, &answers[i].table, error);
  }
  if (status == TNY_OK)
    status = model_write(answers, count, options->format, shown, error);
  tny_free(answers);
  return status;
}

int cli_model(int argc, char **argv)
{
  struct options options = {.format = CLI_TEXT};
  struct tny_error error = {0};
  char *shown = NULL;
  if (read_options(argc, argv, &options, &error) != TNY_OK)
    return cli_usage_error("model", "%s", error.text);
  if (options.help)
    return cli_print(help);
  if (argc - optind > 1)
    return cli_usage_error("model", "unknown argument '%s'", argv[optind + 1]);
  const char *word = optind < argc ? argv[optind] : "all";
  const enum tny_status status = answer(word, &options, &shown, &error);
  return cli_finish(status, shown, &error);
}
