/* The hosts that have ranks, what links cost, and walks over spanning trees of the switches. */
#include "planner/rings/ring_map.h"

#include "core/alloc.h"
#include "core/error.h"

/* --- hosts --- */

/* `has_ranks` is by host. */
static void group_hosts(struct tny_ring_map *map, const bool *has_ranks)
{
  const struct tny_cluster *cluster = map->network->routes->cluster;
  for (uint32_t host = 0; host < cluster->host_count; host++) {
    map->home[host] =
        cluster->switch_count > 0 ? tny_cluster_switch_of(cluster, host) - cluster->host_count : 0;
    map->first[map->home[host] + 1] += has_ranks[host];
  }
  for (uint32_t at = 0; at < map->switch_count; at++)
    map->first[at + 1] += map->first[at];
  map->host_count = map->first[map->switch_count];
  /* From the back, so that first[at] ends where it began. */
  for (uint32_t host = cluster->host_count; host-- > 0;)
    if (has_ranks[host])
      map->hosts[--map->first[map->home[host] + 1]] = host;
  for (uint32_t at = 0; at < map->switch_count; at++)
    map->first[at] = map->first[at + 1];
  map->first[map->switch_count] = map->host_count;
}

/* --- costs --- */

enum { COST_MAX = 1 << 26 };

static uint64_t cost_of(uint64_t fastest_bps, uint64_t bandwidth_bps)
{
  const uint64_t slower = fastest_bps / TNY_RING_UNIT >= UINT64_MAX / TNY_RING_UNIT / TNY_RING_UNIT
                              ? fastest_bps / bandwidth_bps * TNY_RING_UNIT
                              : fastest_bps * TNY_RING_UNIT / bandwidth_bps;
  return slower < COST_MAX ? slower : COST_MAX;
}

static void raise_goal(struct tny_ring_map *map, uint64_t cost)
{
  if (cost > map->goal)
    map->goal = cost;
}

/* The goal: a ring leaves each host, and each switch that has ranks unless it is the only one. */
static void set_costs(struct tny_ring_map *map)
{
  const struct tny_cluster *cluster = map->network->routes->cluster;
  uint64_t fastest_bps = 0;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (cluster->links[link].bandwidth_bps > fastest_bps)
      fastest_bps = cluster->links[link].bandwidth_bps;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    map->cost[link] = cost_of(fastest_bps, cluster->links[link].bandwidth_bps);
  for (uint32_t i = 0; i < map->host_count && map->host_count > 1; i++)
    raise_goal(map, map->cost[cluster->out_links[cluster->first_out[map->hosts[i]]]]);
  for (uint32_t at = 0; at < map->switch_count && cluster->switch_count > 0; at++) {
    const uint32_t node = cluster->host_count + at, inside = tny_ring_map_size(map, at);
    uint64_t together_bps = 0;
    for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
      const struct tny_link *link = &cluster->links[cluster->out_links[i]];
      together_bps += link->to >= cluster->host_count ? link->bandwidth_bps : 0;
    }
    if (inside > 0 && inside < map->host_count && together_bps > 0)
      raise_goal(map, cost_of(fastest_bps, together_bps));
  }
}

enum tny_status tny_ring_map_make(const struct tny_network *network, uint32_t rank_count,
                                  struct tny_ring_map **map, struct tny_error *error)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  const uint32_t switch_count = cluster->switch_count > 0 ? cluster->switch_count : 1;
  struct tny_ring_map *made = *map = tny_new(1, sizeof *made);
  bool *has_ranks = tny_new(cluster->host_count, sizeof *has_ranks);
  if (made) {
    made->network = network;
    made->switch_count = switch_count;
    made->first = tny_new((size_t)switch_count + 1, sizeof *made->first);
    made->hosts = tny_new(cluster->host_count, sizeof *made->hosts);
    made->home = tny_new(cluster->host_count, sizeof *made->home);
    made->cost = tny_new(cluster->link_count, sizeof *made->cost);
  }
  const bool done = made && has_ranks && made->first && made->hosts && made->home && made->cost;
  for (uint32_t rank = 0; done && rank < rank_count; rank++)
    has_ranks[network->host_of_rank[rank]] = true;
  if (done) {
    group_hosts(made, has_ranks);
    set_costs(made);
  }
  tny_free(has_ranks);
  return done ? TNY_OK : tny_error_memory(error);
}

void tny_ring_map_free(struct tny_ring_map *map)
{
  if (!map)
    return;
  tny_free(map->first);
  tny_free(map->hosts);
  tny_free(map->home);
  tny_free(map->cost);
  tny_free(map);
}

/* --- walks --- */

enum tny_status tny_ring_map_follow(const struct tny_ring_map *map, const uint32_t *ranks,
                                    uint32_t rank_count, struct tny_ring_walk *walk,
                                    struct tny_error *error)
{
  bool *entered = tny_new(map->switch_count, sizeof *entered);
  if (!entered)
    return tny_error_memory(error);
  walk->count = 0;
  for (uint32_t i = 0; i < (ranks ? rank_count : map->host_count); i++) {
    const uint32_t host = ranks ? map->network->host_of_rank[ranks[i]] : map->hosts[i];
    if (entered[map->home[host]])
      continue;
    entered[map->home[host]] = true;
    walk->hosts[walk->count++] = host;
  }
  tny_free(entered);
  return TNY_OK;
}

/* A spanning tree of the switches that the root reaches. Arrays of switch_count. */
struct spanning {
  const struct tny_cluster *cluster;
  uint32_t *parent;                /* the root is its own; TNY_NONE: not reached */
  uint32_t *first_child, *sibling; /* TNY_NONE: none */
  uint32_t *todo;                  /* switches whose cables are to be looked at */
  uint32_t *cable;                 /* where a switch goes on looking, depth-first */
};

static void adopt(struct spanning *tree, uint32_t parent, uint32_t child)
{
  tree->parent[child] = parent;
  tree->sibling[child] = tree->first_child[parent];
  tree->first_child[parent] = child;
}

/* The switch at the end of the next cable to one that isn't reached; TNY_NONE: no more. */
static uint32_t next_unreached(struct spanning *tree, uint32_t at)
{
  const struct tny_cluster *cluster = tree->cluster;
  const uint32_t node = cluster->host_count + at;
  for (; tree->cable[at] < cluster->first_out[node + 1]; tree->cable[at]++) {
    const uint32_t to = cluster->links[cluster->out_links[tree->cable[at]]].to;
    if (to >= cluster->host_count && tree->parent[to - cluster->host_count] == TNY_NONE)
      return to - cluster->host_count;
  }
  return TNY_NONE;
}

static void grow(struct spanning *tree, uint32_t root, bool is_deep)
{
  const struct tny_cluster *cluster = tree->cluster;
  uint32_t head = 0, tail = 0;
  for (uint32_t at = 0; at < cluster->switch_count; at++) {
    tree->parent[at] = tree->first_child[at] = tree->sibling[at] = TNY_NONE;
    tree->cable[at] = cluster->first_out[cluster->host_count + at];
  }
  tree->parent[root] = root;
  tree->todo[tail++] = root;
  while (head < tail) {
    const uint32_t at = tree->todo[is_deep ? tail - 1 : head], child = next_unreached(tree, at);
    if (child != TNY_NONE) {
      adopt(tree, at, child);
      tree->todo[tail++] = child;
    } else if (is_deep) {
      tail--;
    } else {
      head++;
    }
  }
}

/* Enters the switch by the next of its hosts, if there is one. */
static void enter(const struct tny_ring_map *map, uint32_t at, uint32_t *entered, bool often,
                  struct tny_ring_walk *walk)
{
  if (entered[at] < (often ? tny_ring_map_size(map, at) : tny_ring_map_size(map, at) > 0))
    walk->hosts[walk->count++] = map->hosts[map->first[at] + entered[at]++];
}

/* Around the tree; back at the root, it is where it began. */
static void go_around(const struct tny_ring_map *map, const struct spanning *tree,
                      const struct tny_ring_tree *wanted, uint32_t *entered,
                      struct tny_ring_walk *walk)
{
  uint32_t at = wanted->root;
  enter(map, at, entered, true, walk);
  for (;;) {
    if (tree->first_child[at] != TNY_NONE) {
      at = tree->first_child[at];
    } else {
      while (at != wanted->root && tree->sibling[at] == TNY_NONE) {
        at = tree->parent[at];
        if (at != wanted->root && wanted->enters_often)
          enter(map, at, entered, true, walk);
      }
      if (at == wanted->root)
        return;
      if (wanted->enters_often)
        enter(map, tree->parent[at], entered, true, walk);
      at = tree->sibling[at];
    }
    enter(map, at, entered, wanted->enters_often, walk);
  }
}

enum tny_status tny_ring_map_walk(const struct tny_ring_map *map, const struct tny_ring_tree *tree,
                                  struct tny_ring_walk *walk, struct tny_error *error)
{
  const struct tny_cluster *cluster = map->network->routes->cluster;
  walk->count = 0;
  if (cluster->switch_count == 0)
    return tny_ring_map_follow(map, NULL, 0, walk, error);
  const size_t n = cluster->switch_count;
  uint32_t *memory = tny_new(6 * n, sizeof *memory);
  if (!memory)
    return tny_error_memory(error);
  struct spanning spanning = {.cluster = cluster,
                              .parent = memory,
                              .first_child = memory + n,
                              .sibling = memory + 2 * n,
                              .todo = memory + 3 * n,
                              .cable = memory + 4 * n};
  grow(&spanning, tree->root, tree->is_deep);
  go_around(map, &spanning, tree, memory + 5 * n, walk);
  tny_free(memory);
  return TNY_OK;
}
