/* The size of a broadcast's block, learnt without waiting. */
#include "mpi/background/size.h"

#include "mpi/agree.h"

static int tell(struct tny_size_agreement *agreement, const struct tny_comm_state *state,
                uint32_t root)
{
  const uint32_t p = state->rank_count, vertex = tny_size_vertex(state, root);
  const int tag = tny_context_tag(&state->context, TNY_DATA_MESSAGE);
  int code = MPI_SUCCESS;
  agreement->is_known = true;
  agreement->count = 0;
  for (uint32_t bit = tny_size_bit(vertex); code == MPI_SUCCESS && bit < p - vertex; bit *= 2) {
    MPI_Request *request = &agreement->requests[agreement->count++];
    *request = MPI_REQUEST_NULL;
    code = PMPI_Isend(&agreement->block_bytes, 1, MPI_UINT64_T,
                      tny_size_rank_at(state, root, vertex + bit), tag, state->comm, request);
  }
  return code;
}

int tny_size_begin(struct tny_size_agreement *agreement, const struct tny_comm_state *state,
                   uint32_t root, uint64_t block_bytes)
{
  const uint32_t vertex = tny_size_vertex(state, root);
  *agreement = (struct tny_size_agreement){
      .block_bytes = block_bytes, .count = 1, .requests = {MPI_REQUEST_NULL}};
  if (vertex == 0)
    return tell(agreement, state, root);
  return PMPI_Irecv(&agreement->block_bytes, 1, MPI_UINT64_T,
                    tny_size_rank_at(state, root, vertex - tny_size_bit(vertex) / 2),
                    tny_context_tag(&state->context, TNY_DATA_MESSAGE), state->comm,
                    agreement->requests);
}

int tny_size_advance(struct tny_size_agreement *agreement, const struct tny_comm_state *state,
                     uint32_t root)
{
  int has_come = 0;
  if (agreement->is_known)
    return MPI_SUCCESS;
  const int code = PMPI_Test(agreement->requests, &has_come, MPI_STATUS_IGNORE);
  return code == MPI_SUCCESS && has_come ? tell(agreement, state, root) : code;
}

int tny_size_is_told(struct tny_size_agreement *agreement, bool *is_told)
{
  int are_sent = 0;
  const int code =
      PMPI_Testall(agreement->count, agreement->requests, &are_sent, MPI_STATUSES_IGNORE);
  *is_told = are_sent != 0;
  return code;
}
