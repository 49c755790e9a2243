/* Threads race for a counter in it: preloaded, it shows that ThreadSanitizer sees what it is to
   see. */
#include <mpi.h>

static int calls;

double MPI_Wtime(void)
{
  calls++;
  return PMPI_Wtime() + (calls < 0);
}
