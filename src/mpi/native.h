/* The MPI functions that this library exports itself, under both of their names. Within the runtime
   they are called through `tny_native` only: PMPI_Bcast, say, is ours. */
#ifndef TOURNEY_MPI_NATIVE_H
#define TOURNEY_MPI_NATIVE_H

#include "mpi/mpi4.h"

/* Their types, a member for each row of the table in entry/intercepted.c. */
struct tny_mpi {
  __typeof__(PMPI_Init) *init;
  __typeof__(PMPI_Init_thread) *init_thread;
  __typeof__(PMPI_Finalize) *finalize;
  __typeof__(PMPI_Comm_free) *comm_free;
  __typeof__(PMPI_Comm_disconnect) *comm_disconnect;
  __typeof__(PMPI_Bcast) *bcast;
  __typeof__(PMPI_Allgather) *allgather;
  __typeof__(PMPI_Alltoall) *alltoall;
  __typeof__(PMPI_Barrier) *barrier;
  __typeof__(PMPI_Reduce) *reduce;
  __typeof__(PMPI_Allreduce) *allreduce;
  __typeof__(PMPI_Reduce_scatter) *reduce_scatter;
  __typeof__(PMPI_Reduce_scatter_block) *reduce_scatter_block;
  __typeof__(PMPI_Scan) *scan;
  __typeof__(PMPI_Exscan) *exscan;
  __typeof__(PMPI_Gather) *gather;
  __typeof__(PMPI_Gatherv) *gatherv;
  __typeof__(PMPI_Scatter) *scatter;
  __typeof__(PMPI_Scatterv) *scatterv;
  __typeof__(PMPI_Allgatherv) *allgatherv;
  __typeof__(PMPI_Alltoallv) *alltoallv;
  __typeof__(PMPI_Alltoallw) *alltoallw;
  __typeof__(PMPI_Neighbor_allgather) *neighbor_allgather;
  __typeof__(PMPI_Neighbor_allgatherv) *neighbor_allgatherv;
  __typeof__(PMPI_Neighbor_alltoall) *neighbor_alltoall;
  __typeof__(PMPI_Neighbor_alltoallv) *neighbor_alltoallv;
  __typeof__(PMPI_Neighbor_alltoallw) *neighbor_alltoallw;
  __typeof__(PMPI_Ibarrier) *ibarrier;
  __typeof__(PMPI_Ibcast) *ibcast;
  __typeof__(PMPI_Igather) *igather;
  __typeof__(PMPI_Igatherv) *igatherv;
  __typeof__(PMPI_Iscatter) *iscatter;
  __typeof__(PMPI_Iscatterv) *iscatterv;
  __typeof__(PMPI_Iallgather) *iallgather;
  __typeof__(PMPI_Iallgatherv) *iallgatherv;
  __typeof__(PMPI_Ialltoall) *ialltoall;
  __typeof__(PMPI_Ialltoallv) *ialltoallv;
  __typeof__(PMPI_Ialltoallw) *ialltoallw;
  __typeof__(PMPI_Ireduce) *ireduce;
  __typeof__(PMPI_Iallreduce) *iallreduce;
  __typeof__(PMPI_Ireduce_scatter) *ireduce_scatter;
  __typeof__(PMPI_Ireduce_scatter_block) *ireduce_scatter_block;
  __typeof__(PMPI_Iscan) *iscan;
  __typeof__(PMPI_Iexscan) *iexscan;
  __typeof__(PMPI_Ineighbor_allgather) *ineighbor_allgather;
  __typeof__(PMPI_Ineighbor_allgatherv) *ineighbor_allgatherv;
  __typeof__(PMPI_Ineighbor_alltoall) *ineighbor_alltoall;
  __typeof__(PMPI_Ineighbor_alltoallv) *ineighbor_alltoallv;
  __typeof__(PMPI_Ineighbor_alltoallw) *ineighbor_alltoallw;
  __typeof__(PMPI_Barrier_init) *barrier_init;
  __typeof__(PMPI_Bcast_init) *bcast_init;
  __typeof__(PMPI_Gather_init) *gather_init;
  __typeof__(PMPI_Gatherv_init) *gatherv_init;
  __typeof__(PMPI_Scatter_init) *scatter_init;
  __typeof__(PMPI_Scatterv_init) *scatterv_init;
  __typeof__(PMPI_Allgather_init) *allgather_init;
  __typeof__(PMPI_Allgatherv_init) *allgatherv_init;
  __typeof__(PMPI_Alltoall_init) *alltoall_init;
  __typeof__(PMPI_Alltoallv_init) *alltoallv_init;
  __typeof__(PMPI_Alltoallw_init) *alltoallw_init;
  __typeof__(PMPI_Reduce_init) *reduce_init;
  __typeof__(PMPI_Allreduce_init) *allreduce_init;
  __typeof__(PMPI_Reduce_scatter_init) *reduce_scatter_init;
  __typeof__(PMPI_Reduce_scatter_block_init) *reduce_scatter_block_init;
  __typeof__(PMPI_Scan_init) *scan_init;
  __typeof__(PMPI_Exscan_init) *exscan_init;
  __typeof__(PMPI_Neighbor_allgather_init) *neighbor_allgather_init;
  __typeof__(PMPI_Neighbor_allgatherv_init) *neighbor_allgatherv_init;
  __typeof__(PMPI_Neighbor_alltoall_init) *neighbor_alltoall_init;
  __typeof__(PMPI_Neighbor_alltoallv_init) *neighbor_alltoallv_init;
  __typeof__(PMPI_Neighbor_alltoallw_init) *neighbor_alltoallw_init;
};

/* The MPI's own functions. */
extern struct tny_mpi tny_native;

/* The function of this name that follows ours in the order of loading, or NULL. */
const void *tny_mpi_find(const char *name);

#endif
