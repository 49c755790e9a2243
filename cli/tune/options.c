/* Reads and checks the options of `tourney tune`; the help is in tune.c. */
#include "options.h"

#include <getopt.h>

#include "cli/shared/options.h"
#include "core/error.h"

static enum tny_status add_collective(void *into, char *item, struct tny_error *error)
{
  struct tune_options *options = into;
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

static enum tny_status add_size(void *into, char *item, struct tny_error *error)
{
  struct tune_options *options = into;
  uint64_t bytes;
  const enum tny_status status = cli_bytes_parse(item, INT32_MAX, &bytes, error);
  if (status != TNY_OK)
    return status;
  if (options->size_count == TUNE_SIZES_MAX)
    return tny_error_set(error, TNY_BAD_INPUT, "--bytes has more than %d sizes", TUNE_SIZES_MAX);
  options->sizes[options->size_count++] = bytes;
  return TNY_OK;
}

static enum tny_status read_collectives(void *into, const char *list, struct tny_error *error)
{
  return cli_list_parse(list, add_collective, into, error);
}

static enum tny_status read_sizes(void *into, const char *list, struct tny_error *error)
{
  return cli_list_parse(list, add_size, into, error);
}

static enum tny_status read_export(void *into, const char *name, struct tny_error *error)
{
  enum tune_export *export = into;
  if (strcmp(name, "openmpi-rules") == 0)
    *export = TUNE_EXPORT_OPENMPI_RULES;
  else if (strcmp(name, "mpich-json") == 0)
    *export = TUNE_EXPORT_MPICH_JSON;
  else
    return tny_error_set(error, TNY_BAD_INPUT, "--export is openmpi-rules or mpich-json, not '%s'",
                         name);
  return TNY_OK;
}

/* What an export needs, and what needs one. */
static enum tny_status check_export(const struct tune_options *options, struct tny_error *error)
{
  if (options->profile && options->export == TUNE_EXPORT_NONE)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--profile is what --export reads: say --export too, or leave it out to "
                         "measure");
  if ((options->export == TUNE_EXPORT_MPICH_JSON) != (options->base != NULL))
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--export mpich-json and --base go together: --base is MPICH's own "
                         "coll_selection.json, of the version that will read the "
                         "file");
  return TNY_OK;
}

/* What goes together. */
static enum tny_status check_options(const struct tune_options *options, struct tny_error *error)
{
  if (!options->output)
    return tny_error_set(error, TNY_BAD_INPUT, "say what to write, by -o FILE");
  if (check_export(options, error) != TNY_OK)
    return error->status;
  if (!options->launcher)
    return TNY_OK;
  if (!options->cluster)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--launcher needs a cluster: the network to plan for, as in 'tourney "
                         "tune cluster.dot -o FILE --launcher ...'");
  if (options->lab)
    return tny_error_set(error, TNY_BAD_INPUT, "--launcher and --lab: choose one");
  if (options->ranks || options->map_given)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--ranks and --map are for the lab; tell the launcher, as in --launcher "
                         "'mpirun -n 16'");
  return TNY_OK;
}

enum tny_status tune_options_read(int argc, char **argv, struct tune_options *options,
                                  struct tny_error *error)
{
  *options = (struct tune_options){.max_minutes = 5};
  const struct cli_option table[] = {
      {.name = "output", .text = &options->output},
      {.name = "collective", .take = read_collectives, .into = options},
      {.name = "bytes", .take = read_sizes, .into = options},
      {.name = "max-minutes", .number = &options->max_minutes, .least = 1, .most = 100000},
      {.name = "native-algorithms", .flag = &options->natives},
      {.name = "export", .take = read_export, .into = &options->export},
      {.name = "profile", .text = &options->profile},
      {.name = "base", .text = &options->base},
      {.name = "fresh", .flag = &options->fresh},
      {.name = "lab", .text = &options->lab},
      {.name = "ranks", .number = &options->ranks, .least = 2, .most = CLI_COUNT_MAX},
      {.name = "map", .map = &options->map, .given = &options->map_given},
      {.name = "launcher", .text = &options->launcher},
      {.name = "help", .flag = &options->help},
      {0}};
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "-o") == 0)
      argv[i] = (char *)"--output";
  enum tny_status status = cli_options_read(argc, argv, table, error);
  if (status != TNY_OK || options->help)
    return status;
  if (optind < argc)
    options->cluster = argv[optind++];
  if (optind < argc)
    return tny_error_set(error, TNY_BAD_INPUT, "unknown argument '%s'", argv[optind]);
  bool any = false;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    any |= options->collectives[c];
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    options->collectives[c] |= !any && tny_collective_is_served((enum tny_collective)c);
  options->natives |= options->export != TUNE_EXPORT_NONE;
  return check_options(options, error);
}
