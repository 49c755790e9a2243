/* What the tests that plan on clusters share: a cluster with its routes, and ranks on its hosts.
   Included once by each test program. */
#ifndef TOURNEY_TESTS_SUPPORT_SETTING_H
#define TOURNEY_TESTS_SUPPORT_SETTING_H

#include "support/cluster.h"

#include <tourney/algorithm.h>

enum { SETTING_RANKS_MAX = 512 };

/* It stays where it is: the network and the problem point into it. */
struct setting {
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  uint32_t *hosts; /* by rank; room for SETTING_RANKS_MAX at least */
  struct tny_placement *placement;
  struct tny_network network;
  struct tny_problem problem; /* collective and root are for who plans to say */
};

/* Takes the cluster over. rank_count 0: one a host. */
static inline void set_up_on(struct setting *setting, struct tny_cluster *cluster, enum tny_map map,
                             uint32_t rank_count)
{
  const uint32_t p = rank_count ? rank_count : cluster->host_count;
  setting->cluster = cluster;
  setting->routes = make_routes(cluster);
  setting->hosts = tny_new(p > SETTING_RANKS_MAX ? p : SETTING_RANKS_MAX, sizeof *setting->hosts);
  assert_non_null(setting->hosts);
  assert_int_equal(tny_map_ranks(cluster, map, p, setting->hosts, NULL), TNY_OK);
  assert_int_equal(tny_placement_make(cluster, setting->hosts, p, &setting->placement, NULL),
                   TNY_OK);
  setting->network = (struct tny_network){setting->routes, setting->hosts, p};
  setting->problem = (struct tny_problem){
      .rank_count = p, .placement = setting->placement, .network = &setting->network};
}

static inline void set_up(struct setting *setting, const char *cluster, enum tny_map map,
                          uint32_t rank_count)
{
  set_up_on(setting, open_cluster(cluster), map, rank_count);
}

/* Blocks by Zipf's law for an algorithm that plans by their bytes; else NULL. The caller's
   (tny_pattern_free). */
static inline struct tny_pattern *sizes_for(const struct setting *setting,
                                            const struct tny_algorithm *algorithm)
{
  const struct tny_unevenness zipf = {.by_zipf = true, .mean_bytes = 1000, .seed = 1};
  struct tny_pattern *sizes = NULL;
  if (algorithm->plans_bytes)
    assert_int_equal(
        tny_pattern_uneven(setting->problem.rank_count, algorithm->collective, &zipf, &sizes, NULL),
        TNY_OK);
  return sizes;
}

static inline void tear_down(struct setting *setting)
{
  tny_placement_free(setting->placement);
  tny_free(setting->hosts);
  tny_routes_free(setting->routes);
  tny_cluster_free(setting->cluster);
}

#endif
