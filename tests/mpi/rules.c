/* An MPI program without the runtime: says which sizes of an all-to-all the MPI's own algorithms
   serve. An algorithm for two ranks that a rules file forces on three refuses them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES_MAX = 4096 };

int main(int argc, char **argv)
{
  static const int sizes[] = {64, 512, 513, BYTES_MAX};
  int rank, p;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  char *sent = calloc((size_t)p, BYTES_MAX), *received = calloc((size_t)p, BYTES_MAX);
  if (!sent || !received)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int code =
        MPI_Alltoall(sent, sizes[i], MPI_BYTE, received, sizes[i], MPI_BYTE, MPI_COMM_WORLD);
    if (rank == 0)
      printf("%d %s\n", sizes[i], code == MPI_SUCCESS ? "served" : "refused");
  }
  free(sent);
  free(received);
  MPI_Finalize();
  return 0;
}
