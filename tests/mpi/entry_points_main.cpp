// As entry_points.c, in C++: the MPI is initialised here, where no library has done that, and used by C and by Fortran.
// usage: entry_points_main WAYS   (a letter a rank: f Fortran, m MPI_* in C)
#include <cstdio>
#include <cstring>
#include <mpi.h>

extern "C" {
void exchange_c(const int *by_pmpi, int *wrong);
void exchange_fortran(int *wrong);
}

int main(int argc, char **argv)
{
  int is_initialised, rank, size, wrong = 0;
  const int by_pmpi = 0;
  MPI_Initialized(&is_initialised);
  if (!is_initialised)
    MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 2 || std::strlen(argv[1]) != static_cast<std::size_t>(size))
    MPI_Abort(MPI_COMM_WORLD, 2);
  if (argv[1][rank] == 'f')
    exchange_fortran(&wrong);
  else
    exchange_c(&by_pmpi, &wrong);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%d wrong\n", wrong);
  MPI_Finalize();
  return wrong != 0;
}
