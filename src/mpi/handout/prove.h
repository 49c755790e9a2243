/* Plans proved before they are handed out (TOURNEY_PROVE). */
#ifndef TOURNEY_MPI_HANDOUT_PROVE_H
#define TOURNEY_MPI_HANDOUT_PROVE_H

#include "mpi/plans.h"

/* Proves the plan of these parts, or where every rank makes its own steps, of the steps that they
   make; and warns where that fails. The same plan is proved once for all communicators of the
   group. */
bool tny_prove_or_warn(struct tny_group *group, const struct tny_plan_request *request,
                       const struct tny_parts *parts);

#endif
