/* The command that starts an MPI program of ours: in the lab, or by the user's launcher. */
#ifndef TOURNEY_LAUNCH_RANKS_H
#define TOURNEY_LAUNCH_RANKS_H

#include "core/text.h"

#include <tourney/cluster.h>

struct tny_arena;

/* Everything is borrowed. */
struct launch_ranks {
  const char *program;    /* a helper's name (launch_find_helper) */
  const char *launcher;   /* as in 'mpirun -n 4'; NULL: in the lab */
  uint32_t rank_count;    /* in the lab */
  enum tny_map map;       /* in the lab */
  char *const *arguments; /* of the program; NULL at the end */
};
/* The command to execute, after launch_export. Owns: `arena`. Errors: also where the launcher can't
   be split into words, or a program isn't there. */
enum tny_status launch_ranks_command(struct tny_arena *arena, const struct launch_ranks *ranks,
                                     char ***command, struct tny_error *error) TNY_MUST_CHECK;

#endif
