/* Tells like counts of MPI_Reduce_scatter from others, before anything else looks at them. */
#include "mpi/entry/counts.h"

bool tny_counts_are_alike(const struct tny_uneven_side *side, MPI_Comm comm)
{
  int p, i = 1;
  if (comm == MPI_COMM_NULL || !tny_has_counts(side) || PMPI_Comm_size(comm, &p) != MPI_SUCCESS)
    return false;
  while (i < p && tny_count_of(side, (uint32_t)i) == tny_count_of(side, 0))
    i++;
  return i == p;
}

/* Arguments that no call would be right with are left for the MPI to judge. */
void tny_call_set_counts(struct tny_call *call, const struct tny_uneven *uneven)
{
  const struct tny_uneven_side *side = &uneven->send;
  const bool is_even = tny_counts_are_alike(side, call->comm);
  int rank = 0;
  call->uneven = is_even ? NULL : uneven;
  if (call->comm == MPI_COMM_NULL || !tny_has_counts(side) ||
      PMPI_Comm_rank(call->comm, &rank) != MPI_SUCCESS)
    return;
  call->receive_count = tny_count_of(side, (uint32_t)rank);
  call->send_count = call->receive_count;
}
