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
    .reduce = MPI_Reduce_init,
    .allreduce = MPI_Allreduce_init,
    .reduce_scatter_block = MPI_Reduce_scatter_block_init,
    .reduce_scatter = MPI_Reduce_scatter_init,
    .neighbor_allgather = MPI_Neighbor_allgather_init,
    .neighbor_allgatherv = MPI_Neighbor_allgatherv_init,
    .neighbor_alltoall = MPI_Neighbor_alltoall_init,
    .neighbor_alltoallv = MPI_Neighbor_alltoallv_init,
    .neighbor_alltoallw = MPI_Neighbor_alltoallw_init,
};
