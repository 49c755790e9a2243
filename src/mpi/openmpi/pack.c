/* Open MPI's own functions do. */
#include "mpi/pack.h"

int tny_pack(const struct tny_elements *elements, void *packed, int bytes, MPI_Comm comm)
{
  int position = 0;
  return PMPI_Pack(elements->memory, elements->count, elements->type, packed, bytes, &position,
                   comm);
}

int tny_unpack(const void *packed, int bytes, const struct tny_elements *elements, MPI_Comm comm)
{
  int position = 0;
  return PMPI_Unpack(packed, bytes, &position, elements->memory, elements->count, elements->type,
                     comm);
}
