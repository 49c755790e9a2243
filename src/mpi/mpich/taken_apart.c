/* What a datatype was made of. MPICH tells that of one made with large counts only by the functions
   of large counts, and these tell it of all. */
#include "mpi/types/taken_apart.h"

/* How many of each it was made with. */
struct envelope {
  MPI_Count integers, addresses, large_counts, types;
  int combiner;
};

static int find_envelope(MPI_Datatype type, struct envelope *envelope)
{
  return PMPI_Type_get_envelope_c(type, &envelope->integers, &envelope->addresses,
                                  &envelope->large_counts, &envelope->types, &envelope->combiner);
}

int tny_type_combiner(MPI_Datatype type, int *combiner)
{
  struct envelope envelope;
  const int code = find_envelope(type, &envelope);
  *combiner = envelope.combiner;
  return code;
}

int tny_type_inner(MPI_Datatype type, MPI_Datatype *inner)
{
  struct envelope envelope;
  int integers[1];
  MPI_Aint addresses[2];
  MPI_Count large_counts[2];
  const int code = find_envelope(type, &envelope);
  if (code != MPI_SUCCESS)
    return code;
  return PMPI_Type_get_contents_c(type, envelope.integers, envelope.addresses,
                                  envelope.large_counts, envelope.types, integers, addresses,
                                  large_counts, inner);
}
