/* How all ranks of a broadcast learn the size of the root's block. It alone decides what is sent: a
   receiver may have given a larger buffer, or a smaller one, and can't tell that it differs.

   A binomial tree of messages of 8 bytes over the ranks in switch order, from the root: one to each
   rank, at most ceil(log2 p) hops. Nobody waits for an answer, and the data follows at once. In a
   chain over the same order, a rank's first chunk comes over as many hops or more, so that the size
   is there before it. The size needs no tag of its own: between two ranks it is the call's first
   message. */
#include "mpi/agree.h"

int tny_size_rank_at(const struct tny_comm_state *state, uint32_t root, uint32_t vertex)
{
  const struct tny_placement *placement = state->group->placement;
  const uint32_t index = (placement->position[root] + vertex) % state->rank_count;
  return state->group->world_ranks[placement->order[index]];
}

uint32_t tny_size_vertex(const struct tny_comm_state *state, uint32_t root)
{
  const uint32_t p = state->rank_count;
  const uint32_t *position = state->group->placement->position;
  return (position[state->rank] + p - position[root]) % p;
}

uint32_t tny_size_bit(uint32_t vertex)
{
  uint32_t bit = 1;
  while (bit <= vertex)
    bit *= 2;
  return bit;
}

int tny_agree_on_size(struct tny_comm_state *state, uint32_t root, uint64_t *block_bytes)
{
  const uint32_t p = state->rank_count, vertex = tny_size_vertex(state, root);
  const int tag = tny_context_tag(&state->context, TNY_DATA_MESSAGE);
  uint32_t bit = tny_size_bit(vertex);
  int code = MPI_SUCCESS;
  if (vertex > 0)
    code = PMPI_Recv(block_bytes, 1, MPI_UINT64_T, tny_size_rank_at(state, root, vertex - bit / 2),
                     tag, state->comm, MPI_STATUS_IGNORE);
  for (; code == MPI_SUCCESS && bit < p - vertex; bit *= 2)
    code = PMPI_Send(block_bytes, 1, MPI_UINT64_T, tny_size_rank_at(state, root, vertex + bit), tag,
                     state->comm);
  return code;
}
