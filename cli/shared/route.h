/* The route of a message between two ranks, link by link. */
#ifndef TOURNEY_WAY_H
#define TOURNEY_WAY_H

#include <tourney/cluster.h>

struct route {
  const struct tny_routes *routes; /* borrowed */
  uint32_t node, to_host;
};

static inline struct route route_begin(const struct tny_network *network, uint32_t from,
                                       uint32_t to)
{
  return (struct route){network->routes, network->host_of_rank[from], network->host_of_rank[to]};
}

/* The next link, TNY_NONE at the end (at once where both ranks share a host). */
static inline uint32_t route_next(struct route *route)
{
  const uint32_t link = tny_routes_next(route->routes, route->node, route->to_host);
  if (link != TNY_NONE)
    route->node = route->routes->cluster->links[link].to;
  return link;
}

#endif
