/* Persistent collectives: MPICH has them by the names of MPI 4. */
#include "persistent.h"

const struct persistent_functions persistent = {
    .bcast = MPI_Bcast_init,
    .allgather = MPI_Allgather_init,
    .alltoall = MPI_Alltoall_init,
    .allgatherv = MPI_Allgatherv_init,
    .alltoallv = MPI_Alltoallv_init,
    .alltoallw = MPI_Alltoallw_init,
    .gatherv = MPI_Gatherv_init,
    .scatterv = MPI_Scatterv_init,
};
