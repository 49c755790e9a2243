/* The links that a message between two ranks takes, one after the other. */
#ifndef TOURNEY_CLUSTER_ROUTE_H
#define TOURNEY_CLUSTER_ROUTE_H

#include <tourney/cluster.h>

struct tny_route {
  const struct tny_routes *routes; /* borrowed */
  uint32_t node, to_host;
};

static inline struct tny_route tny_route_begin(const struct tny_network *network,
                                               uint32_t from_rank, uint32_t to_rank)
{
  return (struct tny_route){network->routes, network->host_of_rank[from_rank],
                            network->host_of_rank[to_rank]};
}

/* The next link, TNY_NONE at the end (at once where both ranks share a host). */
static inline uint32_t tny_route_next(struct tny_route *route)
{
  const uint32_t link = tny_routes_next(route->routes, route->node, route->to_host);
  if (link != TNY_NONE)
    route->node = route->routes->cluster->links[link].to;
  return link;
}

/* True where the messages of one sender to two ranks both cross `link`, and go the same way up to
   there. */
static inline bool tny_route_same_until(const struct tny_network *network, uint32_t sender,
                                        const uint32_t receivers[2], uint32_t link)
{
  struct tny_route a = tny_route_begin(network, sender, receivers[0]);
  struct tny_route b = tny_route_begin(network, sender, receivers[1]);
  for (;;) {
    const uint32_t next = tny_route_next(&a);
    if (next == TNY_NONE || next != tny_route_next(&b))
      return false;
    if (next == link)
      return true;
  }
}

#endif
