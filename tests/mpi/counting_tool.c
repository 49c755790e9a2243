/* A small profiling tool, as MPI's profiling interface wants it: counts this rank's calls, and rank
   0 says at MPI_Finalize what it has counted. */
#include <mpi.h>
#include <stdio.h>

static int inits, bcasts, allgathers, alltoalls, barriers, frees;

int MPI_Init(int *argc, char ***argv)
{
  inits++;
  return PMPI_Init(argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
  inits++;
  return PMPI_Init_thread(argc, argv, required, provided);
}

int MPI_Finalize(void)
{
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    fprintf(stderr,
            "counted: %d init, %d bcast, %d allgather, %d alltoall, %d barrier, %d comm_free\n",
            inits, bcasts, allgathers, alltoalls, barriers, frees);
  return PMPI_Finalize();
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  bcasts++;
  return PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                  int count, MPI_Datatype type, MPI_Comm comm)
{
  allgathers++;
  return PMPI_Allgather(send, send_count, send_type, receive, count, type, comm);
}

int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive, int count,
                 MPI_Datatype type, MPI_Comm comm)
{
  alltoalls++;
  return PMPI_Alltoall(send, send_count, send_type, receive, count, type, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
  barriers++;
  return PMPI_Barrier(comm);
}

int MPI_Comm_free(MPI_Comm *comm)
{
  frees++;
  return PMPI_Comm_free(comm);
}
