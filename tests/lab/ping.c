/* Ranks 0 and 1 send a message to and fro; rank 0 checks what comes back, and prints the least, the
   median and the most of the round trips in microseconds.
   usage: ping BYTES COUNT */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int bytes = argc > 2 ? (int)strtol(argv[1], NULL, 10) : 0;
  const int count = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0;
  if (size < 2 || bytes <= 0 || count <= 0) {
    fputs("usage: ping BYTES COUNT, under two ranks or more\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  unsigned char *out = malloc((size_t)bytes), *in = calloc(1, (size_t)bytes);
  double *took_us = malloc((size_t)count * sizeof *took_us);
  if (!out || !in || !took_us)
    MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int turn = -2; turn < count; turn++) { /* The first two open connections. */
    if (rank == 0) {
      for (int i = 0; i < bytes; i++)
        out[i] = (unsigned char)(turn + i / 3);
      const double begin = MPI_Wtime();
      MPI_Send(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(in, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (turn >= 0)
        took_us[turn] = 1e6 * (MPI_Wtime() - begin);
      if (memcmp(in, out, (size_t)bytes) != 0) {
        fputs("wrong bytes came back\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
      }
    } else if (rank == 1) {
      MPI_Recv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
  }
  if (rank == 0) {
    qsort(took_us, (size_t)count, sizeof *took_us, compare);
    printf("%.1f %.1f %.1f\n", took_us[0], took_us[count / 2], took_us[count - 1]);
  }
  free(out);
  free(in);
  free(took_us);
  MPI_Finalize();
  return 0;
}
