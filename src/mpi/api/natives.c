/* The MPI functions that the runtime's parts call through tny_native. Nothing is taken over here,
   so that they are those that the program calls; a tool that is loaded sees them. */
#include "mpi/native.h"

__attribute__((constructor)) static void take_the_programs(void)
{
  tny_native = (struct tny_mpi){
      .comm_free = PMPI_Comm_free,
      .bcast = PMPI_Bcast,
      .allgather = PMPI_Allgather,
      .reduce = PMPI_Reduce,
      .allreduce = PMPI_Allreduce,
      .scatterv = PMPI_Scatterv,
  };
}
