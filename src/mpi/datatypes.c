/* Which datatypes are plain bytes. That the size is the extent isn't enough: blocks of an indexed
   type may lie in reverse order. So the type is taken apart into what it was made of; only makings
   that keep the order are followed: copies, elements in a row, and new bounds. */
#include "mpi/datatypes.h"

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

/* Is it made of one other type, in whose order it is? Such have at most one integer and two
   addresses. */
static bool keeps_order(int combiner)
{
  return combiner == MPI_COMBINER_DUP || combiner == MPI_COMBINER_CONTIGUOUS ||
         combiner == MPI_COMBINER_RESIZED;
}

/* The type that this one was made of; the caller's to free where it isn't predefined. */
static int take_apart(MPI_Datatype type, MPI_Datatype *inner)
{
  int integers[1], integer_count, address_count, type_count, combiner;
  MPI_Aint addresses[2];
  const int code =
      PMPI_Type_get_envelope(type, &integer_count, &address_count, &type_count, &combiner);
  return code == MPI_SUCCESS ? PMPI_Type_get_contents(type, integer_count, address_count,
                                                      type_count, integers, addresses, inner)
                             : code;
}

static int free_unless_predefined(MPI_Datatype *type)
{
  int integer_count, address_count, type_count, combiner;
  const int code =
      PMPI_Type_get_envelope(*type, &integer_count, &address_count, &type_count, &combiner);
  return code == MPI_SUCCESS && !is_predefined(combiner) ? PMPI_Type_free(type) : code;
}

int tny_type_look_at(MPI_Datatype type, bool *is_bytes)
{
  int integer_count, address_count, type_count, combiner;
  int code = has_no_gaps(type, is_bytes);
  if (code != MPI_SUCCESS || !*is_bytes)
    return code;
  code = PMPI_Type_get_envelope(type, &integer_count, &address_count, &type_count, &combiner);
  if (code != MPI_SUCCESS || is_predefined(combiner))
    return code;
  *is_bytes = false;
  if (!keeps_order(combiner))
    return code;
  MPI_Datatype inner;
  code = take_apart(type, &inner);
  if (code != MPI_SUCCESS)
    return code;
  code = tny_type_look_at(inner, is_bytes);
  const int freed = free_unless_predefined(&inner);
  return code == MPI_SUCCESS ? freed : code;
}
