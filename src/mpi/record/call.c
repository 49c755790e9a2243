/* Finds what a call was on. */
#include "mpi/record/call.h"

#include "mpi/guard/clock.h"

/* A rank of the communicator as MPI_COMM_WORLD numbers it; -1: it isn't in there. */
static int64_t find_rank(MPI_Comm comm, int rank)
{
  int found = MPI_UNDEFINED;
  MPI_Group members, all;
  if (PMPI_Comm_group(comm, &members) != MPI_SUCCESS)
    return -1;
  if (PMPI_Comm_group(MPI_COMM_WORLD, &all) == MPI_SUCCESS) {
    if (PMPI_Group_translate_ranks(members, 1, &rank, all, &found) != MPI_SUCCESS)
      found = MPI_UNDEFINED;
    PMPI_Group_free(&all);
  }
  PMPI_Group_free(&members);
  return found == MPI_UNDEFINED ? -1 : found;
}

/* Nothing is known of an intercommunicator. */
static struct tny_recorded_on find_on(MPI_Comm comm, int root)
{
  int rank_count = 0, is_inter = 1;
  if (PMPI_Comm_test_inter(comm, &is_inter) != MPI_SUCCESS || is_inter ||
      PMPI_Comm_size(comm, &rank_count) != MPI_SUCCESS)
    return (struct tny_recorded_on){.root = -1};
  return (struct tny_recorded_on){.rank_count = (uint32_t)rank_count,
                                  .root = root < 0 ? -1 : find_rank(comm, root)};
}

int tny_record_call_end_now(struct tny_recorded *call, int code, MPI_Comm comm, int root)
{
  const double end_ns = tny_clock_ns();
  if (code == MPI_SUCCESS)
    tny_recorded_end(call, end_ns, find_on(comm, root));
  else
    tny_recorded_drop(call);
  return code;
}
