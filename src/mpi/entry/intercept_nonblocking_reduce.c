/* The nonblocking reductions, by their PMPI_* names, as in intercept_nonblocking.c. */
#include "mpi/background/serve.h"
#include "mpi/entry/ask.h"
#include "mpi/entry/counts.h"
#include "mpi/explain.h"
#include "mpi/native.h"
#include "mpi/serve.h"

static int ask_ireduce(const struct tny_call *call, MPI_Comm self)
{
  MPI_Request request;
  int unused;
  const int code = tny_native.ireduce(call->send, tny_ask_reduce_receive(call, &unused), 0,
                                      call->receive_type, call->op, 0, self, &request);
  return tny_ask_finish(code, &request);
}

int PMPI_Ireduce(const void *sendbuf, void *recvbuf, int n, MPI_Datatype datatype, MPI_Op op,
                 int root, MPI_Comm comm, MPI_Request *request)
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
                                .nonblocking_name = "ireduce",
                                .ask_native = ask_ireduce};
  int code;
  return tny_serve_nonblocking(&call, request, &code)
             ? code
             : tny_native.ireduce(sendbuf, recvbuf, n, datatype, op, root, comm, request);
}

static int ask_iallreduce(const struct tny_call *call, MPI_Comm self)
{
  MPI_Request request;
  const int code = tny_native.iallreduce(call->send, call->receive, 0, call->receive_type, call->op,
                                         self, &request);
  return tny_ask_finish(code, &request);
}

int PMPI_Iallreduce(const void *sendbuf, void *recvbuf, int n, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, MPI_Request *request)
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
                                .nonblocking_name = "iallreduce",
                                .ask_native = ask_iallreduce};
  int code;
  return tny_serve_nonblocking(&call, request, &code)
             ? code
             : tny_native.iallreduce(sendbuf, recvbuf, n, datatype, op, comm, request);
}

static int ask_ireduce_scatter_block(const struct tny_call *call, MPI_Comm self)
{
  MPI_Request request;
  const int code = tny_native.ireduce_scatter_block(call->send, call->receive, 0,
                                                    call->receive_type, call->op, self, &request);
  return tny_ask_finish(code, &request);
}

/* Of blocks that are alike, with so many elements each. */
static struct tny_call call_of_blocks(const void *sendbuf, void *recvbuf, int recvcount,
                                      MPI_Datatype datatype, MPI_Op op)
{
  return (struct tny_call){.collective = TNY_REDUCE_SCATTER,
                           .send = sendbuf,
                           .send_count = recvcount,
                           .send_type = datatype,
                           .receive = recvbuf,
                           .receive_count = recvcount,
                           .receive_type = datatype,
                           .op = op,
                           .ask_native = ask_ireduce_scatter_block};
}

int PMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                               MPI_Request *request)
{
  struct tny_call call = call_of_blocks(sendbuf, recvbuf, recvcount, datatype, op);
  call.comm = comm;
  call.nonblocking_name = "ireduce_scatter_block";
  int code;
  return tny_serve_nonblocking(&call, request, &code)
             ? code
             : tny_native.ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm,
                                                request);
}

int PMPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
  const struct tny_uneven_side sizes = {.counts = recvcounts};
  int code;
  if (tny_counts_are_alike(&sizes, comm)) {
    struct tny_call call = call_of_blocks(sendbuf, recvbuf, recvcounts[0], datatype, op);
    call.comm = comm;
    call.nonblocking_name = "ireduce_scatter";
    if (tny_serve_nonblocking(&call, request, &code))
      return code;
  } else {
    tny_serve_note(NULL);
    tny_explain_count("ireduce_scatter", 0, NULL, "its blocks differ in size");
  }
  return tny_native.ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, request);
}
