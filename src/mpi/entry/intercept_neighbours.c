/* The neighbourhood collectives that Tourney takes over, by their PMPI_* names, as in intercept.c.
   Each is an uneven all-to-all: the ranks agree on its size, since counts may be others among other
   neighbours. Of their types and buffers the MPI's all-to-alls are asked, which need no
   neighbours. */
#include "mpi/entry/ask.h"
#include "mpi/native.h"
#include "mpi/serve.h"

static int call_allgather(const struct tny_call *call)
{
  return tny_native.neighbor_allgather(call->send, (int)call->send_count, call->send_type,
                                       call->receive, (int)call->receive_count, call->receive_type,
                                       call->comm);
}

int PMPI_Neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                            void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
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
  return tny_native.neighbor_allgatherv(call->send, (int)call->send_count, call->send_type,
                                        call->receive, receive->counts, receive->displacements,
                                        call->receive_type, call->comm);
}

int PMPI_Neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                             void *recvbuf, const int recvcounts[], const int displs[],
                             MPI_Datatype recvtype, MPI_Comm comm)
{
  const struct tny_uneven uneven = {.name = "neighbor_allgatherv",
                                    .neighbours = TNY_NEIGHBOURS_GATHER,
                                    .send = {.given = TNY_GIVEN_SAME},
                                    .receive = {.counts = recvcounts, .displacements = displs}};
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
  return tny_native.neighbor_alltoall(call->send, (int)call->send_count, call->send_type,
                                      call->receive, (int)call->receive_count, call->receive_type,
                                      call->comm);
}

int PMPI_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
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
  return tny_native.neighbor_alltoallv(call->send, send->counts, send->displacements,
                                       call->send_type, call->receive, receive->counts,
                                       receive->displacements, call->receive_type, call->comm);
}

int PMPI_Neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
  const struct tny_uneven uneven = {.name = "neighbor_alltoallv",
                                    .neighbours = TNY_NEIGHBOURS_V,
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
  return tny_native.neighbor_alltoallw(call->send, send->counts, send->large_displacements,
                                       send->types, call->receive, receive->counts,
                                       receive->large_displacements, receive->types, call->comm);
}

int PMPI_Neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
  const struct tny_uneven uneven = {
      .name = "neighbor_alltoallw",
      .neighbours = TNY_NEIGHBOURS_W,
      .send = {.counts = sendcounts, .large_displacements = sdispls, .types = sendtypes},
      .receive = {.counts = recvcounts, .large_displacements = rdispls, .types = recvtypes}};
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
