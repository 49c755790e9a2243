/* Every allocation of the cluster's code fails once: each time the answer is TNY_NO_MEMORY, nothing
   is handed over, and (under the leak checker) nothing is lost. */
#include "support/cluster.h"
#include "support/memory.h"

#include "cluster/build.h"

#include <tourney/routing.h>

/* cgraph's own memory isn't ours to check. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
  return "leak:libcgraph\nleak:libcdt\n";
}

static enum tny_status settle(struct tny_cluster *cluster, enum tny_status status)
{
  assert_true((cluster == NULL) == (status != TNY_OK));
  tny_cluster_free(cluster);
  return status;
}

static enum tny_status generate(const void *text, struct tny_error *error)
{
  struct tny_cluster *cluster;
  const enum tny_status status = tny_cluster_generate(text, &cluster, error);
  return settle(cluster, status);
}

static enum tny_status read_dot(const void *text, struct tny_error *error)
{
  struct tny_cluster *cluster;
  const enum tny_status status = tny_graphviz_read(text, "test.dot", &cluster, error);
  return settle(cluster, status);
}

static enum tny_status read_flat(const void *text, struct tny_error *error)
{
  struct tny_cluster *cluster;
  const enum tny_status status = tny_cluster_read_flat(text, &cluster, error);
  return settle(cluster, status);
}

static enum tny_status open_path(const void *path, struct tny_error *error)
{
  struct tny_cluster *cluster;
  const enum tny_status status = tny_cluster_open(path, &cluster, error);
  return settle(cluster, status);
}

static enum tny_status write_both(const void *cluster, struct tny_error *error)
{
  char *text;
  enum tny_status status = tny_cluster_write_flat(cluster, &text, error);
  tny_text_free(text);
  if (status)
    return status;
  status = tny_cluster_write_dot(cluster, &text, error);
  tny_text_free(text);
  return status;
}

static enum tny_status make_and_free_routes(const void *cluster, struct tny_error *error)
{
  struct tny_routes *routes;
  const enum tny_status status = tny_routes_make(cluster, &routes, error);
  assert_true((routes == NULL) == (status != TNY_OK));
  tny_routes_free(routes);
  return status;
}

static enum tny_status route_up_down_and_check(const void *cluster, struct tny_error *error)
{
  struct tny_routes *routes;
  enum tny_status status = tny_routes_make_as(cluster, TNY_ROUTING_UP_DOWN, &routes, error);
  if (!status)
    status = tny_routes_check(routes, true, NULL, error);
  tny_routes_free(routes);
  return status;
}

static enum tny_status route_in_lanes(const void *cluster, struct tny_error *error)
{
  struct tny_routes *routes;
  const enum tny_status status =
      tny_routes_make_as(cluster, TNY_ROUTING_SHORTEST_LANES, &routes, error);
  assert_true((routes == NULL) == (status != TNY_OK));
  tny_routes_free(routes);
  return status;
}

static enum tny_status find_a_cycle(const void *cluster, struct tny_error *error)
{
  struct tny_routes *routes;
  char *cycle = NULL;
  enum tny_status status = tny_routes_make_as(cluster, TNY_ROUTING_SHORTEST, &routes, error);
  if (!status)
    status = tny_routes_check(routes, false, &cycle, error);
  assert_true((cycle == NULL) == (status != TNY_BROKEN));
  tny_text_free(cycle);
  tny_routes_free(routes);
  if (status != TNY_BROKEN)
    return status;
  if (error)
    *error = (struct tny_error){0};
  return TNY_OK;
}

static enum tny_status read_tables(const void *cluster, struct tny_error *error)
{
  struct tny_routes *routes;
  const char *text = "routes 1\ns0 * s1\ns1 * s2\ns2 * s3\ns3 * s4\ns4 * s0\ns0 h4 s4#0\n";
  const enum tny_status status = tny_routes_read(cluster, text, "tables", &routes, error);
  assert_true((routes == NULL) == (status != TNY_OK));
  tny_routes_free(routes);
  return status;
}

static enum tny_status map_both(const void *cluster, struct tny_error *error)
{
  uint32_t hosts[64];
  const enum tny_status status = tny_map_ranks(cluster, TNY_MAP_BLOCK, 64, hosts, error);
  return status ? status : tny_map_ranks(cluster, TNY_MAP_INTERLEAVED, 64, hosts, error);
}

static enum tny_status bound_all(const void *routes, struct tny_error *error)
{
  const uint32_t hosts[] = {0, 1, 2, 3, 3};
  enum tny_status status = TNY_OK;
  for (unsigned i = 0; !status && i < TNY_COLLECTIVE_COUNT; i++) {
    struct tny_bound bound;
    status = tny_bound_compute(routes, hosts, 5, (enum tny_collective)i, 0, 1, &bound, error);
  }
  return status;
}

static void making_a_cluster_survives_every_failed_allocation(void **state)
{
  (void)state;
  const char *flat = "cluster 1 x\nhost a\nhost b\nswitch s\ncable s a 1 1 1\ncable s b 1 1 1\n";
  starve(generate, "switches:40+3,link=20Mbit/s");
  starve(generate, "zones:2+2+2,delay=1ms");
  starve(generate, "torus:3x4");
  starve(generate, "fattree:4");
  starve(generate, "irregular:40,switches=4");
  starve(generate, "dragonfly:5x4x2");
  starve(generate, "hammingmesh:2x2,boards=2x3");
  starve(read_flat, flat);
  starve(read_dot, "graph { s -- \"n[0-99]\"; \"n[0-99]\" [alias=\"a[0-99]\"] }");
  starve(read_flat, "cluster 1 c\nhost a\nswitch s\nalias a x\ncable a s 1000 1 1000\n");
  starve(read_dot, "graph { s -- \"n[0-99]\"; t -- { a b c }; s -- t; t -- u -- s; u -- v }");
  starve(read_flat, "cluster 1 c\nhost a\nswitch s\nbundle a s 2 flow 1000 1 1000\n");
  starve(read_dot, "graph { multipath=flow; \"n[0-99]\" [alias=\"a[0-99]\"]; s -- \"n[0-99]\"; "
                   "t -- { a b c }; { u v w } -- { s t }; { u v w } -- { s t } }");
}

static void opening_a_file_survives_every_failed_allocation(void **state)
{
  (void)state;
  char path[4096];
  snprintf(path, sizeof path, "%s/tests/clusters/good/leaf_spine.dot", getenv("TOURNEY_SOURCE"));
  starve(open_path, path);
  snprintf(path, sizeof path, "%s/tests/clusters/good/leaf_spine.flat", getenv("TOURNEY_SOURCE"));
  starve(open_path, path);
}

static void using_a_cluster_survives_every_failed_allocation(void **state)
{
  (void)state;
  for (uint32_t extra_cables = 0; extra_cables < 6; extra_cables += 5) {
    struct tny_cluster *cluster = random_cluster(9, 20, 6, extra_cables);
    struct tny_routes *routes = make_routes(cluster);
    starve(write_both, cluster);
    starve(make_and_free_routes, cluster);
    starve(map_both, cluster);
    starve(bound_all, routes);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

static void routing_survives_every_failed_allocation(void **state)
{
  (void)state;
  struct tny_cluster *ring = open_cluster("ring:5");
  starve(make_and_free_routes, ring);
  starve(route_up_down_and_check, ring);
  starve(route_in_lanes, ring);
  starve(find_a_cycle, ring);
  starve(read_tables, ring);
  tny_cluster_free(ring);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(making_a_cluster_survives_every_failed_allocation),
      cmocka_unit_test(opening_a_file_survives_every_failed_allocation),
      cmocka_unit_test(using_a_cluster_survives_every_failed_allocation),
      cmocka_unit_test(routing_survives_every_failed_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
