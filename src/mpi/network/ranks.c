/* Agreements of a few bytes. The MPI calls' own errors go to the communicator's error handler. */
#include "mpi/network/ranks.h"

#include <string.h>

#include "core/alloc.h"
#include "mpi/native.h"

char *tny_ranks_share_text(const struct tny_ranks *ranks, const char *text)
{
  int length = text ? (int)strlen(text) : -1;
  if (tny_native.bcast(&length, 1, MPI_INT, 0, ranks->comm) != MPI_SUCCESS || length < 0)
    return NULL;
  char *copy = tny_new((size_t)length + 1, 1);
  int all_have = copy != NULL;
  tny_native.allreduce(MPI_IN_PLACE, &all_have, 1, MPI_INT, MPI_MIN, ranks->comm);
  if (!all_have) {
    tny_free(copy);
    return NULL;
  }
  if (ranks->rank == 0)
    memcpy(copy, text, (size_t)length);
  tny_native.bcast(copy, length, MPI_CHAR, 0, ranks->comm);
  return copy;
}

int tny_ranks_first_failed(const struct tny_ranks *ranks, const struct tny_error *error)
{
  int first = error->status == TNY_OK ? ranks->count : ranks->rank;
  tny_native.allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, ranks->comm);
  return first;
}
