/* The collectives of large counts that Tourney takes over, by their PMPI_* names, as in
   ../intercept.c. They are served as the others are: what a plan can't do, no block of over 2 GiB
   gets. */
#include "mpi/entry/ask.h"
#include "mpi/entry/large/large.h"
#include "mpi/serve.h"

static int call_bcast(const struct tny_call *call)
{
  return tny_native_large.bcast(call->receive, call->receive_count, call->receive_type, call->root,
                                call->comm);
}

int PMPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
  const struct tny_call call = {.collective = TNY_BROADCAST,
                                .receive = buffer,
                                .receive_count = count,
                                .receive_type = datatype,
                                .root = root,
                                .comm = comm,
                                .ask_native = tny_ask_bcast,
                                .call_native = call_bcast};
  return tny_serve(&call);
}

static int call_allgather(const struct tny_call *call)
{
  return tny_native_large.allgather(call->send, call->send_count, call->send_type, call->receive,
                                    call->receive_count, call->receive_type, call->comm);
}

int PMPI_Allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
  const struct tny_call call = {.collective = TNY_ALLGATHER,
                                .send = sendbuf,
                                .send_count = sendcount,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_count = recvcount,
                                .receive_type = recvtype,
                                .comm = comm,
                                .ask_native = tny_ask_allgather,
                                .call_native = call_allgather};
  return tny_serve(&call);
}

static int call_alltoall(const struct tny_call *call)
{
  return tny_native_large.alltoall(call->send, call->send_count, call->send_type, call->receive,
                                   call->receive_count, call->receive_type, call->comm);
}

int PMPI_Alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
  const struct tny_call call = {.collective = TNY_ALLTOALL,
                                .send = sendbuf,
                                .send_count = sendcount,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_count = recvcount,
                                .receive_type = recvtype,
                                .comm = comm,
                                .ask_native = tny_ask_alltoall,
                                .call_native = call_alltoall};
  return tny_serve(&call);
}

static int call_allgatherv(const struct tny_call *call)
{
  const struct tny_uneven_side *receive = &call->uneven->receive;
  return tny_native_large.allgatherv(call->send, call->send_count, call->send_type, call->receive,
                                     receive->large_counts, receive->large_displacements,
                                     call->receive_type, call->comm);
}

int PMPI_Allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                      MPI_Datatype recvtype, MPI_Comm comm)
{
  const struct tny_uneven uneven = {
      .name = "allgatherv", .receive = {.large_counts = recvcounts, .large_displacements = displs}};
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
  return tny_native_large.alltoallv(call->send, send->large_counts, send->large_displacements,
                                    call->send_type, call->receive, receive->large_counts,
                                    receive->large_displacements, call->receive_type, call->comm);
}

int PMPI_Alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
  const struct tny_uneven uneven = {
      .name = "alltoallv",
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
  return tny_native_large.alltoallw(call->send, send->large_counts, send->large_displacements,
                                    send->types, call->receive, receive->large_counts,
                                    receive->large_displacements, receive->types, call->comm);
}

int PMPI_Alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
  const struct tny_uneven uneven = {
      .name = "alltoallw",
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

static int call_gatherv(const struct tny_call *call)
{
  const struct tny_uneven_side *receive = &call->uneven->receive;
  return tny_native_large.gatherv(call->send, call->send_count, call->send_type, call->receive,
                                  receive->large_counts, receive->large_displacements,
                                  call->receive_type, call->root, call->comm);
}

int PMPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                   int root, MPI_Comm comm)
{
  const struct tny_uneven uneven = {
      .name = "gatherv", .receive = {.large_counts = recvcounts, .large_displacements = displs}};
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
  return tny_native_large.scatterv(call->send, send->large_counts, send->large_displacements,
                                   call->send_type, call->receive, call->receive_count,
                                   call->receive_type, call->root, call->comm);
}

int PMPI_Scatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm)
{
  const struct tny_uneven uneven = {
      .name = "scatterv", .send = {.large_counts = sendcounts, .large_displacements = displs}};
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
