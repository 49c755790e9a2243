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
  uint32_t *last_for; /* by link: 1 + the last sender whose block it carries for all */
};

/* Each receiver's own block, on the way that the routes give it. */
static void add_personal(const struct loads *loads, uint32_t sender, uint32_t receiver,
                         uint64_t bytes)
{
  struct tny_route route = tny_route_begin(loads->network, sender, receiver);
  uint32_t link;
  while ((link = tny_route_next(&route)) != TNY_NONE)
    loads->bytes[link] += bytes;
}

/* One block for all crosses a link once, if there is no way round it. */
static void add_common(const struct loads *loads, uint32_t sender, uint32_t receiver,
                       uint64_t bytes)
{
  const struct tny_cluster *cluster = loads->network->routes->cluster;
  const bool is_tree = tny_cluster_is_tree(cluster);
  struct tny_route route = tny_route_begin(loads->network, sender, receiver);
  uint32_t link;
  while ((link = tny_route_next(&route)) != TNY_NONE) {
    if (loads->last_for[link] == sender + 1 || (!is_tree && tny_link_is_trunk(cluster, link)))
      continue;
    loads->last_for[link] = sender + 1;
    loads->bytes[link] += bytes;
  }
}

static double find_longest(const struct loads *loads)
{
  const struct tny_cluster *cluster = loads->network->routes->cluster;
  double longest = 0;
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const double seconds =
        8.0 * (double)loads->bytes[link] / (double)cluster->links[link].bandwidth_bps;
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
  const bool is_personal = tny_collective_is_pairwise(collective);
  const enum tny_status status = tny_network_check(network, p, error);
  if (status != TNY_OK)
    return status;
  const struct loads loads = {.network = network,
                              .pattern = pattern,
                              .bytes = tny_new(cluster->link_count, sizeof *loads.bytes),
                              .last_for = tny_new(cluster->link_count, sizeof *loads.last_for)};
  const bool has_memory = loads.bytes && loads.last_for;
  for (uint32_t sender = 0; has_memory && sender < p; sender++)
    for (uint32_t receiver = 0; receiver < p; receiver++) {
      const uint64_t bytes = pattern->bytes[(size_t)sender * p + receiver];
      if (is_personal)
        add_personal(&loads, sender, receiver, bytes);
      else
        add_common(&loads, sender, receiver, bytes);
    }
  if (has_memory)
    *seconds = find_longest(&loads);
  tny_free(loads.bytes);
  tny_free(loads.last_for);
  return has_memory ? TNY_OK : tny_error_memory(error);
}
