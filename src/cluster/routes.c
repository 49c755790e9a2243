/* Routes: for each host, which link each node sends into towards it.

   On a tree there is one way. On any other graph BFS up*-down*: the levels of a breadth-first
   search from a switch of the highest degree give each link a direction, up where it leads to a
   lower (level, index); no message goes up after it went down, so no cycle of full buffers can
   form. A node from which links that lead only down reach the host sends down, by the shortest such
   way, and any other sends up, such that the whole is shortest. Ties go to the link of the lowest
   index; parallel cables share the hosts by host index. Cost: hosts * links. */
#include <tourney/cluster.h>

#include "core/alloc.h"
#include "core/error.h"

/* Next hops beyond this many (4 GiB) are refused before the machine runs out. */
#define NEXT_MAX ((uint64_t)1 << 30)

static uint32_t count_nodes(const struct tny_cluster *cluster)
{
  return cluster->host_count + cluster->switch_count;
}

/* What the search for one host's routes needs; arrays of node_count. */
struct search {
  const struct tny_cluster *cluster;
  uint32_t *level;    /* from the root of up*-down*; NULL on a tree */
  uint32_t *by_level; /* nodes by (level, index) */
  uint32_t *down;     /* links to the host by links that lead down; TNY_NONE: no such way */
  uint32_t *distance; /* links to the host as routed */
  uint32_t *queue;
};

static bool leads_up(const struct search *search, const struct tny_link *link)
{
  const uint32_t from = search->level[link->from], to = search->level[link->to];
  return to < from || (to == from && link->to < link->from);
}

static uint32_t find_root(const struct tny_cluster *cluster)
{
  uint32_t root = 0, most = 0;
  for (uint32_t node = cluster->host_count; node < count_nodes(cluster); node++) {
    const uint32_t degree = cluster->first_out[node + 1] - cluster->first_out[node];
    if (degree > most) {
      most = degree;
      root = node;
    }
  }
  return root;
}

/* Fills level, and by_level by counting. */
static void find_levels(struct search *search)
{
  const struct tny_cluster *cluster = search->cluster;
  const uint32_t node_count = count_nodes(cluster);
  for (uint32_t node = 0; node < node_count; node++)
    search->level[node] = TNY_NONE;
  uint32_t *queue = search->queue, *before = search->down, tail = 0;
  queue[tail++] = find_root(cluster);
  search->level[queue[0]] = 0;
  for (uint32_t head = 0; head < tail; head++)
    for (uint32_t i = cluster->first_out[queue[head]]; i < cluster->first_out[queue[head] + 1];
         i++) {
      const uint32_t to = cluster->links[cluster->out_links[i]].to;
      if (search->level[to] == TNY_NONE) {
        search->level[to] = search->level[queue[head]] + 1;
        queue[tail++] = to;
      }
    }
  memset(before, 0, node_count * sizeof *before);
  for (uint32_t node = 0; node < node_count; node++)
    if (search->level[node] + 1 < node_count)
      before[search->level[node] + 1]++;
  for (uint32_t level = 1; level < node_count; level++)
    before[level] += before[level - 1];
  for (uint32_t node = 0; node < node_count; node++)
    search->by_level[before[search->level[node]]++] = node;
}

/* Breadth-first from the host against the links; on a tree over all, else over those that lead
   down. Fills `reached` with distances. */
static void search_back(struct search *search, uint32_t host, uint32_t *reached)
{
  const struct tny_cluster *cluster = search->cluster;
  uint32_t *queue = search->queue, tail = 0;
  for (uint32_t node = 0; node < count_nodes(cluster); node++)
    reached[node] = TNY_NONE;
  reached[host] = 0;
  queue[tail++] = host;
  for (uint32_t head = 0; head < tail; head++)
    for (uint32_t i = cluster->first_out[queue[head]]; i < cluster->first_out[queue[head] + 1];
         i++) {
      const struct tny_link *back = &cluster->links[cluster->out_links[i]];
      if (reached[back->to] != TNY_NONE || (search->level && !leads_up(search, back)))
        continue;
      reached[back->to] = reached[queue[head]] + 1;
      queue[tail++] = back->to;
    }
}

/* Where a node that can't go down only stands: one more than the least of those above it. */
static void search_up(struct search *search)
{
  const struct tny_cluster *cluster = search->cluster;
  for (uint32_t k = 0; k < count_nodes(cluster); k++) {
    const uint32_t node = search->by_level[k];
    uint32_t least = search->down[node];
    if (least == TNY_NONE)
      for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
        const struct tny_link *link = &cluster->links[cluster->out_links[i]];
        if (leads_up(search, link) && search->distance[link->to] + 1 < least)
          least = search->distance[link->to] + 1;
      }
    search->distance[node] = least;
  }
}

/* Whether the link is on a shortest legal way of its sender. */
static bool is_candidate(const struct search *search, const struct tny_link *link)
{
  if (!search->level)
    return search->distance[link->to] + 1 == search->distance[link->from];
  if (search->down[link->from] == TNY_NONE)
    return leads_up(search, link) && search->distance[link->to] + 1 == search->distance[link->from];
  return !leads_up(search, link) && search->down[link->to] != TNY_NONE &&
         search->down[link->to] + 1 == search->down[link->from];
}

/* The first candidate's receiver; of the cables there, the one whose turn the host is. */
static uint32_t choose_link(const struct search *search, uint32_t node, uint32_t host)
{
  const struct tny_cluster *cluster = search->cluster;
  const uint32_t *out = cluster->out_links + cluster->first_out[node];
  const uint32_t count = cluster->first_out[node + 1] - cluster->first_out[node];
  uint32_t first = 0, parallel = 0;
  while (!is_candidate(search, &cluster->links[out[first]]))
    first++;
  const uint32_t to = cluster->links[out[first]].to;
  for (uint32_t i = first; i < count; i++)
    parallel += cluster->links[out[i]].to == to;
  uint32_t turn = parallel > 1 ? host % parallel : 0, i = first;
  for (; turn; turn--)
    do
      i++;
    while (cluster->links[out[i]].to != to);
  return out[i];
}

static void route(struct search *search, uint32_t *next)
{
  const struct tny_cluster *cluster = search->cluster;
  if (search->level)
    find_levels(search);
  for (uint32_t host = 0; host < cluster->host_count; host++) {
    search_back(search, host, search->level ? search->down : search->distance);
    if (search->level)
      search_up(search);
    for (uint32_t node = 0; node < count_nodes(cluster); node++)
      next[(size_t)node * cluster->host_count + host] =
          node == host ? TNY_NONE : choose_link(search, node, host);
  }
}

static enum tny_status make(struct tny_routes *routes, struct tny_error *error)
{
  const struct tny_cluster *cluster = routes->cluster;
  const uint32_t node_count = count_nodes(cluster);
  routes->next = tny_new((size_t)node_count * cluster->host_count, sizeof *routes->next);
  uint32_t *memory = tny_new((size_t)5 * node_count, sizeof *memory);
  if (!routes->next || !memory) {
    tny_free(memory);
    return tny_error_memory(error);
  }
  struct search search = {.cluster = cluster,
                          .level = tny_cluster_is_tree(cluster) ? NULL : memory,
                          .by_level = memory + node_count,
                          .down = memory + (size_t)2 * node_count,
                          .distance = memory + (size_t)3 * node_count,
                          .queue = memory + (size_t)4 * node_count};
  routes->name = search.level ? "BFS up*-down*" : "shortest path";
  route(&search, routes->next);
  tny_free(memory);
  return TNY_OK;
}

enum tny_status tny_routes_make(const struct tny_cluster *cluster, struct tny_routes **routes,
                                struct tny_error *error)
{
  *routes = NULL;
  if ((uint64_t)count_nodes(cluster) * cluster->host_count > NEXT_MAX)
    return tny_error_set(error, TNY_REFUSED,
                         "routes of %u hosts and %u switches need more than 4 GiB: take a part of "
                         "the cluster",
                         cluster->host_count, cluster->switch_count);
  struct tny_routes *made = tny_new(1, sizeof *made);
  if (!made)
    return tny_error_memory(error);
  made->cluster = cluster;
  const enum tny_status status = make(made, error);
  if (status) {
    tny_routes_free(made);
    return status;
  }
  *routes = made;
  return TNY_OK;
}

void tny_routes_free(struct tny_routes *routes)
{
  if (routes)
    tny_free(routes->next);
  tny_free(routes);
}

uint32_t tny_routes_next(const struct tny_routes *routes, uint32_t node, uint32_t to_host)
{
  return routes->next[(size_t)node * routes->cluster->host_count + to_host];
}
