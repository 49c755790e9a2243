/* The table of native algorithms, and the peers that it makes. */
#include "peers.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "core/units.h"

#define KIB 1024

/* The likelier to be good on networks of several switches, the earlier. */
#define UNCUT {0}, 1
#define CUT {0, 8 * KIB, 32 * KIB, 128 * KIB}, 4
#define CUT_ONCE {0, 32 * KIB}, 2

const struct peer_algorithm peer_algorithms[] = {
    {TNY_BROADCAST, "pipeline", 3, CUT, NULL, PEER_ANY, PEER_ANY},
    {TNY_BROADCAST, "scatter_allgather_ring", 9, UNCUT, "MPIR_Bcast_intra_scatter_ring_allgather",
     PEER_ANY, PEER_ANY},
    {TNY_BROADCAST, "chain", 2, CUT, NULL, PEER_ANY, PEER_ANY},
    {TNY_BROADCAST, "split_binary_tree", 4, CUT, NULL, PEER_ANY, PEER_ANY},
    {TNY_BROADCAST, "scatter_allgather", 8, UNCUT,
     "MPIR_Bcast_intra_scatter_recursive_doubling_allgather", PEER_ANY, PEER_POWER_OF_TWO},
    {TNY_BROADCAST, "binary_tree", 5, CUT, NULL, PEER_ANY, PEER_ANY},
    {TNY_BROADCAST, "binomial", 6, CUT_ONCE, "MPIR_Bcast_intra_binomial", PEER_ANY, PEER_ANY},
    {TNY_BROADCAST, "knomial", 7, CUT_ONCE, NULL, PEER_ANY, PEER_ANY},
    {TNY_BROADCAST, "basic_linear", 1, UNCUT, NULL, PEER_ANY, PEER_ANY},
    {TNY_ALLGATHER, "ring", 4, UNCUT, "MPIR_Allgather_intra_ring", PEER_ANY, PEER_ANY},
    {TNY_ALLGATHER, "neighbor", 5, UNCUT, NULL, PEER_EVEN, PEER_ANY},
    {TNY_ALLGATHER, "recursive_doubling", 3, UNCUT, "MPIR_Allgather_intra_recursive_doubling",
     PEER_ANY, PEER_POWER_OF_TWO},
    {TNY_ALLGATHER, "bruck", 2, UNCUT, "MPIR_Allgather_intra_brucks", PEER_ANY, PEER_ANY},
    {TNY_ALLGATHER, "linear", 1, UNCUT, NULL, PEER_ANY, PEER_ANY},
    {TNY_ALLGATHER, "two_proc", 6, UNCUT, NULL, PEER_TWO, PEER_ANY},
    {TNY_ALLTOALL, "pairwise", 2, UNCUT, "MPIR_Alltoall_intra_pairwise", PEER_ANY, PEER_ANY},
    {TNY_ALLTOALL, "linear_sync", 4, UNCUT, NULL, PEER_ANY, PEER_ANY},
    {TNY_ALLTOALL, "modified_bruck", 3, UNCUT, "MPIR_Alltoall_intra_brucks", PEER_ANY, PEER_ANY},
    {TNY_ALLTOALL, "linear", 1, UNCUT, "MPIR_Alltoall_intra_scattered", PEER_ANY, PEER_ANY},
    {TNY_ALLTOALL, "two_proc", 5, UNCUT, NULL, PEER_TWO, PEER_ANY},
};
const size_t peer_algorithm_count = sizeof peer_algorithms / sizeof *peer_algorithms;

/* The collectives' numbers in Open MPI's rules file. */
static const struct {
  enum tny_collective collective;
  uint32_t number;
} rules[] = {{TNY_ALLGATHER, 0}, {TNY_ALLTOALL, 3}, {TNY_BROADCAST, 7}};

const struct peer_algorithm *peer_find(enum tny_collective collective, uint32_t number)
{
  for (size_t i = 0; i < peer_algorithm_count; i++)
    if (peer_algorithms[i].collective == collective && peer_algorithms[i].number == number)
      return &peer_algorithms[i];
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
    if (rules[i].collective == collective) {
      *number = rules[i].number;
      return true;
    }
  return false;
}

/* HAN 4.1.4 has no all-to-all of its own. */
static bool han_has(enum tny_collective collective)
{
  return collective == TNY_BROADCAST || collective == TNY_ALLGATHER;
}

/* A segment as long as the message is no segment. Uncut, what can be cut is a peer only up to its
   second segment size: above, it is slower than cut by far. */
static struct peer make_peer(const struct peer_algorithm *algorithm, uint32_t index)
{
  struct peer peer = {.algorithm = algorithm,
                      .segment_bytes = algorithm->segments[index],
                      .bytes_min = 1,
                      .bytes_max = INT32_MAX};
  const int length = snprintf(peer.name, sizeof peer.name, "tuned:%s=%s",
                              tny_collective_name(algorithm->collective), algorithm->name);
  assert(length > 0 && (size_t)length < sizeof peer.name);
  if (peer.segment_bytes) {
    peer.bytes_min = peer.segment_bytes + 1;
    snprintf(peer.name + length, sizeof peer.name - (size_t)length, ",segment=%s",
             tny_bytes_format(peer.segment_bytes).text);
  } else if (algorithm->segment_count > 2) {
    peer.bytes_max = algorithm->segments[2];
  }
  return peer;
}

size_t peers_of(enum tny_collective collective, struct peer peers[PEERS_MAX])
{
  size_t count = 0;
  for (size_t i = 0; i < peer_algorithm_count; i++) {
    const struct peer_algorithm *algorithm = &peer_algorithms[i];
    if (algorithm->ranks == PEER_TWO)
      continue;
    for (uint32_t s = 0; algorithm->collective == collective && s < algorithm->segment_count; s++) {
      assert(count + 1 < PEERS_MAX);
      peers[count++] = make_peer(algorithm, s);
    }
  }
  if (han_has(collective))
    peers[count++] = (struct peer){.bytes_min = 1, .bytes_max = INT32_MAX, .name = "han"};
  return count;
}
