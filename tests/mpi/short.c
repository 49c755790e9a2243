/* What a broadcast of 8 bytes takes: prints nanoseconds, of each rank the least of many rounds, of
   the ranks the most. BINDING (compiled in): 0 for C, 4 for C with MPI_Ibcast and MPI_Wait, else as
   in short_calls.F90.
   usage: short */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

enum { CALLS = 1000, ROUNDS = 400 };

/* Broadcasts a number so many times from the first rank. */
#if BINDING == 0
static void broadcast(int calls)
{
  uint64_t number = 0;
  for (int i = 0; i < calls; i++)
    MPI_Bcast(&number, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
}
#elif BINDING == 4
static void broadcast(int calls)
{
  uint64_t number = 0;
  MPI_Request request;
  for (int i = 0; i < calls; i++) {
    MPI_Ibcast(&number, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}
#else
void broadcast(int calls);
#endif

int main(int argc, char **argv)
{
  int rank;
  double least = 1e9, most;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < ROUNDS; round++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    broadcast(CALLS);
    const double ns = (MPI_Wtime() - begin) / CALLS * 1e9;
    if (ns < least)
      least = ns;
  }
  MPI_Reduce(&least, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.0f\n", most);
  MPI_Finalize();
  return 0;
}
