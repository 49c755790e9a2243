/* Routes, the switch order, and where ranks sit. */
#include "support/cluster.h"

#include "core/alloc.h"

/* The links of the shortest legal way between two nodes. */
static uint32_t shortest_legal(const struct tny_cluster *cluster, const uint32_t *levels,
                               uint32_t from, uint32_t to)
{
  uint32_t left[2][LEGAL_NODES_MAX];
  measure_legal(cluster, levels, to, left);
  return left[0][from];
}

/* Follows the way; checks that it ends and never goes up after down; returns its length. */
static uint32_t walk(const struct tny_routes *routes, const uint32_t *levels, uint32_t from,
                     uint32_t to)
{
  const struct tny_cluster *cluster = routes->cluster;
  uint32_t hops = 0, node = from, link;
  bool down = false;
  for (; (link = tny_routes_next(routes, node, to)) != TNY_NONE; hops++) {
    assert_true(hops < count_nodes(cluster));
    assert_int_equal(cluster->links[link].from, node);
    const bool up = leads_up(levels, &cluster->links[link]);
    assert_false(down && up);
    down = !up;
    node = cluster->links[link].to;
  }
  assert_int_equal(node, to);
  return hops;
}

static void every_route_ends_and_never_goes_up_after_down(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < 200; i++) {
    struct tny_cluster *cluster = random_cluster(i, 2 + i % 20, 1 + i % 11, i % 7);
    struct tny_routes *routes = make_routes(cluster);
    uint32_t *levels = levels_of(cluster);
    for (uint32_t from = 0; from < count_nodes(cluster); from++)
      for (uint32_t to = 0; to < cluster->host_count; to++)
        walk(routes, levels, from, to);
    tny_free(levels);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

static void routes_on_trees_are_the_shortest(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < 60; i++) {
    struct tny_cluster *cluster = random_cluster(i, 2 + i % 9, 1 + i % 11, 0);
    struct tny_routes *routes = make_routes(cluster);
    uint32_t *levels = levels_of(cluster);
    assert_string_equal(routes->name, "shortest path");
    for (uint32_t from = 0; from < cluster->host_count; from++)
      for (uint32_t to = 0; to < cluster->host_count; to++)
        assert_int_equal(walk(routes, levels, from, to), shortest_legal(cluster, levels, from, to));
    tny_free(levels);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

/* Nearly: a next hop may not depend on where the message came from, so a node that can go down
   does, even where the way up and down again is shorter. */
static void routes_with_cycles_are_nearly_always_the_shortest_legal_ones(void **state)
{
  (void)state;
  uint32_t shortest = 0, all = 0;
  for (uint32_t i = 0; i < 60; i++) {
    struct tny_cluster *cluster = random_cluster(i, 2 + i % 9, 3 + i % 11, 1 + i % 5);
    struct tny_routes *routes = make_routes(cluster);
    uint32_t *levels = levels_of(cluster);
    assert_string_equal(routes->name, "BFS up*-down*");
    for (uint32_t from = 0; from < cluster->host_count; from++)
      for (uint32_t to = 0; to < cluster->host_count; to++) {
        const uint32_t hops = walk(routes, levels, from, to);
        const uint32_t least = shortest_legal(cluster, levels, from, to);
        assert_true(hops >= least);
        shortest += hops == least;
        all++;
      }
    tny_free(levels);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
  assert_true(shortest * 100 > all * 95);
}

static void parallel_cables_share_the_hosts(void **state)
{
  (void)state;
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  const char *flat = "cluster 1 parallel\nhost a\nhost b\nhost c\nhost d\nswitch s\nswitch t\n"
                     "cable s a 1 1 1\ncable t b 1 1 1\ncable t c 1 1 1\ncable t d 1 1 1\n"
                     "cable s t 1 1 1\ncable t s 1 1 1\n";
  assert_int_equal(tny_cluster_read_flat(flat, &cluster, &error), TNY_OK);
  assert_false(tny_cluster_is_tree(cluster));
  struct tny_routes *routes = make_routes(cluster);
  assert_int_equal(tny_routes_next(routes, 4, 1), 11);
  assert_int_equal(tny_routes_next(routes, 4, 2), 8);
  assert_int_equal(tny_routes_next(routes, 4, 3), 11);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
}

/* How often a ring over the hosts in switch order passes each link. */
static uint32_t *ring_loads(const struct tny_cluster *cluster)
{
  struct tny_routes *routes = make_routes(cluster);
  struct tny_error error = {0};
  uint32_t *hosts = tny_new(cluster->host_count, sizeof *hosts);
  uint32_t *loads = tny_new(cluster->link_count, sizeof *loads);
  assert_int_equal(tny_cluster_order(cluster, hosts, &error), TNY_OK);
  for (uint32_t i = 0; i < cluster->host_count; i++) {
    const uint32_t to = hosts[(i + 1) % cluster->host_count];
    for (uint32_t node = hosts[i], link; (link = tny_routes_next(routes, node, to)) != TNY_NONE;
         node = cluster->links[link].to)
      loads[link]++;
  }
  tny_free(hosts);
  tny_routes_free(routes);
  return loads;
}

/* Whether hosts lie behind the link. */
static bool has_hosts_behind(const struct tny_cluster *cluster, uint32_t link)
{
  bool behind[128] = {false};
  behind[cluster->links[link].to] = true;
  for (uint32_t round = 0; round < count_nodes(cluster); round++)
    for (uint32_t i = 0; i < cluster->link_count; i++)
      if (i / 2 != link / 2 && behind[cluster->links[i].from])
        behind[cluster->links[i].to] = true;
  for (uint32_t host = 0; host < cluster->host_count; host++)
    if (behind[host])
      return true;
  return false;
}

static void a_ring_in_switch_order_uses_each_link_of_a_tree_once_each_way(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < 200; i++) {
    struct tny_cluster *cluster = random_cluster(i, 2 + i % 23, 1 + i % 13, 0);
    uint32_t *loads = ring_loads(cluster);
    for (uint32_t link = 0; link < cluster->link_count; link++)
      assert_int_equal(loads[link],
                       has_hosts_behind(cluster, link) && has_hosts_behind(cluster, link ^ 1));
    tny_free(loads);
    tny_cluster_free(cluster);
  }
}

/* Some ways between switches that are next to each other in the tree lead elsewhere: 43 of 200
   networks have a link that is used twice. */
static void a_ring_in_switch_order_seldom_uses_a_link_of_an_irregular_network_twice(void **state)
{
  (void)state;
  uint32_t sharing = 0;
  for (uint32_t seed = 0; seed < 200; seed++) {
    char text[64];
    snprintf(text, sizeof text, "irregular:128,switches=10,seed=%u", seed);
    struct tny_cluster *cluster = open_cluster(text);
    uint32_t *loads = ring_loads(cluster), most = 0;
    for (uint32_t link = 0; link < cluster->link_count; link++)
      most = loads[link] > most ? loads[link] : most;
    assert_true(most <= 2);
    sharing += most > 1;
    tny_free(loads);
    tny_cluster_free(cluster);
  }
  assert_true(sharing <= 43);
}

static void check_order(const char *text, const char *wanted)
{
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  struct tny_text names = {0};
  uint32_t hosts[32];
  if (tny_cluster_read_flat(text, &cluster, &error))
    fail_msg("%u: %s", error.line, error.text);
  assert_int_equal(tny_cluster_order(cluster, hosts, &error), TNY_OK);
  for (uint32_t i = 0; i < cluster->host_count; i++)
    tny_text_add(&names, "%s ", cluster->node_names[hosts[i]]);
  assert_string_equal(names.bytes, wanted);
  tny_text_release(&names);
  tny_cluster_free(cluster);
}

static void the_switch_order_is_depth_first_from_the_switch_of_host_0(void **state)
{
  (void)state;
  check_order(
      "cluster 1 star\nhost a\nhost b\nhost c\nhost d\nhost e\n"
      "switch m\nswitch x\nswitch y\nswitch z\n"
      "cable x b 1 1 1\ncable x a 1 1 1\ncable z c 1 1 1\ncable y d 1 1 1\ncable m e 1 1 1\n"
      "cable m z 1 1 1\ncable m y 1 1 1\ncable m x 1 1 1\n",
      "a b e d c ");
  check_order("cluster 1 two\nhost a\nhost b\ncable b a 1 1 1\n", "a b ");
  check_order(
      "cluster 1 line\nhost a\nhost b\nhost c\nswitch s\nswitch t\nswitch u\n"
      "cable s a 1 1 1\ncable u b 1 1 1\ncable t c 1 1 1\ncable s t 1 1 1\ncable t u 1 1 1\n",
      "a c b ");
}

static void with_cycles_the_switch_order_is_that_of_the_tree_of_up_down(void **state)
{
  (void)state;
  /* t is the root of s, u and v. */
  check_order("cluster 1 kite\nhost a\nhost b\nhost c\nhost d\n"
              "switch s\nswitch t\nswitch u\nswitch v\n"
              "cable s a 1 1 1\ncable t b 1 1 1\ncable u c 1 1 1\ncable v d 1 1 1\n"
              "cable s t 1 1 1\ncable t u 1 1 1\ncable u v 1 1 1\ncable t v 1 1 1\n",
              "a c d b ");
}

static const struct {
  const char *cluster;
  enum tny_map map;
  uint32_t rank_count;
  uint32_t hosts[16];
} maps[] = {
    {"switches:4+4", TNY_MAP_BLOCK, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
    {"switches:4+4", TNY_MAP_BLOCK, 3, {0, 1, 2}},
    {"switches:4+4", TNY_MAP_INTERLEAVED, 8, {0, 4, 1, 5, 2, 6, 3, 7}},
    {"switches:4+4", TNY_MAP_INTERLEAVED, 3, {0, 4, 1}},
    {"switches:1+3+2", TNY_MAP_INTERLEAVED, 8, {0, 1, 4, 2, 5, 3, 0, 1}},
    {"single:3", TNY_MAP_INTERLEAVED, 7, {0, 1, 2, 0, 1, 2, 0}},
    {"single:3", TNY_MAP_BLOCK, 6, {0, 0, 1, 1, 2, 2}},
    {"single:3", TNY_MAP_BLOCK, 7, {0, 0, 0, 1, 1, 2, 2}},
    {"single:1", TNY_MAP_BLOCK, 3, {0, 0, 0}},
    /* A grid's routes have no root; rooted at the switch with the most cables: 0 3 2 5 4 1. */
    {"mesh:3x2", TNY_MAP_BLOCK, 6, {0, 1, 2, 5, 4, 3}},
};

static void ranks_sit_in_blocks_or_interleaved(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
    struct tny_cluster *cluster = open_cluster(maps[i].cluster);
    uint32_t hosts[16];
    assert_int_equal(tny_map_ranks(cluster, maps[i].map, maps[i].rank_count, hosts, NULL), TNY_OK);
    assert_memory_equal(hosts, maps[i].hosts, maps[i].rank_count * sizeof *hosts);
    tny_cluster_free(cluster);
  }
}

static void zero_ranks_are_refused(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_cluster("single:3");
  struct tny_error error = {0};
  uint32_t host;
  assert_int_equal(tny_map_ranks(cluster, TNY_MAP_BLOCK, 0, &host, &error), TNY_BAD_INPUT);
  assert_string_equal(error.text, "0 ranks: there must be at least 1");
  tny_cluster_free(cluster);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_route_ends_and_never_goes_up_after_down),
      cmocka_unit_test(routes_on_trees_are_the_shortest),
      cmocka_unit_test(routes_with_cycles_are_nearly_always_the_shortest_legal_ones),
      cmocka_unit_test(parallel_cables_share_the_hosts),
      cmocka_unit_test(a_ring_in_switch_order_uses_each_link_of_a_tree_once_each_way),
      cmocka_unit_test(a_ring_in_switch_order_seldom_uses_a_link_of_an_irregular_network_twice),
      cmocka_unit_test(the_switch_order_is_depth_first_from_the_switch_of_host_0),
      cmocka_unit_test(with_cycles_the_switch_order_is_that_of_the_tree_of_up_down),
      cmocka_unit_test(ranks_sit_in_blocks_or_interleaved),
      cmocka_unit_test(zero_ranks_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
