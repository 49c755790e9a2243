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

/* As how many of a link's cables it can be relied on: its rate is that of so many cables, and its
   buffer that of so many ports. */
static inline uint32_t tny_link_relied_cables(const struct tny_link *link)
{
  return link->spread == TNY_SPREADING_PACKET ? link->cable_count : 1;
}

/* The rate of each of its cables. */
static inline uint64_t tny_link_cable_bps(const struct tny_link *link)
{
  return link->best_bps / link->cable_count;
}

/* The buffer of each of its ports. */
static inline uint64_t tny_link_port_bytes(const struct tny_link *link)
{
  return link->buffer_bytes / tny_link_relied_cables(link);
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
