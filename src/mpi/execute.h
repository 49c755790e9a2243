/* One rank's steps, run over MPI point-to-point. */
#ifndef TOURNEY_MPI_EXECUTE_H
#define TOURNEY_MPI_EXECUTE_H

#include "mpi/areas.h"
#include "mpi/cache/plan.h"
#include "mpi/comm_state.h"
#include "mpi/uneven/send_window.h"

/* A queue of a plan's steps, and how far it has come: those before the head are under way or done.
   Of what the head waits for, the first `met` are done; `waits_for` is the request of the next one,
   or NULL where that isn't known, or isn't under way itself. */
struct tny_execution_queue {
  const uint32_t *steps;
  uint32_t count, head, met;
  MPI_Request *waits_for;
};

/* What went wrong in runs. */
struct tny_flaws {
  /* The MPI's error code where a message was longer than its receiver expected; else MPI_SUCCESS.
     The receiver has what it has room for, and the run has gone on to its end, since others wait
     for what this rank sends. */
  int truncated;
  /* It ended by an error, and memory may still be sent from: what is ours is given up for good. */
  bool leaves_sends;
};

/* A run of a plan, with all that is the same for its steps. The plan is the run's alone until that
   is over; the run stays where it is in memory. */
struct tny_execution {
  struct tny_plan *plan;
  struct tny_buffers buffers;
  uint64_t element_bytes;       /* what a block's pieces are cut between: 1 where it is bytes */
  uint64_t piece_bytes, longer; /* a piece of a block, and how many are an element longer */
  const int *world_ranks;       /* of the peers; the group's */
  const uint32_t *host_of_rank; /* the same */
  uint32_t host;                /* this rank's */
  MPI_Comm comm;
  int data_tag, token_tag;
  struct tny_execution_queue posted, started;
  struct tny_send_window window;
  uint64_t port_wait_ns;   /* until there is room for the next send in its host's port */
  uint32_t complete;       /* when all are started: those before this one are complete */
  struct tny_flaws *flaws; /* borrowed */
  bool is_abandoned;       /* after an error: its receives are being taken back */
  int code;
};

/* Begins a run, of which nothing is started yet. Borrows the flaws, and adds to them. */
void tny_execution_begin(struct tny_execution *run, struct tny_plan *plan,
                         const struct tny_comm_state *state, const struct tny_buffers *buffers,
                         struct tny_flaws *flaws);
/* Goes on with a run as far as it can without waiting, and asks the MPI for progress. *is_over: all
   its messages are sent and received. Returns an MPI error code when after an error no receive is
   open any more: the run is at its end. */
int tny_execution_advance(struct tny_execution *run, bool *is_over);
/* Goes on with a run until it is over, and waits for that in the MPI. Returns as
   tny_execution_advance(). */
int tny_execution_finish(struct tny_execution *run);
/* Is a receive closed that has been cancelled, or there was none? */
bool tny_test_taken_back(MPI_Request *request);
/* Runs the plan once: a run begun and finished. */
int tny_execute(struct tny_plan *plan, const struct tny_comm_state *state,
                const struct tny_buffers *buffers, struct tny_flaws *flaws);

#endif
