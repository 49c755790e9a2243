/* The suite's program in C. usage: CONFORMANCE_LIST=FILE mpirun -n N conformance */
#include <mpi.h>

#include "conformance.h"

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  const int failed = conformance_run();
  MPI_Finalize();
  return failed != 0;
}
