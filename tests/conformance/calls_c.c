/* The collectives by C's functions. */
#include "calls.h"
#include "large_counts.h"
#include "persistent.h"

static int bcast(const struct call *call)
{
  const struct arguments *to = &call->receive;
  return MPI_Bcast(to->buffer, to->counts[0], to->types[0], call->root, call->comm);
}

static int bcast_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *to = &call->receive;
  return MPI_Ibcast(to->buffer, to->counts[0], to->types[0], call->root, call->comm, request);
}

static int bcast_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *to = &call->receive;
  return persistent.bcast(to->buffer, to->counts[0], to->types[0], call->root, call->comm,
                          MPI_INFO_NULL, request);
}

static int allgather(const struct call *call)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Allgather(from->buffer, from->counts[0], from->types[0], to->buffer, to->counts[0],
                       to->types[0], call->comm);
}

static int allgather_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Iallgather(from->buffer, from->counts[0], from->types[0], to->buffer, to->counts[0],
                        to->types[0], call->comm, request);
}

static int allgather_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return persistent.allgather(from->buffer, from->counts[0], from->types[0], to->buffer,
                              to->counts[0], to->types[0], call->comm, MPI_INFO_NULL, request);
}

static int alltoall(const struct call *call)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Alltoall(from->buffer, from->counts[0], from->types[0], to->buffer, to->counts[0],
                      to->types[0], call->comm);
}

static int alltoall_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Ialltoall(from->buffer, from->counts[0], from->types[0], to->buffer, to->counts[0],
                       to->types[0], call->comm, request);
}

static int alltoall_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return persistent.alltoall(from->buffer, from->counts[0], from->types[0], to->buffer,
                             to->counts[0], to->types[0], call->comm, MPI_INFO_NULL, request);
}

static int allgatherv(const struct call *call)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Allgatherv(from->buffer, from->counts[0], from->types[0], to->buffer, to->counts,
                        to->displacements, to->types[0], call->comm);
}

static int allgatherv_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Iallgatherv(from->buffer, from->counts[0], from->types[0], to->buffer, to->counts,
                         to->displacements, to->types[0], call->comm, request);
}

static int allgatherv_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return persistent.allgatherv(from->buffer, from->counts[0], from->types[0], to->buffer,
                               to->counts, to->displacements, to->types[0], call->comm,
                               MPI_INFO_NULL, request);
}

static int alltoallv(const struct call *call)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Alltoallv(from->buffer, from->counts, from->displacements, from->types[0], to->buffer,
                       to->counts, to->displacements, to->types[0], call->comm);
}

static int alltoallv_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Ialltoallv(from->buffer, from->counts, from->displacements, from->types[0], to->buffer,
                        to->counts, to->displacements, to->types[0], call->comm, request);
}

static int alltoallv_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return persistent.alltoallv(from->buffer, from->counts, from->displacements, from->types[0],
                              to->buffer, to->counts, to->displacements, to->types[0], call->comm,
                              MPI_INFO_NULL, request);
}

static int alltoallw(const struct call *call)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Alltoallw(from->buffer, from->counts, from->displacements, from->types, to->buffer,
                       to->counts, to->displacements, to->types, call->comm);
}

static int alltoallw_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Ialltoallw(from->buffer, from->counts, from->displacements, from->types, to->buffer,
                        to->counts, to->displacements, to->types, call->comm, request);
}

static int alltoallw_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return persistent.alltoallw(from->buffer, from->counts, from->displacements, from->types,
                              to->buffer, to->counts, to->displacements, to->types, call->comm,
                              MPI_INFO_NULL, request);
}

static int gatherv(const struct call *call)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Gatherv(from->buffer, from->counts[0], from->types[0], to->buffer, to->counts,
                     to->displacements, to->types[0], call->root, call->comm);
}

static int gatherv_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Igatherv(from->buffer, from->counts[0], from->types[0], to->buffer, to->counts,
                      to->displacements, to->types[0], call->root, call->comm, request);
}

static int gatherv_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return persistent.gatherv(from->buffer, from->counts[0], from->types[0], to->buffer, to->counts,
                            to->displacements, to->types[0], call->root, call->comm, MPI_INFO_NULL,
                            request);
}

static int scatterv(const struct call *call)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Scatterv(from->buffer, from->counts, from->displacements, from->types[0], to->buffer,
                      to->counts[0], to->types[0], call->root, call->comm);
}

static int scatterv_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Iscatterv(from->buffer, from->counts, from->displacements, from->types[0], to->buffer,
                       to->counts[0], to->types[0], call->root, call->comm, request);
}

static int scatterv_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return persistent.scatterv(from->buffer, from->counts, from->displacements, from->types[0],
                             to->buffer, to->counts[0], to->types[0], call->root, call->comm,
                             MPI_INFO_NULL, request);
}

static int reduce(const struct call *call)
{
  const struct arguments *data = call_data(call);
  return MPI_Reduce(call->send.buffer, call->receive.buffer, data->counts[0], data->types[0],
                    call->op, call->root, call->comm);
}

static int reduce_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *data = call_data(call);
  return MPI_Ireduce(call->send.buffer, call->receive.buffer, data->counts[0], data->types[0],
                     call->op, call->root, call->comm, request);
}

static int reduce_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *data = call_data(call);
  return persistent.reduce(call->send.buffer, call->receive.buffer, data->counts[0], data->types[0],
                           call->op, call->root, call->comm, MPI_INFO_NULL, request);
}

static int allreduce(const struct call *call)
{
  const struct arguments *data = call_data(call);
  return MPI_Allreduce(call->send.buffer, call->receive.buffer, data->counts[0], data->types[0],
                       call->op, call->comm);
}

static int allreduce_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *data = call_data(call);
  return MPI_Iallreduce(call->send.buffer, call->receive.buffer, data->counts[0], data->types[0],
                        call->op, call->comm, request);
}

static int allreduce_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *data = call_data(call);
  return persistent.allreduce(call->send.buffer, call->receive.buffer, data->counts[0],
                              data->types[0], call->op, call->comm, MPI_INFO_NULL, request);
}

static int reduce_scatter_block(const struct call *call)
{
  const struct arguments *data = call_data(call);
  return MPI_Reduce_scatter_block(call->send.buffer, call->receive.buffer, data->counts[0],
                                  data->types[0], call->op, call->comm);
}

static int reduce_scatter_block_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *data = call_data(call);
  return MPI_Ireduce_scatter_block(call->send.buffer, call->receive.buffer, data->counts[0],
                                   data->types[0], call->op, call->comm, request);
}

static int reduce_scatter_block_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *data = call_data(call);
  return persistent.reduce_scatter_block(call->send.buffer, call->receive.buffer, data->counts[0],
                                         data->types[0], call->op, call->comm, MPI_INFO_NULL,
                                         request);
}

static int reduce_scatter(const struct call *call)
{
  const struct arguments *data = call_data(call);
  return MPI_Reduce_scatter(call->send.buffer, call->receive.buffer, data->counts, data->types[0],
                            call->op, call->comm);
}

static int reduce_scatter_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *data = call_data(call);
  return MPI_Ireduce_scatter(call->send.buffer, call->receive.buffer, data->counts, data->types[0],
                             call->op, call->comm, request);
}

static int reduce_scatter_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *data = call_data(call);
  return persistent.reduce_scatter(call->send.buffer, call->receive.buffer, data->counts,
                                   data->types[0], call->op, call->comm, MPI_INFO_NULL, request);
}

static int neighbor_allgather(const struct call *call)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Neighbor_allgather(from->buffer, from->counts[0], from->types[0], to->buffer,
                                to->counts[0], to->types[0], call->comm);
}

static int neighbor_allgather_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Ineighbor_allgather(from->buffer, from->counts[0], from->types[0], to->buffer,
                                 to->counts[0], to->types[0], call->comm, request);
}

static int neighbor_allgather_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return persistent.neighbor_allgather(from->buffer, from->counts[0], from->types[0], to->buffer,
                                       to->counts[0], to->types[0], call->comm, MPI_INFO_NULL,
                                       request);
}

static int neighbor_allgatherv(const struct call *call)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Neighbor_allgatherv(from->buffer, from->counts[0], from->types[0], to->buffer,
                                 to->counts, to->displacements, to->types[0], call->comm);
}

static int neighbor_allgatherv_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Ineighbor_allgatherv(from->buffer, from->counts[0], from->types[0], to->buffer,
                                  to->counts, to->displacements, to->types[0], call->comm, request);
}

static int neighbor_allgatherv_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return persistent.neighbor_allgatherv(from->buffer, from->counts[0], from->types[0], to->buffer,
                                        to->counts, to->displacements, to->types[0], call->comm,
                                        MPI_INFO_NULL, request);
}

static int neighbor_alltoall(const struct call *call)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Neighbor_alltoall(from->buffer, from->counts[0], from->types[0], to->buffer,
                               to->counts[0], to->types[0], call->comm);
}

static int neighbor_alltoall_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Ineighbor_alltoall(from->buffer, from->counts[0], from->types[0], to->buffer,
                                to->counts[0], to->types[0], call->comm, request);
}

static int neighbor_alltoall_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return persistent.neighbor_alltoall(from->buffer, from->counts[0], from->types[0], to->buffer,
                                      to->counts[0], to->types[0], call->comm, MPI_INFO_NULL,
                                      request);
}

static int neighbor_alltoallv(const struct call *call)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Neighbor_alltoallv(from->buffer, from->counts, from->displacements, from->types[0],
                                to->buffer, to->counts, to->displacements, to->types[0],
                                call->comm);
}

static int neighbor_alltoallv_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Ineighbor_alltoallv(from->buffer, from->counts, from->displacements, from->types[0],
                                 to->buffer, to->counts, to->displacements, to->types[0],
                                 call->comm, request);
}

static int neighbor_alltoallv_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return persistent.neighbor_alltoallv(from->buffer, from->counts, from->displacements,
                                       from->types[0], to->buffer, to->counts, to->displacements,
                                       to->types[0], call->comm, MPI_INFO_NULL, request);
}

static int neighbor_alltoallw(const struct call *call)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Neighbor_alltoallw(from->buffer, from->counts, from->places, from->types, to->buffer,
                                to->counts, to->places, to->types, call->comm);
}

static int neighbor_alltoallw_begin(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return MPI_Ineighbor_alltoallw(from->buffer, from->counts, from->places, from->types, to->buffer,
                                 to->counts, to->places, to->types, call->comm, request);
}

static int neighbor_alltoallw_prepare(const struct call *call, MPI_Request *request)
{
  const struct arguments *from = &call->send;
  const struct arguments *to = &call->receive;
  return persistent.neighbor_alltoallw(from->buffer, from->counts, from->places, from->types,
                                       to->buffer, to->counts, to->places, to->types, call->comm,
                                       MPI_INFO_NULL, request);
}

const struct call_forms call_forms[COLLECTIVES] = {
    [BCAST] = {bcast, bcast_begin, bcast_prepare, call_large},
    [ALLGATHER] = {allgather, allgather_begin, allgather_prepare, call_large},
    [ALLTOALL] = {alltoall, alltoall_begin, alltoall_prepare, call_large},
    [ALLGATHERV] = {allgatherv, allgatherv_begin, allgatherv_prepare, call_large},
    [ALLTOALLV] = {alltoallv, alltoallv_begin, alltoallv_prepare, call_large},
    [ALLTOALLW] = {alltoallw, alltoallw_begin, alltoallw_prepare, call_large},
    [GATHERV] = {gatherv, gatherv_begin, gatherv_prepare, call_large},
    [SCATTERV] = {scatterv, scatterv_begin, scatterv_prepare, call_large},
    [REDUCE] = {reduce, reduce_begin, reduce_prepare, call_large},
    [ALLREDUCE] = {allreduce, allreduce_begin, allreduce_prepare, call_large},
    [REDUCE_SCATTER_BLOCK] = {reduce_scatter_block, reduce_scatter_block_begin,
                              reduce_scatter_block_prepare, call_large},
    [REDUCE_SCATTER] = {reduce_scatter, reduce_scatter_begin, reduce_scatter_prepare, call_large},
    [NEIGHBOR_ALLGATHER] = {neighbor_allgather, neighbor_allgather_begin,
                            neighbor_allgather_prepare, call_large},
    [NEIGHBOR_ALLGATHERV] = {neighbor_allgatherv, neighbor_allgatherv_begin,
                             neighbor_allgatherv_prepare, call_large},
    [NEIGHBOR_ALLTOALL] = {neighbor_alltoall, neighbor_alltoall_begin, neighbor_alltoall_prepare,
                           call_large},
    [NEIGHBOR_ALLTOALLV] = {neighbor_alltoallv, neighbor_alltoallv_begin,
                            neighbor_alltoallv_prepare, call_large},
    [NEIGHBOR_ALLTOALLW] = {neighbor_alltoallw, neighbor_alltoallw_begin,
                            neighbor_alltoallw_prepare, call_large},
};
