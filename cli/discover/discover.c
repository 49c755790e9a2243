/* `tourney discover`: finds the network between hosts by measuring. Ranks that it starts measure
   (gather.c, bench/discover); what they found becomes a cluster file, or is held beside one. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared/help.h"
#include "cli/shared/launch/launch.h"
#include "cli/shared/launch/remembered.h"
#include "cli/shared/launch/target.h"
#include "cli/shared/options.h"
#include "cli/shared/report.h"
#include "cli/shared/subcommands.h"
#include "cli/shared/whole_file.h"
#include "core/error.h"
#include "gather.h"
#include "show.h"

static const char help[] =
    "usage: tourney discover [OPTION...]\n"
    "\n"
    "Finds the network between hosts by an MPI program of ours, without privileges: which hosts\n"
    "share a switch (by the round trips between all), how the switches are joined, the rates\n"
    "of cables and trunks (by streams that fill them), the buffers of their ports. Writes the\n"
    "cluster file to standard output. Networks that are trees of switches are found; one with\n"
    "cycles is recognised, and said. Nothing else should run meanwhile: 16 hosts take half a\n"
    "minute.\n"
    "\n"
    "  -o, --output FILE   the cluster file; standard output then shows what was found\n"
    "  --check FILE        writes none, but says what differs from FILE: hosts at other switches,\n"
    "                      missing hosts, slow links, trunks with fewer cables\n"
    "  --json, --csv       what was found, or what differs, instead of a cluster file or text\n"
    "  --mpi openmpi|mpich  whose ranks to start; default: the launcher's, else openmpi\n"
    "in the lab:\n"
    "  --lab NAME          which; default: $TOURNEY_LAB, else the one named lab\n"
    "on a real cluster:\n"
    "  --launcher COMMAND  as in 'mpirun -n 16 --hostfile hosts': a rank on each host is enough\n"
    "  --no-remember       doesn't keep what was found for 'tourney run'\n"
    "\n"
    "Exit code: 0 found, or FILE fits; 1 it has cycles, or FILE differs; 2 bad arguments or FILE;\n"
    "3 this machine can't, or the ranks failed; 130 interrupted.\n";

struct options {
  const char *output, *check, *launcher, *lab;
  enum launch_mpi mpi;
  enum cli_format format;
  bool no_remember, help, mpi_given;
};

struct discovery {
  struct options options;
  struct launch_target target; /* the lab */
  struct tny_cluster *cluster; /* to be checked */
  struct whole_file output;
  struct discover_network network;
  struct signals_blocked blocked;
  struct tny_error error;
};

static enum tny_status read_options(int argc, char **argv, struct options *o,
                                    struct tny_error *error)
{
  const struct cli_option table[] = {
      {.name = "output", .letter = 'o', .text = &o->output},
      {.name = "check", .text = &o->check},
      {.name = "launcher", .text = &o->launcher},
      {.name = "lab", .text = &o->lab},
      {.name = "mpi", .take = launch_mpi_take, .into = &o->mpi, .given = &o->mpi_given},
      {.name = "no-remember", .flag = &o->no_remember},
      {.name = "csv", .format = &o->format, .shorthand = CLI_CSV},
      {.name = "json", .format = &o->format, .shorthand = CLI_JSON},
      {.name = "help", .flag = &o->help},
      {0}};
  const enum tny_status status = cli_options_read(argc, argv, table, error);
  if (status != TNY_OK)
    return status;
  if (optind < argc)
    return tny_error_set(error, TNY_BAD_INPUT, "unknown argument '%s'", argv[optind]);
  if (o->launcher && o->lab)
    return tny_error_set(error, TNY_BAD_INPUT, "--launcher and --lab: choose one");
  if (o->check && o->output)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--check writes no cluster file: leave out --output");
  return launch_choose_mpi(o->launcher, o->mpi_given, &o->mpi, error);
}

/* Opens what can fail before the work. */
static enum tny_status prepare(struct discovery *discovery)
{
  const struct options *o = &discovery->options;
  struct tny_error *error = &discovery->error;
  const struct launch_target_wanted wanted = {
      .in_lab = !o->launcher,
      .lab = o->lab,
      .otherwise = "measure a real cluster by --launcher 'mpirun ...'"};
  char *value;
  enum tny_status status =
      o->check ? tny_cluster_open(o->check, &discovery->cluster, error) : TNY_OK;
  if (status == TNY_OK && o->check)
    status = tny_discovered_require_tree(discovery->cluster, error);
  if (status == TNY_OK)
    status = launch_target_open(&discovery->target, &wanted, &value, error);
  const struct launch_settings settings = {.mpi = o->mpi};
  if (status == TNY_OK)
    status = launch_export(&settings, error);
  if (status == TNY_OK && setenv("TOURNEY", "0", 1) != 0) /* the ranks measure the MPI alone */
    status = tny_error_set(error, TNY_SYSTEM, "can't set TOURNEY: %s", strerror(errno));
  if (status == TNY_OK && o->output)
    status = whole_file_open(&discovery->output, o->output, error);
  if (status == TNY_OK)
    status = discover_network_init(&discovery->network, error);
  return status;
}

/* --- what comes of it --- */

static int check(struct discovery *discovery)
{
  const struct options *o = &discovery->options;
  struct tny_faults faults;
  char *shown = NULL;
  enum tny_status status = tny_discovered_check(&discovery->network.discovered, discovery->cluster,
                                                &faults, &discovery->error);
  const bool differs = faults.count > 0;
  if (status == TNY_OK)
    status = discover_show_faults(&faults, o->check, o->format, &shown, &discovery->error);
  tny_faults_release(&faults);
  const int code = cli_finish(status, shown, &discovery->error);
  return code == CLI_OK && differs ? CLI_FAILED : code;
}

static void remember(const char *graph)
{
  struct tny_error error = {0};
  char path[PATH_MAX];
  if (launch_remember(graph, path, &error) == TNY_OK)
    fprintf(stderr, "tourney discover: kept for 'tourney run' as %s\n", path);
  else
    fprintf(stderr, "tourney discover: not kept for 'tourney run': %s\n", error.text);
}

static int write_graph(struct discovery *discovery)
{
  const struct options *o = &discovery->options;
  struct tny_error *error = &discovery->error;
  char *graph = NULL, *shown = NULL;
  enum tny_status status = discover_write_graph(&discovery->network, &graph, error);
  if (status == TNY_OK && o->output)
    status = whole_file_finish(&discovery->output, graph, error);
  if (status == TNY_OK && o->launcher && !o->no_remember)
    remember(graph);
  if (status == TNY_OK && (o->output || o->format != CLI_TEXT))
    status = discover_show(&discovery->network, o->format, &shown, error);
  if (status == TNY_OK && !shown) {
    shown = graph;
    graph = NULL;
  }
  tny_text_free(graph);
  return cli_finish(status, shown, error);
}

/* Who gave a file has described the network already, as a tree. */
static int tell_cycles(const struct discovery *discovery)
{
  fprintf(
      stderr,
      "tourney discover: %u round trips don't fit a tree of switches: the network has cycles, or "
      "something else used it meanwhile. ",
      discovery->network.found.tree.misfits);
  if (discovery->options.check)
    fprintf(stderr,
            "%s has none: measure again when nothing else runs, and if it is the same then, look "
            "at what its switches say ('tourney topology import')\n",
            discovery->options.check);
  else
    fputs("Describe it in a file, or import what its switches say ('tourney topology import')\n",
          stderr);
  return CLI_FAILED;
}

static int make(struct discovery *discovery)
{
  const struct options *o = &discovery->options;
  enum tny_status status = prepare(discovery);
  struct discover_gathering gathering = {.mpi = o->mpi,
                                         .launcher = o->launcher,
                                         .lab = discovery->target.lab,
                                         .blocked = &discovery->blocked,
                                         .network = &discovery->network};
  if (status == TNY_OK)
    status = discover_gather(&gathering, &discovery->error);
  if (status != TNY_OK)
    return cli_fail(&discovery->error);
  if (gathering.interrupted) {
    fputs("tourney discover: interrupted\n", stderr);
    return CLI_INTERRUPTED;
  }
  if (discover_network_has_cycles(&discovery->network))
    return tell_cycles(discovery);
  return o->check ? check(discovery) : write_graph(discovery);
}

int cli_discover(int argc, char **argv)
{
  struct discovery discovery = {0};
  if (read_options(argc, argv, &discovery.options, &discovery.error) != TNY_OK)
    return cli_usage_error("discover", "%s", discovery.error.text);
  if (discovery.options.help)
    return cli_print_help(help);
  signals_block(&discovery.blocked);
  const int code = make(&discovery);
  whole_file_abandon(&discovery.output);
  discover_network_release(&discovery.network);
  tny_cluster_free(discovery.cluster);
  launch_target_close(&discovery.target);
  signals_release(&discovery.blocked);
  return code;
}
