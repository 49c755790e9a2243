/* Reads and checks the options of `tourney tune`; the help is in tune.c. */
#include "options.h"

#include <getopt.h>

#include "cli/shared/launch/launch.h"
#include "cli/shared/options.h"
#include "core/error.h"

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
  if (options->natives && !options->profile && options->mpi == LAUNCH_MPICH)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--native-algorithms and --export measure each of Open MPI's own "
                         "algorithms; none of MPICH's can be forced: measure Open MPI");
  if (!options->launcher)
    return TNY_OK;
  if (!options->cluster)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--launcher needs a cluster: the network to plan for, as in 'tourney "
                         "tune cluster.dot -o FILE --launcher ...'");
  const struct cli_place place = {.launcher = options->launcher,
                                  .lab = options->lab,
                                  .ranks_given = options->ranks || options->map_given};
  return cli_place_check(&place, error);
}

enum tny_status tune_options_read(int argc, char **argv, struct tune_options *options,
                                  struct tny_error *error)
{
  *options = (struct tune_options){.max_minutes = 5, .candidates = 3};
  const struct cli_option table[] = {
      {.name = "output", .text = &options->output},
      {.name = "collective", .take = cli_rows_read_collectives, .into = &options->rows},
      {.name = "bytes", .take = cli_rows_read_sizes, .into = &options->rows},
      {.name = "max-minutes", .number = &options->max_minutes, .least = 1, .most = 100000},
      {.name = "candidates", .number = &options->candidates, .least = 1, .most = 24},
      {.name = "native-algorithms", .flag = &options->natives},
      {.name = "export", .take = read_export, .into = &options->export},
      {.name = "profile", .text = &options->profile},
      {.name = "base", .text = &options->base},
      {.name = "fresh", .flag = &options->fresh},
      {.name = "lab", .text = &options->lab},
      {.name = "ranks", .number = &options->ranks, .least = 2, .most = CLI_COUNT_MAX},
      {.name = "map", .map = &options->map, .given = &options->map_given},
      {.name = "launcher", .text = &options->launcher},
      {.name = "mpi", .take = launch_mpi_take, .into = &options->mpi, .given = &options->mpi_given},
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
  cli_rows_complete(&options->rows, cli_rows_is_measured);
  options->natives |= options->export != TUNE_EXPORT_NONE;
  status = launch_choose_mpi(options->launcher, options->mpi_given, &options->mpi, error);
  return status == TNY_OK ? check_options(options, error) : status;
}
