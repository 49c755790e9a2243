/* The table of the MPI's own algorithms. */
#include "peers.h"

#include <string.h>

const struct peer peers[] = {
    {"bcast", 1, "basic_linear", NULL, false, PEER_ANY, PEER_ANY},
    {"bcast", 2, "chain", NULL, true, PEER_ANY, PEER_ANY},
    {"bcast", 3, "pipeline", NULL, true, PEER_ANY, PEER_ANY},
    {"bcast", 4, "split_binary_tree", NULL, true, PEER_ANY, PEER_ANY},
    {"bcast", 5, "binary_tree", NULL, true, PEER_ANY, PEER_ANY},
    {"bcast", 6, "binomial", "MPIR_Bcast_intra_binomial", true, PEER_ANY, PEER_ANY},
    {"bcast", 7, "knomial", NULL, true, PEER_ANY, PEER_ANY},
    {"bcast", 8, "scatter_allgather", "MPIR_Bcast_intra_scatter_recursive_doubling_allgather",
     false, PEER_ANY, PEER_POWER_OF_TWO},
    {"bcast", 9, "scatter_allgather_ring", "MPIR_Bcast_intra_scatter_ring_allgather", false,
     PEER_ANY, PEER_ANY},
    {"allgather", 1, "linear", NULL, false, PEER_ANY, PEER_ANY},
    {"allgather", 2, "bruck", "MPIR_Allgather_intra_brucks", false, PEER_ANY, PEER_ANY},
    {"allgather", 3, "recursive_doubling", "MPIR_Allgather_intra_recursive_doubling", false,
     PEER_ANY, PEER_POWER_OF_TWO},
    {"allgather", 4, "ring", "MPIR_Allgather_intra_ring", false, PEER_ANY, PEER_ANY},
    {"allgather", 5, "neighbor", NULL, false, PEER_EVEN, PEER_ANY},
    {"allgather", 6, "two_proc", NULL, false, PEER_TWO, PEER_ANY},
    {"alltoall", 1, "linear", "MPIR_Alltoall_intra_scattered", false, PEER_ANY, PEER_ANY},
    {"alltoall", 2, "pairwise", "MPIR_Alltoall_intra_pairwise", false, PEER_ANY, PEER_ANY},
    {"alltoall", 3, "modified_bruck", "MPIR_Alltoall_intra_brucks", false, PEER_ANY, PEER_ANY},
    {"alltoall", 4, "linear_sync", NULL, false, PEER_ANY, PEER_ANY},
    {"alltoall", 5, "two_proc", NULL, false, PEER_TWO, PEER_ANY},
    {0},
};

static const struct {
  const char *collective;
  uint32_t number;
} rules[] = {{"allgather", 0}, {"alltoall", 3}, {"bcast", 7}};

const struct peer *peer_find(enum tny_collective collective, uint32_t number)
{
  for (const struct peer *peer = peers; peer->collective; peer++)
    if (peer->number == number && strcmp(peer->collective, tny_collective_name(collective)) == 0)
      return peer;
  return NULL;
}

bool peer_takes(enum peer_ranks ranks, uint32_t rank_count)
{
  switch (ranks) {
  case PEER_EVEN:
    return rank_count % 2 == 0;
  case PEER_TWO:
    return rank_count == 2;
  case PEER_POWER_OF_TWO:
    return (rank_count & (rank_count - 1)) == 0;
  case PEER_ANY:
    break;
  }
  return true;
}

bool peer_rules_number(enum tny_collective collective, uint32_t *number)
{
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (strcmp(rules[i].collective, tny_collective_name(collective)) == 0) {
      *number = rules[i].number;
      return true;
    }
  return false;
}
