/* The MPI functions that this library exports itself, under both of their names. Within the runtime
   they are called through `tny_native` only: PMPI_Bcast, say, is ours. */
#ifndef TOURNEY_MPI_NATIVE_H
#define TOURNEY_MPI_NATIVE_H

#include <mpi.h>

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
};

/* The MPI's own functions. */
extern struct tny_mpi tny_native;

/* The function of this name that follows ours in the order of loading, or NULL. */
const void *tny_mpi_find(const char *name);

#endif
