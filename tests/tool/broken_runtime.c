/* A runtime that gets one byte wrong, for the test that the bench's ranks find it: rank 1 ends a
   planned all-to-all with a flipped bit in the last byte of block 0. */
#include <mpi.h>

#include <stddef.h>

#include <tourney/runtime.h>

#define EXPORTED __attribute__((visibility("default")))

static int is_native;

EXPORTED const char *tourney_last_algorithm(void)
{
  return "broken";
}

EXPORTED void tourney_set_native(int on)
{
  is_native = on;
}

EXPORTED int tourney_is_trying(void)
{
  return 0;
}

EXPORTED int MPI_Alltoall(const void *input, int input_count, MPI_Datatype input_type, void *output,
                          int output_count, MPI_Datatype output_type, MPI_Comm comm)
{
  int rank;
  const int code =
      PMPI_Alltoall(input, input_count, input_type, output, output_count, output_type, comm);
  PMPI_Comm_rank(comm, &rank);
  if (rank == 1 && !is_native)
    ((char *)output)[output_count - 1] ^= 1;
  return code;
}
