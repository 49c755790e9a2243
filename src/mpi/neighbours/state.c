/* The state of a communicator's neighbourhood hangs on the communicator's own, whose tags it uses:
   a communicator's calls come one after another. */
#include "mpi/neighbours/state.h"

#include "core/alloc.h"
#include "mpi/neighbours/agree.h"
#include "mpi/neighbours/order.h"

/* Makes the state; collective over the communicator. Its id is all that it has of the context,
   whose place in the list of contexts other threads change. */
static int attach(struct tny_comm_state *whole)
{
  const char *why = NULL;
  struct tny_comm_state *state = tny_new(1, sizeof *state);
  if (state)
    *state = (struct tny_comm_state){.context = {.id = whole->context.id},
                                     .of = whole->of,
                                     .comm = whole->comm,
                                     .rank = whole->rank,
                                     .rank_count = whole->rank_count,
                                     .sizing = {.unpaid = TNY_NEIGHBOURS_COLLECTIVES},
                                     .whole = whole,
                                     .is_of_neighbours = true};
  const int code = tny_neighbours_agree(whole, state, &why);
  if (code == MPI_SUCCESS)
    tny_comm_add_neighbours(whole, state, why);
  else
    tny_comm_neighbours_free(state);
  return code;
}

int tny_call_state_find(const struct tny_call *call, struct tny_comm_state **state)
{
  const int code = tny_comm_state_find(call->comm, state);
  struct tny_comm_state *whole = *state;
  if (code != MPI_SUCCESS || !tny_call_neighbours(call) || !whole || whole->why_native ||
      !whole->neighbours)
    return code;
  *state = whole->neighbours;
  if (!(*state)->why_native && whole->broken != MPI_SUCCESS)
    (*state)->broken = whole->broken;
  return code;
}

int tny_call_state_get(const struct tny_call *call, struct tny_comm_state **state)
{
  int code = tny_comm_state_get(call->comm, state);
  struct tny_comm_state *whole = *state;
  if (code != MPI_SUCCESS || !tny_call_neighbours(call) || whole->why_native)
    return code;
  if (!whole->neighbours)
    code = attach(whole);
  if (code == MPI_SUCCESS)
    code = tny_call_state_find(call, state);
  if (code != MPI_SUCCESS || (*state)->why_native)
    return code;
  return tny_order_find(*state, tny_call_neighbours(call));
}
