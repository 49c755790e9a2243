/* Short questions about a cluster's links. */
#ifndef TOURNEY_CLUSTER_LINKS_H
#define TOURNEY_CLUSTER_LINKS_H

#include <tourney/cluster.h>

/* A trunk joins two switches; any other link is a host's. */
static inline bool tny_link_is_trunk(const struct tny_cluster *cluster, uint32_t link)
{
  return cluster->links[link].from >= cluster->host_count &&
         cluster->links[link].to >= cluster->host_count;
}

/* The bytes of the smallest port buffer; UINT64_MAX for a cluster without links. */
static inline uint64_t tny_cluster_least_buffer(const struct tny_cluster *cluster)
{
  uint64_t least = UINT64_MAX;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (cluster->links[link].buffer_bytes < least)
      least = cluster->links[link].buffer_bytes;
  return least;
}

#endif
