/* The rings of hosts and switches within each ring, and the load that they put on the links. */
#include "planner/rings/nested_rings.h"

#include "cluster/flow.h"
#include "core/alloc.h"
#include "core/error.h"

/* --- groups --- */

static uint32_t *firsts_of(struct tny_nested_rings *nested, enum tny_ring_level level)
{
  return nested->group + (size_t)level * nested->rings->rank_count;
}

/* Counts how many ranks share each group. `counts` has an entry for each rank. */
static void count_sizes(struct tny_nested_rings *nested, enum tny_ring_level level,
                        uint32_t *counts)
{
  const uint32_t p = nested->rings->rank_count, *group = firsts_of(nested, level);
  memset(counts, 0, p * sizeof *counts);
  for (uint32_t rank = 0; rank < p; rank++)
    counts[group[rank]]++;
  for (uint32_t rank = 0; rank < p; rank++)
    nested->size[(size_t)level * p + rank] = counts[group[rank]];
}

/* A rank's host or switch, as a node. */
static uint32_t node_of(const struct tny_network *network, enum tny_ring_level level, uint32_t rank)
{
  const uint32_t host = network->host_of_rank[rank];
  return level == TNY_RING_HOST ? host : tny_cluster_switch_of(network->routes->cluster, host);
}

/* Finds the first rank of each rank's host or switch. `first` has an entry for each node. */
static void group_ranks(const struct tny_network *network, struct tny_nested_rings *nested,
                        enum tny_ring_level level, uint32_t *first)
{
  uint32_t *group = firsts_of(nested, level);
  for (uint32_t rank = nested->rings->rank_count; rank-- > 0;)
    first[node_of(network, level, rank)] = rank;
  for (uint32_t rank = 0; rank < nested->rings->rank_count; rank++)
    group[rank] = first[node_of(network, level, rank)];
}

/* --- rings --- */

/* Links up the rings of one level within a ring. `last` has an entry for each rank. */
static void link_up(struct tny_nested_rings *nested, uint32_t ring, enum tny_ring_level level,
                    uint32_t *last)
{
  const uint32_t p = nested->rings->rank_count, *order = tny_rings_order(nested->rings, ring);
  const uint32_t *group = firsts_of(nested, level);
  for (uint32_t index = 0; index < 2 * p; index++) {
    const uint32_t rank = order[index % p];
    if (index >= p) {
      nested->before[tny_nested_rings_index(nested, ring, level, rank)] = last[group[rank]];
      nested->next[tny_nested_rings_index(nested, ring, level, last[group[rank]])] = rank;
    }
    last[group[rank]] = rank;
  }
}

/* `memory` has an entry for each rank and each node. */
static void link_up_all(const struct tny_network *network, struct tny_nested_rings *nested,
                        uint32_t *memory)
{
  const size_t p = nested->rings->rank_count;
  group_ranks(network, nested, TNY_RING_HOST, memory);
  if (nested->has_switches)
    group_ranks(network, nested, TNY_RING_SWITCH, memory);
  else
    memcpy(firsts_of(nested, TNY_RING_SWITCH), firsts_of(nested, TNY_RING_HOST),
           p * sizeof *nested->group);
  memset(firsts_of(nested, TNY_RING_ALL), 0, p * sizeof *nested->group);
  for (enum tny_ring_level level = TNY_RING_HOST; level <= TNY_RING_ALL; level++) {
    count_sizes(nested, level, memory);
    for (uint32_t ring = 0; ring < nested->rings->count; ring++)
      link_up(nested, ring, level, memory);
  }
}

/* --- what they carry --- */

/* The blocks that a rank receives in a ring: those that come in no smaller ring. */
static uint32_t blocks_in(const struct tny_nested_rings *nested, enum tny_ring_level level,
                          uint32_t rank)
{
  const uint32_t smaller =
      level > TNY_RING_HOST ? tny_nested_rings_size(nested, level - 1, rank) : 1;
  return tny_nested_rings_size(nested, level, rank) - smaller;
}

struct load {
  const struct tny_network *network;
  uint64_t *sent;     /* by rank: blocks */
  uint64_t *blocks;   /* by link */
  uint32_t *messages; /* by link */
};

static void add_message(const struct load *load, uint32_t from, uint32_t to, uint32_t blocks)
{
  load->sent[from] += blocks;
  const struct tny_routes *routes = load->network->routes;
  const uint32_t host = load->network->host_of_rank[to];
  uint32_t node = load->network->host_of_rank[from], link;
  for (; (link = tny_routes_next(routes, node, host)) != TNY_NONE;
       node = routes->cluster->links[link].to) {
    load->blocks[link] += blocks;
    load->messages[link]++;
  }
}

static void add_all(const struct tny_nested_rings *nested, const struct load *load)
{
  for (uint32_t ring = 0; ring < nested->rings->count; ring++)
    for (enum tny_ring_level level = TNY_RING_HOST; level <= TNY_RING_ALL; level++)
      for (uint32_t rank = 0; rank < nested->rings->rank_count; rank++) {
        const uint32_t blocks = blocks_in(nested, level, rank);
        const size_t index = tny_nested_rings_index(nested, ring, level, rank);
        if (blocks > 0)
          add_message(load, nested->before[index], rank, blocks);
      }
}

/* How long a link takes: blocks / bandwidth. */
struct duration {
  uint64_t blocks, bandwidth_bps;
};

static bool is_longer(struct duration a, struct duration b)
{
  return (tny_wide)a.blocks * b.bandwidth_bps > (tny_wide)b.blocks * a.bandwidth_bps;
}

/* Notes the largest loads, and returns how long the link takes that takes longest. */
static struct duration find_largest_loads(struct tny_nested_rings *nested, const struct load *load)
{
  struct duration longest = {0, 1};
  const struct tny_cluster *cluster = load->network->routes->cluster;
  nested->blocks_sent_max = 0;
  nested->link_messages = 0;
  for (uint32_t rank = 0; rank < nested->rings->rank_count; rank++)
    if (load->sent[rank] > nested->blocks_sent_max)
      nested->blocks_sent_max = load->sent[rank];
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const struct duration here = {load->blocks[link], cluster->links[link].bandwidth_bps};
    longest = is_longer(here, longest) ? here : longest;
    if (load->messages[link] > nested->link_messages)
      nested->link_messages = load->messages[link];
  }
  return longest;
}

/* --- the whole --- */

/* Makes the rings, with or without those of switches, and finds their load. */
static enum tny_status measure(const struct tny_network *network, struct tny_nested_rings *nested,
                               struct duration *longest, struct tny_error *error)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  const size_t p = nested->rings->rank_count, links = cluster->link_count;
  const size_t nodes = (size_t)cluster->host_count + cluster->switch_count;
  uint32_t *memory = tny_new(p + nodes, sizeof *memory);
  struct load load = {.network = network,
                      .sent = tny_new(p, sizeof *load.sent),
                      .blocks = tny_new(links, sizeof *load.blocks),
                      .messages = tny_new(links, sizeof *load.messages)};
  const bool done = memory && load.sent && load.blocks && load.messages;
  if (done) {
    link_up_all(network, nested, memory);
    add_all(nested, &load);
    *longest = find_largest_loads(nested, &load);
  }
  tny_free(memory);
  tny_free(load.sent);
  tny_free(load.blocks);
  tny_free(load.messages);
  return done ? TNY_OK : tny_error_memory(error);
}

/* Switches get rings of their own only where that takes load off the fullest links. */
static enum tny_status choose(const struct tny_network *network, struct tny_nested_rings *nested,
                              struct tny_error *error)
{
  struct duration without, with;
  enum tny_status status = measure(network, nested, &without, error);
  if (status != TNY_OK || network->routes->cluster->switch_count < 2)
    return status;
  nested->has_switches = true;
  status = measure(network, nested, &with, error);
  if (status != TNY_OK || is_longer(without, with))
    return status;
  nested->has_switches = false;
  return measure(network, nested, &without, error);
}

enum tny_status tny_nested_rings_make(const struct tny_problem *problem, uint32_t ring_count,
                                      struct tny_nested_rings **nested, struct tny_error *error)
{
  struct tny_nested_rings *made = *nested = tny_new(1, sizeof *made);
  if (!made)
    return tny_error_memory(error);
  const enum tny_status status = tny_rings_make(problem, ring_count, &made->rings, error);
  if (status != TNY_OK)
    return status;
  const size_t cells = (size_t)TNY_RING_LEVEL_COUNT * problem->rank_count;
  made->group = tny_new(cells, sizeof *made->group);
  made->size = tny_new(cells, sizeof *made->size);
  made->next = tny_new(cells * made->rings->count, sizeof *made->next);
  made->before = tny_new(cells * made->rings->count, sizeof *made->before);
  if (!made->group || !made->size || !made->next || !made->before)
    return tny_error_memory(error);
  return choose(problem->network, made, error);
}

void tny_nested_rings_free(struct tny_nested_rings *nested)
{
  if (!nested)
    return;
  tny_rings_free(nested->rings);
  tny_free(nested->group);
  tny_free(nested->size);
  tny_free(nested->next);
  tny_free(nested->before);
  tny_free(nested);
}
