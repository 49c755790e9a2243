/* At rank 0 of a communicator: which algorithms are worth a trial, and what was settled before. */
#ifndef TOURNEY_MPI_CHOOSE_H
#define TOURNEY_MPI_CHOOSE_H

#include "mpi/group.h"

/* What could be tried for a class, the best first; nothing where there is no memory. On the class's
   first use by the group that is taken from the profile, or else all algorithms are ranked, which
   takes a processor's time: with the guard, if the process has spent more than its share on
   planning so far, the offer is to wait, for calls that last `call_ns`. `wants_known`: it may also
   be what the group has settled the class on. */
void tny_group_offer(struct tny_group *group, const struct tny_guard_class *class, double call_ns,
                     bool wants_known, struct tny_guard_offer *offer);
/* Keeps what a class was settled on, for later communicators of the group. */
void tny_group_keep(struct tny_group *group, const struct tny_guard_result *result);

#endif
