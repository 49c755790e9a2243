/* The table of what is intercepted. It is the only list: what is found of the MPI when the library
   is loaded, what its own MPI_* lead to, and the list in docs/runtime.md follow from it. */
#include "mpi/entry/intercepted.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

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
    {"PMPI_Allgatherv", offsetof(struct tny_mpi, allgatherv), COUNTED,
     (any_function *)PMPI_Allgatherv},
    {"PMPI_Alltoallv", offsetof(struct tny_mpi, alltoallv), COUNTED,
     (any_function *)PMPI_Alltoallv},
    {"PMPI_Alltoallw", offsetof(struct tny_mpi, alltoallw), COUNTED,
     (any_function *)PMPI_Alltoallw},
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

__attribute__((constructor)) static void find_functions(void)
{
  const bool is_off = tny_interception_is_off();
  for (const struct row *row = rows; row->name; row++) {
    const void *native = tny_mpi_find(row->name);
    const void *next = tny_mpi_find(row->name + 1); /* MPI_Bcast in PMPI_Bcast */
    set(&tny_native, row, &native);
    if (next && !are_together(next, native))
      set(&tny_below, row, &next);
    else if (is_off)
      set(&tny_below, row, &native);
    else
      set(&tny_below, row, &row->own);
  }
}
