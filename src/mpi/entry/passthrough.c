/* Collectives that Tourney doesn't serve yet: counted, and passed to the native ones untouched. */
#include "mpi/explain.h"
#include "mpi/native.h"

static void count(const char *collective)
{
  tny_explain_count(collective, 0, NULL, "not a collective that is planned");
}

int PMPI_Scan(const void *sendbuf, void *recvbuf, int n, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm)
{
  count("scan");
  return tny_native.scan(sendbuf, recvbuf, n, datatype, op, comm);
}

int PMPI_Exscan(const void *sendbuf, void *recvbuf, int n, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm)
{
  count("exscan");
  return tny_native.exscan(sendbuf, recvbuf, n, datatype, op, comm);
}

int PMPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
  count("gather");
  return tny_native.gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
  count("scatter");
  return tny_native.scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}
