/* The MPI functions that Tourney takes over through the profiling interface. */
#include "mpi/runtime.h"

int MPI_Init(int *argc, char ***argv)
{
  const int code = PMPI_Init(argc, argv);
  if (code == MPI_SUCCESS)
    tny_world_open();
  return code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  if (code == MPI_SUCCESS)
    tny_world_open();
  return code;
}

int MPI_Finalize(void)
{
  tny_world_close();
  return PMPI_Finalize();
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
  const struct tny_call call = {.collective = TNY_BROADCAST,
                                .receive = buffer,
                                .receive_count = count,
                                .receive_type = datatype,
                                .root = root,
                                .comm = comm};
  int code;
  return tny_serve(&call, &code) ? code : PMPI_Bcast(buffer, count, datatype, root, comm);
}

int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
  const struct tny_call call = {.collective = TNY_ALLGATHER,
                                .send = sendbuf,
                                .send_count = sendcount,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_count = recvcount,
                                .receive_type = recvtype,
                                .comm = comm};
  int code;
  return tny_serve(&call, &code)
             ? code
             : PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
  const struct tny_call call = {.collective = TNY_ALLTOALL,
                                .send = sendbuf,
                                .send_count = sendcount,
                                .send_type = sendtype,
                                .receive = recvbuf,
                                .receive_count = recvcount,
                                .receive_type = recvtype,
                                .comm = comm};
  int code;
  return tny_serve(&call, &code)
             ? code
             : PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}
