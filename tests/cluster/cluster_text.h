/* Clusters by their text, and back. Included once by each test program. */
#ifndef TOURNEY_TESTS_CLUSTER_TEXT_H
#define TOURNEY_TESTS_CLUSTER_TEXT_H

#include "support/cluster.h"

#include "cluster/build.h"

enum { NODES_MAX = 40, CABLES_MAX = 128 };

static inline struct tny_cluster *read_dot(const char *text)
{
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  if (tny_graphviz_read(text, "test", &cluster, &error))
    fail_msg("%s: %s", text, error.text);
  return cluster;
}

static inline char *flat_of(const struct tny_cluster *cluster)
{
  char *flat;
  assert_int_equal(tny_cluster_write_flat(cluster, &flat, NULL), TNY_OK);
  return flat;
}

static inline struct tny_bound bound_of(const struct tny_cluster *cluster,
                                        enum tny_collective collective)
{
  uint32_t host_of_rank[NODES_MAX];
  struct tny_bound bound;
  struct tny_routes *routes = make_routes(cluster);
  for (uint32_t host = 0; host < cluster->host_count; host++)
    host_of_rank[host] = host;
  assert_int_equal(
      tny_bound_compute(routes, host_of_rank, cluster->host_count, collective, 0, 1, &bound, NULL),
      TNY_OK);
  tny_routes_free(routes);
  return bound;
}

#endif
