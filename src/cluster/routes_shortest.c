/* Shortest path: the one way on a tree; with cycles, the first trunk of a switch that leads nearer,
   which may deadlock (tny_routes_check says so).

   With lanes, a message with k trunks left to its host's switch takes the next one in lane k - 1.
   The lanes of a way count down to 0, so that no message waits for one in the same or a higher
   lane, and none can deadlock, on any network. */
#include "cluster/router.h"

#include "core/alloc.h"
#include "core/error.h"

/* Fills the table `next`; and where `least` has been made, that and lane_count. */
static enum tny_status fill(struct tny_routes *routes, struct tny_error *error)
{
  struct tny_tables *tables = routes->tables;
  const size_t n = routes->cluster->switch_count;
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
      if (!tables->least)
        continue;
      tables->least[at * n + to] = (uint16_t)distance[at];
      if (distance[at] > tables->lane_count)
        tables->lane_count = distance[at];
    }
  }
  tny_free(memory);
  return TNY_OK;
}

static enum tny_status make(struct tny_routes *routes, struct tny_error *error)
{
  const struct tny_tables *tables = routes->tables;
  const size_t n = routes->cluster->switch_count;
  const enum tny_status status = tny_routes_fit(routes->cluster, n, sizeof *tables->next, error);
  return status ? status : fill(routes, error);
}

/* The limit of 4 GiB keeps n, and so every distance, in 16 bits. */
static enum tny_status make_lanes(struct tny_routes *routes, struct tny_error *error)
{
  struct tny_tables *tables = routes->tables;
  const size_t n = routes->cluster->switch_count;
  const enum tny_status status =
      tny_routes_fit(routes->cluster, n, sizeof *tables->next + sizeof *tables->least, error);
  if (status)
    return status;
  tables->least = tny_new(n * n, sizeof *tables->least);
  if (!tables->least)
    return tny_error_memory(error);
  return fill(routes, error);
}

static struct tny_lane choose_lane(const struct tny_routes *routes, uint32_t at, uint32_t to_host)
{
  const struct tny_tables *tables = routes->tables;
  const uint32_t home = tny_routes_home(routes->cluster, to_host);
  struct tny_lane way = tny_routes_choose_next(routes, at, to_host);
  way.lane = tables->least[(size_t)at * routes->cluster->switch_count + home] - 1u;
  return way;
}

const struct tny_router tny_router_shortest = {
    .routing = TNY_ROUTING_SHORTEST, .make = make, .choose = tny_routes_choose_next};
const struct tny_router tny_router_shortest_lanes = {
    .routing = TNY_ROUTING_SHORTEST_LANES, .make = make_lanes, .choose = choose_lane};
