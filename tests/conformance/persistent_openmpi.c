/* Persistent collectives: Open MPI 4 has them as an extension. */
#include "persistent.h"

#include <mpi-ext.h>

const struct persistent_functions persistent = {
    .bcast = MPIX_Bcast_init,
    .allgather = MPIX_Allgather_init,
    .alltoall = MPIX_Alltoall_init,
    .allgatherv = MPIX_Allgatherv_init,
    .alltoallv = MPIX_Alltoallv_init,
    .alltoallw = MPIX_Alltoallw_init,
    .gatherv = MPIX_Gatherv_init,
    .scatterv = MPIX_Scatterv_init,
    .reduce = MPIX_Reduce_init,
    .allreduce = MPIX_Allreduce_init,
    .reduce_scatter_block = MPIX_Reduce_scatter_block_init,
    .reduce_scatter = MPIX_Reduce_scatter_init,
    .neighbor_allgather = MPIX_Neighbor_allgather_init,
    .neighbor_allgatherv = MPIX_Neighbor_allgatherv_init,
    .neighbor_alltoall = MPIX_Neighbor_alltoall_init,
    .neighbor_alltoallv = MPIX_Neighbor_alltoallv_init,
    .neighbor_alltoallw = MPIX_Neighbor_alltoallw_init,
};
