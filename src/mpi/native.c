/* Finds the MPI's own functions when the library is loaded. */
#include "mpi/native.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct tny_mpi tny_native;
const struct tny_mpi_function tny_mpi_functions[] = {
    {"PMPI_Init", offsetof(struct tny_mpi, init)},
    {"PMPI_Init_thread", offsetof(struct tny_mpi, init_thread)},
    {"PMPI_Finalize", offsetof(struct tny_mpi, finalize)},
    {"PMPI_Comm_free", offsetof(struct tny_mpi, comm_free)},
    {"PMPI_Comm_disconnect", offsetof(struct tny_mpi, comm_disconnect)},
    {"PMPI_Bcast", offsetof(struct tny_mpi, bcast)},
    {"PMPI_Allgather", offsetof(struct tny_mpi, allgather)},
    {"PMPI_Alltoall", offsetof(struct tny_mpi, alltoall)},
    {"PMPI_Barrier", offsetof(struct tny_mpi, barrier)},
    {"PMPI_Reduce", offsetof(struct tny_mpi, reduce)},
    {"PMPI_Allreduce", offsetof(struct tny_mpi, allreduce)},
    {"PMPI_Reduce_scatter", offsetof(struct tny_mpi, reduce_scatter)},
    {"PMPI_Reduce_scatter_block", offsetof(struct tny_mpi, reduce_scatter_block)},
    {"PMPI_Scan", offsetof(struct tny_mpi, scan)},
    {"PMPI_Exscan", offsetof(struct tny_mpi, exscan)},
    {"PMPI_Gather", offsetof(struct tny_mpi, gather)},
    {"PMPI_Gatherv", offsetof(struct tny_mpi, gatherv)},
    {"PMPI_Scatter", offsetof(struct tny_mpi, scatter)},
    {"PMPI_Scatterv", offsetof(struct tny_mpi, scatterv)},
    {"PMPI_Allgatherv", offsetof(struct tny_mpi, allgatherv)},
    {"PMPI_Alltoallv", offsetof(struct tny_mpi, alltoallv)},
    {"PMPI_Alltoallw", offsetof(struct tny_mpi, alltoallw)},
    {NULL, 0},
};

const void *tny_mpi_find(const char *name)
{
  return dlsym(RTLD_NEXT, name);
}

void tny_mpi_set(struct tny_mpi *table, const struct tny_mpi_function *function,
                 const void *address)
{
  memcpy((char *)table + function->offset, &address, sizeof address);
}

__attribute__((constructor)) static void find_functions(void)
{
  for (const struct tny_mpi_function *function = tny_mpi_functions; function->name; function++)
    tny_mpi_set(&tny_native, function, tny_mpi_find(function->name));
}
