/* An operation: one nonblocking collective that a plan serves, from its call to its end. */
#ifndef TOURNEY_MPI_BACKGROUND_OPERATION_H
#define TOURNEY_MPI_BACKGROUND_OPERATION_H

#include "mpi/background/handing.h"
#include "mpi/background/lane.h"
#include "mpi/background/size.h"
#include "mpi/run_call.h"

/* How far it is. One that has failed takes its receives back before it is over. */
enum tny_phase { TNY_WAITS, TNY_LEARNS_SIZE, TNY_FINDS_PLAN, TNY_RUNS, TNY_ENDS, TNY_FAILS };

struct tny_mpi_operation {
  struct tny_mpi_operation *next; /* of its lane; or of those that are free to be used again */
  struct tny_mpi_lane *lane;
  enum tny_phase phase;
  struct tny_call call;
  MPI_Datatype held[2]; /* in place of the program's, which may free its own; or null */
  struct tny_job job;
  struct tny_size_agreement size; /* of a broadcast, */
  /* and what serves each class of it, as known at the call (background/known.h); no algorithm: that
     isn't known. */
  struct tny_algorithm_choice known[TNY_SIZE_CLASSES];
  struct tny_handing handing;
  struct tny_running *running;
  int failure;           /* why it fails */
  MPI_Request request;   /* the program's */
  atomic_int code;       /* that it ended with */
  atomic_uint use_count; /* by the lane, until it is over, and by the request */
  bool is_spoiled;       /* memory of it may still be sent from */
};

/* An operation for a call by this algorithm, for a block of so many bytes. It holds its lane, and
   what it needs of the call's datatypes. `state` is what is kept of the communicator for blocking
   calls, or NULL; it isn't looked at any more after that. *operation is used once by its lane, once
   by its request. Returns an MPI error code. */
int tny_operation_new(struct tny_mpi_lane *lane, const struct tny_job *job,
                      const struct tny_comm_state *state, struct tny_mpi_operation **operation);
/* Takes back one that hasn't begun. */
void tny_operation_drop(struct tny_mpi_operation *operation);
/* It is used once less. */
void tny_operation_put(struct tny_mpi_operation *operation);
/* Goes on as far as it can without waiting. *is_over: the data is where it belongs, and nothing is
   under way. Returns an MPI error code, after which it is over. */
int tny_operation_advance(struct tny_mpi_operation *operation, bool *is_over);
/* Frees those that are kept to be used again. */
void tny_operations_close(void);

#endif
