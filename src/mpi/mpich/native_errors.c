/* MPICH gives the errors of all requests to the handler of MPI_COMM_WORLD, which by default ends
   the job, and has broadcasts fail whose ranks don't have the same room. */
#include "mpi/native_errors.h"

struct tny_handler_aside tny_handler_set_aside(bool threads_multiple)
{
  struct tny_handler_aside aside = {.is_set = false};
  if (threads_multiple || PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &aside.handler) != MPI_SUCCESS)
    return aside;
  aside.is_set = true;
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  return aside;
}

void tny_handler_put_back(struct tny_handler_aside *aside)
{
  if (!aside->is_set)
    return;
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, aside->handler);
  PMPI_Errhandler_free(&aside->handler);
}

int tny_code_of_room_left(void)
{
  return MPI_ERR_OTHER;
}
