/* Finds the MPI's own functions, and another tool's, when the library is loaded. */
#include "mpi/native.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct tny_mpi tny_native;
struct tny_mpi tny_below = {
    .init = PMPI_Init,
    .init_thread = PMPI_Init_thread,
    .finalize = PMPI_Finalize,
    .comm_free = PMPI_Comm_free,
    .comm_disconnect = PMPI_Comm_disconnect,
    .bcast = PMPI_Bcast,
    .allgather = PMPI_Allgather,
    .alltoall = PMPI_Alltoall,
    .barrier = PMPI_Barrier,
    .reduce = PMPI_Reduce,
    .allreduce = PMPI_Allreduce,
    .reduce_scatter = PMPI_Reduce_scatter,
    .reduce_scatter_block = PMPI_Reduce_scatter_block,
    .scan = PMPI_Scan,
    .exscan = PMPI_Exscan,
    .gather = PMPI_Gather,
    .gatherv = PMPI_Gatherv,
    .scatter = PMPI_Scatter,
    .scatterv = PMPI_Scatterv,
    .allgatherv = PMPI_Allgatherv,
    .alltoallv = PMPI_Alltoallv,
    .alltoallw = PMPI_Alltoallw,
};

static const struct {
  const char *name;
  size_t place;
} functions[] = {
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
};

/* Do two functions lie in one library? */
static bool are_together(const void *one, const void *other)
{
  Dl_info first, second;
  return dladdr(one, &first) && dladdr(other, &second) && first.dli_fbase == second.dli_fbase;
}

/* POSIX lets dlsym's object pointer be copied to a function's. */
static void set(struct tny_mpi *table, size_t place, const void *address)
{
  memcpy((char *)table + place, &address, sizeof address);
}

__attribute__((constructor)) static void find_functions(void)
{
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    const char *name = functions[i].name;
    const void *native = dlsym(RTLD_NEXT, name), *next = dlsym(RTLD_NEXT, name + 1);
    set(&tny_native, functions[i].place, native);
    if (next && !are_together(next, native))
      set(&tny_below, functions[i].place, next);
  }
}
