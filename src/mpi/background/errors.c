/* Open MPI takes the error of a generalized request to the error handler of MPI_COMM_WORLD, as it
   knows no communicator of it. So that handler is ours until all such errors are told, of whatever
   threads: it calls the handler of the communicator that the error belongs to, and the last one
   puts the program's own back. */
#include "mpi/background/errors.h"

#include <pthread.h>
#include <stdbool.h>

static struct {
  pthread_mutex_t lock;
  unsigned thread_count; /* that are about to raise errors they have found */
  bool is_set;
  MPI_Errhandler ours, before; /* of MPI_COMM_WORLD, while it is set */
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

/* --- the handler of MPI_COMM_WORLD; with the lock held --- */

static void on_error(MPI_Comm *comm, int *code, ...);

static void set(void)
{
  if (redirection.is_set ||
      PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &redirection.before) != MPI_SUCCESS)
    return;
  redirection.is_set = PMPI_Comm_create_errhandler(on_error, &redirection.ours) == MPI_SUCCESS;
  if (redirection.is_set)
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, redirection.ours);
  else
    PMPI_Errhandler_free(&redirection.before);
}

/* Unless the program has set another one in the meantime. */
static void put_back(void)
{
  MPI_Errhandler present;
  if (!redirection.is_set || PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &present) != MPI_SUCCESS)
    return;
  if (present == redirection.ours)
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, redirection.before);
  PMPI_Errhandler_free(&present);
  PMPI_Errhandler_free(&redirection.before);
  PMPI_Errhandler_free(&redirection.ours);
  redirection.is_set = false;
}

/* --- */

/* This thread raises what it has found. `uses_own`: the program's own handler is called. */
static void begin_telling(bool uses_own)
{
  pthread_mutex_lock(&redirection.lock);
  redirection.thread_count -= found.count > 0;
  found.count = 0;
  if (uses_own || redirection.thread_count == 0)
    put_back();
  pthread_mutex_unlock(&redirection.lock);
}

/* Others may still be about to raise theirs. */
static void end_telling(void)
{
  pthread_mutex_lock(&redirection.lock);
  if (redirection.thread_count > 0)
    set();
  pthread_mutex_unlock(&redirection.lock);
}

/* A communicator that was made of MPI_COMM_WORLD in the meantime has got our handler with it. */
static void give_own(MPI_Comm comm)
{
  MPI_Errhandler own;
  if (PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &own) != MPI_SUCCESS)
    return;
  PMPI_Comm_set_errhandler(comm, own);
  PMPI_Errhandler_free(&own);
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
  const bool is_inherited = *comm != MPI_COMM_WORLD;
  const MPI_Comm told = is_inherited ? *comm : find_first(*code);
  const bool uses_own = is_inherited || told == MPI_COMM_WORLD;
  begin_telling(uses_own);
  if (is_inherited)
    give_own(told);
  PMPI_Comm_call_errhandler(told, *code);
  if (uses_own)
    end_telling();
}

void tny_errors_redirect(MPI_Comm comm, int code)
{
  pthread_mutex_lock(&redirection.lock);
  redirection.thread_count += found.count == 0;
  note(comm, code);
  set();
  pthread_mutex_unlock(&redirection.lock);
}
