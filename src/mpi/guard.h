/* The guard on a communicator: what serves each of its calls, and the agreements behind that. */
#ifndef TOURNEY_MPI_GUARD_H
#define TOURNEY_MPI_GUARD_H

#include "mpi/comm_state.h"

/* A call as the guard sees it. */
struct tny_guarded {
  struct tny_comm_state *state;
  enum tny_collective collective;
  uint32_t number; /* its class */
  struct tny_guard_turn turn;
};

/* Why a class's first call is passed. */
extern const char tny_guard_first_call[];
/* Why a call is native or planned that a profile has settled. */
extern const char tny_guard_by_profile[];
/* Is a call of the class native, and nothing else? Then it is counted; returns why, or NULL.
   Costs next to nothing. */
const char *tny_guard_pass(struct tny_comm_state *state, enum tny_collective collective,
                           uint32_t number);
/* As if the last call of the class, which was counted so, hadn't been: the MPI has refused it at
   this rank alone, which may make it again. */
void tny_guard_uncount(struct tny_comm_state *state, enum tny_collective collective,
                       uint32_t number);
/* Before that, where the ranks have agreed on the call's size: its class, from its second call on,
   counts what isn't counted yet (guard/sizing.h). */
void tny_guard_agreed_on_size(struct tny_comm_state *state, enum tny_collective collective,
                              uint32_t number);
/* Why a call that isn't passed is native, where its turn has it so. */
const char *tny_guard_why_native(struct tny_guard_turn turn);
/* Counts a call that isn't passed, and fills in how it is served. Collective over the communicator
   where the guard is off and the class is new. Returns an MPI error code of a call on the
   communicator, whose error handler has seen it. */
int tny_guard_take(struct tny_comm_state *state, enum tny_collective collective, uint32_t number,
                   struct tny_guarded *guarded);
/* How it went that a call was served as its turn has it. */
enum tny_guard_outcome {
  TNY_GUARD_RUN,
  TNY_GUARD_FAILED,  /* with an error, here */
  TNY_GUARD_REFUSED, /* the plan couldn't be had: it was native, at all ranks */
};
/* After a call whose turn is timed: what it took here, of which planning. Collective over the
   communicator where an agreement is due. Returns as above. */
int tny_guard_end(struct tny_guarded *guarded, double elapsed_ns, double planning_ns,
                  enum tny_guard_outcome outcome);
/* What the calls of the class have taken, or would have natively; 0: unknown. */
double tny_guard_native_ns(const struct tny_comm_state *state, enum tny_collective collective,
                           uint32_t number);
/* Puts the plan by which the class is served in the place of *choice, if it is served by one. */
int tny_guard_find_choice(const struct tny_comm_state *state, enum tny_collective collective,
                          uint32_t number, struct tny_algorithm_choice *choice);

#endif
