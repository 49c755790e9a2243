/* A file's tree of switches, in which cables between the same two nodes count once. */
#include "discover/file_tree.h"

#include <string.h>

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
bool tny_file_tree_has_cycles(const struct tny_cluster *cluster)
{
  uint32_t count = 0;
  for (uint32_t forth = 0; forth < cluster->link_count; forth += 2)
    count += tny_file_tree_is_first(cluster, forth);
  return count + 1 != cluster->host_count + cluster->switch_count;
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
