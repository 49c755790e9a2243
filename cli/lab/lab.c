/* `tourney lab`: a cluster of network namespaces on this machine. This file reads each command's
   options and shows what came out; what the commands do is in the library lab/. */
#include "lab/lab.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/shared/clock.h"
#include "cli/shared/launch/launch.h"
#include "cli/shared/mapping.h"
#include "cli/shared/report.h"
#include "cli/shared/subcommands.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "core/units.h"
#include "options.h"
#include "status.h"

enum { EXIT_TIMED_OUT = 124, MPI_ARGS_MAX = 128 };

static int tell_up(const char *name)
{
  struct tny_error error = {0};
  struct tny_lab *lab;
  if (tny_lab_open(name, &lab, &error) != TNY_OK)
    return cli_fail(&error);
  printf("lab '%s' is up: %u hosts, %u switches (%s)\n", lab->name, lab->cluster->host_count,
         lab->cluster->switch_count, lab->cluster->name);
  tny_lab_close(lab);
  return cli_print("");
}

/* Bringing up, as its user sees it. */
struct bring_up {
  const struct tny_cluster *cluster;
  double begin, told; /* by clock_seconds, as what_begin */
  const char *what;   /* that was being made when last told */
  double what_begin;
  bool said_needs;
};

/* Says nothing of what is soon done: after two seconds what the lab takes, and from then on how far
   it is; on a terminal in one line that changes. */
static void tell_progress(void *context, const struct tny_lab_progress *progress)
{
  struct bring_up *bring_up = context;
  const bool is_terminal = isatty(STDERR_FILENO);
  if (bring_up->what != progress->what) {
    bring_up->what = progress->what;
    bring_up->what_begin = clock_seconds();
  }
  if (clock_seconds() - bring_up->begin < 2 ||
      (bring_up->said_needs && clock_seconds() - bring_up->told < (is_terminal ? 0.5 : 5)))
    return;
  if (!bring_up->said_needs) {
    struct tny_lab_needs needs;
    tny_lab_needs_of(bring_up->cluster, &needs);
    fprintf(stderr,
            "tourney: this lab takes %" PRIu64 " namespaces, %" PRIu64 " cables and %" PRIu64
            " routes, about %" PRIu64 " MiB of memory\n",
            needs.namespaces, needs.cables, needs.routes, needs.memory_bytes >> 20);
  }
  bring_up->said_needs = true;
  bring_up->told = clock_seconds();
  const double spent = clock_seconds() - bring_up->what_begin;
  fprintf(stderr, "%stourney: %u of %u %s", is_terminal ? "\r" : "", progress->done,
          progress->count, progress->what);
  if (progress->done > 0)
    fprintf(stderr, ", %.0f s more for these   ",
            spent / progress->done * (progress->count - progress->done));
  if (!is_terminal)
    fputc('\n', stderr);
}

/* CLUSTER may stand before, between or after the options. */
static int lab_up(int argc, char **argv)
{
  static const struct option names[] = {{"name", required_argument, NULL, 'N'},
                                        {"buffer", required_argument, NULL, 'b'},
                                        {"congestion", required_argument, NULL, 'c'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  struct tny_lab_options options = {0};
  struct tny_error error = {0};
  struct tny_cluster *cluster = NULL;
  const char *text = NULL;
  while (optind < argc) { /* 0 at first */
    const int letter = cli_lab_option(argc, argv, "+:h", names);
    if (letter == 'N')
      options.name = optarg;
    else if (letter == 'c')
      options.congestion = optarg;
    else if (letter == 'b' && tny_bytes_parse(optarg, &options.buffer_bytes, &error) != TNY_OK)
      return cli_fail(&error);
    else if (letter == 'h')
      return cli_lab_help();
    else if (letter == '?')
      return CLI_USAGE;
    else if (letter == -1 && optind < argc && text)
      return cli_usage_error("lab", "up takes one cluster, not also '%s'", argv[optind]);
    else if (letter == -1 && optind < argc)
      text = argv[optind++];
  }
  if (!text)
    return cli_usage_error("lab", "up which cluster? As in: tourney lab up single:4");
  enum tny_status status = cli_cluster_open(text, &cluster, &error);
  struct bring_up bring_up = {.cluster = cluster};
  bring_up.begin = clock_seconds();
  options.tell = tell_progress;
  options.context = &bring_up;
  if (status == TNY_OK)
    status = tny_lab_up(cluster, &options, &error);
  if (bring_up.said_needs && isatty(STDERR_FILENO))
    fputc('\n', stderr);
  tny_cluster_free(cluster);
  return status == TNY_OK ? tell_up(options.name) : cli_fail(&error);
}

static int end_all(void)
{
  struct tny_error error = {0};
  char **names;
  if (tny_lab_list(&names, &error) != TNY_OK)
    return cli_fail(&error);
  int code = CLI_OK;
  for (char **name = names; *name; name++) {
    struct tny_error failed = {0};
    if (tny_lab_down(*name, &failed) != TNY_OK)
      code = cli_fail(&failed);
  }
  tny_lab_list_free(names);
  return code;
}

static int lab_down(int argc, char **argv)
{
  static const struct option names[] = {{"name", required_argument, NULL, 'N'},
                                        {"all", no_argument, NULL, 'a'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  const char *name = NULL;
  bool all = false;
  for (int letter; (letter = cli_lab_option(argc, argv, "+:h", names)) != -1;) {
    if (letter == 'N')
      name = optarg;
    else if (letter == 'a')
      all = true;
    else if (letter == 'h')
      return cli_lab_help();
    else
      return CLI_USAGE;
  }
  const int code = cli_lab_no_arguments(argc, argv);
  if (code != CLI_OK)
    return code;
  struct tny_error error = {0};
  if (all)
    return end_all();
  return tny_lab_down(name, &error) == TNY_OK ? CLI_OK : cli_fail(&error);
}

/* The lab's exit code for how a program in it ended. */
static int exit_code(enum tny_status status, const struct tny_lab_end *end,
                     const struct tny_error *error)
{
  if (end->timed_out) {
    fputs("tourney: the time is up: all ranks were ended\n", stderr);
    return EXIT_TIMED_OUT;
  }
  if (end->interrupted)
    return CLI_INTERRUPTED;
  return status == TNY_OK ? end->exit_code : cli_fail(error);
}

static int lab_exec(int argc, char **argv)
{
  static const struct option names[] = {
      {"name", required_argument, NULL, 'N'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
  const char *name = NULL;
  for (int letter; (letter = cli_lab_option(argc, argv, "+:h", names)) != -1;) {
    if (letter == 'h')
      return cli_lab_help();
    if (letter != 'N')
      return CLI_USAGE;
    name = optarg;
  }
  char **words = argv + optind;
  const char *node = *words ? *words++ : NULL;
  if (*words && strcmp(*words, "--") == 0)
    words++;
  if (!node || !*words)
    return cli_usage_error("lab", "exec where and what? As in: tourney lab exec n00 -- ip route");
  struct tny_error error = {0};
  struct tny_lab *lab;
  struct tny_lab_end end;
  if (tny_lab_open(name, &lab, &error) != TNY_OK)
    return cli_fail(&error);
  const enum tny_status status = tny_lab_exec(lab, node, words, &end, &error);
  tny_lab_close(lab);
  if (status != TNY_OK)
    return cli_fail(&error);
  return end.exit_code;
}

/* What an MPI's launcher calls instead of ssh: HOST and words that a shell there is to read. */
static int lab_agent(int argc, char **argv)
{
  struct tny_error error = {0};
  struct tny_text line = {0};
  char *command;
  if (argc < 3)
    return cli_usage_error("lab",
                           "agent wants a host and a command; it's for an MPI's launcher to call");
  for (int i = 2; i < argc; i++)
    tny_text_add(&line, "%s%s", i > 2 ? " " : "", argv[i]);
  if (tny_text_take(&line, &command, &error) == TNY_OK) {
    char *const words[] = {"/bin/sh", "-c", command, NULL};
    if (tny_lab_become(argv[1], words, &error) == TNY_OK)
      return CLI_OK;
  }
  tny_text_free(command);
  return cli_fail(&error);
}

struct run_options {
  const char *name, *mpi; /* NULL: not given */
  struct tny_lab_job job;
  const char *mpi_args[MPI_ARGS_MAX + 1];
  int mpi_arg_count;
};

/* The number in optarg; false where it is none or out of reach. */
static bool read_ranks(uint32_t *ranks)
{
  char *end;
  errno = 0;
  const unsigned long number = strtoul(optarg, &end, 10);
  *ranks = (uint32_t)number;
  return *optarg >= '0' && *optarg <= '9' && !*end && !errno && number > 0 && number < TNY_NONE;
}

static bool read_seconds(double *seconds)
{
  char *end;
  *seconds = strtod(optarg, &end);
  return end != optarg && !*end && isfinite(*seconds) && *seconds > 0;
}

/* Takes one option of run; CLI_OK, or the error printed. */
static int take_run_option(int letter, struct run_options *options)
{
  if (letter == 'N')
    options->name = optarg;
  else if (letter == 'n' && !read_ranks(&options->job.rank_count))
    return cli_usage_error("lab", "run: '%s' isn't a number of ranks", optarg);
  else if (letter == 't' && !read_seconds(&options->job.timeout_seconds))
    return cli_usage_error("lab", "run: '%s' isn't a number of seconds", optarg);
  else if (letter == 'm' && strcmp(optarg, "block") == 0)
    options->job.map = TNY_MAP_BLOCK;
  else if (letter == 'm' && strcmp(optarg, "interleaved") == 0)
    options->job.map = TNY_MAP_INTERLEAVED;
  else if (letter == 'm')
    return cli_usage_error("lab", "run: no map '%s': block or interleaved", optarg);
  else if (letter == 'a' && options->mpi_arg_count == MPI_ARGS_MAX)
    return cli_usage_error("lab", "run takes at most %d --mpi-arg", MPI_ARGS_MAX);
  else if (letter == 'a')
    options->mpi_args[options->mpi_arg_count++] = optarg;
  else if (letter == 'M')
    options->mpi = optarg;
  return CLI_OK;
}

/* Which MPI the program uses, as --mpi says, else as it looks; where nothing is to be seen, as in
   `sh -c ...`, Open MPI. */
static enum tny_status find_mpi(const struct run_options *options, enum launch_mpi *mpi,
                                struct tny_error *error)
{
  if (options->mpi)
    return launch_mpi_parse(options->mpi, mpi, error);
  struct launch_uses uses;
  launch_mpi_recognise(options->job.argv, &uses);
  *mpi = uses.mpi;
  if (uses.found != LAUNCH_OTHER)
    return TNY_OK;
  return tny_error_set(error, TNY_SYSTEM,
                       "%.200s uses %s, an MPI that the lab can't start programs of: only Open MPI "
                       "and MPICH",
                       uses.where, uses.library);
}

static enum tny_status run_program(struct run_options *options, struct tny_lab_end *end,
                                   struct tny_error *error)
{
  enum launch_mpi mpi = LAUNCH_OPENMPI;
  char yield[PATH_MAX];
  struct tny_lab *lab = NULL;
  enum tny_status status = find_mpi(options, &mpi, error);
  if (status == TNY_OK && mpi == LAUNCH_MPICH) {
    status = launch_find_library("libtourney_yield.so", yield, error);
    options->job.mpi = TNY_LAB_MPICH;
    options->job.yield = yield;
  }
  if (status == TNY_OK)
    status = tny_lab_open(options->name, &lab, error);
  if (status == TNY_OK)
    status = tny_lab_run(lab, &options->job, end, error);
  if (lab)
    tny_lab_close(lab);
  options->job.yield = NULL;
  return status;
}

static int lab_run(int argc, char **argv)
{
  static const struct option names[] = {{"name", required_argument, NULL, 'N'},
                                        {"map", required_argument, NULL, 'm'},
                                        {"timeout", required_argument, NULL, 't'},
                                        {"mpi-arg", required_argument, NULL, 'a'},
                                        {"mpi", required_argument, NULL, 'M'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  struct run_options options = {0};
  for (int letter; (letter = cli_lab_option(argc, argv, "+:hn:", names)) != -1;) {
    if (letter == 'h')
      return cli_lab_help();
    const int code = letter == '?' ? CLI_USAGE : take_run_option(letter, &options);
    if (code != CLI_OK)
      return code;
  }
  if (optind == argc)
    return cli_usage_error("lab", "run what? As in: tourney lab run -n 4 -- ./app");
  options.job.argv = argv + optind;
  options.job.mpi_args = options.mpi_args;
  struct tny_error error = {0};
  struct tny_lab_end end = {0};
  const enum tny_status status = run_program(&options, &end, &error);
  return exit_code(status, &end, &error);
}

int cli_lab(int argc, char **argv)
{
  static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
  } commands[] = {{"up", lab_up},     {"run", lab_run},
                  {"exec", lab_exec}, {"status", cli_lab_status},
                  {"down", lab_down}, {"agent", lab_agent}};
  if (argc < 2)
    return cli_usage_error("lab", "up, run, exec, status or down?");
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
    return cli_lab_help();
  optind = 0; /* getopt starts anew */
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (strcmp(argv[1], commands[i].name) == 0)
      return commands[i].run(argc - 1, argv + 1);
  if (argv[1][0] == '-')
    return cli_usage_error("lab",
                           "the command comes first, then its options, as in: tourney lab down "
                           "--name NAME; '%s' isn't one",
                           argv[1]);
  return cli_usage_error("lab", "no command '%s': up, run, exec, status or down", argv[1]);
}
