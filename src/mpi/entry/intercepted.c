/* The table of what is intercepted. It is the only list: what is found of the MPI when the library
   is loaded, what its own MPI_* lead to, and the list in docs/runtime.md follow from it. */
#include "mpi/entry/intercepted.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "mpi/entry/switch.h"

/* What becomes of a call. */
enum use {
  STARTS,  /* the ranks agree on what is planned, once the MPI is initialised */
  STOPS,   /* what was counted and learnt is written, then the MPI is finalised */
  WATCHED, /* the communicator loses its plans and is native from then on */
  SERVED,  /* a plan serves it where all ranks know that one can, and it is the faster */
  COUNTED, /* native, and counted for --explain */
};

/* A function of any type. */
typedef void any_function(void);

/* A row of the table of what is intercepted. */
struct row {
  const char *name; /* as a profiling tool calls it, "PMPI_Bcast" */
  size_t offset;    /* in struct tny_mpi */
  enum use use;
  any_function *own; /* this library's function of that name */
};
static const struct row rows[] = {
    {"PMPI_Init", offsetof(struct tny_mpi, init), STARTS, (any_function *)PMPI_Init},
    {"PMPI_Init_thread", offsetof(struct tny_mpi, init_thread), STARTS,
     (any_function *)PMPI_Init_thread},
    {"PMPI_Finalize", offsetof(struct tny_mpi, finalize), STOPS, (any_function *)PMPI_Finalize},
    {"PMPI_Comm_free", offsetof(struct tny_mpi, comm_free), WATCHED,
     (any_function *)PMPI_Comm_free},
    {"PMPI_Comm_disconnect", offsetof(struct tny_mpi, comm_disconnect), WATCHED,
     (any_function *)PMPI_Comm_disconnect},
    {"PMPI_Bcast", offsetof(struct tny_mpi, bcast), SERVED, (any_function *)PMPI_Bcast},
    {"PMPI_Allgather", offsetof(struct tny_mpi, allgather), SERVED, (any_function *)PMPI_Allgather},
    {"PMPI_Alltoall", offsetof(struct tny_mpi, alltoall), SERVED, (any_function *)PMPI_Alltoall},
    {"PMPI_Barrier", offsetof(struct tny_mpi, barrier), COUNTED, (any_function *)PMPI_Barrier},
    {"PMPI_Reduce", offsetof(struct tny_mpi, reduce), COUNTED, (any_function *)PMPI_Reduce},
    {"PMPI_Allreduce", offsetof(struct tny_mpi, allreduce), COUNTED,
     (any_function *)PMPI_Allreduce},
    {"PMPI_Reduce_scatter", offsetof(struct tny_mpi, reduce_scatter), COUNTED,
     (any_function *)PMPI_Reduce_scatter},
    {"PMPI_Reduce_scatter_block", offsetof(struct tny_mpi, reduce_scatter_block), COUNTED,
     (any_function *)PMPI_Reduce_scatter_block},
    {"PMPI_Scan", offsetof(struct tny_mpi, scan), COUNTED, (any_function *)PMPI_Scan},
    {"PMPI_Exscan", offsetof(struct tny_mpi, exscan), COUNTED, (any_function *)PMPI_Exscan},
    {"PMPI_Gather", offsetof(struct tny_mpi, gather), COUNTED, (any_function *)PMPI_Gather},
    {"PMPI_Gatherv", offsetof(struct tny_mpi, gatherv), COUNTED, (any_function *)PMPI_Gatherv},
    {"PMPI_Scatter", offsetof(struct tny_mpi, scatter), COUNTED, (any_function *)PMPI_Scatter},
    {"PMPI_Scatterv", offsetof(struct tny_mpi, scatterv), COUNTED, (any_function *)PMPI_Scatterv},
    {"PMPI_Allgatherv", offsetof(struct tny_mpi, allgatherv), SERVED,
     (any_function *)PMPI_Allgatherv},
    {"PMPI_Alltoallv", offsetof(struct tny_mpi, alltoallv), SERVED, (any_function *)PMPI_Alltoallv},
    {"PMPI_Alltoallw", offsetof(struct tny_mpi, alltoallw), SERVED, (any_function *)PMPI_Alltoallw},
    {"PMPI_Neighbor_allgather", offsetof(struct tny_mpi, neighbor_allgather), COUNTED,
     (any_function *)PMPI_Neighbor_allgather},
    {"PMPI_Neighbor_allgatherv", offsetof(struct tny_mpi, neighbor_allgatherv), COUNTED,
     (any_function *)PMPI_Neighbor_allgatherv},
    {"PMPI_Neighbor_alltoall", offsetof(struct tny_mpi, neighbor_alltoall), COUNTED,
     (any_function *)PMPI_Neighbor_alltoall},
    {"PMPI_Neighbor_alltoallv", offsetof(struct tny_mpi, neighbor_alltoallv), COUNTED,
     (any_function *)PMPI_Neighbor_alltoallv},
    {"PMPI_Neighbor_alltoallw", offsetof(struct tny_mpi, neighbor_alltoallw), COUNTED,
     (any_function *)PMPI_Neighbor_alltoallw},
    {"PMPI_Ibarrier", offsetof(struct tny_mpi, ibarrier), COUNTED, (any_function *)PMPI_Ibarrier},
    {"PMPI_Ibcast", offsetof(struct tny_mpi, ibcast), SERVED, (any_function *)PMPI_Ibcast},
    {"PMPI_Igather", offsetof(struct tny_mpi, igather), COUNTED, (any_function *)PMPI_Igather},
    {"PMPI_Igatherv", offsetof(struct tny_mpi, igatherv), COUNTED, (any_function *)PMPI_Igatherv},
    {"PMPI_Iscatter", offsetof(struct tny_mpi, iscatter), COUNTED, (any_function *)PMPI_Iscatter},
    {"PMPI_Iscatterv", offsetof(struct tny_mpi, iscatterv), COUNTED,
     (any_function *)PMPI_Iscatterv},
    {"PMPI_Iallgather", offsetof(struct tny_mpi, iallgather), SERVED,
     (any_function *)PMPI_Iallgather},
    {"PMPI_Iallgatherv", offsetof(struct tny_mpi, iallgatherv), COUNTED,
     (any_function *)PMPI_Iallgatherv},
    {"PMPI_Ialltoall", offsetof(struct tny_mpi, ialltoall), SERVED,
     (any_function *)PMPI_Ialltoall},
    {"PMPI_Ialltoallv", offsetof(struct tny_mpi, ialltoallv), COUNTED,
     (any_function *)PMPI_Ialltoallv},
    {"PMPI_Ialltoallw", offsetof(struct tny_mpi, ialltoallw), COUNTED,
     (any_function *)PMPI_Ialltoallw},
    {"PMPI_Ireduce", offsetof(struct tny_mpi, ireduce), COUNTED, (any_function *)PMPI_Ireduce},
    {"PMPI_Iallreduce", offsetof(struct tny_mpi, iallreduce), COUNTED,
     (any_function *)PMPI_Iallreduce},
    {"PMPI_Ireduce_scatter", offsetof(struct tny_mpi, ireduce_scatter), COUNTED,
     (any_function *)PMPI_Ireduce_scatter},
    {"PMPI_Ireduce_scatter_block", offsetof(struct tny_mpi, ireduce_scatter_block), COUNTED,
     (any_function *)PMPI_Ireduce_scatter_block},
    {"PMPI_Iscan", offsetof(struct tny_mpi, iscan), COUNTED, (any_function *)PMPI_Iscan},
    {"PMPI_Iexscan", offsetof(struct tny_mpi, iexscan), COUNTED, (any_function *)PMPI_Iexscan},
    {"PMPI_Ineighbor_allgather", offsetof(struct tny_mpi, ineighbor_allgather), COUNTED,
     (any_function *)PMPI_Ineighbor_allgather},
    {"PMPI_Ineighbor_allgatherv", offsetof(struct tny_mpi, ineighbor_allgatherv), COUNTED,
     (any_function *)PMPI_Ineighbor_allgatherv},
    {"PMPI_Ineighbor_alltoall", offsetof(struct tny_mpi, ineighbor_alltoall), COUNTED,
     (any_function *)PMPI_Ineighbor_alltoall},
    {"PMPI_Ineighbor_alltoallv", offsetof(struct tny_mpi, ineighbor_alltoallv), COUNTED,
     (any_function *)PMPI_Ineighbor_alltoallv},
    {"PMPI_Ineighbor_alltoallw", offsetof(struct tny_mpi, ineighbor_alltoallw), COUNTED,
     (any_function *)PMPI_Ineighbor_alltoallw},
    {"PMPI_Barrier_init", offsetof(struct tny_mpi, barrier_init), COUNTED,
     (any_function *)PMPI_Barrier_init},
    {"PMPI_Bcast_init", offsetof(struct tny_mpi, bcast_init), COUNTED,
     (any_function *)PMPI_Bcast_init},
    {"PMPI_Gather_init", offsetof(struct tny_mpi, gather_init), COUNTED,
     (any_function *)PMPI_Gather_init},
    {"PMPI_Gatherv_init", offsetof(struct tny_mpi, gatherv_init), COUNTED,
     (any_function *)PMPI_Gatherv_init},
    {"PMPI_Scatter_init", offsetof(struct tny_mpi, scatter_init), COUNTED,
     (any_function *)PMPI_Scatter_init},
    {"PMPI_Scatterv_init", offsetof(struct tny_mpi, scatterv_init), COUNTED,
     (any_function *)PMPI_Scatterv_init},
    {"PMPI_Allgather_init", offsetof(struct tny_mpi, allgather_init), COUNTED,
     (any_function *)PMPI_Allgather_init},
    {"PMPI_Allgatherv_init", offsetof(struct tny_mpi, allgatherv_init), COUNTED,
     (any_function *)PMPI_Allgatherv_init},
    {"PMPI_Alltoall_init", offsetof(struct tny_mpi, alltoall_init), COUNTED,
     (any_function *)PMPI_Alltoall_init},
    {"PMPI_Alltoallv_init", offsetof(struct tny_mpi, alltoallv_init), COUNTED,
     (any_function *)PMPI_Alltoallv_init},
    {"PMPI_Alltoallw_init", offsetof(struct tny_mpi, alltoallw_init), COUNTED,
     (any_function *)PMPI_Alltoallw_init},
    {"PMPI_Reduce_init", offsetof(struct tny_mpi, reduce_init), COUNTED,
     (any_function *)PMPI_Reduce_init},
    {"PMPI_Allreduce_init", offsetof(struct tny_mpi, allreduce_init), COUNTED,
     (any_function *)PMPI_Allreduce_init},
    {"PMPI_Reduce_scatter_init", offsetof(struct tny_mpi, reduce_scatter_init), COUNTED,
     (any_function *)PMPI_Reduce_scatter_init},
    {"PMPI_Reduce_scatter_block_init", offsetof(struct tny_mpi, reduce_scatter_block_init), COUNTED,
     (any_function *)PMPI_Reduce_scatter_block_init},
    {"PMPI_Scan_init", offsetof(struct tny_mpi, scan_init), COUNTED,
     (any_function *)PMPI_Scan_init},
    {"PMPI_Exscan_init", offsetof(struct tny_mpi, exscan_init), COUNTED,
     (any_function *)PMPI_Exscan_init},
    {"PMPI_Neighbor_allgather_init", offsetof(struct tny_mpi, neighbor_allgather_init), COUNTED,
     (any_function *)PMPI_Neighbor_allgather_init},
    {"PMPI_Neighbor_allgatherv_init", offsetof(struct tny_mpi, neighbor_allgatherv_init), COUNTED,
     (any_function *)PMPI_Neighbor_allgatherv_init},
    {"PMPI_Neighbor_alltoall_init", offsetof(struct tny_mpi, neighbor_alltoall_init), COUNTED,
     (any_function *)PMPI_Neighbor_alltoall_init},
    {"PMPI_Neighbor_alltoallv_init", offsetof(struct tny_mpi, neighbor_alltoallv_init), COUNTED,
     (any_function *)PMPI_Neighbor_alltoallv_init},
    {"PMPI_Neighbor_alltoallw_init", offsetof(struct tny_mpi, neighbor_alltoallw_init), COUNTED,
     (any_function *)PMPI_Neighbor_alltoallw_init},
    {NULL, 0, COUNTED, NULL},
};
_Static_assert(sizeof rows / sizeof *rows == sizeof(struct tny_mpi) / sizeof(any_function *) + 1,
               "a row for each member");

struct tny_mpi tny_below;

/* Puts the address of a row's function into a table; `address` points to a pointer, to an object as
   dlsym gives it or to a function, which POSIX has alike. */
static void set(struct tny_mpi *table, const struct row *row, const void *address)
{
  memcpy((char *)table + row->offset, address, sizeof row->own);
}

/* Do two functions lie in one library? */
static bool are_together(const void *one, const void *other)
{
  Dl_info first, second;
  return dladdr(one, &first) && dladdr(other, &second) && first.dli_fbase == second.dli_fbase;
}

/* The function of a row by its name, "PMPI_Bcast" for the prefix "PMPI", or by one with an X behind
   the prefix: so an MPI has what was new in the standard when it was made. */
static const void *find(const struct row *row, const char *prefix)
{
  const void *found = NULL;
  for (int is_early = 0; !found && is_early < 2; is_early++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", prefix, is_early ? "X" : "", strchr(row->name, '_'));
    found = tny_mpi_find(name);
  }
  return found;
}

__attribute__((constructor)) static void find_functions(void)
{
  const bool is_off = tny_interception_is_off();
  for (const struct row *row = rows; row->name; row++) {
    const void *native = find(row, "PMPI");
    const void *next = find(row, "MPI");
    set(&tny_native, row, &native);
    if (next && !are_together(next, native))
      set(&tny_below, row, &next);
    else if (is_off)
      set(&tny_below, row, &native);
    else
      set(&tny_below, row, &row->own);
  }
}
