/* The neighbourhood collectives of large counts that Tourney takes over, by their PMPI_*_c names,
   as in ../intercept_neighbours.c. */
#include "mpi/entry/ask.h"
#include "mpi/entry/large/large.h"
#include "mpi/serve.h"

static int call_allgather(const struct tny_call *call)
{
  return tny_native_large.neighbor_allgather(call->send, call->send_count, call->send_type,
                                             call->receive, call->receive_count, call->receive_type,
                                             call->comm);
}

int PMPI_Neighbor_allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                              void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                              MPI_Comm comm)
{
  const struct tny_uneven uneven = {.name = "neighbor_allgather",
                                    .neighbours = TNY_NEIGHBOURS_GATHER,
                                    .send = {.given = TNY_GIVEN_SAME},
                                    .receive = {.given = TNY_GIVEN_ALIKE}};
  const struct tny_call call = {.collective = TNY_ALLTOALL,
                                .send = sendbuf,
                                .send_count = sendcount,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_count = recvcount,
                                .receive_type = recvtype,
                                .comm = comm,
                                .uneven = &uneven,
                                .ask_native = tny_ask_alltoall,
                                .call_native = call_allgather};
  return tny_serve(&call);
}

static int call_allgatherv(const struct tny_call *call)
{
  const struct tny_uneven_side *receive = &call->uneven->receive;
  return tny_native_large.neighbor_allgatherv(
      call->send, call->send_count, call->send_type, call->receive, receive->large_counts,
      receive->large_displacements, call->receive_type, call->comm);
}

int PMPI_Neighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                               void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                               MPI_Datatype recvtype, MPI_Comm comm)
{
  const struct tny_uneven uneven = {
      .name = "neighbor_allgatherv",
      .neighbours = TNY_NEIGHBOURS_GATHER,
      .send = {.given = TNY_GIVEN_SAME},
      .receive = {.large_counts = recvcounts, .large_displacements = displs}};
  const struct tny_call call = {.collective = TNY_ALLTOALL,
                                .send = sendbuf,
                                .send_count = sendcount,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_type = recvtype,
                                .comm = comm,
                                .uneven = &uneven,
                                .ask_native = tny_ask_alltoallv,
                                .call_native = call_allgatherv};
  return tny_serve(&call);
}

static int call_alltoall(const struct tny_call *call)
{
  return tny_native_large.neighbor_alltoall(call->send, call->send_count, call->send_type,
                                            call->receive, call->receive_count, call->receive_type,
                                            call->comm);
}

int PMPI_Neighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                             void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                             MPI_Comm comm)
{
  const struct tny_uneven uneven = {.name = "neighbor_alltoall",
                                    .neighbours = TNY_NEIGHBOURS,
                                    .send = {.given = TNY_GIVEN_ALIKE},
                                    .receive = {.given = TNY_GIVEN_ALIKE}};
  const struct tny_call call = {.collective = TNY_ALLTOALL,
                                .send = sendbuf,
                                .send_count = sendcount,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_count = recvcount,
                                .receive_type = recvtype,
                                .comm = comm,
                                .uneven = &uneven,
                                .ask_native = tny_ask_alltoall,
                                .call_native = call_alltoall};
  return tny_serve(&call);
}

static int call_alltoallv(const struct tny_call *call)
{
  const struct tny_uneven_side *send = &call->uneven->send, *receive = &call->uneven->receive;
  return tny_native_large.neighbor_alltoallv(
      call->send, send->large_counts, send->large_displacements, call->send_type, call->receive,
      receive->large_counts, receive->large_displacements, call->receive_type, call->comm);
}

int PMPI_Neighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[],
                              const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf,
                              const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                              MPI_Datatype recvtype, MPI_Comm comm)
{
  const struct tny_uneven uneven = {
      .name = "neighbor_alltoallv",
      .neighbours = TNY_NEIGHBOURS_V,
      .send = {.large_counts = sendcounts, .large_displacements = sdispls},
      .receive = {.large_counts = recvcounts, .large_displacements = rdispls}};
  const struct tny_call call = {.collective = TNY_ALLTOALL,
                                .send = sendbuf,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_type = recvtype,
                                .comm = comm,
                                .uneven = &uneven,
                                .ask_native = tny_ask_alltoallv,
                                .call_native = call_alltoallv};
  return tny_serve(&call);
}

static int call_alltoallw(const struct tny_call *call)
{
  const struct tny_uneven_side *send = &call->uneven->send, *receive = &call->uneven->receive;
  return tny_native_large.neighbor_alltoallw(
      call->send, send->large_counts, send->large_displacements, send->types, call->receive,
      receive->large_counts, receive->large_displacements, receive->types, call->comm);
}

int PMPI_Neighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[],
                              const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                              void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                              const MPI_Datatype recvtypes[], MPI_Comm comm)
{
  const struct tny_uneven uneven = {
      .name = "neighbor_alltoallw",
      .neighbours = TNY_NEIGHBOURS_W,
      .send = {.large_counts = sendcounts, .large_displacements = sdispls, .types = sendtypes},
      .receive = {.large_counts = recvcounts, .large_displacements = rdispls, .types = recvtypes}};
  const struct tny_call call = {.collective = TNY_ALLTOALL,
                                .send = sendbuf,
                                .send_type = MPI_DATATYPE_NULL,
                                .receive = recvbuf,
                                .receive_type = MPI_DATATYPE_NULL,
                                .comm = comm,
                                .uneven = &uneven,
                                .ask_native = tny_ask_alltoallw,
                                .call_native = call_alltoallw};
  return tny_serve(&call);
}
