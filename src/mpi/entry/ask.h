/* What the MPI's own functions say of a call's types and buffers: struct tny_call's ask_native.
   Functions of large counts look at them alike. */
#ifndef TOURNEY_MPI_ASK_H
#define TOURNEY_MPI_ASK_H

#include "mpi/call.h"

int tny_ask_bcast(const struct tny_call *call, MPI_Comm self);
int tny_ask_allgather(const struct tny_call *call, MPI_Comm self);
int tny_ask_alltoall(const struct tny_call *call, MPI_Comm self);
int tny_ask_allgatherv(const struct tny_call *call, MPI_Comm self);
int tny_ask_alltoallv(const struct tny_call *call, MPI_Comm self);
int tny_ask_alltoallw(const struct tny_call *call, MPI_Comm self);
int tny_ask_gatherv(const struct tny_call *call, MPI_Comm self);
int tny_ask_scatterv(const struct tny_call *call, MPI_Comm self);
int tny_ask_reduce(const struct tny_call *call, MPI_Comm self);
int tny_ask_allreduce(const struct tny_call *call, MPI_Comm self);
int tny_ask_reduce_scatter_block(const struct tny_call *call, MPI_Comm self);

#endif
