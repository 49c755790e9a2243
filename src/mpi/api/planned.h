/* A plan as a program has it (include/tourney/plan.h). */
#ifndef TOURNEY_MPI_PLANNED_H
#define TOURNEY_MPI_PLANNED_H

#include <tourney/plan.h>

#include "mpi/run_call.h"
#include "mpi/world.h"

/* Its ranks have a world and a communicator of their own, so that it neither meets other messages
   nor needs anything of the program's once it is made. */
struct tourney_plan {
  struct tourney_plan *next; /* of those that are under way */
  struct tny_world world;
  struct tny_comm_state state;
  struct tny_call call;
  struct tny_job job;
  struct tny_running *running;
  char algorithm[TNY_ALGORITHM_CHOICE_CHARS];
  bool is_under_way;
  bool is_waited_for; /* by a thread that is in the MPI just now: no other may touch it */
  int code;           /* the error that it ended with */
};

#endif
