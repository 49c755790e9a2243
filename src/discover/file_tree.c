/* A file's tree of switches, in which cables between the same two nodes count once. */
#include "discover/file_tree.h"

#include <string.h>

#include "cluster/links.h"
#include "core/error.h"
#include "discover/describe.h"

bool tny_said_rate_differs(double measured, struct tny_said_rate said)
{
  return measured < (1 - TNY_SAID_RATE_SHARE) * said.bps ||
         measured > said.best_bps / (1 - TNY_SAID_RATE_SHARE);
}

bool tny_file_tree_is_first(const struct tny_cluster *cluster, uint32_t link)
{
  const uint32_t from = cluster->links[link].from, to = cluster->links[link].to;
  for (uint32_t i = cluster->first_out[from]; i < cluster->first_out[from + 1]; i++) {
    const uint32_t other = cluster->out_links[i];
    if (cluster->links[other].to == to && other / 2 < link / 2)
      return false;
  }
  return true;
}

/* A tree has one cable less than nodes, and a graph is in one piece. */
static bool has_cycles(const struct tny_cluster *cluster)
{
  uint32_t count = 0;
  for (uint32_t forth = 0; forth < cluster->link_count; forth += 2)
    count += tny_file_tree_is_first(cluster, forth);
  return count + 1 != cluster->host_count + cluster->switch_count;
}

static bool is_joined(const struct tny_cluster *cluster, uint32_t from, uint32_t to)
{
  for (uint32_t i = cluster->first_out[from]; i < cluster->first_out[from + 1]; i++)
    if (cluster->links[cluster->out_links[i]].to == to)
      return true;
  return false;
}

static bool has_hosts(const struct tny_cluster *cluster, uint32_t at)
{
  for (uint32_t i = cluster->first_out[at]; i < cluster->first_out[at + 1]; i++)
    if (!tny_link_is_trunk(cluster, cluster->out_links[i]))
      return true;
  return false;
}

/* Another neighbour of `spine` than `leaf` that `other` has too; TNY_NONE: there is none. */
static uint32_t find_common(const struct tny_cluster *cluster, uint32_t spine, uint32_t leaf,
                            uint32_t other)
{
  for (uint32_t i = cluster->first_out[spine]; i < cluster->first_out[spine + 1]; i++) {
    const uint32_t to = cluster->links[cluster->out_links[i]].to;
    if (to != leaf && is_joined(cluster, other, to))
      return to;
  }
  return TNY_NONE;
}

struct parallel_spines {
  uint32_t spines[2], leaves[2];
};

/* Two switches without hosts that are neighbours of the same two others. */
static bool find_spines_at(const struct tny_cluster *cluster, uint32_t spine,
                           struct parallel_spines *found)
{
  for (uint32_t i = cluster->first_out[spine]; i < cluster->first_out[spine + 1]; i++) {
    const uint32_t leaf = cluster->links[cluster->out_links[i]].to;
    for (uint32_t k = cluster->first_out[leaf]; k < cluster->first_out[leaf + 1]; k++) {
      const uint32_t other = cluster->links[cluster->out_links[k]].to;
      if (other <= spine || has_hosts(cluster, other))
        continue;
      const uint32_t common = find_common(cluster, spine, leaf, other);
      *found = (struct parallel_spines){{spine, other}, {leaf, common}};
      if (common != TNY_NONE)
        return true;
    }
  }
  return false;
}

static bool find_parallel_spines(const struct tny_cluster *cluster, struct parallel_spines *found)
{
  for (uint32_t at = cluster->host_count; at < cluster->host_count + cluster->switch_count; at++)
    if (!has_hosts(cluster, at) && find_spines_at(cluster, at, found))
      return true;
  return false;
}

enum tny_status tny_discovered_require_tree(const struct tny_cluster *cluster,
                                            struct tny_error *error)
{
  const char *const *names = cluster->node_names;
  struct parallel_spines found;
  if (!has_cycles(cluster))
    return TNY_OK;
  if (find_parallel_spines(cluster, &found))
    return tny_error_set(error, TNY_REFUSED,
                         "%.80s is no tree of switches, which is what hosts can measure: %.40s and "
                         "%.40s both lead from %.40s to %.40s. Where a hash chooses among such "
                         "ways, write multipath=flow into the graph, where packets take all, "
                         "multipath=packet: then they are taken for one",
                         cluster->name, names[found.spines[0]], names[found.spines[1]],
                         names[found.leaves[0]], names[found.leaves[1]]);
  return tny_error_set(error, TNY_REFUSED,
                       "%.80s is no tree of switches, which is what hosts can measure: it has "
                       "cycles. How such a network is cabled its switches say ('tourney topology "
                       "import')",
                       cluster->name);
}

void tny_file_tree_cut(const struct tny_cluster *cluster, const struct tny_link *link,
                       uint8_t *side)
{
  memset(side, 0, cluster->host_count + cluster->switch_count);
  side[link->to] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t l = 0; l < cluster->link_count; l++) {
      const struct tny_link *other = &cluster->links[l];
      const bool is_cut = (other->from == link->from && other->to == link->to) ||
                          (other->from == link->to && other->to == link->from);
      if (is_cut || !side[other->from] || side[other->to])
        continue;
      side[other->to] = 1;
      changed = true;
    }
  }
}

struct tny_said_rate tny_file_tree_add_parallel(const struct tny_cluster *cluster,
                                                const struct tny_link *link, uint32_t *cables)
{
  struct tny_said_rate rate = {0};
  *cables = 0;
  for (uint32_t i = cluster->first_out[link->from]; i < cluster->first_out[link->from + 1]; i++) {
    const struct tny_link *other = &cluster->links[cluster->out_links[i]];
    if (other->to != link->to)
      continue;
    rate.bps += (double)other->bandwidth_bps;
    rate.best_bps += (double)other->best_bps;
    *cables += other->cable_count;
  }
  return rate;
}
