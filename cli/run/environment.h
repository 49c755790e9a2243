/* `tourney run --environment`: what the ranks of a command are to get, printed for a plugin of the
   launcher's. */
#ifndef TOURNEY_RUN_ENVIRONMENT_H
#define TOURNEY_RUN_ENVIRONMENT_H

#include <stdbool.h>

#include "cli/shared/launch/which_mpi.h"

/* Whether ranks of a command, each started by itself, are an MPI's: not where it is Tourney's own
   program, where it starts ranks by itself, or where no MPI is seen; then says so on standard
   error. */
bool run_environment_is_wanted(char *const *words, const struct launch_uses *uses);

/* Prints, after launch_export, each variable that is set, with a zero byte behind. Returns an exit
   code. */
int run_environment_print(void);

#endif
