/* What MPI programs that the tool starts need first. */
#include "bench/world.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* POSIX allows to copy dlsym's result through an object pointer. */
bool bench_find_function(const char *name, void *function)
{
  void *address = dlsym(RTLD_DEFAULT, name);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

bool bench_is_everywhere(bool here, MPI_Comm comm)
{
  int mine = here, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
  return all;
}

void bench_report_hosts(void)
{
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length, rank, rank_count;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  MPI_Get_processor_name(name, &length);
  char *names = rank ? NULL : malloc((size_t)rank_count * sizeof name);
  if (!rank && !names)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Gather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (names) {
    printf("ranks %d\n", rank_count);
    for (int r = 0; r < rank_count; r++)
      printf("rank %d host %s\n", r, names + (size_t)r * sizeof name);
    fflush(stdout);
  }
  free(names);
}
