/* The MPI_* names: each leads to PMPI_*, by way of another tool's MPI_* where there is one. All
   that the runtime does, it does behind its PMPI_* names, which the MPI's Fortran bindings, other
   tools and programs call too. */
#include "mpi/native.h"

#include <dlfcn.h>
#include <stdbool.h>

/* What this library's MPI_* lead to: its own PMPI_*, or the MPI_* of another tool that stands
   between it and the MPI, and whose PMPI_* calls come back to ours. */
static struct tny_mpi below = {
    .init = PMPI_Init,
    .init_thread = PMPI_Init_thread,
    .finalize = PMPI_Finalize,
    .comm_free = PMPI_Comm_free,
    .comm_disconnect = PMPI_Comm_disconnect,
    .bcast = PMPI_Bcast,
    .allgather = PMPI_Allgather,
    .alltoall = PMPI_Alltoall,
    .barrier = PMPI_Barrier,
    .reduce = PMPI_Reduce,
    .allreduce = PMPI_Allreduce,
    .reduce_scatter = PMPI_Reduce_scatter,
    .reduce_scatter_block = PMPI_Reduce_scatter_block,
    .scan = PMPI_Scan,
    .exscan = PMPI_Exscan,
    .gather = PMPI_Gather,
    .gatherv = PMPI_Gatherv,
    .scatter = PMPI_Scatter,
    .scatterv = PMPI_Scatterv,
    .allgatherv = PMPI_Allgatherv,
    .alltoallv = PMPI_Alltoallv,
    .alltoallw = PMPI_Alltoallw,
};

/* Do two functions lie in one library? */
static bool are_together(const void *one, const void *other)
{
  Dl_info first, second;
  return dladdr(one, &first) && dladdr(other, &second) && first.dli_fbase == second.dli_fbase;
}

__attribute__((constructor)) static void find_other_tools(void)
{
  for (const struct tny_mpi_function *function = tny_mpi_functions; function->name; function++) {
    const void *native = tny_mpi_find(function->name);
    const void *next = tny_mpi_find(function->name + 1); /* MPI_Bcast in PMPI_Bcast */
    if (next && !are_together(next, native))
      tny_mpi_set(&below, function, next);
  }
}

int MPI_Init(int *argc, char ***argv)
{
  return below.init(argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
  return below.init_thread(argc, argv, required, provided);
}

int MPI_Finalize(void)
{
  return below.finalize();
}

int MPI_Comm_free(MPI_Comm *comm)
{
  return below.comm_free(comm);
}

int MPI_Comm_disconnect(MPI_Comm *comm)
{
  return below.comm_disconnect(comm);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
  return below.bcast(buffer, count, datatype, root, comm);
}

int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
  return below.allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
  return below.alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
  return below.barrier(comm);
}

int MPI_Reduce(const void *sendbuf, void *recvbuf, int n, MPI_Datatype datatype, MPI_Op op,
               int root, MPI_Comm comm)
{
  return below.reduce(sendbuf, recvbuf, n, datatype, op, root, comm);
}

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int n, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm)
{
  return below.allreduce(sendbuf, recvbuf, n, datatype, op, comm);
}

int MPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                       MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
  return below.reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm);
}

int MPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
  return below.reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm);
}

int MPI_Scan(const void *sendbuf, void *recvbuf, int n, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm)
{
  return below.scan(sendbuf, recvbuf, n, datatype, op, comm);
}

int MPI_Exscan(const void *sendbuf, void *recvbuf, int n, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm)
{
  return below.exscan(sendbuf, recvbuf, n, datatype, op, comm);
}

int MPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
  return below.gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

int MPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                MPI_Comm comm)
{
  return below.gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                       comm);
}

int MPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
  return below.scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

int MPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                 MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                 int root, MPI_Comm comm)
{
  return below.scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                        comm);
}

int MPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
  return below.allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                          comm);
}

int MPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                  MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                  MPI_Datatype recvtype, MPI_Comm comm)
{
  return below.alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                         recvtype, comm);
}

int MPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                  const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                  const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
  return below.alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                         recvtypes, comm);
}
