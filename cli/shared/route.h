/* The links that a message between two ranks takes, one after the other. */
#ifndef TOURNEY_WAY_H
#define TOURNEY_WAY_H

#include <tourney/cluster.h>

struct way {
  const struct tny_routes *routes; /* borrowed */
  uint32_t node, to_host;
};

static inline struct way way_begin(const struct tny_network *network, uint32_t from, uint32_t to)
{
  return (struct way){network->routes, network->host_of_rank[from], network->host_of_rank[to]};
}

/* The next link, TNY_NONE at the end (at once where both ranks share a host). */
static inline uint32_t way_next(struct way *way)
{
  const uint32_t link = tny_routes_next(way->routes, way->node, way->to_host);
  if (link != TNY_NONE)
    way->node = way->routes->cluster->links[link].to;
  return link;
}

#endif
