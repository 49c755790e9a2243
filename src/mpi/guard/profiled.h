/* What a profile settles: measured, so it goes before what is predicted, and before any trial,
   except where its own times leave a doubt. */
#ifndef TOURNEY_MPI_GUARD_PROFILED_H
#define TOURNEY_MPI_GUARD_PROFILED_H

#include <tourney/profile.h>

#include "mpi/guard/results.h"

enum { TNY_GUARD_PROFILED = TNY_COLLECTIVE_COUNT * TNY_SIZE_CLASSES };

/* The classes that the profile covers, alike at every rank, for the ranks that it was measured
   with, which `problem` has in their order. A plan that is refused there is none, and where what is
   fastest isn't clearly faster than native, that is left to the guard's trials, if it has a guard.
   Returns how many. */
uint32_t tny_guard_profiled(const struct tny_profile *profile, const struct tny_problem *problem,
                            bool has_guard, struct tny_guard_result list[TNY_GUARD_PROFILED]);
/* What is worth a trial in a class of the problem's collective, as the profile has measured: the
   fastest plans, as far as they come near the fastest of all, native included. False: it has
   measured no plan there. */
bool tny_guard_measured(const struct tny_profile *profile, const struct tny_problem *problem,
                        uint32_t number, struct tny_guard_candidate list[TNY_GUARD_CANDIDATES],
                        uint32_t *count);

#endif
