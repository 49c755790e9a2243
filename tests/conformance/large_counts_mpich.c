/* Functions of large counts: MPICH has them. */
#include "large_counts.h"

/* One side's arguments, in the types of these functions. */
struct large {
  void *buffer;
  MPI_Count counts[PEERS_MAX];
  MPI_Aint displacements[PEERS_MAX];
  const MPI_Datatype *types;
};

static struct large enlarge(const struct arguments *arguments)
{
  struct large large = {.buffer = arguments->buffer, .types = arguments->types};
  for (int i = 0; i < PEERS_MAX; i++) {
    large.counts[i] = arguments->counts[i];
    large.displacements[i] = arguments->displacements[i];
  }
  return large;
}

static int call_even(const struct call *call, const struct large *from, const struct large *to)
{
  switch (call->collective) {
  case BCAST:
    return MPI_Bcast_c(to->buffer, to->counts[0], to->types[0], call->root, call->comm);
  case ALLGATHER:
    return MPI_Allgather_c(from->buffer, from->counts[0], from->types[0], to->buffer, to->counts[0],
                           to->types[0], call->comm);
  default:
    return MPI_Alltoall_c(from->buffer, from->counts[0], from->types[0], to->buffer, to->counts[0],
                          to->types[0], call->comm);
  }
}

static int call_uneven(const struct call *call, const struct large *from, const struct large *to)
{
  switch (call->collective) {
  case ALLGATHERV:
    return MPI_Allgatherv_c(from->buffer, from->counts[0], from->types[0], to->buffer, to->counts,
                            to->displacements, to->types[0], call->comm);
  case ALLTOALLV:
    return MPI_Alltoallv_c(from->buffer, from->counts, from->displacements, from->types[0],
                           to->buffer, to->counts, to->displacements, to->types[0], call->comm);
  case ALLTOALLW:
    return MPI_Alltoallw_c(from->buffer, from->counts, from->displacements, from->types, to->buffer,
                           to->counts, to->displacements, to->types, call->comm);
  case GATHERV:
    return MPI_Gatherv_c(from->buffer, from->counts[0], from->types[0], to->buffer, to->counts,
                         to->displacements, to->types[0], call->root, call->comm);
  default:
    return MPI_Scatterv_c(from->buffer, from->counts, from->displacements, from->types[0],
                          to->buffer, to->counts[0], to->types[0], call->root, call->comm);
  }
}

static int call_reduction(const struct call *call)
{
  const struct large data = enlarge(call_data(call));
  const void *from = call->send.buffer;
  void *to = call->receive.buffer;
  switch (call->collective) {
  case REDUCE:
    return MPI_Reduce_c(from, to, data.counts[0], data.types[0], call->op, call->root, call->comm);
  case ALLREDUCE:
    return MPI_Allreduce_c(from, to, data.counts[0], data.types[0], call->op, call->comm);
  case REDUCE_SCATTER_BLOCK:
    return MPI_Reduce_scatter_block_c(from, to, data.counts[0], data.types[0], call->op,
                                      call->comm);
  default:
    return MPI_Reduce_scatter_c(from, to, data.counts, data.types[0], call->op, call->comm);
  }
}

static int call_neighbours(const struct call *call, const struct large *from,
                           const struct large *to)
{
  switch (call->collective) {
  case NEIGHBOR_ALLGATHER:
    return MPI_Neighbor_allgather_c(from->buffer, from->counts[0], from->types[0], to->buffer,
                                    to->counts[0], to->types[0], call->comm);
  case NEIGHBOR_ALLGATHERV:
    return MPI_Neighbor_allgatherv_c(from->buffer, from->counts[0], from->types[0], to->buffer,
                                     to->counts, to->displacements, to->types[0], call->comm);
  case NEIGHBOR_ALLTOALL:
    return MPI_Neighbor_alltoall_c(from->buffer, from->counts[0], from->types[0], to->buffer,
                                   to->counts[0], to->types[0], call->comm);
  case NEIGHBOR_ALLTOALLV:
    return MPI_Neighbor_alltoallv_c(from->buffer, from->counts, from->displacements, from->types[0],
                                    to->buffer, to->counts, to->displacements, to->types[0],
                                    call->comm);
  default:
    return MPI_Neighbor_alltoallw_c(from->buffer, from->counts, call->send.places, from->types,
                                    to->buffer, to->counts, call->receive.places, to->types,
                                    call->comm);
  }
}

int call_large(const struct call *call)
{
  const struct large from = enlarge(&call->send), to = enlarge(&call->receive);
  if (reduces(call->collective))
    return call_reduction(call);
  if (has_neighbours(call->collective))
    return call_neighbours(call, &from, &to);
  return has_displacements(call->collective) ? call_uneven(call, &from, &to)
                                             : call_even(call, &from, &to);
}
