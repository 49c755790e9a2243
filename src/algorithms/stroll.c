/* The walk round the tree: at each coming to a switch some of its hosts are visited.

   The tree is the breadth-first one from the first rank's switch; what has no ranks at it or beyond
   it is left out. A switch with c branches is come to c+1 times, the root c times, as the circle
   closes there; its hosts are shared out evenly over these. */
#include "algorithms/stroll.h"

#include <string.h>

#include "core/alloc.h"
#include "core/error.h"

/* While the walk is made. Switches count from 0. */
struct walker {
  const struct tny_cluster *cluster;
  const struct tny_placement *placement;
  uint32_t root;
  uint32_t *parent;   /* TNY_NONE: not reached yet; the root is its own */
  uint32_t *queue;    /* breadth first */
  uint32_t *run;      /* its hosts with ranks are the placement's from run[s] on, */
  uint32_t *hosts;    /* so many */
  uint32_t *branches; /* children that are worth a visit; their list: */
  uint32_t *child, *sibling;
  uint32_t *comings; /* so far */
  uint32_t *order, placed;
};

enum { ARRAYS = 8 };

static bool take_memory(struct walker *walker)
{
  uint32_t **const arrays[ARRAYS] = {&walker->parent,   &walker->queue,  &walker->run,
                                     &walker->hosts,    &walker->child,  &walker->sibling,
                                     &walker->branches, &walker->comings};
  bool has_all = true;
  for (uint32_t i = 0; i < ARRAYS; i++) {
    *arrays[i] = tny_new(walker->cluster->switch_count, sizeof **arrays[i]);
    has_all &= *arrays[i] != NULL;
  }
  return has_all;
}

static void release(struct walker *walker)
{
  uint32_t *const arrays[ARRAYS] = {walker->parent,   walker->queue,  walker->run,
                                    walker->hosts,    walker->child,  walker->sibling,
                                    walker->branches, walker->comings};
  for (uint32_t i = 0; i < ARRAYS; i++)
    tny_free(arrays[i]);
}

/* Which hosts of the placement are whose. */
static void find_hosts(struct walker *walker, const struct tny_network *network)
{
  const struct tny_placement *placement = walker->placement;
  uint32_t host = 0;
  for (uint32_t i = 0; i < placement->switch_count; i++) {
    const uint32_t rank = placement->order[placement->switch_first[i]];
    const uint32_t at = tny_cluster_switch_of(walker->cluster, network->host_of_rank[rank]) -
                        walker->cluster->host_count;
    walker->root = i == 0 ? at : walker->root;
    walker->run[at] = host;
    while (host < placement->host_count &&
           placement->host_first[host] < placement->switch_first[i + 1])
      host++;
    walker->hosts[at] = host - walker->run[at];
  }
}

/* Returns how many switches were reached. */
static uint32_t grow_tree(struct walker *walker)
{
  const struct tny_cluster *cluster = walker->cluster;
  uint32_t reached = 0;
  for (uint32_t s = 0; s < cluster->switch_count; s++)
    walker->parent[s] = walker->child[s] = walker->sibling[s] = TNY_NONE;
  walker->parent[walker->root] = walker->root;
  walker->queue[reached++] = walker->root;
  for (uint32_t i = 0; i < reached; i++) {
    const uint32_t node = cluster->host_count + walker->queue[i];
    for (uint32_t k = cluster->first_out[node]; k < cluster->first_out[node + 1]; k++) {
      const uint32_t to = cluster->links[cluster->out_links[k]].to;
      if (to < cluster->host_count || walker->parent[to - cluster->host_count] != TNY_NONE)
        continue;
      walker->parent[to - cluster->host_count] = walker->queue[i];
      walker->queue[reached++] = to - cluster->host_count;
    }
  }
  return reached;
}

static void list_branches(struct walker *walker, uint32_t reached)
{
  for (uint32_t i = reached; i-- > 1;) {
    const uint32_t s = walker->queue[i], parent = walker->parent[s];
    if (walker->hosts[s] == 0 && walker->branches[s] == 0)
      continue;
    walker->sibling[s] = walker->child[parent];
    walker->child[parent] = s;
    walker->branches[parent]++;
  }
}

/* Visits this coming's share of the hosts at a switch. */
static void come(struct walker *walker, uint32_t s)
{
  const struct tny_placement *placement = walker->placement;
  const uint64_t branches = walker->branches[s], hosts = walker->hosts[s];
  const uint64_t comings = s != walker->root ? branches + 1 : branches > 0 ? branches : 1;
  const uint64_t coming = walker->comings[s]++;
  if (coming == comings)
    return;
  const uint32_t first = walker->run[s] + (uint32_t)(hosts * coming / comings);
  const uint32_t end = walker->run[s] + (uint32_t)(hosts * (coming + 1) / comings);
  for (uint32_t i = placement->host_first[first]; i < placement->host_first[end]; i++)
    walker->order[walker->placed++] = placement->order[i];
}

/* Down to the next branch, or back up. */
static void walk_round(struct walker *walker)
{
  uint32_t at = walker->root;
  come(walker, at);
  while (at != walker->root || walker->child[at] != TNY_NONE) {
    const uint32_t child = walker->child[at];
    if (child != TNY_NONE)
      walker->child[at] = walker->sibling[child];
    at = child != TNY_NONE ? child : walker->parent[at];
    come(walker, at);
  }
}

static enum tny_status find_order(const struct tny_problem *problem, uint32_t *order,
                                  struct tny_error *error)
{
  struct walker walker = {.cluster = problem->network->routes->cluster,
                          .placement = problem->placement,
                          .order = order};
  if (walker.cluster->switch_count == 0) {
    memcpy(order, problem->placement->order, problem->rank_count * sizeof *order);
    return TNY_OK;
  }
  const bool has_memory = take_memory(&walker);
  if (has_memory) {
    find_hosts(&walker, problem->network);
    list_branches(&walker, grow_tree(&walker));
    walk_round(&walker);
  }
  release(&walker);
  return has_memory ? TNY_OK : tny_error_memory(error);
}

enum tny_status tny_stroll_make(const struct tny_problem *problem, struct tny_stroll **stroll,
                                struct tny_error *error)
{
  *stroll = tny_new(1, sizeof **stroll);
  if (!*stroll)
    return tny_error_memory(error);
  (*stroll)->order = tny_new(problem->rank_count, sizeof *(*stroll)->order);
  (*stroll)->position = tny_new(problem->rank_count, sizeof *(*stroll)->position);
  if (!(*stroll)->order || !(*stroll)->position)
    return tny_error_memory(error);
  const enum tny_status status = find_order(problem, (*stroll)->order, error);
  for (uint32_t i = 0; status == TNY_OK && i < problem->rank_count; i++)
    (*stroll)->position[(*stroll)->order[i]] = i;
  return status;
}

void tny_stroll_free(struct tny_stroll *stroll)
{
  if (!stroll)
    return;
  tny_free(stroll->order);
  tny_free(stroll->position);
  tny_free(stroll);
}
