/* The table of native algorithms, and the peers that it makes. */
#include "peers.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "core/units.h"

#define KIB 1024

/* The likelier to be good on networks of several switches, the earlier; those for two processes
   only are left out. */
const struct peer_algorithm peer_algorithms[] = {
    {TNY_BROADCAST, "pipeline", 3, {0, 8 * KIB, 32 * KIB, 128 * KIB}, 4},
    {TNY_BROADCAST, "scatter_allgather_ring", 9, {0}, 1},
    {TNY_BROADCAST, "chain", 2, {0, 8 * KIB, 32 * KIB, 128 * KIB}, 4},
    {TNY_BROADCAST, "split_binary_tree", 4, {0, 8 * KIB, 32 * KIB, 128 * KIB}, 4},
    {TNY_BROADCAST, "scatter_allgather", 8, {0}, 1},
    {TNY_BROADCAST, "binary_tree", 5, {0, 8 * KIB, 32 * KIB, 128 * KIB}, 4},
    {TNY_BROADCAST, "binomial", 6, {0, 32 * KIB}, 2},
    {TNY_BROADCAST, "knomial", 7, {0, 32 * KIB}, 2},
    {TNY_BROADCAST, "basic_linear", 1, {0}, 1},
    {TNY_ALLGATHER, "ring", 4, {0}, 1},
    {TNY_ALLGATHER, "neighbor", 5, {0}, 1},
    {TNY_ALLGATHER, "recursive_doubling", 3, {0}, 1},
    {TNY_ALLGATHER, "bruck", 2, {0}, 1},
    {TNY_ALLGATHER, "linear", 1, {0}, 1},
    {TNY_ALLTOALL, "pairwise", 2, {0}, 1},
    {TNY_ALLTOALL, "linear_sync", 4, {0}, 1},
    {TNY_ALLTOALL, "modified_bruck", 3, {0}, 1},
    {TNY_ALLTOALL, "linear", 1, {0}, 1},
};
const size_t peer_algorithm_count = sizeof peer_algorithms / sizeof *peer_algorithms;

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
    for (uint32_t s = 0; algorithm->collective == collective && s < algorithm->segment_count; s++) {
      assert(count + 1 < PEERS_MAX);
      peers[count++] = make_peer(algorithm, s);
    }
  }
  if (han_has(collective))
    peers[count++] = (struct peer){.bytes_min = 1, .bytes_max = INT32_MAX, .name = "han"};
  return count;
}
