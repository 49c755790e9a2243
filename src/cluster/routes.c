/* Routes, whatever the routing: made, and asked for the next link. The routings are in routes_*.c.
   */
#include "cluster/router.h"

#include "core/error.h"

enum tny_status tny_routes_make_as(const struct tny_cluster *cluster, enum tny_routing routing,
                                   struct tny_routes **routes, struct tny_error *error)
{
  static const struct tny_router *const routers[] = {
      &tny_router_shortest, &tny_router_shortest_lanes, &tny_router_up_down,
      &tny_router_dimension_order, &tny_router_dimension_order_balanced};
  if (routing == TNY_ROUTING_AUTO)
    routing = tny_routing_default(cluster);
  for (size_t i = 0; i < sizeof routers / sizeof *routers; i++) {
    if (routers[i]->routing != routing)
      continue;
    enum tny_status status = tny_routes_new(cluster, routers[i], routes, error);
    if (!status)
      status = routers[i]->make(*routes, error);
    if (status) {
      tny_routes_free(*routes);
      *routes = NULL;
    }
    return status;
  }
  *routes = NULL;
  return tny_error_set(error, TNY_REFUSED, "tables must be read from a file");
}

enum tny_status tny_routes_make(const struct tny_cluster *cluster, struct tny_routes **routes,
                                struct tny_error *error)
{
  return tny_routes_make_as(cluster, TNY_ROUTING_AUTO, routes, error);
}

/* Fills `way` and returns true where it is the same by every routing: at hosts, and at the switch
   of the destination. */
static inline bool is_plain(const struct tny_cluster *cluster, uint32_t node, uint32_t to_host,
                            struct tny_lane *way)
{
  const uint32_t host_link = cluster->out_links[cluster->first_out[to_host]];
  if (node == to_host)
    *way = (struct tny_lane){.link = TNY_NONE};
  else if (node < cluster->host_count)
    *way = (struct tny_lane){.link = cluster->out_links[cluster->first_out[node]]};
  else if (cluster->links[host_link].to == node)
    *way = (struct tny_lane){.link = host_link ^ 1};
  else
    return false;
  return true;
}

struct tny_lane tny_routes_choice(const struct tny_routes *routes, uint32_t node, uint32_t to_host)
{
  const struct tny_cluster *cluster = routes->cluster;
  struct tny_lane way;
  if (is_plain(cluster, node, to_host, &way))
    return way;
  return routes->tables->router->choose(routes, node - cluster->host_count, to_host);
}

uint32_t tny_routes_next(const struct tny_routes *routes, uint32_t node, uint32_t to_host)
{
  return tny_routes_choice(routes, node, to_host).link;
}

uint32_t tny_routes_options(const struct tny_routes *routes, struct tny_lane in, uint32_t node,
                            uint32_t to_host, struct tny_lane *options)
{
  const struct tny_cluster *cluster = routes->cluster;
  const struct tny_router *router = routes->tables->router;
  if (is_plain(cluster, node, to_host, options))
    return options->link != TNY_NONE;
  if (router->list)
    return router->list(routes, in.link, node - cluster->host_count, to_host, options);
  options[0] = router->choose(routes, node - cluster->host_count, to_host);
  return 1;
}

uint32_t tny_routes_option_max(const struct tny_routes *routes)
{
  return routes->tables->option_max;
}

uint32_t tny_routes_lane_count(const struct tny_routes *routes)
{
  const bool has_dimension_order = routes->tables->toward;
  if (routes->tables->lane_count > 0)
    return routes->tables->lane_count;
  return has_dimension_order && routes->cluster->shape.wraps ? 2 : 1;
}

bool tny_routes_are_adaptive(const struct tny_routes *routes)
{
  return routes->tables->router->list != NULL;
}
