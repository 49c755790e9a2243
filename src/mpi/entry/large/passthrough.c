/* Collectives of large counts that are only counted, as ../passthrough.c has the others. */
#include "mpi/entry/large/large.h"
#include "mpi/explain.h"

static void count(const char *collective)
{
  tny_explain_count(collective, 0, NULL, "not a collective that is planned");
}

int PMPI_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count n, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm)
{
  count("scan");
  return tny_native_large.scan(sendbuf, recvbuf, n, datatype, op, comm);
}

int PMPI_Exscan_c(const void *sendbuf, void *recvbuf, MPI_Count n, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm)
{
  count("exscan");
  return tny_native_large.exscan(sendbuf, recvbuf, n, datatype, op, comm);
}

int PMPI_Gather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                  MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
  count("gather");
  return tny_native_large.gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                                 comm);
}

int PMPI_Scatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
  count("scatter");
  return tny_native_large.scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                                  comm);
}
