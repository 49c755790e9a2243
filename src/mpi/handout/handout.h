/* What a call is run by: found by this rank alone, or made by rank 0 of the communicator and handed
   out to all. */
#ifndef TOURNEY_MPI_HANDOUT_H
#define TOURNEY_MPI_HANDOUT_H

#include "mpi/comm_state.h"
#include "mpi/plans.h"

/* Finds what the call is run by: fills *basis and returns NULL, or says why the call is native. A
   plan's first call on a communicator may be collective over it: always where plans are proved or
   stored, else where making the plan is more work than one rank's steps. All ranks know alike
   whether it is.

   *code is an MPI error code, of which the communicator's error handler has been told. */
const char *tny_agree_on_plan(struct tny_comm_state *state, const struct tny_plan_request *request,
                              struct tny_plan_basis *basis, int *code);
/* What a plan is made of that was agreed on and can be run. */
struct tny_plan_basis tny_plan_basis_of(const struct tny_agreed *entry);

#endif
