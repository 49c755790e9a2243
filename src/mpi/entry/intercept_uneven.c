/* The uneven collectives that Tourney takes over, by their PMPI_* names, as in intercept.c. */
#include "mpi/entry/ask.h"
#include "mpi/native.h"
#include "mpi/serve.h"

static int call_allgatherv(const struct tny_call *call)
{
  const struct tny_uneven_side *receive = &call->uneven->receive;
  return tny_native.allgatherv(call->send, (int)call->send_count, call->send_type, call->receive,
                               receive->counts, receive->displacements, call->receive_type,
                               call->comm);
}

int PMPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                    MPI_Comm comm)
{
  const struct tny_uneven uneven = {.name = "allgatherv",
                                    .receive = {.counts = recvcounts, .displacements = displs}};
  const struct tny_call call = {.collective = TNY_ALLGATHER,
                                .send = sendbuf,
                                .send_count = sendcount,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_type = recvtype,
                                .comm = comm,
                                .uneven = &uneven,
                                .ask_native = tny_ask_allgatherv,
                                .call_native = call_allgatherv};
  return tny_serve(&call);
}

static int call_alltoallv(const struct tny_call *call)
{
  const struct tny_uneven_side *send = &call->uneven->send, *receive = &call->uneven->receive;
  return tny_native.alltoallv(call->send, send->counts, send->displacements, call->send_type,
                              call->receive, receive->counts, receive->displacements,
                              call->receive_type, call->comm);
}

int PMPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                   MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                   const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
  const struct tny_uneven uneven = {.name = "alltoallv",
                                    .send = {.counts = sendcounts, .displacements = sdispls},
                                    .receive = {.counts = recvcounts, .displacements = rdispls}};
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
  return tny_native.alltoallw(call->send, send->counts, send->displacements, send->types,
                              call->receive, receive->counts, receive->displacements,
                              receive->types, call->comm);
}

int PMPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                   const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                   const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
  const struct tny_uneven uneven = {
      .name = "alltoallw",
      .send = {.counts = sendcounts, .displacements = sdispls, .types = sendtypes},
      .receive = {.counts = recvcounts, .displacements = rdispls, .types = recvtypes}};
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

static int call_gatherv(const struct tny_call *call)
{
  const struct tny_uneven_side *receive = &call->uneven->receive;
  return tny_native.gatherv(call->send, (int)call->send_count, call->send_type, call->receive,
                            receive->counts, receive->displacements, call->receive_type, call->root,
                            call->comm);
}

int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                 MPI_Comm comm)
{
  const struct tny_uneven uneven = {.name = "gatherv",
                                    .receive = {.counts = recvcounts, .displacements = displs}};
  const struct tny_call call = {.collective = TNY_GATHER,
                                .send = sendbuf,
                                .send_count = sendcount,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_type = recvtype,
                                .root = root,
                                .comm = comm,
                                .uneven = &uneven,
                                .ask_native = tny_ask_gatherv,
                                .call_native = call_gatherv};
  return tny_serve(&call);
}

static int call_scatterv(const struct tny_call *call)
{
  const struct tny_uneven_side *send = &call->uneven->send;
  return tny_native.scatterv(call->send, send->counts, send->displacements, call->send_type,
                             call->receive, (int)call->receive_count, call->receive_type,
                             call->root, call->comm);
}

int PMPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                  MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                  int root, MPI_Comm comm)
{
  const struct tny_uneven uneven = {.name = "scatterv",
                                    .send = {.counts = sendcounts, .displacements = displs}};
  const struct tny_call call = {.collective = TNY_SCATTER,
                                .send = sendbuf,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_count = recvcount,
                                .receive_type = recvtype,
                                .root = root,
                                .comm = comm,
                                .uneven = &uneven,
                                .ask_native = tny_ask_scatterv,
                                .call_native = call_scatterv};
  return tny_serve(&call);
}
