/* Nonblocking collectives of large counts: native, and counted, as in ../nonblocking.c. */
#include "mpi/entry/large/large.h"
#include "mpi/explain.h"

static void count(const char *collective)
{
  tny_explain_count(collective, 0, NULL, "nonblocking, and not one that is planned");
}

int PMPI_Ibcast_c(void *buffer, MPI_Count n, MPI_Datatype datatype, int root, MPI_Comm comm,
                  MPI_Request *request)
{
  count("ibcast");
  return tny_native_large.ibcast(buffer, n, datatype, root, comm, request);
}

int PMPI_Igather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                   MPI_Request *request)
{
  count("igather");
  return tny_native_large.igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                                  comm, request);
}

int PMPI_Igatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                    int root, MPI_Comm comm, MPI_Request *request)
{
  count("igatherv");
  return tny_native_large.igatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                   recvtype, root, comm, request);
}

int PMPI_Iscatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                    MPI_Request *request)
{
  count("iscatter");
  return tny_native_large.iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                                   comm, request);
}

int PMPI_Iscatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                     MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
  count("iscatterv");
  return tny_native_large.iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                    recvtype, root, comm, request);
}

int PMPI_Iallgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                      MPI_Request *request)
{
  count("iallgather");
  return tny_native_large.iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                     comm, request);
}

int PMPI_Iallgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
  count("iallgatherv");
  return tny_native_large.iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                      recvtype, comm, request);
}

int PMPI_Ialltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                     MPI_Request *request)
{
  count("ialltoall");
  return tny_native_large.ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                    comm, request);
}

int PMPI_Ialltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                      const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                      MPI_Request *request)
{
  count("ialltoallv");
  return tny_native_large.ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                     rdispls, recvtype, comm, request);
}

int PMPI_Ialltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                      const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                      MPI_Request *request)
{
  count("ialltoallw");
  return tny_native_large.ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                     rdispls, recvtypes, comm, request);
}

int PMPI_Ireduce_c(const void *sendbuf, void *recvbuf, MPI_Count n, MPI_Datatype datatype,
                   MPI_Op op, int root, MPI_Comm comm, MPI_Request *request)
{
  count("ireduce");
  return tny_native_large.ireduce(sendbuf, recvbuf, n, datatype, op, root, comm, request);
}

int PMPI_Iallreduce_c(const void *sendbuf, void *recvbuf, MPI_Count n, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
  count("iallreduce");
  return tny_native_large.iallreduce(sendbuf, recvbuf, n, datatype, op, comm, request);
}

int PMPI_Ireduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
  count("ireduce_scatter");
  return tny_native_large.ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm,
                                          request);
}

int PMPI_Ireduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                 MPI_Request *request)
{
  count("ireduce_scatter_block");
  return tny_native_large.ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm,
                                                request);
}

int PMPI_Iscan_c(const void *sendbuf, void *recvbuf, MPI_Count n, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm, MPI_Request *request)
{
  count("iscan");
  return tny_native_large.iscan(sendbuf, recvbuf, n, datatype, op, comm, request);
}

int PMPI_Iexscan_c(const void *sendbuf, void *recvbuf, MPI_Count n, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
  count("iexscan");
  return tny_native_large.iexscan(sendbuf, recvbuf, n, datatype, op, comm, request);
}

int PMPI_Ineighbor_allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                               void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                               MPI_Comm comm, MPI_Request *request)
{
  count("ineighbor_allgather");
  return tny_native_large.ineighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                              recvtype, comm, request);
}

int PMPI_Ineighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                void *recvbuf, const MPI_Count recvcounts[],
                                const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
                                MPI_Request *request)
{
  count("ineighbor_allgatherv");
  return tny_native_large.ineighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                               displs, recvtype, comm, request);
}

int PMPI_Ineighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                              void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                              MPI_Comm comm, MPI_Request *request)
{
  count("ineighbor_alltoall");
  return tny_native_large.ineighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                             recvtype, comm, request);
}

int PMPI_Ineighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[],
                               const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf,
                               const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                               MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
  count("ineighbor_alltoallv");
  return tny_native_large.ineighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                              recvcounts, rdispls, recvtype, comm, request);
}

int PMPI_Ineighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[],
                               const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                               void *recvbuf, const MPI_Count recvcounts[],
                               const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                               MPI_Comm comm, MPI_Request *request)
{
  count("ineighbor_alltoallw");
  return tny_native_large.ineighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                              recvcounts, rdispls, recvtypes, comm, request);
}
