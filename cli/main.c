/* The tool's main function: the table of subcommands, --help and --version. What subcommands share
   is in shared/, what each does in the folder of its name. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/shared/report.h"
#include "cli/shared/subcommands.h"

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
    {"discover", cli_discover, "find the network by measuring, or check its file"},
    {"tune", cli_tune, "measure this cluster, and write a profile for run"},
    {"bench", cli_bench, "measure native and planned collectives against the bound"},
    {"report", cli_report, "write a page to look at: a plan, step by step, or a bench"},
    {"doctor", cli_doctor, "say what costs speed outside our reach, and what changes it"},
};
static const size_t subcommand_count = sizeof(subcommands) / sizeof(subcommands[0]);

/* A handler, not SIG_IGN: it makes a write to a closed pipe fail, and programs that we start
   don't inherit it. */
static void note_closed_pipe(int signal_number)
{
  (void)signal_number;
}

/* Everything on one screen of 24 lines with 80 columns. */
static int print_help(void)
{
  char line[128];
  int code = cli_print("usage: tourney SUBCOMMAND [ARGUMENT...]\n"
                       "Plans MPI collectives for a cluster's network, proves the plans, runs "
                       "them.\n\n");
  for (size_t i = 0; code == CLI_OK && i < subcommand_count; i++) {
    snprintf(line, sizeof line, "  %-12s%s\n", subcommands[i].name, subcommands[i].summary);
    code = cli_print(line);
  }
  if (code == CLI_OK)
    code = cli_print("\n  help [SUBCOMMAND], --help   the help of a subcommand, or this text;  "
                     "--version\n\n"
                     "Exit codes: 0 yes; 1 no (a counterexample, a slower row, the program failed);"
                     "\n2 bad arguments or input; 3 this machine can't; 130 interrupted.\n");
  return code;
}

static const struct subcommand *find_subcommand(const char *name)
{
  for (size_t i = 0; i < subcommand_count; i++)
    if (strcmp(name, subcommands[i].name) == 0)
      return &subcommands[i];
  return NULL;
}

/* `tourney help SUBCOMMAND` is `tourney SUBCOMMAND --help`. */
static int help(int argc, char **argv)
{
  char option[] = "--help";
  if (argc < 2 || strcmp(argv[1], "help") == 0 || strcmp(argv[1], option) == 0 ||
      strcmp(argv[1], "-h") == 0)
    return print_help();
  if (argc > 2)
    return cli_usage_error(NULL, "help takes one subcommand, not also '%s'", argv[2]);
  const struct subcommand *subcommand = find_subcommand(argv[1]);
  if (!subcommand)
    return cli_usage_error(NULL, "there is no subcommand '%s'", argv[1]);
  return subcommand->run(2, (char *[]){argv[1], option, NULL});
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
  if (strcmp(argv[1], "help") == 0)
    return help(argc - 1, argv + 1);
  const struct subcommand *subcommand = find_subcommand(argv[1]);
  if (subcommand)
    return subcommand->run(argc - 1, argv + 1);
  if (argv[1][0] == '-')
    return cli_usage_error(NULL, "unknown option %s", argv[1]);
  return cli_usage_error(NULL, "there is no subcommand '%s'", argv[1]);
}
