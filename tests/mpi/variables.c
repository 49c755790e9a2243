/* When MPICH reads its variables of algorithms, by which src/mpi/mpich/forced_comm.c goes: on three
   ranks, recursive doubling can't gather, and with MPIR_CVAR_COLLECTIVE_FALLBACK=error that is an
   error. So an error tells that the variable was read, before the call or as the communicator was
   made. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static const char variable[] = "MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM";
enum { AUTOMATIC, RECURSIVE_DOUBLING = 3 }; /* as MPICH 4.0 numbers them */

static void set(int value)
{
  MPI_T_cvar_handle handle;
  int index, count;
  if (MPI_T_cvar_get_index(variable, &index) != MPI_SUCCESS ||
      MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS ||
      MPI_T_cvar_write(handle, &value) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_T_cvar_handle_free(&handle);
}

/* How many ranks get an error. */
static int gather(MPI_Comm comm)
{
  int rank, every[3], errors;
  MPI_Comm_rank(comm, &rank);
  const int failed = MPI_Allgather(&rank, 1, MPI_INT, every, 1, MPI_INT, comm) != MPI_SUCCESS;
  MPI_Allreduce(&failed, &errors, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return errors;
}

int main(int argc, char **argv)
{
  int level, rank;
  MPI_Comm before, within;
  MPI_Init(&argc, &argv);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &before);
  set(RECURSIVE_DOUBLING);
  MPI_Comm_dup(MPI_COMM_WORLD, &within);
  const int later = gather(before);
  set(AUTOMATIC);
  const int made = gather(within);
  if (rank == 0)
    printf("set before a call: %d errors; set as a communicator was made: %d errors\n", later,
           made);
  MPI_Comm_free(&before);
  MPI_Comm_free(&within);
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}
