/* What tests on clusters share: random clusters, repeatable; clusters from a line of text; which
   links up*-down* calls up, and how long its legal ways are. Included once by each test program. */
#ifndef TOURNEY_TESTS_SUPPORT_CLUSTER_H
#define TOURNEY_TESTS_SUPPORT_CLUSTER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/alloc.h"
#include "core/text.h"

#include <tourney/routing.h>

enum { LEGAL_NODES_MAX = 64 };

/* A random number below `limit`. */
static inline uint32_t draw(uint64_t *seed, uint32_t limit)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*seed >> 33) % limit);
}

/* Cables between two nodes. */
static inline uint32_t cables_between(const struct tny_cluster *cluster, uint32_t a, uint32_t b)
{
  uint32_t count = 0;
  for (uint32_t i = cluster->first_out[a]; i < cluster->first_out[a + 1]; i++)
    count += cluster->links[cluster->out_links[i]].to == b;
  return count;
}

/* A connected cluster: a random tree of switches, hosts scattered over it, `extra_cables` more
   between switches. Bandwidths are 1, 2, 3 or 4 bit/s. */
static inline struct tny_cluster *random_cluster(uint64_t seed, uint32_t host_count,
                                                 uint32_t switch_count, uint32_t extra_cables)
{
  struct tny_text text = {0};
  tny_text_add(&text, "cluster 1 random\n");
  for (uint32_t i = 0; i < host_count; i++)
    tny_text_add(&text, "host h%u\n", i);
  for (uint32_t i = 0; i < switch_count; i++)
    tny_text_add(&text, "switch s%u\n", i);
  for (uint32_t i = 1; i < switch_count; i++)
    tny_text_add(&text, "cable s%u s%u %u 1 1\n", i, draw(&seed, i), 1 + draw(&seed, 4));
  for (uint32_t i = 0; switch_count > 1 && i < extra_cables; i++) {
    const uint32_t a = draw(&seed, switch_count), b = draw(&seed, switch_count - 1);
    tny_text_add(&text, "cable s%u s%u %u 1 1\n", a, b >= a ? b + 1 : b, 1 + draw(&seed, 4));
  }
  for (uint32_t i = 0; i < host_count; i++)
    tny_text_add(&text, "cable h%u s%u %u 1 1\n", i, draw(&seed, switch_count), 1 + draw(&seed, 4));
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  assert_false(text.failed);
  if (tny_cluster_read_flat(text.bytes, &cluster, &error))
    fail_msg("%u: %s", error.line, error.text);
  tny_text_release(&text);
  return cluster;
}

static inline struct tny_cluster *open_cluster(const char *text)
{
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  if (tny_cluster_open(text, &cluster, &error))
    fail_msg("%s: %s", text, error.text);
  return cluster;
}

static inline struct tny_routes *make_routes(const struct tny_cluster *cluster)
{
  struct tny_routes *routes;
  struct tny_error error = {0};
  if (tny_routes_make(cluster, &routes, &error))
    fail_msg("%s", error.text);
  return routes;
}

/* Messages on these routes can't deadlock. */
static inline void assert_no_cycle(const struct tny_routes *routes, bool adaptive)
{
  struct tny_error error = {0};
  char *cycle;
  if (tny_routes_check(routes, adaptive, &cycle, &error))
    fail_msg("%s: %s", routes->cluster->name, error.text);
  assert_null(cycle);
}

/* Messages can't deadlock on a cluster from a line of text, by its own routes. */
static inline void assert_no_cycle_on(const char *text)
{
  struct tny_cluster *cluster = open_cluster(text);
  struct tny_routes *routes = make_routes(cluster);
  assert_no_cycle(routes, false);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
}

static inline uint32_t count_nodes(const struct tny_cluster *cluster)
{
  return cluster->host_count + cluster->switch_count;
}

/* The switch with the most cables to switches, the first of these, as a node. */
static inline uint32_t root_of(const struct tny_cluster *cluster)
{
  uint32_t root = cluster->host_count, most = 0;
  for (uint32_t node = root; node < count_nodes(cluster); node++) {
    uint32_t cables = 0;
    for (uint32_t i = 0; i < cluster->link_count; i++)
      cables += cluster->links[i].from == node && cluster->links[i].to >= cluster->host_count;
    if (cables > most) {
      most = cables;
      root = node;
    }
  }
  return root;
}

/* Links between each node and the root, by relaxing. Owns: the caller's (tny_free). */
static inline uint32_t *levels_of(const struct tny_cluster *cluster)
{
  uint32_t *levels = tny_new(count_nodes(cluster), sizeof *levels);
  for (uint32_t node = 0; node < count_nodes(cluster); node++)
    levels[node] = TNY_NONE;
  levels[root_of(cluster)] = 0;
  for (uint32_t level = 0; level < count_nodes(cluster); level++)
    for (uint32_t i = 0; i < cluster->link_count; i++)
      if (levels[cluster->links[i].from] == level && levels[cluster->links[i].to] == TNY_NONE)
        levels[cluster->links[i].to] = level + 1;
  return levels;
}

/* Whether the link leads to a lower (level, index). */
static inline bool leads_up(const uint32_t *levels, const struct tny_link *link)
{
  return levels[link->to] < levels[link->from] ||
         (levels[link->to] == levels[link->from] && link->to < link->from);
}

/* left[went_down][node]: links of the shortest legal way to `to`, by relaxing until nothing
   changes: slow, but it can't be wrong in the same way as the code. TNY_NONE: there is no way. */
static inline void measure_legal(const struct tny_cluster *cluster, const uint32_t *levels,
                                 uint32_t to, uint32_t left[2][LEGAL_NODES_MAX])
{
  assert_true(count_nodes(cluster) <= LEGAL_NODES_MAX);
  memset(left, 0xff, 2 * sizeof *left);
  left[0][to] = left[1][to] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < cluster->link_count; i++)
      for (unsigned went_down = 0; went_down < 2; went_down++) {
        const struct tny_link *link = &cluster->links[i];
        const bool up = leads_up(levels, link);
        if ((went_down && up) || left[!up][link->to] == TNY_NONE ||
            left[!up][link->to] + 1 >= left[went_down][link->from])
          continue;
        left[went_down][link->from] = left[!up][link->to] + 1;
        changed = true;
      }
  }
}

#endif
