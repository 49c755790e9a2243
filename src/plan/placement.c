/* The hosts of the ranks as algorithms see them: switch order, the runs of switches, hosts and
   zones, the grid. */
#include <tourney/algorithm.h>

#include "core/alloc.h"
#include "core/error.h"

/* The placement while it is made: the arrays that its public part shows as constant. */
struct draft {
  struct tny_placement shown; /* first, so that a pointer to it is one to this */
  uint32_t *order, *position, *switch_first, *host_first, *zone_first, *rank_at, *node_of;
};

/* What the cluster says, and room to work in. The arrays have an entry for each host or switch; the
   last three are all 0 at first. */
struct survey {
  const struct tny_cluster *cluster;
  const uint32_t *host_of_rank;
  uint32_t *hosts; /* in switch order, cyclically */
  uint32_t *zone_of;
  uint32_t *next, *counts; /* by host */
  uint32_t *seen;          /* by zone */
};

static uint32_t switch_of(const struct survey *survey, uint32_t host)
{
  const struct tny_cluster *cluster = survey->cluster;
  return cluster->switch_count > 0 ? tny_cluster_switch_of(cluster, host) - cluster->host_count : 0;
}

static uint32_t zone_of(const struct survey *survey, uint32_t host)
{
  return survey->zone_of[switch_of(survey, host)];
}

/* Where the cyclic order of hosts begins: before the first host of a zone. */
static uint32_t find_begin(const struct survey *survey)
{
  const uint32_t host_count = survey->cluster->host_count;
  const uint32_t zone = zone_of(survey, survey->hosts[0]);
  uint32_t begin = host_count;
  while (begin > 1 && zone_of(survey, survey->hosts[begin - 1]) == zone)
    begin--;
  return begin == 1 ? 0 : begin % host_count;
}

/* Orders ranks by their hosts; those of one host are neighbours, by number. */
static void order_ranks(const struct survey *survey, struct draft *draft)
{
  const uint32_t rank_count = draft->shown.rank_count, host_count = survey->cluster->host_count;
  const uint32_t *host_of_rank = survey->host_of_rank, begin = find_begin(survey);
  uint32_t *next = survey->next;
  for (uint32_t rank = 0; rank < rank_count; rank++)
    next[host_of_rank[rank]]++;
  for (uint32_t i = 0, placed = 0; i < host_count; i++) {
    const uint32_t host = survey->hosts[(begin + i) % host_count];
    const uint32_t here = next[host];
    next[host] = placed;
    placed += here;
  }
  for (uint32_t rank = 0; rank < rank_count; rank++) {
    const uint32_t position = next[host_of_rank[rank]]++;
    draft->position[rank] = position;
    draft->order[position] = rank;
  }
}

/* Finds the runs of positions on each host, and on each switch. */
static void find_runs(const struct survey *survey, struct draft *draft)
{
  uint32_t host_before = TNY_NONE, switch_before = TNY_NONE, hosts = 0, switches = 0;
  for (uint32_t position = 0; position < draft->shown.rank_count; position++) {
    const uint32_t host = survey->host_of_rank[draft->order[position]];
    const uint32_t at = switch_of(survey, host);
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

/* Finds the runs of positions in each zone; one run of all where the order visits a zone twice. */
static void find_zones(const struct survey *survey, struct draft *draft)
{
  uint32_t before = TNY_NONE, zones = 0;
  for (uint32_t position = 0; position < draft->shown.rank_count; position++) {
    const uint32_t zone = zone_of(survey, survey->host_of_rank[draft->order[position]]);
    if (zone == before)
      continue;
    if (survey->seen[zone]++) {
      zones = 1;
      break;
    }
    draft->zone_first[zones++] = position;
    before = zone;
  }
  draft->zone_first[zones] = draft->shown.rank_count;
  draft->shown.zone_count = zones;
}

/* Shows the grid where every host has as many ranks. */
static void lay_grid(const struct survey *survey, struct draft *draft)
{
  const struct tny_cluster *cluster = survey->cluster;
  struct tny_placement *shown = &draft->shown;
  uint32_t *counts = survey->counts;
  const uint32_t ranks_a_node = shown->rank_count / cluster->host_count;
  if (cluster->shape.dimension_count == 0 || shown->rank_count % cluster->host_count != 0)
    return;
  for (uint32_t rank = 0; rank < shown->rank_count; rank++) {
    const uint32_t node = survey->host_of_rank[rank];
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
  uint32_t *memory = tny_new(7 * p + 3, sizeof *memory);
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
  draft->zone_first = draft->host_first + p + 1;
  draft->shown = (struct tny_placement){.rank_count = rank_count,
                                        .order = draft->order,
                                        .position = draft->position,
                                        .switch_first = draft->switch_first,
                                        .host_first = draft->host_first,
                                        .zone_first = draft->zone_first};
  return draft;
}

/* Room for `survey`, all 0, with its hosts and zones found. The memory is that of its hosts. */
static enum tny_status look_around(struct survey *survey, struct tny_error *error)
{
  const size_t host_count = survey->cluster->host_count;
  const size_t switch_count = survey->cluster->switch_count + 1; /* at least the one of no switch */
  survey->hosts = tny_new(3 * host_count + 2 * switch_count, sizeof *survey->hosts);
  if (!survey->hosts)
    return tny_error_memory(error);
  survey->next = survey->hosts + host_count;
  survey->counts = survey->hosts + 2 * host_count;
  survey->zone_of = survey->hosts + 3 * host_count;
  survey->seen = survey->zone_of + switch_count;
  uint32_t zone_count;
  const enum tny_status status =
      tny_cluster_zones(survey->cluster, survey->zone_of, &zone_count, error);
  return status == TNY_OK ? tny_cluster_order(survey->cluster, survey->hosts, error) : status;
}

enum tny_status tny_placement_make(const struct tny_cluster *cluster, const uint32_t *host_of_rank,
                                   uint32_t rank_count, struct tny_placement **placement,
                                   struct tny_error *error)
{
  *placement = NULL;
  struct survey survey = {.cluster = cluster, .host_of_rank = host_of_rank};
  struct draft *draft = make_draft(rank_count);
  enum tny_status status = draft ? look_around(&survey, error) : tny_error_memory(error);
  if (status == TNY_OK) {
    order_ranks(&survey, draft);
    find_runs(&survey, draft);
    find_zones(&survey, draft);
    lay_grid(&survey, draft);
    *placement = &draft->shown;
  } else if (draft) {
    tny_placement_free(&draft->shown);
  }
  tny_free(survey.hosts);
  return status;
}

void tny_placement_free(struct tny_placement *placement)
{
  struct draft *draft = (struct draft *)placement;
  if (draft)
    tny_free(draft->order);
  tny_free(draft);
}
