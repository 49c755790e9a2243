#include "environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared/launch/launch.h"
#include "cli/shared/report.h"

/* The tool, which says by itself what its ranks get, and the programs that it starts. */
static bool is_ours(const char *word)
{
  static const char name[] = "tourney";
  const char *slash = strrchr(word, '/'), *base = slash ? slash + 1 : word;
  const size_t length = sizeof name - 1;
  return strncmp(base, name, length) == 0 && (base[length] == '\0' || base[length] == '-');
}

bool run_environment_is_wanted(char *const *words, const struct launch_uses *uses)
{
  if (is_ours(words[0]))
    fprintf(stderr, "tourney run: %s says by itself what its ranks get\n", words[0]);
  else if (uses->launcher[0])
    fprintf(stderr,
            "tourney run: %s starts ranks by itself, and all their collectives are native: put "
            "'tourney run --' before it\n",
            uses->launcher);
  else if (uses->found == LAUNCH_UNKNOWN)
    fprintf(stderr,
            "tourney run: no MPI is to be seen in '%s' here; all collectives are native: name the "
            "program by a path that there is on this host too\n",
            words[0]);
  else
    return true;
  return false;
}

static bool print_variable(const char *name)
{
  const char *value = getenv(name);
  return !value || (printf("%s=%s", name, value) >= 0 && putchar('\0') != EOF);
}

int run_environment_print(void)
{
  bool is_printed =
      print_variable("TOURNEY_PRELOAD") && print_variable("OMPI_MCA_coll_tuned_use_dynamic_rules");
  const char *name;
  for (size_t i = 0; is_printed && (name = launch_variable(i)); i++)
    is_printed = print_variable(name);
  return is_printed ? cli_print("") : CLI_UNABLE;
}
