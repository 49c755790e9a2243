/* What a profile settles: measured, so it goes before what is predicted, and before any trial. */
#ifndef TOURNEY_MPI_GUARD_PROFILED_H
#define TOURNEY_MPI_GUARD_PROFILED_H

#include <tourney/profile.h>

#include "mpi/guard/results.h"

enum { TNY_GUARD_PROFILED = TNY_COLLECTIVE_COUNT * TNY_SIZE_CLASSES };

/* The classes that the profile covers, alike at every rank, for the ranks that it was measured
   with, which `problem` has in their order. A plan that is refused there is none. Returns how many.
 */
uint32_t tny_guard_profiled(const struct tny_profile *profile, const struct tny_problem *problem,
                            struct tny_guard_result list[TNY_GUARD_PROFILED]);

#endif
