/* MPICH 4.0 refuses to pack from MPI_BOTTOM, the null pointer, though a type of addresses is right
   there. So the elements of such a type are packed from another address, by a type that lies as
   much lower. */
#include "mpi/pack.h"

#include <stddef.h>
#include <stdint.h>

enum { OTHER_ADDRESS = 1 };

/* The same elements from an address that isn't null; *made is to be freed where it isn't
   MPI_DATATYPE_NULL. */
static int move(const struct tny_elements *elements, struct tny_elements *moved, MPI_Datatype *made)
{
  const MPI_Aint lower = -OTHER_ADDRESS;
  *moved = *elements;
  *made = MPI_DATATYPE_NULL;
  if (elements->memory)
    return MPI_SUCCESS;
  MPI_Aint lower_bound, extent;
  MPI_Datatype once;
  int code = PMPI_Type_get_extent(elements->type, &lower_bound, &extent);
  if (code == MPI_SUCCESS)
    code = PMPI_Type_create_hindexed_block(1, 1, &lower, elements->type, &once);
  if (code != MPI_SUCCESS)
    return code;
  code = PMPI_Type_create_resized(once, lower_bound + lower, extent, made);
  PMPI_Type_free(&once);
  if (code == MPI_SUCCESS)
    code = PMPI_Type_commit(made);
  moved->memory = (void *)(uintptr_t)OTHER_ADDRESS;
  moved->type = *made;
  return code;
}

int tny_pack(const struct tny_elements *elements, void *packed, int bytes, MPI_Comm comm)
{
  struct tny_elements moved;
  MPI_Datatype made;
  int position = 0, code = move(elements, &moved, &made);
  if (code == MPI_SUCCESS)
    code = PMPI_Pack(moved.memory, moved.count, moved.type, packed, bytes, &position, comm);
  if (made != MPI_DATATYPE_NULL)
    PMPI_Type_free(&made);
  return code;
}

int tny_unpack(const void *packed, int bytes, const struct tny_elements *elements, MPI_Comm comm)
{
  struct tny_elements moved;
  MPI_Datatype made;
  int position = 0, code = move(elements, &moved, &made);
  if (code == MPI_SUCCESS)
    code = PMPI_Unpack(packed, bytes, &position, moved.memory, moved.count, moved.type, comm);
  if (made != MPI_DATATYPE_NULL)
    PMPI_Type_free(&made);
  return code;
}
