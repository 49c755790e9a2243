/* A lane: what is kept of a communicator for its nonblocking collectives that plans serve. They run
   one after another, in the order in which they were called, by tags of their own; so blocking
   collectives go past them.

   Nothing here waits for another rank. The tags follow from the communicator's context id, or where
   no blocking call has given it one, come by a native nonblocking broadcast from its rank 0, which
   begins within the first call that is served; that and later ones begin when it is over. */
#ifndef TOURNEY_MPI_BACKGROUND_LANE_H
#define TOURNEY_MPI_BACKGROUND_LANE_H

#include <stdatomic.h>

#include "mpi/comm_state.h"

struct tny_mpi_operation;

struct tny_mpi_lane {
  struct tny_mpi_lane *before, *next;     /* of all lanes of this process */
  struct tny_mpi_lane *next_busy;         /* of those that have operations */
  bool is_busy;                           /* it is one of them */
  struct tny_mpi_operation *first, *last; /* its operations, the oldest first */
  struct tny_comm_state state; /* of them alone: its tags, and what plans were agreed on */
  atomic_uint use_count;       /* by its communicator, and by operations */
  bool is_begun, is_ready;     /* its first call was served; it has its tags */
  bool is_drawn;               /* by rank 0: they don't follow from a context id */
  bool is_taken_off;           /* while its communicator is being freed */
  MPI_Request request;         /* for its tags */
  int64_t number;              /* that makes them */
};

/* The key of the attribute by which a lane hangs on its communicator; an MPI error code. */
int tny_lanes_keyval(int *keyval);
/* Has any communicator of this process a lane? */
bool tny_lanes_exist(void);
/* The lane of a communicator, or NULL. */
struct tny_mpi_lane *tny_lane_find(MPI_Comm comm);
/* The lane of a communicator, made on first use; asks no other rank. state.why_native says why
   nothing is served there, which all ranks find alike. Returns an MPI error code. */
int tny_lane_get(MPI_Comm comm, struct tny_mpi_lane **lane);
/* Are there tags for it? `state` is what is kept of the communicator for blocking calls, or NULL.
   All ranks find the same. */
bool tny_lane_may_begin(const struct tny_mpi_lane *lane, const struct tny_comm_state *state);
/* Before an operation is put in: on first use, finds the tags or has them asked for. Returns an MPI
   error code of a call on the communicator, whose error handler has seen it. */
int tny_lane_begin(struct tny_mpi_lane *lane, const struct tny_comm_state *state);
/* An operation has failed with this MPI error, and so will those behind it: messages are left
   behind. */
void tny_lane_break(struct tny_mpi_lane *lane, int code);
/* Goes on with asking. Returns an MPI error code. */
int tny_lane_advance(struct tny_mpi_lane *lane);
/* Goes on with asking. Are the tags still on their way? */
bool tny_lane_is_asking(struct tny_mpi_lane *lane);

/* Uses a lane once more, or once less. */
void tny_lane_use(struct tny_mpi_lane *lane);
void tny_lane_put(struct tny_mpi_lane *lane);

/* Around the MPI's own MPI_Comm_free, at whose end the communicator is gone or stays. */
void tny_lane_take_off(struct tny_mpi_lane *lane);
void tny_lane_taken_off(struct tny_mpi_lane *lane, bool is_gone);
/* Takes all lanes off their communicators. */
void tny_lanes_close(void);

#endif
