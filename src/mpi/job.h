/* A call on its way through the runtime. */
#ifndef TOURNEY_MPI_JOB_H
#define TOURNEY_MPI_JOB_H

#include "mpi/cache/plan.h"
#include "mpi/call.h"
#include "mpi/comm_state.h"
#include "mpi/guard.h"
#include "mpi/plans.h"
#include "mpi/send_window.h"

/* What one call needs to run: the plan, and the size of a block. */
struct tny_job {
  const struct tny_call *call;
  struct tny_comm_state *state;
  struct tny_algorithm_choice choice; /* what serves it; no algorithm: still to be chosen */
  struct tny_plan_basis basis;        /* what its plan is made of */
  struct tny_plan *plan;
  uint32_t segment_count;
  struct tny_send_window window; /* of an uneven call: what paces it in place of its plan's pace */
  uint64_t block_bytes;          /* of an uneven call: that its plan is for */
  struct tny_guarded guarded;    /* where no algorithm is asked for */
  double planning_ns;            /* of what the call took */
  double asking_ns;              /* what it took before, to agree on an uneven call's sizes */
  bool is_over;                  /* all its messages are sent and received */
  bool is_told;                  /* the program's error handler has had the error */
};

#endif
