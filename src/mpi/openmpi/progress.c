/* Open MPI calls functions that are registered for it from the loop in which all its calls wait and
   test: its own nonblocking collectives and windows go on by that. Those that register functions
   are exported by 4.x and 5.x alike (opal/runtime/opal_progress.h). */
#include "mpi/background/progress.h"

#include <string.h>

#include "mpi/native.h"

static struct {
  int (*add)(tny_progress_function *function);
  int (*remove)(tny_progress_function *function);
  void (*make)(void);
} hook;

bool tny_progress_is_possible(void)
{
  const void *add = tny_mpi_find("opal_progress_register");
  const void *remove = tny_mpi_find("opal_progress_unregister");
  const void *make = tny_mpi_find("opal_progress");
  memcpy(&hook.add, &add, sizeof add);
  memcpy(&hook.remove, &remove, sizeof remove);
  memcpy(&hook.make, &make, sizeof make);
  return add && remove && make;
}

bool tny_progress_begin(tny_progress_function *function)
{
  return hook.add(function) == 0;
}

void tny_progress_end(tny_progress_function *function)
{
  hook.remove(function);
}

void tny_progress_make(void)
{
  hook.make();
}
