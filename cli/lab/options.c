/* How the lab's commands read their options, and the help. */
#include "options.h"

#include <getopt.h>
#include <stdbool.h>
#include <string.h>

#include "cli/shared/report.h"

static const char help[] =
    "usage: tourney lab up CLUSTER [--buffer BYTES] [--congestion NAME]\n"
    "       tourney lab run [-n RANKS] [--map block|interleaved] [--timeout SECONDS]\n"
    "                       [--mpi openmpi|mpich] [--mpi-arg ARG]... [--] ./app [ARG]...\n"
    "       tourney lab exec HOST [--] COMMAND [ARG]...\n"
    "       tourney lab status [--links] [--json]\n"
    "       tourney lab down [--all]\n"
    "\n"
    "A cluster on this machine: every host and switch of CLUSTER (a generator such as\n"
    "switches:8+8,link=20Mbit/s, or a Graphviz file) becomes a network namespace, every cable a\n"
    "pair of shaped ports with finite buffers. Needs iproute2; works as root and as a plain user.\n"
    "\n"
    "  up       --buffer: of every port, instead of the cluster's (64KiB);\n"
    "           --congestion: TCP's congestion control on the hosts (default: cubic)\n"
    "  run      a program of Open MPI or MPICH, by its MPI's launcher; -n: ranks, one a host by\n"
    "           default; --map: ranks in switch order, or round robin over the switches; "
    "--timeout:\n"
    "           ends all ranks; --mpi: which MPI the program uses, where that isn't recognised "
    "(by\n"
    "           its libraries, also behind a script or Python's mpi4py; else Open MPI); "
    "--mpi-arg:\n"
    "           one more argument for the launcher, may be repeated\n"
    "  exec     a command on a host or switch, in the current folder\n"
    "  status   what is up; --links: what each link has carried and dropped, and how late the "
    "relay\n"
    "           was that makes latencies where the kernel can't\n"
    "  down     ends the lab and every process in it, or clears what a killed one left behind\n"
    "\n"
    "  --name NAME, before other arguments of each: which lab (default: $TOURNEY_LAB, else 'lab')\n"
    "\n"
    "Exit code: the program's for run and exec; else 0 done; 2 bad arguments or no such lab; 3 "
    "this\n"
    "machine can't; 124 timed out; 130 interrupted.\n";

int cli_lab_help(void)
{
  return cli_print(help);
}

int cli_lab_option(int argc, char **argv, const char *letters, const struct option *names)
{
  opterr = 0;
  const char *word = argv[optind ? optind : 1]; /* where this option is, maybe one of several */
  const int letter = getopt_long(argc, argv, letters, names, NULL);
  if (letter != ':' && letter != '?')
    return letter;
  const char one[] = {'-', (char)optopt, '\0'};
  const bool is_long = strncmp(word, "--", 2) == 0;
  if (!is_long)
    word = one;
  if (letter == ':')
    cli_usage_error("lab", "%s %s wants a value", argv[0], word);
  else if (is_long && optopt)
    cli_usage_error("lab", "%s takes no value: %s", argv[0], word);
  else
    cli_usage_error("lab", "%s doesn't know the option %s", argv[0], word);
  return '?';
}

int cli_lab_no_arguments(int argc, char **argv)
{
  if (optind < argc)
    return cli_usage_error("lab", "%s takes no argument '%s'", argv[0], argv[optind]);
  return CLI_OK;
}
