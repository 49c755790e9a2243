/* The MPI functions that Tourney takes over. They have the names by which a profiling tool reaches
   the MPI, so that all calls arrive here: from the C functions (entry_points.c), from the MPI's
   Fortran bindings, from other tools, and from programs that call PMPI_* themselves. */
#include "mpi/background/under_way.h"
#include "mpi/comm_state.h"
#include "mpi/entry/ask.h"
#include "mpi/entry/switch.h"
#include "mpi/linkage/other_mpi.h"
#include "mpi/native.h"
#include "mpi/presence.h"
#include "mpi/serve.h"
#include "mpi/start.h"

/* Is the runtime to keep out of the MPI's initialisation, which somebody has called? */
static bool keeps_out(const void *caller)
{
  void *other = tny_interception_is_off() ? NULL : tny_other_mpi_find(caller);
  if (other)
    tny_interception_lead_to(other);
  return tny_interception_is_off();
}

int PMPI_Init(int *argc, char ***argv)
{
  if (keeps_out(__builtin_return_address(0)))
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
  if (keeps_out(__builtin_return_address(0)))
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

static int call_bcast(const struct tny_call *call)
{
  return tny_native.bcast(call->receive, (int)call->receive_count, call->receive_type, call->root,
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
                                .ask_native = tny_ask_bcast,
                                .call_native = call_bcast};
  return tny_serve(&call);
}

static int call_allgather(const struct tny_call *call)
{
  return tny_native.allgather(call->send, (int)call->send_count, call->send_type, call->receive,
                              (int)call->receive_count, call->receive_type, call->comm);
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
                                .ask_native = tny_ask_allgather,
                                .call_native = call_allgather};
  return tny_serve(&call);
}

static int call_alltoall(const struct tny_call *call)
{
  return tny_native.alltoall(call->send, (int)call->send_count, call->send_type, call->receive,
                             (int)call->receive_count, call->receive_type, call->comm);
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
                                .ask_native = tny_ask_alltoall,
                                .call_native = call_alltoall};
  return tny_serve(&call);
}

static int call_barrier(const struct tny_call *call)
{
  return tny_native.barrier(call->comm);
}

/* A block of one byte, of which no rank has any. */
int PMPI_Barrier(MPI_Comm comm)
{
  const struct tny_call call = {.collective = TNY_BARRIER,
                                .send = MPI_IN_PLACE,
                                .receive_count = 1,
                                .receive_type = MPI_BYTE,
                                .comm = comm,
                                .call_native = call_barrier};
  return tny_serve(&call);
}
