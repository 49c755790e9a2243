/* Waits, asleep. */
#include "mpi/handout/wait.h"

#include <stdint.h>
#include <time.h>

enum { AWAKE = 20, SHARE = 8 };
#define NAP_SECONDS_MIN 20e-6
#define NAP_SECONDS_MAX 10e-3

static void nap(double waited_seconds)
{
  double seconds = waited_seconds / SHARE;
  if (seconds < NAP_SECONDS_MIN)
    seconds = NAP_SECONDS_MIN;
  if (seconds > NAP_SECONDS_MAX)
    seconds = NAP_SECONDS_MAX;
  nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

int tny_wait_asleep(MPI_Request *request)
{
  const double start = PMPI_Wtime();
  int is_complete = 0, code = MPI_SUCCESS;
  for (uint32_t round = 0; code == MPI_SUCCESS && !is_complete; round++) {
    code = PMPI_Test(request, &is_complete, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && !is_complete && round >= AWAKE)
      nap(PMPI_Wtime() - start);
  }
  return code;
}
