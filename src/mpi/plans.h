/* The plans of a group, cached, and how calls are run by them. */
#ifndef TOURNEY_MPI_PLANS_H
#define TOURNEY_MPI_PLANS_H

#include "mpi/group.h"

/* What a call is to be run by. */
struct tny_plan_request {
  struct tny_algorithm_choice choice;
  uint32_t root;
  uint64_t block_bytes;
};

/* How the call is cut and paced, the same at every rank. False: no memory. */
bool tny_plan_segments(struct tny_group *group, const struct tny_plan_request *request,
                       struct tny_segments *run);
/* The plan for it, from the group's cache or made now, for this thread alone until it is put back;
   *segments is how many times it is run, each time over the next part of every block. NULL: no
   memory. */
struct tny_plan *tny_plan_get(struct tny_group *group, const struct tny_plan_request *request,
                              uint32_t *segments);
void tny_plan_put(struct tny_group *group, struct tny_plan *plan);
/* The prepared algorithm that its plan is made of, for this thread alone until it is put back.
   NULL: no memory. */
struct tny_prepared *tny_plan_take_prepared(struct tny_group *group,
                                            const struct tny_plan_request *request);
void tny_plan_put_prepared(struct tny_group *group, struct tny_prepared *prepared);

#endif
