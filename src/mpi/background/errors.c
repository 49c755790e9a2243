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

/* Errors that a call of this thread is about to raise. One call may find several, in the order of
   its requests; of these the MPI raises the first. */
enum { FOUND_MAX = 16 };
static _Thread_local struct {
  int count;
  struct {
    MPI_Comm comm;
    int code;
  } list[FOUND_MAX];
} found;

/* Notes one, unless it is there or there are so many. */
static void note(MPI_Comm comm, int code)
{
  for (int i = 0; i < found.count; i++)
    if (found.list[i].comm == comm && found.list[i].code == code)
      return;
  if (found.count == FOUND_MAX)
    return;
  found.list[found.count].comm = comm;
  found.list[found.count++].code = code;
}

/* The communicator of the first one with this code, or MPI_COMM_WORLD. */
static MPI_Comm find_first(int code)
{
  for (int i = 0; i < found.count; i++)
    if (found.list[i].code == code)
      return found.list[i].comm;
  return MPI_COMM_WORLD;
}

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
  const MPI_Comm told = *comm == MPI_COMM_WORLD ? find_first(*code) : *comm;
  put_back();
  found.count = 0;
  PMPI_Comm_call_errhandler(told, *code);
}

void tny_errors_redirect(MPI_Comm comm, int code)
{
  MPI_Errhandler ours;
  note(comm, code);
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
