/* The least time for blocks of given sizes, by single links: what each has to carry. */
#include <tourney/pattern.h>

#include "cluster/links.h"
#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"

/* What links carry. */
struct loads {
  const struct tny_network *network;
  const struct tny_pattern *pattern;
  uint64_t *bytes;    /* by link */
  uint32_t *last_for; /* by link: 1 + the last sender whose block it carries for all, or receiver
                         of what it carries of all */
};

/* Each receiver's own block, on the way that the routes give it; where `may_detour`, another rank
   might pass it on, and of links between switches those of a tree alone have no way round. */
static void add_personal(const struct loads *loads, uint32_t sender, uint32_t receiver,
                         bool may_detour)
{
  const struct tny_pattern *pattern = loads->pattern;
  const struct tny_cluster *cluster = loads->network->routes->cluster;
  struct tny_route route = tny_route_begin(loads->network, sender, receiver);
  uint32_t link;
  while ((link = tny_route_next(&route)) != TNY_NONE)
    if (!may_detour || !tny_link_is_trunk(cluster, link))
      loads->bytes[link] += pattern->bytes[(size_t)sender * pattern->rank_count + receiver];
}

/* One block for all, or combined of all, crosses a link once, if there is no way round it. `whose`:
   the rank that sends it, or gets it. */
static void add_once(const struct loads *loads, uint32_t sender, uint32_t receiver, uint32_t whose)
{
  const struct tny_pattern *pattern = loads->pattern;
  const struct tny_cluster *cluster = loads->network->routes->cluster;
  const uint64_t bytes = pattern->bytes[(size_t)sender * pattern->rank_count + receiver];
  const bool is_tree = tny_cluster_is_tree(cluster);
  struct tny_route route = tny_route_begin(loads->network, sender, receiver);
  uint32_t link;
  while (bytes > 0 && (link = tny_route_next(&route)) != TNY_NONE) {
    if (loads->last_for[link] == whose + 1 || (!is_tree && tny_link_is_trunk(cluster, link)))
      continue;
    loads->last_for[link] = whose + 1;
    loads->bytes[link] += bytes;
  }
}

/* Has the one a block for the other? A root is rank 0. */
static bool is_sent(const struct loads *loads, enum tny_collective collective, uint32_t sender,
                    uint32_t receiver)
{
  const uint32_t p = loads->pattern->rank_count;
  return tny_rank_blocks(collective, TNY_INPUT, p, 0, sender) > 0 &&
         tny_rank_blocks(collective, TNY_OUTPUT, p, 0, receiver) > 0;
}

/* Of a reduce-scatter: what is combined for one receiver after the other. */
static void add_combined(const struct loads *loads)
{
  const uint32_t p = loads->pattern->rank_count;
  for (uint32_t receiver = 0; receiver < p; receiver++)
    for (uint32_t sender = 0; sender < p; sender++)
      add_once(loads, sender, receiver, receiver);
}

static void add_all(const struct loads *loads, enum tny_collective collective)
{
  const struct tny_cluster *cluster = loads->network->routes->cluster;
  const uint32_t p = loads->pattern->rank_count;
  const bool is_personal = tny_collective_row(collective)->input.is_per_rank;
  const bool may_detour = !tny_collective_is_pairwise(collective) && !tny_cluster_is_tree(cluster);
  for (uint32_t sender = 0; sender < p; sender++)
    for (uint32_t receiver = 0; receiver < p; receiver++)
      if (is_sent(loads, collective, sender, receiver) && is_personal)
        add_personal(loads, sender, receiver, may_detour);
      else if (is_sent(loads, collective, sender, receiver))
        add_once(loads, sender, receiver, sender);
}

static double find_longest(const struct loads *loads)
{
  const struct tny_cluster *cluster = loads->network->routes->cluster;
  double longest = 0;
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const double seconds = 8.0 * (double)loads->bytes[link] / (double)cluster->links[link].best_bps;
    if (seconds > longest)
      longest = seconds;
  }
  return longest;
}

enum tny_status tny_bound_uneven(const struct tny_network *network, enum tny_collective collective,
                                 const struct tny_pattern *pattern, double *seconds,
                                 struct tny_error *error)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  const uint32_t p = pattern->rank_count;
  const enum tny_status status = tny_network_check(network, p, error);
  if (status != TNY_OK)
    return status;
  const struct loads loads = {.network = network,
                              .pattern = pattern,
                              .bytes = tny_new(cluster->link_count, sizeof *loads.bytes),
                              .last_for = tny_new(cluster->link_count, sizeof *loads.last_for)};
  const bool has_memory = loads.bytes && loads.last_for;
  if (has_memory && tny_collective_reduces(collective))
    add_combined(&loads);
  else if (has_memory)
    add_all(&loads, collective);
  if (has_memory)
    *seconds = find_longest(&loads);
  tny_free(loads.bytes);
  tny_free(loads.last_for);
  return has_memory ? TNY_OK : tny_error_memory(error);
}
