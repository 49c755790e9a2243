/* Hosts in switch order (a depth-first order over a spanning tree of the switches), and the mapping
   of ranks to hosts. */
#include "cluster/router.h"

#include "core/alloc.h"
#include "core/error.h"

/* A spanning tree of the switches; arrays of switch_count, switches counted from 0. */
struct spanning {
  const struct tny_cluster *cluster;
  uint32_t *parent;      /* TNY_NONE: not reached yet; the root is its own */
  uint32_t *first_child; /* TNY_NONE: none */
  uint32_t *sibling;     /* the next child of the same parent */
  uint32_t *queue;
  uint32_t *zone;
  uint32_t *turn; /* which group of its parent's children it is in */
};

/* The order of a switch's children: first those whose whole subtree is in its zone, then those with
   other zones below them, then those of other zones. So the switches of a zone are consecutive
   wherever all that leads out of the zone does so along one path. */
enum { WITHIN_ZONE, LEAVES_ZONE, OTHER_ZONE, TURNS };

/* The queue has all switches in breadth-first order, their root first. */
static void group_children(struct spanning *tree)
{
  const uint32_t switch_count = tree->cluster->switch_count;
  for (uint32_t s = 0; s < switch_count; s++)
    tree->turn[s] = WITHIN_ZONE;
  for (uint32_t i = switch_count; i-- > 1;) {
    const uint32_t s = tree->queue[i], parent = tree->parent[s];
    if (tree->zone[s] != tree->zone[parent])
      tree->turn[s] = OTHER_ZONE;
    if (tree->turn[s] != WITHIN_ZONE)
      tree->turn[parent] = LEAVES_ZONE;
  }
}

static void link_children(struct spanning *tree, uint32_t root)
{
  for (uint32_t turn = TURNS; turn-- > 0;) {
    for (uint32_t s = tree->cluster->switch_count; s-- > 0;) {
      if (s == root || tree->turn[s] != turn)
        continue;
      tree->sibling[s] = tree->first_child[tree->parent[s]];
      tree->first_child[tree->parent[s]] = s;
    }
  }
}

/* Breadth-first from `root`, links in their order: the tree that up*-down* has. */
static void span(struct spanning *tree, uint32_t root)
{
  const struct tny_cluster *cluster = tree->cluster;
  const uint32_t host_count = cluster->host_count;
  uint32_t tail = 0;
  for (uint32_t s = 0; s < cluster->switch_count; s++)
    tree->parent[s] = tree->first_child[s] = tree->sibling[s] = TNY_NONE;
  tree->parent[root] = root;
  tree->queue[tail++] = root;
  for (uint32_t head = 0; head < tail; head++) {
    const uint32_t node = host_count + tree->queue[head];
    for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
      const uint32_t to = cluster->links[cluster->out_links[i]].to;
      if (to < host_count || tree->parent[to - host_count] != TNY_NONE)
        continue;
      tree->parent[to - host_count] = tree->queue[head];
      tree->queue[tail++] = to - host_count;
    }
  }
  group_children(tree);
  link_children(tree, root);
}

/* The switch after `s` in depth-first order; after the last one the root. */
static uint32_t next_switch(const struct spanning *tree, uint32_t s)
{
  if (tree->first_child[s] != TNY_NONE)
    return tree->first_child[s];
  while (tree->sibling[s] == TNY_NONE && tree->parent[s] != s)
    s = tree->parent[s];
  return tree->sibling[s] != TNY_NONE ? tree->sibling[s] : s;
}

/* `first` has switch_count + 1 entries: a switch's hosts are by_switch[first[s]..), in index order.
 */
static void group_hosts(const struct tny_cluster *cluster, uint32_t *first, uint32_t *by_switch)
{
  const uint32_t host_count = cluster->host_count;
  for (uint32_t host = 0; host < host_count; host++)
    first[tny_cluster_switch_of(cluster, host) - host_count + 1]++;
  for (uint32_t s = 0; s < cluster->switch_count; s++)
    first[s + 1] += first[s];
  for (uint32_t host = host_count; host-- > 0;)
    by_switch[--first[tny_cluster_switch_of(cluster, host) - host_count + 1]] = host;
  for (uint32_t s = 0; s < cluster->switch_count; s++)
    first[s] = first[s + 1];
  first[cluster->switch_count] = host_count;
}

/* The tree to traverse is that of up*-down*, where that is the routing. Other routings have none,
   and the order's first switch will do. */
static uint32_t find_root(const struct tny_cluster *cluster, uint32_t first_switch)
{
  return tny_routing_default(cluster) == TNY_ROUTING_UP_DOWN ? tny_up_down_root(cluster)
                                                             : first_switch;
}

enum tny_status tny_cluster_order(const struct tny_cluster *cluster, uint32_t *hosts,
                                  struct tny_error *error)
{
  const size_t switch_count = cluster->switch_count, host_count = cluster->host_count;
  if (switch_count == 0) {
    for (uint32_t host = 0; host < host_count; host++)
      hosts[host] = host;
    return TNY_OK;
  }
  uint32_t *memory = tny_new(7 * switch_count + 1 + host_count, sizeof *memory);
  if (!memory)
    return tny_error_memory(error);
  struct spanning tree = {.cluster = cluster,
                          .parent = memory,
                          .first_child = memory + switch_count,
                          .sibling = memory + 2 * switch_count,
                          .queue = memory + 3 * switch_count,
                          .zone = memory + 4 * switch_count,
                          .turn = memory + 5 * switch_count};
  uint32_t *first = memory + 6 * switch_count, *by_switch = first + switch_count + 1, zones;
  const enum tny_status status = tny_cluster_zones(cluster, tree.zone, &zones, error);
  if (status != TNY_OK) {
    tny_free(memory);
    return status;
  }
  const uint32_t first_switch = tny_cluster_switch_of(cluster, 0) - cluster->host_count;
  span(&tree, find_root(cluster, first_switch));
  group_hosts(cluster, first, by_switch);
  uint32_t count = 0, s = first_switch;
  do {
    for (uint32_t i = first[s]; i < first[s + 1]; i++)
      hosts[count++] = by_switch[i];
    s = next_switch(&tree, s);
  } while (s != first_switch);
  tny_free(memory);
  return TNY_OK;
}

/* From hosts in switch order to round robin over the switches: first all first hosts of a switch,
   then all second ones. Stable counting sort; `first` has host_count + 1 entries, all 0. */
static void interleave(const struct tny_cluster *cluster, const uint32_t *ordered, uint32_t *first,
                       uint32_t *hosts)
{
  const uint32_t host_count = cluster->host_count;
  for (int pass = 0; pass < 2; pass++) {
    uint32_t before = TNY_NONE, turn = 0;
    for (uint32_t i = 0; i < host_count; i++) {
      const uint32_t at = tny_cluster_switch_of(cluster, ordered[i]);
      turn = at == before ? turn + 1 : 0;
      before = at;
      if (pass == 0)
        first[turn + 1]++;
      else
        hosts[first[turn]++] = ordered[i];
    }
    for (uint32_t k = 0; pass == 0 && k < host_count; k++)
      first[k + 1] += first[k];
  }
}

enum tny_status tny_map_ranks(const struct tny_cluster *cluster, enum tny_map map,
                              uint32_t rank_count, uint32_t *host_of_rank, struct tny_error *error)
{
  if (rank_count == 0)
    return tny_error_set(error, TNY_BAD_INPUT, "0 ranks: there must be at least 1");
  const uint32_t host_count = cluster->host_count;
  uint32_t *memory = tny_new((size_t)3 * host_count + 1, sizeof *memory);
  if (!memory)
    return tny_error_memory(error);
  uint32_t *ordered = memory, *interleaved = memory + host_count;
  const enum tny_status status = tny_cluster_order(cluster, ordered, error);
  if (!status && map == TNY_MAP_INTERLEAVED) {
    interleave(cluster, ordered, memory + (size_t)2 * host_count, interleaved);
    for (uint32_t rank = 0; rank < rank_count; rank++)
      host_of_rank[rank] = interleaved[rank % host_count];
  } else if (!status) {
    for (uint32_t rank = 0; rank < rank_count; rank++)
      host_of_rank[rank] =
          ordered[rank_count <= host_count ? rank
                                           : (uint32_t)((uint64_t)rank * host_count / rank_count)];
  }
  tny_free(memory);
  return status;
}

enum tny_status tny_network_check(const struct tny_network *network, uint32_t rank_count,
                                  struct tny_error *error)
{
  const uint32_t host_count = network->routes->cluster->host_count;
  if (rank_count > network->rank_count)
    return tny_error_set(error, TNY_REFUSED,
                         "%u ranks, but the network says where %u of them sit: place all of them",
                         rank_count, network->rank_count);
  for (uint32_t rank = 0; rank < rank_count; rank++)
    if (network->host_of_rank[rank] >= host_count)
      return tny_error_set(error, TNY_REFUSED,
                           "rank %u sits on host %u, but the cluster's hosts are 0 to %u", rank,
                           network->host_of_rank[rank], host_count - 1);
  return TNY_OK;
}
