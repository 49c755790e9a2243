/* `tourney report`: its subjects. */
#include <string.h>

#include "cli/shared/help.h"
#include "cli/shared/report.h"
#include "cli/shared/subcommands.h"
#include "subjects.h"

struct subject {
  const char *name;
  int (*write)(int argc, char **argv);
};
static const struct subject subjects[] = {
    {"bench", report_bench}, {"plan", report_plan}, {"run", report_run}};

int cli_report(int argc, char **argv)
{
  if (argc < 2)
    return cli_usage_error("report", "a subject is wanted: plan, run or bench");
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
    return cli_print_help(report_help);
  for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
    if (strcmp(argv[1], subjects[i].name) == 0)
      return subjects[i].write(argc - 1, argv + 1);
  return cli_usage_error("report", "there is no subject '%s': take plan, run or bench", argv[1]);
}
