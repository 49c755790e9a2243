/* A plan for all ranks of a group, made by one of them. */
#ifndef TOURNEY_MPI_HANDOUT_PLANNER_H
#define TOURNEY_MPI_HANDOUT_PLANNER_H

#include "mpi/plans.h"

enum tny_made_answer {
  TNY_MADE,
  TNY_MADE_NO_MEMORY,
  TNY_MADE_NOT_PROVED, /* the warning is out */
  TNY_MADE_TOO_LARGE,  /* more than an MPI call can hand out */
};

struct tny_made {
  enum tny_made_answer answer;
  bool is_stored;         /* out of the store, not made now */
  struct tny_parts parts; /* where it is made */
};

/* Takes the plan out of the store, where there is one that fits, or makes it; and with
   TOURNEY_PROVE proves the very parts that are handed out. Owns: tny_made_release. */
void tny_planner_make(struct tny_group *group, const struct tny_plan_request *request,
                      struct tny_made *made);
void tny_made_release(struct tny_made *made);

#endif
