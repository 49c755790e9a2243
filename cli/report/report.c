/* `tourney report`: its subjects. */
#include <string.h>

#include "cli/shared/help.h"
#include "cli/shared/pattern.h"
#include "cli/shared/report.h"
#include "cli/shared/routing.h"
#include "cli/shared/subcommands.h"
#include "subjects.h"

const char report_help[] =
    "usage: tourney report plan CLUSTER COLLECTIVE|FILE [OPTION...]\n"
    "       tourney report bench FILE [--output PAGE]\n"
    "Writes one HTML page that needs nothing else: no network, no other file.\n\n"
    "  plan     a plan, made on the cluster as 'tourney plan' does, and proved, for\n"
    "           {or}:\n"
    "           the network with the messages of each phase to step through, the load of the\n"
    "           links over time, the certificate. A FILE is a plan that 'tourney plan --output'\n"
    "           wrote; it is proved again, and goes with --bytes, --map and --routing alone\n"
    "  bench    what 'tourney bench --csv FILE' measured: a chart for each collective, with\n"
    "           medians and quartiles, native beside planned, and tables with ratios and shares "
    "of\n"
    "           the bound\n\n"
    "  --output PAGE      write the page there instead of printing it; also -o PAGE\n"
    "of a plan:\n"
    "  --algorithm NAME[:N]   instead of the one that is predicted to be the fastest\n"
    "  --profile FILE     what 'tourney tune' measured here goes before what is predicted\n"
    "  --ranks N          instead of one a host\n"
    "  --map block|interleaved   where the ranks sit (block)\n"
    "  --routing " ROUTING_VALUES "\n"
    "                     which way messages take (auto)\n"
    "  --root R           of a {rooted} (0)\n"
    "  --bytes B          what one rank has for one receiver (64KiB; bcast: the whole message)\n"
    "  --chunks C         pieces a block is cut in, instead of as many as the port buffers call\n"
    "                     for\n"
    "  --window W         how many sends may start before the receives that pace them; 0: any\n"
    "  --separate none|barrier|tokens   what keeps the phases apart (none)\n"
    "  --pattern " PATTERN_VALUES "\n"
    "                     of alltoall: plan only these messages\n";

struct subject {
  const char *name;
  int (*write)(int argc, char **argv);
};
static const struct subject subjects[] = {{"bench", report_bench}, {"plan", report_plan}};

int cli_report(int argc, char **argv)
{
  if (argc < 2)
    return cli_usage_error("report", "a subject is wanted: plan or bench");
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
    return cli_print_help(report_help);
  for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
    if (strcmp(argv[1], subjects[i].name) == 0)
      return subjects[i].write(argc - 1, argv + 1);
  return cli_usage_error("report", "there is no subject '%s': take plan or bench", argv[1]);
}
