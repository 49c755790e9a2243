/* Collectives that Tourney doesn't serve yet: counted, and passed to the native ones untouched. */
#include "mpi/explain.h"
#include "mpi/native.h"
#include "mpi/record/call.h"

static void begin(const char *collective, struct tny_recorded *recorded)
{
  tny_record_call_begin(recorded);
  tny_explain_count(collective, 0, NULL, "not a collective that is planned");
}

int PMPI_Scan(const void *sendbuf, void *recvbuf, int n, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm)
{
  struct tny_recorded recorded;
  begin("scan", &recorded);
  return tny_record_call_end(&recorded, tny_native.scan(sendbuf, recvbuf, n, datatype, op, comm),
                             comm, -1);
}

int PMPI_Exscan(const void *sendbuf, void *recvbuf, int n, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm)
{
  struct tny_recorded recorded;
  begin("exscan", &recorded);
  return tny_record_call_end(&recorded, tny_native.exscan(sendbuf, recvbuf, n, datatype, op, comm),
                             comm, -1);
}

int PMPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
  struct tny_recorded recorded;
  begin("gather", &recorded);
  return tny_record_call_end(
      &recorded,
      tny_native.gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
      comm, root);
}

int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
  struct tny_recorded recorded;
  begin("scatter", &recorded);
  return tny_record_call_end(
      &recorded,
      tny_native.scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
      comm, root);
}
