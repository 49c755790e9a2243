/* What the first call of a collective costs more than the second, of this program's ranks: an MPI
   program, to be run with the runtime (docs/runtime.md, "Planning"). A line of CSV: ranks, bytes a
   block, what served it, the longest time of the first and of the second call at any rank, their
   difference, and the same of the ranks' processor time, added up. The times are those of ranks
   that begin together.
   usage: first_call alltoall|allgather|bcast BYTES */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <tourney/runtime.h>

enum { CALLS = 2 };

static double processor_seconds(void)
{
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void call(const char *collective, char *given, char *got, int bytes)
{
  if (strcmp(collective, "alltoall") == 0)
    MPI_Alltoall(given, bytes, MPI_BYTE, got, bytes, MPI_BYTE, MPI_COMM_WORLD);
  else if (strcmp(collective, "allgather") == 0)
    MPI_Allgather(given, bytes, MPI_BYTE, got, bytes, MPI_BYTE, MPI_COMM_WORLD);
  else
    MPI_Bcast(got, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
  int rank, p;
  double seconds[CALLS], used[CALLS], longest[CALLS], sum[CALLS];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const int bytes = argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0;
  char *given = bytes > 0 ? malloc((size_t)p * (size_t)bytes) : NULL;
  char *got = bytes > 0 ? malloc((size_t)p * (size_t)bytes) : NULL;
  if (!given || !got) {
    fprintf(stderr, "usage: first_call alltoall|allgather|bcast BYTES\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
    return 2;
  }
  memset(given, 1, (size_t)p * (size_t)bytes);
  memset(got, 2, (size_t)p * (size_t)bytes);
  for (int i = 0; i < CALLS; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begun = MPI_Wtime(), before = processor_seconds();
    call(argv[1], given, got, bytes);
    seconds[i] = MPI_Wtime() - begun;
    used[i] = processor_seconds() - before;
  }
  const char *served_by = tourney_last_algorithm ? tourney_last_algorithm() : "native";
  MPI_Reduce(seconds, longest, CALLS, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(used, sum, CALLS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("ranks,bytes,served_by,first_s,second_s,difference_s,first_cpu_s,second_cpu_s,"
           "difference_cpu_s\n");
    printf("%d,%d,%s,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f\n", p, bytes, served_by, longest[0], longest[1],
           longest[0] - longest[1], sum[0], sum[1], sum[0] - sum[1]);
  }
  free(given);
  free(got);
  MPI_Finalize();
  return 0;
}
