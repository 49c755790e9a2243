/* The tables that routings fill: made with the trunks of each switch, measured over, freed. */
#include "cluster/router.h"

#include "core/alloc.h"
#include "core/error.h"

/* Larger tables are refused before the machine runs out. */
#define TABLES_BYTES_MAX ((uint64_t)1 << 32)

/* Sorts the links out of switch s into trunks. `trunk_to` has n entries, all TNY_NONE, and is left
   so. */
static void find_trunks_of(const struct tny_cluster *cluster, struct tny_tables *tables, uint32_t s,
                           uint32_t *trunk_to)
{
  const uint32_t node = cluster->host_count + s, first = tables->first_trunk[s];
  uint32_t end = first;
  for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
    const uint32_t to = cluster->links[cluster->out_links[i]].to - cluster->host_count;
    if (cluster->links[cluster->out_links[i]].to < cluster->host_count)
      continue;
    if (trunk_to[to] == TNY_NONE) {
      trunk_to[to] = end;
      tables->trunks[end++] = (struct tny_trunk){.to = to};
    }
    tables->trunks[trunk_to[to]].cable_count++;
  }
  for (uint32_t t = first; t < end; t++) {
    tables->trunks[t].first_cable = tables->cable_total;
    tables->cable_total += tables->trunks[t].cable_count;
    tables->trunks[t].cable_count = 0;
  }
  for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
    const uint32_t link = cluster->out_links[i];
    if (cluster->links[link].to < cluster->host_count)
      continue;
    struct tny_trunk *trunk =
        &tables->trunks[trunk_to[cluster->links[link].to - cluster->host_count]];
    tables->cables[trunk->first_cable + trunk->cable_count++] = link;
  }
  for (uint32_t t = first; t < end; t++)
    trunk_to[tables->trunks[t].to] = TNY_NONE;
  tables->first_trunk[s + 1] = end;
}

static enum tny_status find_trunks(const struct tny_cluster *cluster, struct tny_tables *tables,
                                   struct tny_error *error)
{
  const uint32_t switch_count = cluster->switch_count;
  /* A host's cable takes up two links, so there is room to spare. */
  tables->first_trunk = tny_new((size_t)switch_count + 1, sizeof *tables->first_trunk);
  tables->trunks = tny_new(cluster->link_count, sizeof *tables->trunks);
  tables->cables = tny_new(cluster->link_count, sizeof *tables->cables);
  uint32_t *trunk_to = tny_new(switch_count, sizeof *trunk_to);
  if (!tables->first_trunk || !tables->trunks || !tables->cables || !trunk_to) {
    tny_free(trunk_to);
    return tny_error_memory(error);
  }
  for (uint32_t s = 0; s < switch_count; s++)
    trunk_to[s] = TNY_NONE;
  tables->option_max = 1;
  for (uint32_t s = 0; s < switch_count; s++) {
    const uint32_t before = tables->cable_total;
    find_trunks_of(cluster, tables, s, trunk_to);
    if (tables->router->list && tables->cable_total - before > tables->option_max)
      tables->option_max = tables->cable_total - before;
  }
  tables->trunks[tables->first_trunk[switch_count]].first_cable = tables->cable_total;
  tny_free(trunk_to);
  return TNY_OK;
}

enum tny_status tny_routes_new(const struct tny_cluster *cluster, const struct tny_router *router,
                               struct tny_routes **routes, struct tny_error *error)
{
  *routes = NULL;
  struct tny_routes *made = tny_new(1, sizeof *made);
  if (!made)
    return tny_error_memory(error);
  made->cluster = cluster;
  made->name = tny_routing_title(router->routing);
  made->tables = tny_new(1, sizeof *made->tables);
  if (!made->tables) {
    tny_free(made);
    return tny_error_memory(error);
  }
  made->tables->router = router;
  const enum tny_status status = find_trunks(cluster, made->tables, error);
  if (status)
    tny_routes_free(made);
  else
    *routes = made;
  return status;
}

void tny_routes_measure(const struct tny_routes *routes, uint32_t start,
                        bool (*crosses)(const struct tny_tables *tables, uint32_t at,
                                        uint32_t next),
                        uint32_t *distance, uint32_t *queue)
{
  const struct tny_tables *tables = routes->tables;
  uint32_t tail = 0;
  for (uint32_t s = 0; s < routes->cluster->switch_count; s++)
    distance[s] = TNY_NONE;
  distance[start] = 0;
  queue[tail++] = start;
  for (uint32_t head = 0; head < tail; head++) {
    const uint32_t at = queue[head];
    for (uint32_t t = tables->first_trunk[at]; t < tables->first_trunk[at + 1]; t++) {
      const uint32_t next = tables->trunks[t].to;
      if (distance[next] != TNY_NONE || (crosses && !crosses(tables, at, next)))
        continue;
      distance[next] = distance[at] + 1;
      queue[tail++] = next;
    }
  }
}

enum tny_status tny_routes_fit(const struct tny_cluster *cluster, uint64_t columns,
                               uint64_t entry_bytes, struct tny_error *error)
{
  if (cluster->switch_count * columns * entry_bytes <= TABLES_BYTES_MAX)
    return TNY_OK;
  return tny_error_set(error, TNY_REFUSED,
                       "routes of %u hosts and %u switches need more than 4 GiB: take a part of "
                       "the cluster",
                       cluster->host_count, cluster->switch_count);
}

void tny_routes_free(struct tny_routes *routes)
{
  if (!routes)
    return;
  struct tny_tables *tables = routes->tables;
  tny_free(tables->first_trunk);
  tny_free(tables->trunks);
  tny_free(tables->cables);
  tny_free(tables->next);
  tny_free(tables->level);
  tny_free(tables->down);
  tny_free(tables->least);
  tny_free(tables->toward);
  tny_free(tables->given);
  tny_free(tables);
  tny_free(routes);
}

struct tny_lane tny_routes_choose_next(const struct tny_routes *routes, uint32_t at,
                                       uint32_t to_host)
{
  const struct tny_tables *tables = routes->tables;
  const uint32_t home = tny_routes_home(routes->cluster, to_host);
  const uint32_t trunk = tables->next[(size_t)at * routes->cluster->switch_count + home];
  return (struct tny_lane){.link = tny_routes_cable(tables, trunk, to_host)};
}
