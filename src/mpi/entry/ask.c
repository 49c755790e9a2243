/* The MPI's own functions are asked over a communicator of this rank alone. */
#include "mpi/entry/ask.h"

#include "mpi/native.h"

static const int nothing[1];

/* MPICH looks at the type only where there are elements. To one rank alone none is sent. */
int tny_ask_bcast(const struct tny_call *call, MPI_Comm self)
{
  const int count = call->receive_count > 0;
  return tny_native.bcast(call->receive, count, call->receive_type, 0, self);
}

int tny_ask_allgather(const struct tny_call *call, MPI_Comm self)
{
  return tny_native.allgather(call->send, 0, call->send_type, call->receive, 0, call->receive_type,
                              self);
}

int tny_ask_alltoall(const struct tny_call *call, MPI_Comm self)
{
  return tny_native.alltoall(call->send, 0, call->send_type, call->receive, 0, call->receive_type,
                             self);
}

int tny_ask_allgatherv(const struct tny_call *call, MPI_Comm self)
{
  return tny_native.allgatherv(call->send, 0, call->send_type, call->receive, nothing, nothing,
                               call->receive_type, self);
}

int tny_ask_alltoallv(const struct tny_call *call, MPI_Comm self)
{
  return tny_native.alltoallv(call->send, nothing, nothing, call->send_type, call->receive, nothing,
                              nothing, call->receive_type, self);
}

int tny_ask_alltoallw(const struct tny_call *call, MPI_Comm self)
{
  return tny_native.alltoallw(call->send, nothing, nothing, call->uneven->send.types, call->receive,
                              nothing, nothing, call->uneven->receive.types, self);
}

/* What only the root's arguments say isn't to be looked at elsewhere; on a communicator of its own
   every rank is the root. */
static bool is_root(const struct tny_call *call)
{
  int rank;
  return PMPI_Comm_rank(call->comm, &rank) == MPI_SUCCESS && rank == call->root;
}

int tny_ask_gatherv(const struct tny_call *call, MPI_Comm self)
{
  const bool is_receiver = is_root(call);
  return tny_native.gatherv(call->send, 0, call->send_type, is_receiver ? call->receive : NULL,
                            nothing, nothing, is_receiver ? call->receive_type : call->send_type, 0,
                            self);
}

void *tny_ask_reduce_receive(const struct tny_call *call, int *unused)
{
  return is_root(call) ? call->receive : unused;
}

/* Of no elements: the MPI looks at the type and the operation, and combines nothing. */
int tny_ask_reduce(const struct tny_call *call, MPI_Comm self)
{
  int unused;
  return tny_native.reduce(call->send, tny_ask_reduce_receive(call, &unused), 0, call->receive_type,
                           call->op, 0, self);
}

int tny_ask_allreduce(const struct tny_call *call, MPI_Comm self)
{
  return tny_native.allreduce(call->send, call->receive, 0, call->receive_type, call->op, self);
}

int tny_ask_reduce_scatter_block(const struct tny_call *call, MPI_Comm self)
{
  return tny_native.reduce_scatter_block(call->send, call->receive, 0, call->receive_type, call->op,
                                         self);
}

int tny_ask_scatterv(const struct tny_call *call, MPI_Comm self)
{
  const bool is_sender = is_root(call);
  return tny_native.scatterv(is_sender ? call->send : NULL, nothing, nothing,
                             is_sender ? call->send_type : call->receive_type, call->receive, 0,
                             call->receive_type, 0, self);
}

int tny_ask_finish(int code, MPI_Request *request)
{
  return code == MPI_SUCCESS ? PMPI_Wait(request, MPI_STATUS_IGNORE) : code;
}
