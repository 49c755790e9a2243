/* The reductions of large counts that Tourney takes over, as in ../intercept_reduce.c. */
#include "mpi/entry/ask.h"
#include "mpi/entry/counts.h"
#include "mpi/entry/large/large.h"
#include "mpi/serve.h"

static int call_reduce(const struct tny_call *call)
{
  return tny_native_large.reduce(call->send, call->receive, call->receive_count, call->receive_type,
                                 call->op, call->root, call->comm);
}

int PMPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count n, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm)
{
  const struct tny_call call = {.collective = TNY_REDUCE,
                                .send = sendbuf,
                                .send_count = n,
                                .send_type = datatype,
                                .receive = recvbuf,
                                .receive_count = n,
                                .receive_type = datatype,
                                .root = root,
                                .op = op,
                                .comm = comm,
                                .ask_native = tny_ask_reduce,
                                .call_native = call_reduce};
  return tny_serve(&call);
}

static int call_allreduce(const struct tny_call *call)
{
  return tny_native_large.allreduce(call->send, call->receive, call->receive_count,
                                    call->receive_type, call->op, call->comm);
}

int PMPI_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count n, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm)
{
  const struct tny_call call = {.collective = TNY_ALLREDUCE,
                                .send = sendbuf,
                                .send_count = n,
                                .send_type = datatype,
                                .receive = recvbuf,
                                .receive_count = n,
                                .receive_type = datatype,
                                .op = op,
                                .comm = comm,
                                .ask_native = tny_ask_allreduce,
                                .call_native = call_allreduce};
  return tny_serve(&call);
}

static int call_reduce_scatter_block(const struct tny_call *call)
{
  return tny_native_large.reduce_scatter_block(call->send, call->receive, call->receive_count,
                                               call->receive_type, call->op, call->comm);
}

int PMPI_Reduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
  const struct tny_call call = {.collective = TNY_REDUCE_SCATTER,
                                .send = sendbuf,
                                .send_count = recvcount,
                                .send_type = datatype,
                                .receive = recvbuf,
                                .receive_count = recvcount,
                                .receive_type = datatype,
                                .op = op,
                                .comm = comm,
                                .ask_native = tny_ask_reduce_scatter_block,
                                .call_native = call_reduce_scatter_block};
  return tny_serve(&call);
}

static int call_reduce_scatter(const struct tny_call *call)
{
  return tny_native_large.reduce_scatter(call->send, call->receive, call->counts,
                                         call->receive_type, call->op, call->comm);
}

int PMPI_Reduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
  const struct tny_uneven uneven = {.name = "reduce_scatter",
                                    .send = {.large_counts = recvcounts, .is_packed = true}};
  struct tny_call call = {.collective = TNY_REDUCE_SCATTER,
                          .send = sendbuf,
                          .send_type = datatype,
                          .receive = recvbuf,
                          .receive_type = datatype,
                          .op = op,
                          .counts = recvcounts,
                          .comm = comm,
                          .ask_native = tny_ask_reduce_scatter_block,
                          .call_native = call_reduce_scatter};
  tny_call_set_counts(&call, &uneven);
  return tny_serve(&call);
}
