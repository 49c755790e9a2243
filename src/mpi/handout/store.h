/* Plans made ahead of time, taken from a folder (TOURNEY_STORE). */
#ifndef TOURNEY_MPI_HANDOUT_STORE_H
#define TOURNEY_MPI_HANDOUT_STORE_H

#include "mpi/plans.h"

/* The stored plan for the request, where this rank has a store and the plan that fits is in it.
   Warns of a file that can't be used, and once of plans that don't fit. Owns: tny_parts_release,
   also where false is returned. */
bool tny_store_take(const struct tny_group *group, const struct tny_plan_request *request,
                    struct tny_parts *parts);

#endif
