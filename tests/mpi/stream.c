/* Every rank but the last sends to the last, all at once; rank 0 prints the rate that arrives, in
   Mbit/s. Two ranks make a stream, more an incast.
   usage: stream BYTES */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int bytes = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 0;
  if (size < 2 || bytes <= 0) {
    fputs("usage: stream BYTES, under two ranks or more\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const size_t senders = (size_t)size - 1;
  char *messages = calloc(senders, (size_t)bytes);
  MPI_Request *requests = calloc(senders, sizeof *requests);
  if (!messages || !requests)
    MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (rank < size - 1) {
    MPI_Send(messages, bytes, MPI_BYTE, size - 1, 0, MPI_COMM_WORLD);
  } else {
    for (int sender = 0; sender < size - 1; sender++)
      MPI_Irecv(messages + (size_t)sender * (size_t)bytes, bytes, MPI_BYTE, sender, 0,
                MPI_COMM_WORLD, &requests[sender]);
    MPI_Waitall(size - 1, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.2f\n", 8e-6 * bytes * (size - 1) / (MPI_Wtime() - begin));
  free(requests);
  free(messages);
  MPI_Finalize();
  return 0;
}
