/* MPI_Ibcast, MPI_Iallgather and MPI_Ialltoall, by their PMPI_* names: served where the MPI makes
   plans go on in whatever call of the program comes next. */
#include "mpi/background/serve.h"
#include "mpi/entry/ask.h"
#include "mpi/native.h"

static int ask_ibcast(const struct tny_call *call, MPI_Comm self)
{
  MPI_Request request;
  const int count = call->receive_count > 0;
  const int code = tny_native.ibcast(call->receive, count, call->receive_type, 0, self, &request);
  return tny_ask_finish(code, &request);
}

int PMPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                MPI_Request *request)
{
  const struct tny_call call = {.collective = TNY_BROADCAST,
                                .receive = buffer,
                                .receive_count = count,
                                .receive_type = datatype,
                                .root = root,
                                .comm = comm,
                                .nonblocking_name = "ibcast",
                                .ask_native = ask_ibcast};
  int code;
  return tny_serve_nonblocking(&call, request, &code)
             ? code
             : tny_native.ibcast(buffer, count, datatype, root, comm, request);
}

static int ask_iallgather(const struct tny_call *call, MPI_Comm self)
{
  MPI_Request request;
  const int code = tny_native.iallgather(call->send, 0, call->send_type, call->receive, 0,
                                         call->receive_type, self, &request);
  return tny_ask_finish(code, &request);
}

int PMPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
  const struct tny_call call = {.collective = TNY_ALLGATHER,
                                .send = sendbuf,
                                .send_count = sendcount,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_count = recvcount,
                                .receive_type = recvtype,
                                .comm = comm,
                                .nonblocking_name = "iallgather",
                                .ask_native = ask_iallgather};
  int code;
  return tny_serve_nonblocking(&call, request, &code)
             ? code
             : tny_native.iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                     comm, request);
}

static int ask_ialltoall(const struct tny_call *call, MPI_Comm self)
{
  MPI_Request request;
  const int code = tny_native.ialltoall(call->send, 0, call->send_type, call->receive, 0,
                                        call->receive_type, self, &request);
  return tny_ask_finish(code, &request);
}

int PMPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
  const struct tny_call call = {.collective = TNY_ALLTOALL,
                                .send = sendbuf,
                                .send_count = sendcount,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_count = recvcount,
                                .receive_type = recvtype,
                                .comm = comm,
                                .nonblocking_name = "ialltoall",
                                .ask_native = ask_ialltoall};
  int code;
  return tny_serve_nonblocking(&call, request, &code)
             ? code
             : tny_native.ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                    comm, request);
}
