/* The options of `tourney bench`, read and checked. */
#include "bench_options.h"

#include <getopt.h>
#include <inttypes.h>

#include <tourney/algorithm.h>

#include "cli.h"
#include "core/alloc.h"
#include "core/error.h"
#include "launch.h"
#include "scene.h"

enum letter {
  LETTER_CLUSTER = 1,
  LETTER_COLLECTIVE,
  LETTER_BYTES,
  LETTER_ALGORITHM,
  LETTER_MAP,
  LETTER_RANKS,
  LETTER_REPEAT,
  LETTER_WARMUP,
  LETTER_MAX_SECONDS,
  LETTER_CSV,
  LETTER_LAUNCHER,
  LETTER_LAB,
  LETTER_CHECK,
  LETTER_HELP,
};

static const struct option names[] = {
    {"cluster", required_argument, NULL, LETTER_CLUSTER},
    {"collective", required_argument, NULL, LETTER_COLLECTIVE},
    {"bytes", required_argument, NULL, LETTER_BYTES},
    {"algorithm", required_argument, NULL, LETTER_ALGORITHM},
    {"map", required_argument, NULL, LETTER_MAP},
    {"ranks", required_argument, NULL, LETTER_RANKS},
    {"repeat", required_argument, NULL, LETTER_REPEAT},
    {"warmup", required_argument, NULL, LETTER_WARMUP},
    {"max-seconds", required_argument, NULL, LETTER_MAX_SECONDS},
    {"csv", required_argument, NULL, LETTER_CSV},
    {"launcher", required_argument, NULL, LETTER_LAUNCHER},
    {"lab", required_argument, NULL, LETTER_LAB},
    {"check", no_argument, NULL, LETTER_CHECK},
    {"help", no_argument, NULL, LETTER_HELP},
    {NULL, 0, NULL, 0},
};

/* A few sizes from where start-up counts to where the links do. */
#define DEFAULT_SIZE_COUNT 3
static const uint64_t message_sizes[DEFAULT_SIZE_COUNT] = {1024, 65536, 1048576};
static const uint64_t block_sizes[DEFAULT_SIZE_COUNT] = {1024, 8192, 65536};

static const uint64_t *default_sizes(enum tny_collective collective)
{
  return tny_collective_is_one_message(collective) ? message_sizes : block_sizes;
}

static enum tny_status read_number(const char *option, uint32_t min, uint32_t *number,
                                   struct tny_error *error)
{
  char *end;
  const unsigned long long value = strtoull(optarg, &end, 10);
  if (*optarg < '0' || *optarg > '9' || *end || value < min || value > 1000000)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "%s wants a whole number from %" PRIu32 " to 1000000, not '%s'", option,
                         min, optarg);
  *number = (uint32_t)value;
  return TNY_OK;
}

static enum tny_status add_collective(struct bench_options *options, const char *item,
                                      struct tny_error *error)
{
  enum tny_collective collective;
  const enum tny_status status = tny_collective_parse(item, &collective, error);
  if (status != TNY_OK)
    return status;
  if (!tny_collective_is_served(collective))
    return tny_error_set(error, TNY_BAD_INPUT, "the runtime doesn't serve %s, only %s", item,
                         tny_collective_names(tny_collective_is_served, ", ", " and ").text);
  options->collectives[collective] = true;
  return TNY_OK;
}

static enum tny_status add_size(struct bench_options *options, const char *item,
                                struct tny_error *error)
{
  uint64_t bytes;
  const enum tny_status status = scene_bytes_parse(item, INT32_MAX, &bytes, error);
  if (status != TNY_OK)
    return status;
  if ((options->size_count + 1) * TNY_COLLECTIVE_COUNT > BENCH_ROWS_MAX)
    return tny_error_set(error, TNY_BAD_INPUT, "--bytes has more than %d sizes",
                         BENCH_ROWS_MAX / TNY_COLLECTIVE_COUNT);
  options->sizes[options->size_count++] = bytes;
  return TNY_OK;
}

/* Hands each item of a comma list to `add`. */
static enum tny_status read_list(struct bench_options *options, const char *list,
                                 enum tny_status (*add)(struct bench_options *, const char *,
                                                        struct tny_error *),
                                 struct tny_error *error)
{
  char *copy = tny_copy_text(list);
  if (!copy)
    return tny_error_memory(error);
  enum tny_status status = TNY_OK;
  char *rest = copy;
  for (char *item; status == TNY_OK && (item = strsep(&rest, ","));)
    status = add(options, item, error);
  tny_free(copy);
  return status;
}

static enum tny_status read_counts(struct bench_options *options, int letter,
                                   struct tny_error *error)
{
  switch (letter) {
  case LETTER_RANKS:
    return read_number("--ranks", 2, &options->ranks, error);
  case LETTER_REPEAT:
    options->repeat_max = 0;
    return read_number("--repeat", 1, &options->repeat, error);
  case LETTER_WARMUP:
    return read_number("--warmup", 0, &options->warmup, error);
  default:
    return read_number("--max-seconds", 0, &options->max_seconds, error);
  }
}

/* The options that are kept as they were given. */
static const char **find_text(struct bench_options *options, int letter)
{
  switch (letter) {
  case LETTER_CLUSTER:
    return &options->cluster;
  case LETTER_ALGORITHM:
    return &options->algorithm;
  case LETTER_CSV:
    return &options->csv;
  case LETTER_LAUNCHER:
    return &options->launcher;
  case LETTER_LAB:
    return &options->lab;
  default:
    return NULL;
  }
}

static enum tny_status read_option(void *into, int letter, struct tny_error *error)
{
  struct bench_options *options = into;
  const char **text = find_text(options, letter);
  if (text) {
    *text = optarg;
    return TNY_OK;
  }
  switch (letter) {
  case LETTER_COLLECTIVE:
    return read_list(options, optarg, add_collective, error);
  case LETTER_BYTES:
    return read_list(options, optarg, add_size, error);
  case LETTER_MAP:
    options->map_given = true;
    return scene_map_parse("--map", optarg, &options->map, error);
  case LETTER_CHECK:
    options->check = true;
    return TNY_OK;
  case LETTER_HELP:
  case 'h':
    options->help = true;
    return TNY_OK;
  default:
    return read_counts(options, letter, error);
  }
}

/* What goes together. */
static enum tny_status check_options(const struct bench_options *options, struct tny_error *error)
{
  if (!options->launcher)
    return TNY_OK;
  if (!options->cluster)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--launcher needs --cluster: the network to plan "
                         "for and to measure against");
  if (options->lab)
    return tny_error_set(error, TNY_BAD_INPUT, "--launcher and --lab: choose one");
  if (options->ranks || options->map_given)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--ranks and --map are for the lab; tell the launcher, as in --launcher "
                         "'mpirun -n 16'");
  return TNY_OK;
}

enum tny_status bench_options_read(int argc, char **argv, struct bench_options *options,
                                   struct tny_error *error)
{
  *options = (struct bench_options){.repeat = 9, .repeat_max = 499, .warmup = 1, .max_seconds = 60};
  const struct cli_options reader = {.names = names, .read = read_option, .into = options};
  enum tny_status status = cli_options_read(argc, argv, &reader, error);
  if (status == TNY_OK && optind < argc)
    status = tny_error_set(error, TNY_BAD_INPUT, "unknown argument '%s'", argv[optind]);
  bool any = false;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    any |= options->collectives[c];
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    options->collectives[c] |= !any && tny_collective_is_served((enum tny_collective)c);
  return status == TNY_OK ? check_options(options, error) : status;
}

enum tny_status bench_options_rows(const struct bench_options *options, struct bench_result *result,
                                   struct tny_error *error)
{
  result->rows = tny_new(BENCH_ROWS_MAX, sizeof *result->rows);
  if (!result->rows)
    return tny_error_memory(error);
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    const uint64_t *sizes =
        options->size_count ? options->sizes : default_sizes((enum tny_collective)c);
    const uint32_t count = options->size_count ? options->size_count : DEFAULT_SIZE_COUNT;
    for (uint32_t i = 0; options->collectives[c] && i < count; i++)
      result->rows[result->row_count++] = (struct bench_row){
          .collective = (enum tny_collective)c,
          .bytes = sizes[i],
      };
  }
  return TNY_OK;
}

/* A name alone stands for every collective asked for that has it. */
static enum tny_status spread_name(const struct bench_options *options, char **list,
                                   struct tny_error *error)
{
  struct tny_text text = {0};
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    const enum tny_collective collective = (enum tny_collective)c;
    if (!options->collectives[c] || (strcmp(options->algorithm, "native") &&
                                     !tny_algorithm_find(collective, options->algorithm)))
      continue;
    tny_text_add(&text, "%s%s=%s", text.length ? "," : "", tny_collective_name(collective),
                 options->algorithm);
  }
  if (text.length || text.failed)
    return tny_text_take(&text, list, error);
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    if (!options->collectives[c])
      continue;
    char *has = NULL;
    const enum tny_status status = launch_list_algorithms((enum tny_collective)c, &has, error);
    if (status == TNY_OK)
      tny_text_add(&text, "; %s has: %s", tny_collective_name((enum tny_collective)c), has);
    tny_text_free(has);
  }
  const enum tny_status status = tny_error_set(error, TNY_BAD_INPUT, "there is no algorithm '%s'%s",
                                               options->algorithm, text.failed ? "" : text.bytes);
  tny_text_release(&text);
  return status;
}

enum tny_status bench_options_algorithms(const struct bench_options *options, char **list,
                                         struct tny_error *error)
{
  *list = NULL;
  if (!options->algorithm)
    return launch_check_exported(error);
  if (!strchr(options->algorithm, '='))
    return spread_name(options, list, error);
  const enum tny_status status = launch_check_algorithms("--algorithm", options->algorithm, error);
  if (status != TNY_OK)
    return status;
  *list = tny_copy_text(options->algorithm);
  return *list ? TNY_OK : tny_error_memory(error);
}
