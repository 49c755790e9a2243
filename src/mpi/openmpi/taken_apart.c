/* What a datatype was made of, by the functions that every MPI has. */
#include "mpi/types/taken_apart.h"

int tny_type_combiner(MPI_Datatype type, int *combiner)
{
  int integer_count, address_count, type_count;
  return PMPI_Type_get_envelope(type, &integer_count, &address_count, &type_count, combiner);
}

int tny_type_inner(MPI_Datatype type, MPI_Datatype *inner)
{
  int integers[1], integer_count, address_count, type_count, combiner;
  MPI_Aint addresses[2];
  const int code =
      PMPI_Type_get_envelope(type, &integer_count, &address_count, &type_count, &combiner);
  return code == MPI_SUCCESS ? PMPI_Type_get_contents(type, integer_count, address_count,
                                                      type_count, integers, addresses, inner)
                             : code;
}
