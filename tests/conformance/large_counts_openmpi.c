/* Functions of large counts: Open MPI 4 has none. */
#include "large_counts.h"

int call_large(const struct call *call)
{
  (void)call;
  return MPI_ERR_UNSUPPORTED_OPERATION;
}
