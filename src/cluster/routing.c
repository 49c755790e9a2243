/* The routings: what people call them, and which one a cluster has where none is asked for. */
#include <tourney/routing.h>

enum tny_routing tny_routing_default(const struct tny_cluster *cluster)
{
  if (tny_cluster_is_tree(cluster))
    return TNY_ROUTING_SHORTEST;
  return cluster->shape.dimension_count ? TNY_ROUTING_DIMENSION_ORDER : TNY_ROUTING_UP_DOWN;
}

const char *tny_routing_title(enum tny_routing routing)
{
  static const char *const titles[] = {
      [TNY_ROUTING_AUTO] = "auto",
      [TNY_ROUTING_SHORTEST] = "shortest path",
      [TNY_ROUTING_SHORTEST_LANES] = "shortest path, a lane for each trunk left",
      [TNY_ROUTING_UP_DOWN] = "BFS up*-down*",
      [TNY_ROUTING_DIMENSION_ORDER] = "dimension order",
      [TNY_ROUTING_DIMENSION_ORDER_BALANCED] = "dimension order, balanced lanes",
      [TNY_ROUTING_TABLE] = "given tables",
  };
  return titles[routing];
}
