/* The order of blocks over parallel edges, as the MPI has it. No function is called that the
   program itself doesn't call: MPICH 4.0.2's MPI_Neighbor_alltoallw delivers wrong data, or hangs,
   where a rank has other numbers of sources and of destinations. */
#include "mpi/neighbours/order.h"

#include "mpi/native.h"

static int exchange(MPI_Comm comm, enum tny_neighbours form, const struct tny_edge_numbers *room)
{
  switch (form) {
  case TNY_NEIGHBOURS:
    return tny_native.neighbor_alltoall(room->sent, 1, MPI_INT, room->came, 1, MPI_INT, comm);
  case TNY_NEIGHBOURS_V:
    return tny_native.neighbor_alltoallv(room->sent, room->ones, room->places, MPI_INT, room->came,
                                         room->ones, room->places, MPI_INT, comm);
  case TNY_NEIGHBOURS_W:
    return tny_native.neighbor_alltoallw(room->sent, room->ones, room->offsets, room->types,
                                         room->came, room->ones, room->offsets, room->types, comm);
  case TNY_NOT_NEIGHBOURS:
  case TNY_NEIGHBOURS_GATHER:
  case TNY_NEIGHBOURS_COUNT:
    break;
  }
  return MPI_SUCCESS;
}

int tny_order_find(struct tny_comm_state *state, enum tny_neighbours form)
{
  struct tny_edges *edges = state->edges;
  if (!edges->has_parallels || edges->is_ordered[form] || form == TNY_NEIGHBOURS_GATHER)
    return MPI_SUCCESS;
  const int code = exchange(state->of, form, &edges->numbers);
  if (code != MPI_SUCCESS)
    return code;
  tny_edges_sort(&edges->receive, form, edges->numbers.came);
  edges->is_ordered[form] = true;
  state->sizing.unpaid++;
  return MPI_SUCCESS;
}
