/* The MPI functions that Tourney takes over. They have the names by which a profiling tool reaches
   the MPI, so that all calls arrive here: from the C functions (entry_points.c), from the MPI's
   Fortran bindings, from other tools, and from programs that call PMPI_* themselves. */
#include "mpi/background/under_way.h"
#include "mpi/comm_state.h"
#include "mpi/entry/switch.h"
#include "mpi/native.h"
#include "mpi/presence.h"
#include "mpi/serve.h"
#include "mpi/start.h"

int PMPI_Init(int *argc, char ***argv)
{
  if (tny_interception_is_off())
    return tny_native.init(argc, argv);
  tny_presence_begin();
  const int code = tny_native.init(argc, argv);
  tny_presence_end();
  if (code == MPI_SUCCESS)
    tny_start();
  return code;
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
  if (tny_interception_is_off())
    return tny_native.init_thread(argc, argv, required, provided);
  tny_presence_begin();
  const int code = tny_native.init_thread(argc, argv, required, provided);
  tny_presence_end();
  if (code == MPI_SUCCESS)
    tny_start();
  return code;
}

int PMPI_Finalize(void)
{
  tny_stop();
  return tny_native.finalize();
}

static int free_natively(MPI_Comm *comm)
{
  return tny_comm_free_natively(comm, tny_native.comm_free);
}

int PMPI_Comm_free(MPI_Comm *comm)
{
  return tny_under_way_free(comm, free_natively);
}

static int disconnect_natively(MPI_Comm *comm)
{
  return tny_comm_free_natively(comm, tny_native.comm_disconnect);
}

int PMPI_Comm_disconnect(MPI_Comm *comm)
{
  return tny_under_way_free(comm, disconnect_natively);
}

/* MPICH looks at the type only where there are elements. To one rank alone none is sent. */
static int ask_bcast(const struct tny_call *call, MPI_Comm self)
{
  const int count = call->receive_count > 0;
  return tny_native.bcast(call->receive, count, call->receive_type, 0, self);
}

static int call_bcast(const struct tny_call *call)
{
  return tny_native.bcast(call->receive, call->receive_count, call->receive_type, call->root,
                          call->comm);
}

int PMPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
  const struct tny_call call = {.collective = TNY_BROADCAST,
                                .receive = buffer,
                                .receive_count = count,
                                .receive_type = datatype,
                                .root = root,
                                .comm = comm,
                                .ask_native = ask_bcast,
                                .call_native = call_bcast};
  int code;
  return tny_serve(&call, &code) ? code : call_bcast(&call);
}

static int ask_allgather(const struct tny_call *call, MPI_Comm self)
{
  return tny_native.allgather(call->send, 0, call->send_type, call->receive, 0, call->receive_type,
                              self);
}

static int call_allgather(const struct tny_call *call)
{
  return tny_native.allgather(call->send, call->send_count, call->send_type, call->receive,
                              call->receive_count, call->receive_type, call->comm);
}

int PMPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
  const struct tny_call call = {.collective = TNY_ALLGATHER,
                                .send = sendbuf,
                                .send_count = sendcount,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_count = recvcount,
                                .receive_type = recvtype,
                                .comm = comm,
                                .ask_native = ask_allgather,
                                .call_native = call_allgather};
  int code;
  return tny_serve(&call, &code) ? code : call_allgather(&call);
}

static int ask_alltoall(const struct tny_call *call, MPI_Comm self)
{
  return tny_native.alltoall(call->send, 0, call->send_type, call->receive, 0, call->receive_type,
                             self);
}

static int call_alltoall(const struct tny_call *call)
{
  return tny_native.alltoall(call->send, call->send_count, call->send_type, call->receive,
                             call->receive_count, call->receive_type, call->comm);
}

int PMPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
  const struct tny_call call = {.collective = TNY_ALLTOALL,
                                .send = sendbuf,
                                .send_count = sendcount,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_count = recvcount,
                                .receive_type = recvtype,
                                .comm = comm,
                                .ask_native = ask_alltoall,
                                .call_native = call_alltoall};
  int code;
  return tny_serve(&call, &code) ? code : call_alltoall(&call);
}
