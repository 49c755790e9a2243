/* Reads and checks the options of `tourney bench`; the help is in bench.c. */
#include "options.h"

#include <getopt.h>
#include <inttypes.h>

#include <tourney/algorithm.h>

#include "cli/shared/launch/launch.h"
#include "cli/shared/options.h"
#include "core/alloc.h"
#include "core/error.h"

/* A few sizes from where start-up counts to where the links do. */
#define DEFAULT_SIZE_COUNT 3
static const uint64_t message_sizes[DEFAULT_SIZE_COUNT] = {1024, 65536, 1048576};
static const uint64_t block_sizes[DEFAULT_SIZE_COUNT] = {1024, 8192, 65536};

static const uint64_t *default_sizes(enum tny_collective collective)
{
  return tny_collective_is_one_message(collective) ? message_sizes : block_sizes;
}

/* A whole number of at least `least`, for an option of that name. */
struct count {
  const char *name;
  uint32_t least;
  uint32_t *number;
};

static enum tny_status read_count(void *into, const char *text, struct tny_error *error)
{
  const struct count *count = into;
  if (cli_number_read(text, (const uint32_t[]){count->least, 1000000}, count->number))
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT,
                       "--%s wants a whole number from %" PRIu32 " to 1000000, not '%s'",
                       count->name, count->least, text);
}

static enum tny_status add_congestion(void *into, char *item, struct tny_error *error)
{
  struct bench_options *options = into;
  if (!*item || strlen(item) >= sizeof *options->congestions)
    return tny_error_set(error, TNY_BAD_INPUT, "'%.40s' can't be a TCP congestion control", item);
  if (options->congestion_count == BENCH_CONGESTIONS_MAX)
    return tny_error_set(error, TNY_BAD_INPUT, "--congestion has more than %d names",
                         BENCH_CONGESTIONS_MAX);
  snprintf(options->congestions[options->congestion_count++], sizeof *options->congestions, "%s",
           item);
  return TNY_OK;
}

static enum tny_status read_congestions(void *into, const char *list, struct tny_error *error)
{
  return cli_list_parse(list, add_congestion, into, error);
}

static enum tny_status read_uneven(void *into, const char *text, struct tny_error *error)
{
  struct bench_options *options = into;
  options->uneven = text;
  return tny_unevenness_parse(text, &options->spread, error);
}

static enum tny_status read_grid(void *into, const char *text, struct tny_error *error)
{
  struct bench_options *options = into;
  struct tny_shape grid;
  options->grid = text;
  return tny_grid_parse(text, &grid, error);
}

static enum tny_status read_options(int argc, char **argv, struct bench_options *options,
                                    struct tny_error *error)
{
  struct count ranks = {"ranks", 2, &options->ranks}, repeat = {"repeat", 1, &options->repeat};
  struct count warmup = {"warmup", 0, &options->warmup};
  struct count seconds = {"max-seconds", 0, &options->max_seconds};
  bool repeat_given = false;
  const struct cli_option table[] = {
      {.name = "cluster", .text = &options->cluster},
      {.name = "collective", .take = cli_rows_read_collectives, .into = &options->rows},
      {.name = "bytes", .take = cli_rows_read_sizes, .into = &options->rows},
      {.name = "uneven", .take = read_uneven, .into = options},
      {.name = "grid", .take = read_grid, .into = options},
      {.name = "algorithm", .text = &options->algorithm},
      {.name = "profile", .text = &options->profile},
      {.name = "map", .map = &options->map, .given = &options->map_given},
      {.name = "ranks", .take = read_count, .into = &ranks},
      {.name = "repeat", .take = read_count, .into = &repeat, .given = &repeat_given},
      {.name = "warmup", .take = read_count, .into = &warmup},
      {.name = "max-seconds", .take = read_count, .into = &seconds},
      {.name = "csv", .text = &options->csv},
      {.name = "launcher", .text = &options->launcher},
      {.name = "lab", .text = &options->lab},
      {.name = "mpi", .take = launch_mpi_take, .into = &options->mpi, .given = &options->mpi_given},
      {.name = "chart", .text = &options->chart},
      {.name = "congestion", .take = read_congestions, .into = options},
      {.name = "peers", .flag = &options->peers},
      {.name = "check", .flag = &options->check},
      {.name = "help", .flag = &options->help},
      {0}};
  const enum tny_status status = cli_options_read(argc, argv, table, error);
  if (repeat_given)
    options->repeat_max = 0;
  return status;
}

/* Is there a collective among those asked for that has blocks? */
static bool have_blocks(const struct cli_rows *rows)
{
  for (int form = 0; form < CLI_FORMS; form++)
    for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
      if (rows->asked[form][c] && !tny_collective_synchronizes((enum tny_collective)c))
        return true;
  return false;
}

/* What goes together. */
static enum tny_status check_options(const struct bench_options *options, struct tny_error *error)
{
  if (options->rows.size_count > 0 && !have_blocks(&options->rows))
    return tny_error_set(error, TNY_BAD_INPUT,
                         "a barrier has no --bytes: its messages carry nothing");
  if (options->peers && options->mpi == LAUNCH_MPICH)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--peers forces each of Open MPI's own algorithms; none of MPICH's can be "
                         "forced: leave out --peers, or measure Open MPI");
  if (options->chart && options->congestion_count > 1)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--chart draws the rows of one congestion control: give --congestion one "
                         "name");
  if (!options->launcher)
    return TNY_OK;
  if (!options->cluster)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--launcher needs --cluster: the network to plan "
                         "for and to measure against");
  if (options->congestion_count)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--congestion is for the lab, whose routes it changes");
  const struct cli_place place = {.launcher = options->launcher,
                                  .lab = options->lab,
                                  .ranks_given = options->ranks || options->map_given};
  return cli_place_check(&place, error);
}

enum tny_status bench_options_read(int argc, char **argv, struct bench_options *options,
                                   struct tny_error *error)
{
  *options = (struct bench_options){.repeat = 9,
                                    .repeat_max = 499,
                                    .warmup = 1,
                                    .max_seconds = 60,
                                    .rows.takes_forms = true,
                                    .uneven = "1:8",
                                    .spread = {.least_part = 1, .most_part = 8}};
  enum tny_status status = read_options(argc, argv, options, error);
  if (status == TNY_OK && optind < argc)
    status = tny_error_set(error, TNY_BAD_INPUT, "unknown argument '%s'", argv[optind]);
  cli_rows_complete(&options->rows, tny_collective_is_served);
  if (status == TNY_OK && !options->help)
    status = launch_choose_mpi(options->launcher, options->mpi_given, &options->mpi, error);
  return status == TNY_OK ? check_options(options, error) : status;
}

/* Adds the rows of a collective in one of its forms. */
static void add_rows(const struct bench_options *options, enum tny_collective collective,
                     enum cli_form form, struct bench_result *result)
{
  static const uint64_t no_bytes[] = {0};
  const struct cli_rows *asked = &options->rows;
  const uint64_t *sizes = asked->size_count ? asked->sizes : default_sizes(collective);
  uint32_t count = asked->size_count ? asked->size_count : DEFAULT_SIZE_COUNT;
  if (tny_collective_synchronizes(collective)) {
    sizes = no_bytes;
    count = 1;
  }
  for (uint32_t i = 0; i < count; i++) {
    struct bench_row *row = &result->rows[result->row_count++];
    row->form = form;
    bench_row_begin(row, collective, sizes[i]);
  }
}

enum tny_status bench_options_rows(const struct bench_options *options, struct bench_result *result,
                                   struct tny_error *error)
{
  result->spread = options->spread;
  result->rows = tny_new(CLI_ROWS_MAX, sizeof *result->rows);
  if (!result->rows)
    return tny_error_memory(error);
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    for (int f = 0; f < CLI_FORMS; f++)
      if (options->rows.asked[f][c])
        add_rows(options, (enum tny_collective)c, (enum cli_form)f, result);
  return TNY_OK;
}

/* Neighbourhood collectives are served by plans of an all-to-all, whichever they are. */
static bool is_asked_for(const struct bench_options *options, enum tny_collective collective)
{
  for (int f = 0; f < CLI_FORMS; f++)
    for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
      if (options->rows.asked[f][c] &&
          (cli_form_has_neighbours((enum cli_form)f) ? tny_collective_is_pairwise(collective)
                                                     : c == (int)collective))
        return true;
  return false;
}

/* A name alone stands for every collective asked for that has it. */
static enum tny_status spread_name(const struct bench_options *options, char **list,
                                   struct tny_error *error)
{
  struct tny_text text = {0};
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    const enum tny_collective collective = (enum tny_collective)c;
    if (!is_asked_for(options, collective) || (strcmp(options->algorithm, "native") &&
                                               !tny_algorithm_find(collective, options->algorithm)))
      continue;
    tny_text_add(&text, "%s%s=%s", text.length ? "," : "", tny_collective_name(collective),
                 options->algorithm);
  }
  if (text.length || text.failed)
    return tny_text_take(&text, list, error);
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    if (!is_asked_for(options, (enum tny_collective)c))
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
