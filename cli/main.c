/* The tool's front door: finds the subcommand, says what there is, and holds what every subcommand
   uses to speak to the user. */
#include "cli/shared/cli.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"

struct subcommand {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *summary;
};

/* In the order a newcomer would want. */
static const struct subcommand subcommands[] = {
    {"topology", cli_topology, "show, check and bound a cluster"},
    {"algorithms", cli_algorithms, "list the algorithms"},
    {"plan", cli_plan, "write the schedule of a collective"},
    {"verify", cli_verify, "prove a schedule right, or show where it's wrong"},
    {"simulate", cli_simulate, "run a schedule on the cluster's network, flit by flit"},
    {"reproduce", cli_reproduce, "the papers' tables and figures: ours beside theirs"},
    {"convert", cli_convert, "bring a schedule into another form: GOAL, MSCCL's XML, or our own"},
    {"model", cli_model, "what the papers' formulas predict, with our simulation next to it"},
    {"lab", cli_lab, "a cluster of network namespaces on this machine"},
    {"run", cli_run, "run an MPI program with planned collectives"},
    {"bench", cli_bench, "measure native and planned collectives against the bound"},
};
static const size_t subcommand_count = sizeof(subcommands) / sizeof(subcommands[0]);

/* A handler, not SIG_IGN: it makes a write to a closed pipe fail, and programs that we start
   don't inherit it. */
static void note_closed_pipe(int signal_number)
{
  (void)signal_number;
}

static int write_failed(void)
{
  if (errno != EPIPE)
    fprintf(stderr, "tourney: can't write to standard output: %s\n", strerror(errno));
  return CLI_UNABLE;
}

int cli_print(const char *text)
{
  if (fputs(text, stdout) == EOF || fflush(stdout) == EOF)
    return write_failed();
  return CLI_OK;
}

int cli_fail(const struct tny_error *error)
{
  fputs("tourney: ", stderr);
  if (error->file[0])
    fprintf(stderr, "%s:", error->file);
  if (error->line)
    fprintf(stderr, "%u:", error->line);
  if (error->column)
    fprintf(stderr, "%u:", error->column);
  fprintf(stderr, "%s%s\n", error->file[0] || error->line ? " " : "", error->text);
  if (error->status == TNY_INTERRUPTED)
    return CLI_INTERRUPTED;
  if (error->status == TNY_BROKEN)
    return CLI_FAILED;
  if (error->status == TNY_SYSTEM || error->status == TNY_NO_MEMORY)
    return CLI_UNABLE;
  return CLI_USAGE;
}

enum tny_status cli_cluster_open(const char *text, struct tny_cluster **cluster,
                                 struct tny_error *error)
{
  const enum tny_status status = tny_cluster_open(text, cluster, error);
  if (status == TNY_OK && (*cluster)->note)
    fprintf(stderr, "tourney: note: %s: %s\n", text, (*cluster)->note);
  return status;
}

int cli_usage_error(const char *subcommand, const char *format, ...)
{
  va_list arguments;
  const char *space = subcommand ? " " : "";
  const char *name = subcommand ? subcommand : "";
  fprintf(stderr, "tourney%s%s: ", space, name);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\nTry 'tourney%s%s --help'.\n", space, name);
  return CLI_USAGE;
}

enum tny_status cli_option_refuse(int letter, char **argv, struct tny_error *error)
{
  const char *word = argv[optind - 1]; /* a long option's; a short one's may still be ahead */
  if (letter == ':')
    return tny_error_set(error, TNY_BAD_INPUT, "%s wants a value", word);
  if (optopt > ' ')
    return tny_error_set(error, TNY_BAD_INPUT, "unknown option -%c", optopt);
  if (optopt)
    return tny_error_set(error, TNY_BAD_INPUT, "%.*s takes no value", (int)strcspn(word, "="),
                         word);
  return tny_error_set(error, TNY_BAD_INPUT, "unknown option %s", word);
}

enum tny_status cli_options_read(int argc, char **argv, const struct cli_options *options,
                                 struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  int letter;
  opterr = 0;
  optind = 0;
  while (status == TNY_OK && (letter = getopt_long(argc, argv, ":h", options->names, NULL)) != -1) {
    if (letter == ':' || letter == '?')
      status = cli_option_refuse(letter, argv, error);
    else
      status = options->read(options->into, letter, error);
  }
  return status;
}

static int print_help(void)
{
  char line[128];
  int code = cli_print("usage: tourney SUBCOMMAND [ARGUMENT...]\n"
                       "Plans MPI collectives as timetables for a cluster's network, proves them, "
                       "runs them.\n\n");
  for (size_t i = 0; code == CLI_OK && i < subcommand_count; i++) {
    snprintf(line, sizeof line, "  %-12s%s\n", subcommands[i].name, subcommands[i].summary);
    code = cli_print(line);
  }
  if (code == CLI_OK)
    code = cli_print("\n  --help      this text; 'tourney SUBCOMMAND --help' for one subcommand\n"
                     "  --version   the version\n\n"
                     "Exit codes: 0 yes; 1 no (a counterexample, a slower row, the program failed);"
                     "\n2 bad arguments or input; 3 this machine can't; 130 interrupted.\n");
  return code;
}

int main(int argc, char **argv)
{
  const struct sigaction closed_pipe = {.sa_handler = note_closed_pipe, .sa_flags = SA_RESTART};
  sigaction(SIGPIPE, &closed_pipe, NULL);
  if (argc < 2)
    return cli_usage_error(NULL, "no subcommand given");
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
    return print_help();
  if (strcmp(argv[1], "--version") == 0)
    return cli_print("tourney " TOURNEY_VERSION "\n");
  for (size_t i = 0; i < subcommand_count; i++)
    if (strcmp(argv[1], subcommands[i].name) == 0)
      return subcommands[i].run(argc - 1, argv + 1);
  if (argv[1][0] == '-')
    return cli_usage_error(NULL, "unknown option %s", argv[1]);
  return cli_usage_error(NULL, "there is no subcommand '%s'", argv[1]);
}
