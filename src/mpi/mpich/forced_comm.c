/* MPICH takes its algorithms from variables of the whole process, which it reads at every call, and
   not as a communicator is made (tests/mpi/test_mpich_ways.sh): none can be forced on one
   communicator. */
#include "mpi/forced_comm.h"

bool tny_forced_is_possible(void)
{
  return false;
}

int tny_forced_comm_make(MPI_Comm comm, const uint32_t forced[TNY_COLLECTIVE_COUNT], MPI_Comm *made)
{
  (void)comm, (void)forced;
  *made = MPI_COMM_NULL;
  return MPI_SUCCESS;
}
