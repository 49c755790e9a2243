/* What all ranks of a communicator know alike at a call: by which plan calls of a class are served,
   as blocking calls have settled it, or as the profile has it. */
#ifndef TOURNEY_MPI_BACKGROUND_KNOWN_H
#define TOURNEY_MPI_BACKGROUND_KNOWN_H

#include "mpi/comm_state.h"

enum tny_known { TNY_UNKNOWN, TNY_SETTLED, TNY_PROFILED };

/* Finds the plan for calls whose blocks are of this class (tny_guard_number). `state` is the
   communicator's, or NULL; without a group the profile isn't looked at. Where it is unknown,
   *choice stays as it is. */
enum tny_known tny_known_find(const struct tny_comm_state *state, const struct tny_group *group,
                              enum tny_collective collective, uint32_t number,
                              struct tny_algorithm_choice *choice);

#endif
