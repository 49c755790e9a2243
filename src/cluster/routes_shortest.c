/* Shortest path: the one way on a tree; with cycles, the first trunk of a switch that leads nearer,
   which may deadlock (tny_routes_check says so). */
#include "cluster/router.h"

#include "core/alloc.h"
#include "core/error.h"

static enum tny_status make(struct tny_routes *routes, struct tny_error *error)
{
  struct tny_tables *tables = routes->tables;
  const size_t n = routes->cluster->switch_count;
  const enum tny_status status = tny_routes_fit(routes->cluster, n, sizeof *tables->next, error);
  if (status)
    return status;
  tables->next = tny_new(n * n, sizeof *tables->next);
  uint32_t *memory = tny_new(2 * n, sizeof *memory);
  if (!tables->next || !memory) {
    tny_free(memory);
    return tny_error_memory(error);
  }
  uint32_t *distance = memory;
  for (uint32_t to = 0; to < n; to++) {
    tny_routes_measure(routes, to, NULL, distance, memory + n);
    for (uint32_t at = 0; at < n; at++) {
      uint32_t trunk = tables->first_trunk[at];
      while (at != to && distance[tables->trunks[trunk].to] + 1 != distance[at])
        trunk++;
      tables->next[at * n + to] = trunk;
    }
  }
  tny_free(memory);
  return TNY_OK;
}

const struct tny_router tny_router_shortest = {
    .routing = TNY_ROUTING_SHORTEST, .make = make, .choose = tny_routes_choose_next};
