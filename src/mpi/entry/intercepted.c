/* The table of what is intercepted; large/rows.c has its part of large counts. It is the only list:
   what is found of the MPI when the library is loaded, what its own MPI_* lead to, and the list in
   docs/runtime.md follow from it. */
#include "mpi/entry/intercepted.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

#include "mpi/entry/rows.h"
#include "mpi/entry/switch.h"
#include "mpi/linkage/other_mpi.h"

static const struct tny_row rows[] = {
    {"PMPI_Init", offsetof(struct tny_mpi, init), TNY_STARTS, (tny_any_function *)PMPI_Init},
    {"PMPI_Init_thread", offsetof(struct tny_mpi, init_thread), TNY_STARTS,
     (tny_any_function *)PMPI_Init_thread},
    {"PMPI_Finalize", offsetof(struct tny_mpi, finalize), TNY_STOPS,
     (tny_any_function *)PMPI_Finalize},
    {"PMPI_Comm_free", offsetof(struct tny_mpi, comm_free), TNY_WATCHED,
     (tny_any_function *)PMPI_Comm_free},
    {"PMPI_Comm_disconnect", offsetof(struct tny_mpi, comm_disconnect), TNY_WATCHED,
     (tny_any_function *)PMPI_Comm_disconnect},
    {"PMPI_Bcast", offsetof(struct tny_mpi, bcast), TNY_SERVED, (tny_any_function *)PMPI_Bcast},
    {"PMPI_Allgather", offsetof(struct tny_mpi, allgather), TNY_SERVED,
     (tny_any_function *)PMPI_Allgather},
    {"PMPI_Alltoall", offsetof(struct tny_mpi, alltoall), TNY_SERVED,
     (tny_any_function *)PMPI_Alltoall},
    {"PMPI_Barrier", offsetof(struct tny_mpi, barrier), TNY_ASKED,
     (tny_any_function *)PMPI_Barrier},
    {"PMPI_Reduce", offsetof(struct tny_mpi, reduce), TNY_SERVED, (tny_any_function *)PMPI_Reduce},
    {"PMPI_Allreduce", offsetof(struct tny_mpi, allreduce), TNY_SERVED,
     (tny_any_function *)PMPI_Allreduce},
    {"PMPI_Reduce_scatter", offsetof(struct tny_mpi, reduce_scatter), TNY_SERVED,
     (tny_any_function *)PMPI_Reduce_scatter},
    {"PMPI_Reduce_scatter_block", offsetof(struct tny_mpi, reduce_scatter_block), TNY_SERVED,
     (tny_any_function *)PMPI_Reduce_scatter_block},
    {"PMPI_Scan", offsetof(struct tny_mpi, scan), TNY_COUNTED, (tny_any_function *)PMPI_Scan},
    {"PMPI_Exscan", offsetof(struct tny_mpi, exscan), TNY_COUNTED, (tny_any_function *)PMPI_Exscan},
    {"PMPI_Gather", offsetof(struct tny_mpi, gather), TNY_COUNTED, (tny_any_function *)PMPI_Gather},
    {"PMPI_Gatherv", offsetof(struct tny_mpi, gatherv), TNY_SERVED,
     (tny_any_function *)PMPI_Gatherv},
    {"PMPI_Scatter", offsetof(struct tny_mpi, scatter), TNY_COUNTED,
     (tny_any_function *)PMPI_Scatter},
    {"PMPI_Scatterv", offsetof(struct tny_mpi, scatterv), TNY_SERVED,
     (tny_any_function *)PMPI_Scatterv},
    {"PMPI_Allgatherv", offsetof(struct tny_mpi, allgatherv), TNY_SERVED,
     (tny_any_function *)PMPI_Allgatherv},
    {"PMPI_Alltoallv", offsetof(struct tny_mpi, alltoallv), TNY_SERVED,
     (tny_any_function *)PMPI_Alltoallv},
    {"PMPI_Alltoallw", offsetof(struct tny_mpi, alltoallw), TNY_SERVED,
     (tny_any_function *)PMPI_Alltoallw},
    {"PMPI_Neighbor_allgather", offsetof(struct tny_mpi, neighbor_allgather), TNY_SERVED,
     (tny_any_function *)PMPI_Neighbor_allgather},
    {"PMPI_Neighbor_allgatherv", offsetof(struct tny_mpi, neighbor_allgatherv), TNY_SERVED,
     (tny_any_function *)PMPI_Neighbor_allgatherv},
    {"PMPI_Neighbor_alltoall", offsetof(struct tny_mpi, neighbor_alltoall), TNY_SERVED,
     (tny_any_function *)PMPI_Neighbor_alltoall},
    {"PMPI_Neighbor_alltoallv", offsetof(struct tny_mpi, neighbor_alltoallv), TNY_SERVED,
     (tny_any_function *)PMPI_Neighbor_alltoallv},
    {"PMPI_Neighbor_alltoallw", offsetof(struct tny_mpi, neighbor_alltoallw), TNY_SERVED,
     (tny_any_function *)PMPI_Neighbor_alltoallw},
    {"PMPI_Ibarrier", offsetof(struct tny_mpi, ibarrier), TNY_COUNTED,
     (tny_any_function *)PMPI_Ibarrier},
    {"PMPI_Ibcast", offsetof(struct tny_mpi, ibcast), TNY_SERVED, (tny_any_function *)PMPI_Ibcast},
    {"PMPI_Igather", offsetof(struct tny_mpi, igather), TNY_COUNTED,
     (tny_any_function *)PMPI_Igather},
    {"PMPI_Igatherv", offsetof(struct tny_mpi, igatherv), TNY_COUNTED,
     (tny_any_function *)PMPI_Igatherv},
    {"PMPI_Iscatter", offsetof(struct tny_mpi, iscatter), TNY_COUNTED,
     (tny_any_function *)PMPI_Iscatter},
    {"PMPI_Iscatterv", offsetof(struct tny_mpi, iscatterv), TNY_COUNTED,
     (tny_any_function *)PMPI_Iscatterv},
    {"PMPI_Iallgather", offsetof(struct tny_mpi, iallgather), TNY_SERVED,
     (tny_any_function *)PMPI_Iallgather},
    {"PMPI_Iallgatherv", offsetof(struct tny_mpi, iallgatherv), TNY_COUNTED,
     (tny_any_function *)PMPI_Iallgatherv},
    {"PMPI_Ialltoall", offsetof(struct tny_mpi, ialltoall), TNY_SERVED,
     (tny_any_function *)PMPI_Ialltoall},
    {"PMPI_Ialltoallv", offsetof(struct tny_mpi, ialltoallv), TNY_COUNTED,
     (tny_any_function *)PMPI_Ialltoallv},
    {"PMPI_Ialltoallw", offsetof(struct tny_mpi, ialltoallw), TNY_COUNTED,
     (tny_any_function *)PMPI_Ialltoallw},
    {"PMPI_Ireduce", offsetof(struct tny_mpi, ireduce), TNY_SERVED,
     (tny_any_function *)PMPI_Ireduce},
    {"PMPI_Iallreduce", offsetof(struct tny_mpi, iallreduce), TNY_SERVED,
     (tny_any_function *)PMPI_Iallreduce},
    {"PMPI_Ireduce_scatter", offsetof(struct tny_mpi, ireduce_scatter), TNY_SERVED,
     (tny_any_function *)PMPI_Ireduce_scatter},
    {"PMPI_Ireduce_scatter_block", offsetof(struct tny_mpi, ireduce_scatter_block), TNY_SERVED,
     (tny_any_function *)PMPI_Ireduce_scatter_block},
    {"PMPI_Iscan", offsetof(struct tny_mpi, iscan), TNY_COUNTED, (tny_any_function *)PMPI_Iscan},
    {"PMPI_Iexscan", offsetof(struct tny_mpi, iexscan), TNY_COUNTED,
     (tny_any_function *)PMPI_Iexscan},
    {"PMPI_Ineighbor_allgather", offsetof(struct tny_mpi, ineighbor_allgather), TNY_COUNTED,
     (tny_any_function *)PMPI_Ineighbor_allgather},
    {"PMPI_Ineighbor_allgatherv", offsetof(struct tny_mpi, ineighbor_allgatherv), TNY_COUNTED,
     (tny_any_function *)PMPI_Ineighbor_allgatherv},
    {"PMPI_Ineighbor_alltoall", offsetof(struct tny_mpi, ineighbor_alltoall), TNY_COUNTED,
     (tny_any_function *)PMPI_Ineighbor_alltoall},
    {"PMPI_Ineighbor_alltoallv", offsetof(struct tny_mpi, ineighbor_alltoallv), TNY_COUNTED,
     (tny_any_function *)PMPI_Ineighbor_alltoallv},
    {"PMPI_Ineighbor_alltoallw", offsetof(struct tny_mpi, ineighbor_alltoallw), TNY_COUNTED,
     (tny_any_function *)PMPI_Ineighbor_alltoallw},
    {"PMPI_Barrier_init", offsetof(struct tny_mpi, barrier_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Barrier_init},
    {"PMPI_Bcast_init", offsetof(struct tny_mpi, bcast_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Bcast_init},
    {"PMPI_Gather_init", offsetof(struct tny_mpi, gather_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Gather_init},
    {"PMPI_Gatherv_init", offsetof(struct tny_mpi, gatherv_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Gatherv_init},
    {"PMPI_Scatter_init", offsetof(struct tny_mpi, scatter_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Scatter_init},
    {"PMPI_Scatterv_init", offsetof(struct tny_mpi, scatterv_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Scatterv_init},
    {"PMPI_Allgather_init", offsetof(struct tny_mpi, allgather_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Allgather_init},
    {"PMPI_Allgatherv_init", offsetof(struct tny_mpi, allgatherv_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Allgatherv_init},
    {"PMPI_Alltoall_init", offsetof(struct tny_mpi, alltoall_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Alltoall_init},
    {"PMPI_Alltoallv_init", offsetof(struct tny_mpi, alltoallv_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Alltoallv_init},
    {"PMPI_Alltoallw_init", offsetof(struct tny_mpi, alltoallw_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Alltoallw_init},
    {"PMPI_Reduce_init", offsetof(struct tny_mpi, reduce_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Reduce_init},
    {"PMPI_Allreduce_init", offsetof(struct tny_mpi, allreduce_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Allreduce_init},
    {"PMPI_Reduce_scatter_init", offsetof(struct tny_mpi, reduce_scatter_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Reduce_scatter_init},
    {"PMPI_Reduce_scatter_block_init", offsetof(struct tny_mpi, reduce_scatter_block_init),
     TNY_COUNTED, (tny_any_function *)PMPI_Reduce_scatter_block_init},
    {"PMPI_Scan_init", offsetof(struct tny_mpi, scan_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Scan_init},
    {"PMPI_Exscan_init", offsetof(struct tny_mpi, exscan_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Exscan_init},
    {"PMPI_Neighbor_allgather_init", offsetof(struct tny_mpi, neighbor_allgather_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Neighbor_allgather_init},
    {"PMPI_Neighbor_allgatherv_init", offsetof(struct tny_mpi, neighbor_allgatherv_init),
     TNY_COUNTED, (tny_any_function *)PMPI_Neighbor_allgatherv_init},
    {"PMPI_Neighbor_alltoall_init", offsetof(struct tny_mpi, neighbor_alltoall_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Neighbor_alltoall_init},
    {"PMPI_Neighbor_alltoallv_init", offsetof(struct tny_mpi, neighbor_alltoallv_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Neighbor_alltoallv_init},
    {"PMPI_Neighbor_alltoallw_init", offsetof(struct tny_mpi, neighbor_alltoallw_init), TNY_COUNTED,
     (tny_any_function *)PMPI_Neighbor_alltoallw_init},
    {NULL, 0, TNY_COUNTED, NULL},
};
_Static_assert(sizeof rows / sizeof *rows ==
                   sizeof(struct tny_mpi) / sizeof(tny_any_function *) + 1,
               "a row for each member");

struct tny_mpi tny_below;

/* Puts the address of a row's function into a struct; `address` points to a pointer, to an object
   as dlsym gives it or to a function, which POSIX has alike. */
static void set(void *functions, const struct tny_row *row, const void *address)
{
  memcpy((char *)functions + row->offset, address, sizeof row->own);
}

/* Do two functions lie in one library? */
static bool are_together(const void *one, const void *other)
{
  Dl_info first, second;
  return dladdr(one, &first) && dladdr(other, &second) && first.dli_fbase == second.dli_fbase;
}

/* The function of a row by its name, "PMPI_Bcast" for the prefix "PMPI", or by one with an X behind
   the prefix: so an MPI has what was new in the standard when it was made. */
static const void *find(const struct tny_row *row, const char *prefix)
{
  const void *found = NULL;
  for (int is_early = 0; !found && is_early < 2; is_early++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", prefix, is_early ? "X" : "", strchr(row->name, '_'));
    found = tny_mpi_find(name);
  }
  return found;
}

static void find_all(const struct tny_rows *part, bool is_off)
{
  for (const struct tny_row *row = part->rows; row->name; row++) {
    const void *native = find(row, "PMPI");
    const void *next = find(row, "MPI");
    set(part->native, row, &native);
    if (next && !are_together(next, native))
      set(part->below, row, &next);
    else if (is_off)
      set(part->below, row, &native);
    else
      set(part->below, row, &row->own);
  }
}

static const struct tny_rows own_rows = {.rows = rows, .native = &tny_native, .below = &tny_below};

static void lead_to(const struct tny_rows *part, void *library)
{
  for (const struct tny_row *row = part->rows; row->name; row++) {
    const void *native = dlsym(library, row->name);
    set(part->native, row, &native);
    set(part->below, row, &native);
  }
}

/* The program uses another library than the MPI that this one is for. */
static void leave(void *library)
{
  tny_interception_switch_off();
  lead_to(&own_rows, library);
  lead_to(&tny_large_rows, library);
}

/* The arguments are the program's, where they are known. */
static void find_functions(char *const *arguments)
{
  static bool is_done;
  if (is_done)
    return;
  is_done = true;
  tny_interception_lead_to = leave;
  if (!tny_interception_is_off() && tny_other_mpi_leave(arguments))
    tny_interception_switch_off();
  const bool is_off = tny_interception_is_off();
  find_all(&own_rows, is_off);
  find_all(&tny_large_rows, is_off);
}

__attribute__((constructor)) static void begin(int argument_count, char **arguments)
{
  (void)argument_count;
  find_functions(arguments);
}

void tny_intercepted_find(void)
{
  find_functions(NULL);
}
