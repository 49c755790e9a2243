/* Circles of hosts and switches along tours, and what the links carry with them. */
#include "planner/rings/nested_rings.h"

#include "cluster/flow.h"
#include "core/alloc.h"
#include "core/error.h"

/* --- groups --- */

static uint32_t *groups_of(struct tny_circles *circles, enum tny_circle circle)
{
  return circles->group + (size_t)circle * circles->tours->rank_count;
}

/* Counts how many ranks share each group. `counts` has a place for each rank. */
static void count_sizes(struct tny_circles *circles, enum tny_circle circle, uint32_t *counts)
{
  const uint32_t p = circles->tours->rank_count, *group = groups_of(circles, circle);
  memset(counts, 0, p * sizeof *counts);
  for (uint32_t rank = 0; rank < p; rank++)
    counts[group[rank]]++;
  for (uint32_t rank = 0; rank < p; rank++)
    circles->size[(size_t)circle * p + rank] = counts[group[rank]];
}

/* A rank's host or switch, as a node. */
static uint32_t seat_of(const struct tny_network *network, enum tny_circle circle, uint32_t rank)
{
  const uint32_t host = network->host_of_rank[rank];
  return circle == TNY_CIRCLE_HOST ? host : tny_cluster_switch_of(network->routes->cluster, host);
}

/* `first` has a place for each node. */
static void group_ranks(const struct tny_network *network, struct tny_circles *circles,
                        enum tny_circle circle, uint32_t *first)
{
  uint32_t *group = groups_of(circles, circle);
  for (uint32_t rank = circles->tours->rank_count; rank-- > 0;)
    first[seat_of(network, circle, rank)] = rank;
  for (uint32_t rank = 0; rank < circles->tours->rank_count; rank++)
    group[rank] = first[seat_of(network, circle, rank)];
}

/* --- circles --- */

/* Closes the circles of a kind along a tour. `last` has a place for each rank. */
static void close_circles(struct tny_circles *circles, uint32_t tour, enum tny_circle circle,
                          uint32_t *last)
{
  const uint32_t p = circles->tours->rank_count, *order = tny_tours_order(circles->tours, tour);
  const uint32_t *group = groups_of(circles, circle);
  for (uint32_t place = 0; place < 2 * p; place++) {
    const uint32_t rank = order[place % p];
    if (place >= p) {
      circles->before[tny_circles_slot(circles, tour, circle, rank)] = last[group[rank]];
      circles->next[tny_circles_slot(circles, tour, circle, last[group[rank]])] = rank;
    }
    last[group[rank]] = rank;
  }
}

/* `memory` has a place for each rank and each node. */
static void close_all(const struct tny_network *network, struct tny_circles *circles,
                      uint32_t *memory)
{
  const size_t p = circles->tours->rank_count;
  group_ranks(network, circles, TNY_CIRCLE_HOST, memory);
  if (circles->has_switches)
    group_ranks(network, circles, TNY_CIRCLE_SWITCH, memory);
  else
    memcpy(groups_of(circles, TNY_CIRCLE_SWITCH), groups_of(circles, TNY_CIRCLE_HOST),
           p * sizeof *circles->group);
  memset(groups_of(circles, TNY_CIRCLE_ALL), 0, p * sizeof *circles->group);
  for (enum tny_circle circle = TNY_CIRCLE_HOST; circle <= TNY_CIRCLE_ALL; circle++) {
    count_sizes(circles, circle, memory);
    for (uint32_t tour = 0; tour < circles->tours->count; tour++)
      close_circles(circles, tour, circle, memory);
  }
}

/* --- what they carry --- */

/* The blocks that a rank receives in a circle: of those in no smaller one. */
static uint32_t blocks_in(const struct tny_circles *circles, enum tny_circle circle, uint32_t rank)
{
  const uint32_t smaller =
      circle > TNY_CIRCLE_HOST ? tny_circles_size(circles, circle - 1, rank) : 1;
  return tny_circles_size(circles, circle, rank) - smaller;
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

static void add_all(const struct tny_circles *circles, const struct load *load)
{
  for (uint32_t tour = 0; tour < circles->tours->count; tour++)
    for (enum tny_circle circle = TNY_CIRCLE_HOST; circle <= TNY_CIRCLE_ALL; circle++)
      for (uint32_t rank = 0; rank < circles->tours->rank_count; rank++) {
        const uint32_t blocks = blocks_in(circles, circle, rank);
        const size_t slot = tny_circles_slot(circles, tour, circle, rank);
        if (blocks > 0)
          add_message(load, circles->before[slot], rank, blocks);
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

/* Takes the load's most into the circles; returns how long the links take, the longest of them. */
static struct duration weigh(struct tny_circles *circles, const struct load *load)
{
  struct duration longest = {0, 1};
  const struct tny_cluster *cluster = load->network->routes->cluster;
  circles->blocks_sent_max = 0;
  circles->link_messages = 0;
  for (uint32_t rank = 0; rank < circles->tours->rank_count; rank++)
    if (load->sent[rank] > circles->blocks_sent_max)
      circles->blocks_sent_max = load->sent[rank];
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const struct duration here = {load->blocks[link], cluster->links[link].bandwidth_bps};
    longest = is_longer(here, longest) ? here : longest;
    if (load->messages[link] > circles->link_messages)
      circles->link_messages = load->messages[link];
  }
  return longest;
}

/* --- the whole --- */

/* Makes the circles with or without those of switches. */
static enum tny_status measure(const struct tny_network *network, struct tny_circles *circles,
                               struct duration *longest, struct tny_error *error)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  const size_t p = circles->tours->rank_count, links = cluster->link_count;
  const size_t nodes = (size_t)cluster->host_count + cluster->switch_count;
  uint32_t *memory = tny_new(p + nodes, sizeof *memory);
  struct load load = {.network = network,
                      .sent = tny_new(p, sizeof *load.sent),
                      .blocks = tny_new(links, sizeof *load.blocks),
                      .messages = tny_new(links, sizeof *load.messages)};
  const bool done = memory && load.sent && load.blocks && load.messages;
  if (done) {
    close_all(network, circles, memory);
    add_all(circles, &load);
    *longest = weigh(circles, &load);
  }
  tny_free(memory);
  tny_free(load.sent);
  tny_free(load.blocks);
  tny_free(load.messages);
  return done ? TNY_OK : tny_error_memory(error);
}

/* Circles of switches only where they spare the fullest links something. */
static enum tny_status choose(const struct tny_network *network, struct tny_circles *circles,
                              struct tny_error *error)
{
  struct duration without, with;
  enum tny_status status = measure(network, circles, &without, error);
  if (status != TNY_OK || network->routes->cluster->switch_count < 2)
    return status;
  circles->has_switches = true;
  status = measure(network, circles, &with, error);
  if (status != TNY_OK || is_longer(without, with))
    return status;
  circles->has_switches = false;
  return measure(network, circles, &without, error);
}

enum tny_status tny_circles_make(const struct tny_problem *problem, uint32_t tour_count,
                                 struct tny_circles **circles, struct tny_error *error)
{
  struct tny_circles *made = *circles = tny_new(1, sizeof *made);
  if (!made)
    return tny_error_memory(error);
  const enum tny_status status = tny_tours_make(problem, tour_count, &made->tours, error);
  if (status != TNY_OK)
    return status;
  const size_t cells = (size_t)TNY_CIRCLE_COUNT * problem->rank_count;
  made->group = tny_new(cells, sizeof *made->group);
  made->size = tny_new(cells, sizeof *made->size);
  made->next = tny_new(cells * made->tours->count, sizeof *made->next);
  made->before = tny_new(cells * made->tours->count, sizeof *made->before);
  if (!made->group || !made->size || !made->next || !made->before)
    return tny_error_memory(error);
  return choose(problem->network, made, error);
}

void tny_circles_free(struct tny_circles *circles)
{
  if (!circles)
    return;
  tny_tours_free(circles->tours);
  tny_free(circles->group);
  tny_free(circles->size);
  tny_free(circles->next);
  tny_free(circles->before);
  tny_free(circles);
}
