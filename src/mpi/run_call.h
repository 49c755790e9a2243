/* A call's data brought to its plan, and the plan run. */
#ifndef TOURNEY_MPI_RUN_CALL_H
#define TOURNEY_MPI_RUN_CALL_H

#include "mpi/areas.h"
#include "mpi/cache/plan.h"
#include "mpi/call.h"
#include "mpi/comm_state.h"
#include "mpi/execute.h"
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
  uint64_t block_bytes;   /* of an uneven call: that its plan is chosen for */
  uint32_t messages_most; /* of one that was agreed on: that a rank sends, or gets */
  /* Of an uneven call whose sizes all ranks know, else 0: the longest block, for which its plan is
     cut, the mean, and one of the pieces that the longest has there, by which others are cut. */
  uint64_t longest_bytes, mean_bytes, piece_bytes;
  uint64_t element_bytes;        /* what a block is cut between; 1 where it is bytes */
  struct tny_plan_counts counts; /* of an uneven call whose plan goes by them */
  struct tny_window window;      /* of an uneven call: what paces it in place of its plan's pace */
  struct tny_guarded guarded;    /* where no algorithm is asked for */
  double planning_ns;            /* of what the call took */
  double asking_ns;              /* what it took before, to agree on an uneven call's size */
  struct tny_flaws flaws;        /* of its runs */
  bool is_counted;               /* its communicator has counted it, an uneven one */
  bool is_agreed;                /* its ranks have agreed on its size */
  bool is_early;                 /* its communicator gets a state only if it is long enough */
  bool is_classed;               /* it was agreed on, and a class of the guard counts it */
  bool is_passed;                /* the guard has counted it and passed it to the MPI */
  bool is_over;                  /* all its messages are sent and received */
  bool is_told;                  /* the program's error handler has had the error */
};
/* Brings the data into blocks of bytes, segment by segment, and runs the plan over them. Returns an
   MPI error code. */
int tny_run_call(struct tny_job *job);

/* A call that is begun, left and gone on with: what tny_run_call() does at once. */
struct tny_running;

/* Room for one call at a time. Owns: the caller's, tny_running_free; NULL: no memory. */
struct tny_running *tny_running_new(void);
void tny_running_free(struct tny_running *running); /* no call is under way */
/* Brings the call's data in and begins; nothing is sent yet. Borrows the job and its call until the
   call is over. Returns an MPI error code, after which it is over. */
int tny_running_begin(struct tny_running *running, struct tny_job *job);
/* Goes on as far as it can without waiting. *is_over: the data is where it belongs. Returns as
   tny_running_begin(). Not to be called again when the call is over. */
int tny_running_advance(struct tny_running *running, bool *is_over);
/* Goes on until the call is over, and waits for that in the MPI. Returns as tny_running_begin(). */
int tny_running_finish(struct tny_running *running);

#endif
