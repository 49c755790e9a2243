/* The collectives of large counts, MPI_X_c of MPI 4: what is intercepted of them. Built where the
   MPI has them. */
#ifndef TOURNEY_MPI_LARGE_H
#define TOURNEY_MPI_LARGE_H

#include "mpi/native.h"

/* Their types, a member for each row of the table in rows.c. */
struct tny_mpi_large {
  __typeof__(PMPI_Bcast_c) *bcast;
  __typeof__(PMPI_Allgather_c) *allgather;
  __typeof__(PMPI_Alltoall_c) *alltoall;
  __typeof__(PMPI_Reduce_c) *reduce;
  __typeof__(PMPI_Allreduce_c) *allreduce;
  __typeof__(PMPI_Reduce_scatter_c) *reduce_scatter;
  __typeof__(PMPI_Reduce_scatter_block_c) *reduce_scatter_block;
  __typeof__(PMPI_Scan_c) *scan;
  __typeof__(PMPI_Exscan_c) *exscan;
  __typeof__(PMPI_Gather_c) *gather;
  __typeof__(PMPI_Gatherv_c) *gatherv;
  __typeof__(PMPI_Scatter_c) *scatter;
  __typeof__(PMPI_Scatterv_c) *scatterv;
  __typeof__(PMPI_Allgatherv_c) *allgatherv;
  __typeof__(PMPI_Alltoallv_c) *alltoallv;
  __typeof__(PMPI_Alltoallw_c) *alltoallw;
  __typeof__(PMPI_Neighbor_allgather_c) *neighbor_allgather;
  __typeof__(PMPI_Neighbor_allgatherv_c) *neighbor_allgatherv;
  __typeof__(PMPI_Neighbor_alltoall_c) *neighbor_alltoall;
  __typeof__(PMPI_Neighbor_alltoallv_c) *neighbor_alltoallv;
  __typeof__(PMPI_Neighbor_alltoallw_c) *neighbor_alltoallw;
  __typeof__(PMPI_Ibcast_c) *ibcast;
  __typeof__(PMPI_Igather_c) *igather;
  __typeof__(PMPI_Igatherv_c) *igatherv;
  __typeof__(PMPI_Iscatter_c) *iscatter;
  __typeof__(PMPI_Iscatterv_c) *iscatterv;
  __typeof__(PMPI_Iallgather_c) *iallgather;
  __typeof__(PMPI_Iallgatherv_c) *iallgatherv;
  __typeof__(PMPI_Ialltoall_c) *ialltoall;
  __typeof__(PMPI_Ialltoallv_c) *ialltoallv;
  __typeof__(PMPI_Ialltoallw_c) *ialltoallw;
  __typeof__(PMPI_Ireduce_c) *ireduce;
  __typeof__(PMPI_Iallreduce_c) *iallreduce;
  __typeof__(PMPI_Ireduce_scatter_c) *ireduce_scatter;
  __typeof__(PMPI_Ireduce_scatter_block_c) *ireduce_scatter_block;
  __typeof__(PMPI_Iscan_c) *iscan;
  __typeof__(PMPI_Iexscan_c) *iexscan;
  __typeof__(PMPI_Ineighbor_allgather_c) *ineighbor_allgather;
  __typeof__(PMPI_Ineighbor_allgatherv_c) *ineighbor_allgatherv;
  __typeof__(PMPI_Ineighbor_alltoall_c) *ineighbor_alltoall;
  __typeof__(PMPI_Ineighbor_alltoallv_c) *ineighbor_alltoallv;
  __typeof__(PMPI_Ineighbor_alltoallw_c) *ineighbor_alltoallw;
  __typeof__(PMPI_Bcast_init_c) *bcast_init;
  __typeof__(PMPI_Gather_init_c) *gather_init;
  __typeof__(PMPI_Gatherv_init_c) *gatherv_init;
  __typeof__(PMPI_Scatter_init_c) *scatter_init;
  __typeof__(PMPI_Scatterv_init_c) *scatterv_init;
  __typeof__(PMPI_Allgather_init_c) *allgather_init;
  __typeof__(PMPI_Allgatherv_init_c) *allgatherv_init;
  __typeof__(PMPI_Alltoall_init_c) *alltoall_init;
  __typeof__(PMPI_Alltoallv_init_c) *alltoallv_init;
  __typeof__(PMPI_Alltoallw_init_c) *alltoallw_init;
  __typeof__(PMPI_Reduce_init_c) *reduce_init;
  __typeof__(PMPI_Allreduce_init_c) *allreduce_init;
  __typeof__(PMPI_Reduce_scatter_init_c) *reduce_scatter_init;
  __typeof__(PMPI_Reduce_scatter_block_init_c) *reduce_scatter_block_init;
  __typeof__(PMPI_Scan_init_c) *scan_init;
  __typeof__(PMPI_Exscan_init_c) *exscan_init;
  __typeof__(PMPI_Neighbor_allgather_init_c) *neighbor_allgather_init;
  __typeof__(PMPI_Neighbor_allgatherv_init_c) *neighbor_allgatherv_init;
  __typeof__(PMPI_Neighbor_alltoall_init_c) *neighbor_alltoall_init;
  __typeof__(PMPI_Neighbor_alltoallv_init_c) *neighbor_alltoallv_init;
  __typeof__(PMPI_Neighbor_alltoallw_init_c) *neighbor_alltoallw_init;
};

/* The MPI's own functions. */
extern struct tny_mpi_large tny_native_large;

/* What this library's MPI_*_c lead to, as tny_below is for the others. */
extern struct tny_mpi_large tny_below_large;

#endif
