/* MPICH exports no such hook. The poll function of its extended generalized requests is called only
   while that request itself is waited for; a program may stand in any other call meanwhile. */
#include "mpi/background/progress.h"

bool tny_progress_is_possible(void)
{
  return false;
}

bool tny_progress_begin(tny_progress_function *function)
{
  (void)function;
  return false;
}

void tny_progress_end(tny_progress_function *function)
{
  (void)function;
}

void tny_progress_make(void)
{
}
