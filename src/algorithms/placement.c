/* Where ranks sit, as algorithms see it: switch order, the runs of switches and hosts, the grid. */
#include <tourney/algorithm.h>

#include "core/alloc.h"
#include "core/error.h"

/* The placement while it is made: the arrays that its public part shows as constant. */
struct draft {
  struct tny_placement shown; /* first, so that a pointer to it is one to this */
  uint32_t *order, *position, *switch_first, *host_first, *rank_at, *node_of;
};

/* Ranks in the order of the hosts, those of one host next to each other and by number. `next` has
   host_count places, all 0. */
static void order_ranks(const uint32_t *hosts, uint32_t host_count, const uint32_t *host_of_rank,
                        uint32_t *next, struct draft *draft)
{
  const uint32_t rank_count = draft->shown.rank_count;
  for (uint32_t rank = 0; rank < rank_count; rank++)
    next[host_of_rank[rank]]++;
  for (uint32_t i = 0, placed = 0; i < host_count; i++) {
    const uint32_t here = next[hosts[i]];
    next[hosts[i]] = placed;
    placed += here;
  }
  for (uint32_t rank = 0; rank < rank_count; rank++) {
    const uint32_t position = next[host_of_rank[rank]]++;
    draft->position[rank] = position;
    draft->order[position] = rank;
  }
}

/* The runs of positions that share a host, and those that share a switch. */
static void find_runs(const struct tny_cluster *cluster, const uint32_t *host_of_rank,
                      struct draft *draft)
{
  uint32_t host_before = TNY_NONE, switch_before = TNY_NONE, hosts = 0, switches = 0;
  for (uint32_t position = 0; position < draft->shown.rank_count; position++) {
    const uint32_t host = host_of_rank[draft->order[position]];
    const uint32_t at = cluster->switch_count > 0 ? tny_cluster_switch_of(cluster, host) : 0;
    if (host != host_before)
      draft->host_first[hosts++] = position;
    if (at != switch_before)
      draft->switch_first[switches++] = position;
    host_before = host;
    switch_before = at;
  }
  draft->host_first[hosts] = draft->switch_first[switches] = draft->shown.rank_count;
  draft->shown.host_count = hosts;
  draft->shown.switch_count = switches;
}

/* Shows the grid where every host has as many ranks; `counts` has host_count places, all 0. */
static void lay_grid(const struct tny_cluster *cluster, const uint32_t *host_of_rank,
                     uint32_t *counts, struct draft *draft)
{
  struct tny_placement *shown = &draft->shown;
  const uint32_t ranks_a_node = shown->rank_count / cluster->host_count;
  if (cluster->shape.dimension_count == 0 || shown->rank_count % cluster->host_count != 0)
    return;
  for (uint32_t rank = 0; rank < shown->rank_count; rank++) {
    const uint32_t node = host_of_rank[rank];
    if (counts[node] == ranks_a_node)
      return;
    draft->rank_at[node * ranks_a_node + counts[node]++] = rank;
    draft->node_of[rank] = node;
  }
  shown->grid = cluster->shape;
  shown->ranks_a_node = ranks_a_node;
  shown->rank_at = draft->rank_at;
  shown->node_of = draft->node_of;
}

/* One block of memory behind the draft, shared out. */
static struct draft *make_draft(uint32_t rank_count)
{
  const size_t p = rank_count;
  struct draft *draft = tny_new(1, sizeof *draft);
  uint32_t *memory = tny_new(6 * p + 2, sizeof *memory);
  if (!draft || !memory) {
    tny_free(draft);
    tny_free(memory);
    return NULL;
  }
  draft->order = memory;
  draft->position = memory + p;
  draft->rank_at = memory + 2 * p;
  draft->node_of = memory + 3 * p;
  draft->switch_first = memory + 4 * p;
  draft->host_first = draft->switch_first + p + 1;
  draft->shown = (struct tny_placement){.rank_count = rank_count,
                                        .order = draft->order,
                                        .position = draft->position,
                                        .switch_first = draft->switch_first,
                                        .host_first = draft->host_first};
  return draft;
}

enum tny_status tny_placement_make(const struct tny_cluster *cluster, const uint32_t *host_of_rank,
                                   uint32_t rank_count, struct tny_placement **placement,
                                   struct tny_error *error)
{
  const uint32_t host_count = cluster->host_count;
  *placement = NULL;
  struct draft *draft = make_draft(rank_count);
  uint32_t *hosts = tny_new((size_t)3 * host_count, sizeof *hosts);
  enum tny_status status = draft && hosts ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK)
    status = tny_cluster_order(cluster, hosts, error);
  if (status == TNY_OK) {
    order_ranks(hosts, host_count, host_of_rank, hosts + host_count, draft);
    find_runs(cluster, host_of_rank, draft);
    lay_grid(cluster, host_of_rank, hosts + (size_t)2 * host_count, draft);
    *placement = &draft->shown;
  } else if (draft) {
    tny_placement_free(&draft->shown);
  }
  tny_free(hosts);
  return status;
}

void tny_placement_free(struct tny_placement *placement)
{
  struct draft *draft = (struct draft *)placement;
  if (draft)
    tny_free(draft->order);
  tny_free(draft);
}
