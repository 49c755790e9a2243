/* The routings: what files, options and people call them, and which one a cluster has where none is
   asked for. */
#include <string.h>

#include <tourney/routing.h>

#include "cluster/build.h"
#include "core/error.h"

static const struct {
  const char *name, *title;
} routings[] = {
    [TNY_ROUTING_AUTO] = {"auto", "auto"},
    [TNY_ROUTING_SHORTEST] = {"shortest", "shortest path"},
    [TNY_ROUTING_SHORTEST_LANES] = {"shortest-lanes", "shortest path in lanes"},
    [TNY_ROUTING_UP_DOWN] = {"up-down", "BFS up*-down*"},
    [TNY_ROUTING_DIMENSION_ORDER] = {"dimension-order", "dimension order"},
    [TNY_ROUTING_DIMENSION_ORDER_BALANCED] = {"dimension-order-balanced",
                                              "dimension order, balanced lanes"},
    [TNY_ROUTING_TABLE] = {NULL, "given tables"},
};

enum tny_routing tny_routing_default(const struct tny_cluster *cluster)
{
  if (cluster->routing != TNY_ROUTING_AUTO)
    return cluster->routing;
  if (tny_cluster_is_tree(cluster))
    return TNY_ROUTING_SHORTEST;
  return cluster->shape.dimension_count ? TNY_ROUTING_DIMENSION_ORDER : TNY_ROUTING_UP_DOWN;
}

const char *tny_routing_name(enum tny_routing routing)
{
  return routings[routing].name;
}

const char *tny_routing_title(enum tny_routing routing)
{
  return routings[routing].title;
}

bool tny_routing_find(const char *name, enum tny_routing *routing)
{
  for (size_t i = 0; i < TNY_ROUTING_TABLE; i++)
    if (!strcmp(name, routings[i].name)) {
      *routing = (enum tny_routing)i;
      return true;
    }
  return false;
}

enum tny_status tny_build_route(struct tny_build *build, const char *name, struct tny_error *error)
{
  if (build->routing != TNY_ROUTING_AUTO)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                        "the routing is given twice: \"%.40s\"", name);
  if (tny_routing_find(name, &build->routing) && build->routing != TNY_ROUTING_AUTO)
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0,
                      "the unknown routing \"%.40s\": there are shortest, shortest-lanes, up-down, "
                      "dimension-order and dimension-order-balanced",
                      name);
}
