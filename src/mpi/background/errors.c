/* Open MPI takes the error of a generalized request to the error handler of MPI_COMM_WORLD, as it
   knows no communicator of it. So that handler is ours for that one error: it puts the program's
   own back, and calls the handler of the communicator that the error belongs to. */
#include "mpi/background/errors.h"

#include <pthread.h>
#include <stdbool.h>

static struct {
  pthread_mutex_t lock;
  bool is_set;
  MPI_Errhandler before; /* of MPI_COMM_WORLD, while ours is set */
} redirection = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The error that this thread's call is about to raise. */
static _Thread_local struct {
  MPI_Comm comm;
  int code;
} raised;

static void put_back(void)
{
  pthread_mutex_lock(&redirection.lock);
  if (redirection.is_set) {
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, redirection.before);
    PMPI_Errhandler_free(&redirection.before);
  }
  redirection.is_set = false;
  pthread_mutex_unlock(&redirection.lock);
}

/* Another error of MPI_COMM_WORLD that comes before is the program's own handler's. */
static void on_error(MPI_Comm *comm, int *code, ...)
{
  const bool is_ours = *code == raised.code && *comm == MPI_COMM_WORLD;
  put_back();
  PMPI_Comm_call_errhandler(is_ours ? raised.comm : *comm, *code);
  raised.code = MPI_SUCCESS;
}

void tny_errors_redirect(MPI_Comm comm, int code)
{
  MPI_Errhandler ours;
  raised.comm = comm;
  raised.code = code;
  if (comm == MPI_COMM_WORLD)
    return;
  pthread_mutex_lock(&redirection.lock);
  if (!redirection.is_set &&
      PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &redirection.before) == MPI_SUCCESS &&
      PMPI_Comm_create_errhandler(on_error, &ours) == MPI_SUCCESS) {
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, ours);
    PMPI_Errhandler_free(&ours);
    redirection.is_set = true;
  }
  pthread_mutex_unlock(&redirection.lock);
}
