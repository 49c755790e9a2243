/* Shortest path: the one way on a tree; with cycles, the first trunk of a switch that leads nearer,
   which may deadlock (tny_routes_check says so). */
#include "cluster/router.h"

#include "core/alloc.h"
#include "core/error.h"

/* Breadth-first from the switch `to`, against the links; a trunk has its counterpart, so that the
   trunks out of a switch are those into it as well. */
static void measure(const struct tny_routes *routes, uint32_t to, uint32_t *distance,
                    uint32_t *queue)
{
  const struct tny_tables *tables = routes->tables;
  uint32_t tail = 0;
  for (uint32_t s = 0; s < routes->cluster->switch_count; s++)
    distance[s] = TNY_NONE;
  distance[to] = 0;
  queue[tail++] = to;
  for (uint32_t head = 0; head < tail; head++)
    for (uint32_t t = tables->first_trunk[queue[head]]; t < tables->first_trunk[queue[head] + 1];
         t++) {
      const uint32_t from = tables->trunks[t].to;
      if (distance[from] != TNY_NONE)
        continue;
      distance[from] = distance[queue[head]] + 1;
      queue[tail++] = from;
    }
}

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
    measure(routes, to, distance, memory + n);
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
