/* Collectives of large counts that are only counted, as ../passthrough.c has the others. */
#include "mpi/entry/large/large.h"
#include "mpi/explain.h"
#include "mpi/record/call.h"

static void begin(const char *collective, struct tny_recorded *recorded)
{
  tny_record_call_begin(recorded);
  tny_explain_count(collective, 0, NULL, "not a collective that is planned");
}

int PMPI_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count n, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm)
{
  struct tny_recorded recorded;
  begin("scan", &recorded);
  return tny_record_call_end(
      &recorded, tny_native_large.scan(sendbuf, recvbuf, n, datatype, op, comm), comm, -1);
}

int PMPI_Exscan_c(const void *sendbuf, void *recvbuf, MPI_Count n, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm)
{
  struct tny_recorded recorded;
  begin("exscan", &recorded);
  return tny_record_call_end(
      &recorded, tny_native_large.exscan(sendbuf, recvbuf, n, datatype, op, comm), comm, -1);
}

int PMPI_Gather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                  MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
  struct tny_recorded recorded;
  begin("gather", &recorded);
  return tny_record_call_end(&recorded,
                             tny_native_large.gather(sendbuf, sendcount, sendtype, recvbuf,
                                                     recvcount, recvtype, root, comm),
                             comm, root);
}

int PMPI_Scatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
  struct tny_recorded recorded;
  begin("scatter", &recorded);
  return tny_record_call_end(&recorded,
                             tny_native_large.scatter(sendbuf, sendcount, sendtype, recvbuf,
                                                      recvcount, recvtype, root, comm),
                             comm, root);
}
