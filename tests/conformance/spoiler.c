/* A profiling tool before the runtime that spoils what plans have done, so that the suite has
   something to find: behind a planned all-to-all, a byte that the call mustn't touch; of a planned
   all-gather, the first byte; and a planned broadcast fails. */
#include <mpi.h>
#include <stdbool.h>
#include <string.h>

#include <tourney/runtime.h>

static bool was_planned(void)
{
  return tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0;
}

int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                 int receive_count, MPI_Datatype receive_type, MPI_Comm comm)
{
  const int code =
      PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
  if (was_planned() && receive != MPI_BOTTOM)
    ((char *)receive)[-9]++;
  return code;
}

int MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                  int receive_count, MPI_Datatype receive_type, MPI_Comm comm)
{
  const int code =
      PMPI_Allgather(send, send_count, send_type, receive, receive_count, receive_type, comm);
  if (was_planned() && receive_type == MPI_BYTE)
    ((char *)receive)[0] ^= 1;
  return code;
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  const int code = PMPI_Bcast(buffer, count, type, root, comm);
  return was_planned() && code == MPI_SUCCESS ? MPI_ERR_OTHER : code;
}
