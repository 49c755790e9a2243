/* Checks that ranks sit on hosts that the cluster has. */
#include <tourney/cluster.h>

#include "core/error.h"

enum tny_status tny_network_check(const struct tny_network *network, uint32_t rank_count,
                                  struct tny_error *error)
{
  const uint32_t host_count = network->routes->cluster->host_count;
  if (rank_count > network->rank_count)
    return tny_error_set(error, TNY_REFUSED,
                         "%u ranks, but the network says where %u of them sit: place all of them",
                         rank_count, network->rank_count);
  for (uint32_t rank = 0; rank < rank_count; rank++)
    if (network->host_of_rank[rank] >= host_count)
      return tny_error_set(error, TNY_REFUSED,
                           "rank %u sits on host %u, but the cluster's hosts are 0 to %u", rank,
                           network->host_of_rank[rank], host_count - 1);
  return TNY_OK;
}
