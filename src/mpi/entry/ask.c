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
