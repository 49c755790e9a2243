/* BFS up*-down* (Autonet; Jacunski, Sadayappan and Panda, 2.3): the levels of a breadth-first
   search from the switch with the most cables to other switches give each link a direction, up
   where it leads to a lower (level, index); no message goes up after it went down, so that the
   channel dependency graph has no cycle.

   Adaptive: all links on shortest legal ways, which depends on how the message came in: after a
   link that led down, only ways that go down count. Deterministic: it must not depend on that,
   for Ethernet's tables don't; so a switch from which links that lead only down reach the host
   sends down, by the shortest such way, and any other sends up, such that the whole is shortest.
   Ties go to the first trunk. */
#include "cluster/router.h"

#include "core/alloc.h"
#include "core/error.h"

/* What the search for the ways to one switch needs; arrays of n. */
struct search {
  const struct tny_routes *routes;
  uint32_t *by_level; /* switches by (level, index) */
  uint32_t *down;     /* links by ways that lead down; TNY_NONE: no such way */
  uint32_t *distance; /* links as routed deterministically */
  uint32_t *least;    /* links of the shortest legal way */
  uint32_t *queue;
};

static bool leads_up(const struct tny_tables *tables, uint32_t from, uint32_t to)
{
  const uint32_t level = tables->level[from], next = tables->level[to];
  return next < level || (next == level && to < from);
}

uint32_t tny_up_down_root(const struct tny_cluster *cluster)
{
  uint32_t root = 0, most = 0;
  for (uint32_t s = 0; s < cluster->switch_count; s++) {
    const uint32_t node = cluster->host_count + s;
    uint32_t cables = 0;
    for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++)
      cables += cluster->links[cluster->out_links[i]].to >= cluster->host_count;
    if (cables > most) {
      most = cables;
      root = s;
    }
  }
  return root;
}

/* Fills the levels, and by_level by counting. */
static void find_levels(struct search *search)
{
  const struct tny_tables *tables = search->routes->tables;
  const uint32_t n = search->routes->cluster->switch_count;
  uint32_t *level = tables->level, *before = search->down;
  tny_routes_measure(search->routes, tny_up_down_root(search->routes->cluster), NULL, level,
                     search->queue);
  memset(before, 0, n * sizeof *before);
  for (uint32_t s = 0; s < n; s++)
    if (level[s] + 1 < n)
      before[level[s] + 1]++;
  for (uint32_t l = 1; l < n; l++)
    before[l] += before[l - 1];
  for (uint32_t s = 0; s < n; s++)
    search->by_level[before[level[s]]++] = s;
}

/* One more than the least of those above; by_level has these first. */
static void search_up(struct search *search)
{
  const struct tny_tables *tables = search->routes->tables;
  for (uint32_t k = 0; k < search->routes->cluster->switch_count; k++) {
    const uint32_t s = search->by_level[k];
    uint32_t distance = TNY_NONE, least = search->down[s];
    for (uint32_t t = tables->first_trunk[s]; t < tables->first_trunk[s + 1]; t++) {
      const uint32_t to = tables->trunks[t].to;
      if (!leads_up(tables, s, to))
        continue;
      if (search->distance[to] + 1 < distance)
        distance = search->distance[to] + 1;
      if (search->least[to] + 1 < least)
        least = search->least[to] + 1;
    }
    search->distance[s] = search->down[s] == TNY_NONE ? distance : search->down[s];
    search->least[s] = least;
  }
}

/* Whether the trunk is on the deterministic way. */
static bool is_candidate(const struct search *search, uint32_t at, uint32_t trunk)
{
  const struct tny_tables *tables = search->routes->tables;
  const uint32_t to = tables->trunks[trunk].to;
  if (search->down[at] == TNY_NONE)
    return leads_up(tables, at, to) && search->distance[to] + 1 == search->distance[at];
  return !leads_up(tables, at, to) && search->down[to] != TNY_NONE &&
         search->down[to] + 1 == search->down[at];
}

static void search_all(struct search *search)
{
  struct tny_tables *tables = search->routes->tables;
  const size_t n = search->routes->cluster->switch_count;
  find_levels(search);
  for (uint32_t to = 0; to < n; to++) {
    /* Against the links that lead down. */
    tny_routes_measure(search->routes, to, leads_up, search->down, search->queue);
    search_up(search);
    for (uint32_t at = 0; at < n; at++) {
      const uint32_t down = search->down[at];
      uint32_t trunk = tables->first_trunk[at];
      while (at != to && !is_candidate(search, at, trunk))
        trunk++;
      tables->next[at * n + to] = trunk;
      tables->down[at * n + to] = down == TNY_NONE ? TNY_FAR : (uint16_t)down;
      tables->least[at * n + to] = (uint16_t)search->least[at];
    }
  }
}

/* The limit of 4 GiB keeps n, and so every distance, under TNY_FAR. */
static enum tny_status make(struct tny_routes *routes, struct tny_error *error)
{
  struct tny_tables *tables = routes->tables;
  const size_t n = routes->cluster->switch_count;
  const size_t entry_bytes = sizeof *tables->next + sizeof *tables->down + sizeof *tables->least;
  const enum tny_status status = tny_routes_fit(routes->cluster, n, entry_bytes, error);
  if (status)
    return status;
  tables->next = tny_new(n * n, sizeof *tables->next);
  tables->down = tny_new(n * n, sizeof *tables->down);
  tables->least = tny_new(n * n, sizeof *tables->least);
  tables->level = tny_new(n, sizeof *tables->level);
  uint32_t *memory = tny_new(5 * n, sizeof *memory);
  if (!tables->next || !tables->down || !tables->least || !tables->level || !memory) {
    tny_free(memory);
    return tny_error_memory(error);
  }
  struct search search = {.routes = routes,
                          .by_level = memory,
                          .down = memory + n,
                          .distance = memory + 2 * n,
                          .least = memory + 3 * n,
                          .queue = memory + 4 * n};
  if (n > 0)
    search_all(&search);
  tny_free(memory);
  return TNY_OK;
}

/* What comes from a host counts as coming up. */
static bool came_down(const struct tny_routes *routes, uint32_t in_link)
{
  const struct tny_cluster *cluster = routes->cluster;
  if (in_link == TNY_NONE || cluster->links[in_link].from < cluster->host_count)
    return false;
  return !leads_up(routes->tables, cluster->links[in_link].from - cluster->host_count,
                   cluster->links[in_link].to - cluster->host_count);
}

static uint32_t list(const struct tny_routes *routes, uint32_t in_link, uint32_t at,
                     uint32_t to_host, struct tny_lane *options)
{
  const struct tny_tables *tables = routes->tables;
  const size_t n = routes->cluster->switch_count;
  const uint32_t home = tny_routes_home(routes->cluster, to_host);
  const bool down_only = came_down(routes, in_link);
  const uint16_t *down = tables->down + home, *least = tables->least + home;
  const uint32_t left = down_only ? down[at * n] : least[at * n];
  uint32_t count = 0;
  for (uint32_t t = tables->first_trunk[at]; t < tables->first_trunk[at + 1]; t++) {
    const struct tny_trunk *trunk = &tables->trunks[t];
    const bool up = leads_up(tables, at, trunk->to);
    const uint32_t behind = up ? least[trunk->to * n] : down[trunk->to * n];
    if ((up && down_only) || behind == TNY_FAR || behind + 1 != left)
      continue;
    for (uint32_t i = 0; i < trunk->cable_count; i++)
      options[count++] = (struct tny_lane){.link = tables->cables[trunk->first_cable + i]};
  }
  return count;
}

const struct tny_router tny_router_up_down = {
    .routing = TNY_ROUTING_UP_DOWN, .make = make, .choose = tny_routes_choose_next, .list = list};
