/* An MPI program whose ranks enter the same collectives by different names. Prints a line: how many
   numbers were wrong.
   usage: entry_points WAYS  (a letter a rank: m MPI_*, p PMPI_*, f Fortran where it is linked in)
   MPI_Init, MPI_Init_thread or their PMPI_* are called by the letter too. */
#include "entry_points_support.h"

#include <stdio.h>
#include <string.h>

#pragma weak exchange_fortran

int main(int argc, char **argv)
{
  int rank, size, level, wrong = 0, by_pmpi = argc > 1 && argv[1][0] == 'p';
  const char *ways = argc > 1 ? argv[1] : "";
  if (by_pmpi)
    PMPI_Init(&argc, &argv);
  else
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strlen(ways) != (size_t)size || (ways[rank] == 'f' && !exchange_fortran))
    MPI_Abort(MPI_COMM_WORLD, 2);
  by_pmpi = ways[rank] == 'p';
  if (ways[rank] == 'f')
    exchange_fortran(&wrong);
  else
    exchange_c(&by_pmpi, &wrong);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d wrong\n", wrong);
  if (by_pmpi)
    PMPI_Finalize();
  else
    MPI_Finalize();
  return wrong != 0;
}
