/* The command that starts an MPI program of ours: in the lab, by the user's launcher, or as one
   rank here. */
#ifndef TOURNEY_LAUNCH_RANKS_H
#define TOURNEY_LAUNCH_RANKS_H

#include "core/text.h"

#include <tourney/cluster.h>

#include "which_mpi.h"

struct tny_arena;

/* Everything is borrowed. */
struct launch_ranks {
  const char *program; /* a helper's name, before that of the MPI */
  enum launch_mpi mpi;
  char *const *arguments; /* of the program; NULL at the end, or NULL */
  bool local;             /* one rank, without the runtime */
  const char *launcher;   /* otherwise: as in 'mpirun -n 4'; NULL: in the lab */
  const char *lab;        /* in the lab: its name; NULL: as `tourney lab run` finds it */
  uint32_t rank_count;    /* in the lab */
  enum tny_map map;       /* in the lab */
};
/* The command to execute, after launch_export. Owns: `arena`. Errors: also where the launcher can't
   be split into words, or a program isn't there. */
enum tny_status launch_ranks_command(struct tny_arena *arena, const struct launch_ranks *ranks,
                                     char ***command, struct tny_error *error) TNY_MUST_CHECK;

#endif
