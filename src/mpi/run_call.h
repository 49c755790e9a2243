/* A call's data brought to its plan, and the plan run. */
#ifndef TOURNEY_MPI_RUN_CALL_H
#define TOURNEY_MPI_RUN_CALL_H

#include "mpi/cache/plan.h"
#include "mpi/call.h"
#include "mpi/comm_state.h"
#include "mpi/guard.h"
#include "mpi/plans.h"

/* What one call needs to run: the plan, and the size of a block. */
struct tny_job {
  const struct tny_call *call;
  struct tny_comm_state *state;
  struct tny_algorithm_choice choice; /* what serves it; no algorithm: still to be chosen */
  struct tny_plan_basis basis;        /* what its plan is made of */
  struct tny_plan *plan;
  uint32_t segment_count;
  uint64_t block_bytes;
  struct tny_guarded guarded; /* where no algorithm is asked for */
  double planning_ns;         /* of what the call took */
  bool is_over;               /* all its messages are sent and received */
  bool is_told;               /* the program's error handler has had the error */
};
/* Brings the data into blocks of bytes, segment by segment, and runs the plan over them. Returns an
   MPI error code. */
int tny_run_call(struct tny_job *job);

#endif
