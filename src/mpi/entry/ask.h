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

/* A nonblocking call's arguments are looked at by the nonblocking function, which may take others
   than the blocking one. With one rank it is over at once: ends it, and returns `code`, what the
   function returned, or what its end did. */
int tny_ask_finish(int code, MPI_Request *request);

/* Where a reduction's result goes, as a communicator of this rank alone, its root, has to see it:
   what only the root gives isn't to be looked at elsewhere. `unused` stands in for it there. */
void *tny_ask_reduce_receive(const struct tny_call *call, int *unused);

#endif
