/* The MPI's own functions; entry/intercepted.c finds them when the library is loaded. */
#include "mpi/native.h"

#include <dlfcn.h>

struct tny_mpi tny_native;

const void *tny_mpi_find(const char *name)
{
  return dlsym(RTLD_NEXT, name);
}
