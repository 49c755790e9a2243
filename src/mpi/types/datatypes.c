/* Which datatypes are plain bytes. That the size is the extent isn't enough: blocks of an indexed
   type may lie in reverse order. So the type is taken apart into what it was made of; only makings
   that keep the order are followed: copies, elements in a row, and new bounds. */
#include "mpi/types/datatypes.h"

#include "mpi/types/taken_apart.h"

/* Without gaps, and from the buffer's address on. */
static int has_no_gaps(MPI_Datatype type, bool *is_dense)
{
  MPI_Count lower_bound, extent, size;
  int code = PMPI_Type_get_extent_x(type, &lower_bound, &extent);
  if (code == MPI_SUCCESS)
    code = PMPI_Type_size_x(type, &size);
  *is_dense = code == MPI_SUCCESS && lower_bound == 0 && extent == size;
  return code;
}

/* Is it one of the MPI's own, or of Fortran's kinds, which are theirs? */
static bool is_predefined(int combiner)
{
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER ||
         combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX;
}

/* Is it made of one other type, in whose order it is? */
static bool keeps_order(int combiner)
{
  return combiner == MPI_COMBINER_DUP || combiner == MPI_COMBINER_CONTIGUOUS ||
         combiner == MPI_COMBINER_RESIZED;
}

static int free_unless_predefined(MPI_Datatype *type)
{
  int combiner;
  const int code = tny_type_combiner(*type, &combiner);
  return code == MPI_SUCCESS && !is_predefined(combiner) ? PMPI_Type_free(type) : code;
}

int tny_type_look_at(MPI_Datatype type, bool *is_bytes)
{
  int combiner;
  int code = has_no_gaps(type, is_bytes);
  if (code != MPI_SUCCESS || !*is_bytes)
    return code;
  code = tny_type_combiner(type, &combiner);
  if (code != MPI_SUCCESS || is_predefined(combiner))
    return code;
  *is_bytes = false;
  if (!keeps_order(combiner))
    return code;
  MPI_Datatype inner;
  code = tny_type_inner(type, &inner);
  if (code != MPI_SUCCESS)
    return code;
  code = tny_type_look_at(inner, is_bytes);
  const int freed = free_unless_predefined(&inner);
  return code == MPI_SUCCESS ? freed : code;
}

int tny_type_is_elementary(MPI_Datatype type, bool *is_elementary)
{
  int combiner;
  int code = has_no_gaps(type, is_elementary);
  if (code == MPI_SUCCESS && *is_elementary) {
    code = tny_type_combiner(type, &combiner);
    *is_elementary = code == MPI_SUCCESS && is_predefined(combiner);
  }
  return code;
}

/* An element of it is received from nobody. MPICH looks at the type only where there is one. */
bool tny_type_is_usable(MPI_Datatype type, MPI_Comm self)
{
  char nothing;
  return PMPI_Recv(&nothing, 1, type, MPI_PROC_NULL, 0, self, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}
