/* Dragonflies: cables counted from the definition, the arrangement of the global ones, and routes.
   What is refused is in test_cluster_generators.c. */
#include "support/cluster.h"

#include <tourney/routing.h>

/* `between`: cables between each two groups; `least` and `most`: global cables of a switch. */
static const struct dragonfly {
  const char *text;
  uint32_t groups, switches, hosts, between, least, most;
} dragonflies[] = {
    {"dragonfly:9x4x2", 9, 4, 2, 1, 2, 2},
    {"dragonfly:9x4x2,global=2", 9, 4, 2, 1, 2, 2},
    {"dragonfly:9x4x2,global=4,link=2Gbit/s", 9, 4, 2, 2, 4, 4},
    {"dragonfly:3x2x1", 3, 2, 1, 1, 1, 1},
    {"dragonfly:2x1x1", 2, 1, 1, 1, 1, 1},
    {"dragonfly:2x2x3,global=3", 2, 2, 3, 6, 3, 3},
    {"dragonfly:19x6x3", 19, 6, 3, 1, 3, 3},
    {"dragonfly:5x4x2,global=1", 5, 4, 2, 1, 1, 1},
    {"dragonfly:6x4x2,global=2", 6, 4, 2, 1, 1, 2}, /* 5 of 8 ports */
    {"dragonfly:4x5x1", 4, 5, 1, 1, 0, 1},          /* 3 of 5 */
    {"dragonfly:4x5x1,global=2", 4, 5, 1, 3, 1, 2}, /* 9 of 10 */
    {"dragonfly:7x1x4", 7, 1, 4, 1, 6, 6},          /* a switch a group: all joined to all */
    {"dragonfly:3x3x2,global=5", 3, 3, 2, 7, 4, 5}, /* 14 of 15 */
};
enum { DRAGONFLIES = sizeof dragonflies / sizeof *dragonflies };

static void expect_switch(const struct tny_cluster *cluster, const struct dragonfly *expected,
                          uint32_t number)
{
  const uint32_t node = cluster->host_count + number, group = number / expected->switches;
  uint32_t global = 0, local = 0;
  for (uint32_t other = 0; other < cluster->switch_count; other++) {
    const uint32_t cables = cables_between(cluster, node, cluster->host_count + other);
    const bool in_group = other / expected->switches == group;
    if (in_group)
      assert_int_equal(cables, other != number);
    *(in_group ? &local : &global) += cables;
  }
  assert_int_equal(local, expected->switches - 1);
  assert_in_range(global, expected->least, expected->most);
  for (uint32_t host = 0; host < cluster->host_count; host++)
    assert_int_equal(cables_between(cluster, node, host), host / expected->hosts == number);
}

static void groups_are_joined_each_to_each_by_as_many_cables(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < DRAGONFLIES; i++) {
    const struct dragonfly *expected = &dragonflies[i];
    struct tny_cluster *cluster = open_cluster(expected->text);
    const uint32_t switches = expected->groups * expected->switches, a = expected->switches;
    uint32_t between[32][32] = {0};
    assert_int_equal(cluster->switch_count, switches);
    assert_int_equal(cluster->host_count, switches * expected->hosts);
    assert_int_equal(cluster->link_count / 2,
                     switches * expected->hosts + expected->groups * a * (a - 1) / 2 +
                         expected->groups * (expected->groups - 1) / 2 * expected->between);
    for (uint32_t s = 0; s < switches; s++) {
      expect_switch(cluster, expected, s);
      for (uint32_t other = 0; other < switches; other++)
        between[s / a][other / a] +=
            cables_between(cluster, cluster->host_count + s, cluster->host_count + other);
    }
    for (uint32_t from = 0; from < expected->groups; from++)
      for (uint32_t to = 0; to < expected->groups; to++)
        assert_int_equal(between[from][to], from == to ? a * (a - 1) : expected->between);
    tny_cluster_free(cluster);
  }
}

/* By hand: ports 0 to 7 of a group lead 1 to 8 groups back, to ports 7 to 0, two on a switch. */
static void global_cables_are_arranged_as_a_palm_tree(void **state)
{
  (void)state;
  static const uint32_t of_group_0[4][2] = {{35, 31}, {26, 22}, {17, 13}, {8, 4}};
  static const uint32_t of_group_5[4][2] = {{19, 15}, {10, 6}, {1, 33}, {28, 24}};
  struct tny_cluster *cluster = open_cluster("dragonfly:9x4x2");
  for (uint32_t s = 0; s < 4; s++)
    for (uint32_t k = 0; k < 2; k++) {
      assert_int_equal(cables_between(cluster, 72 + s, 72 + of_group_0[s][k]), 1);
      assert_int_equal(cables_between(cluster, 72 + 20 + s, 72 + of_group_5[s][k]), 1);
    }
  tny_cluster_free(cluster);
}

static void local_and_global_cables_have_rates_of_their_own(void **state)
{
  (void)state;
  static const struct {
    const char *options;
    uint64_t host_bps, local_bps, global_bps, global_ns;
  } rates[] = {
      {"", 1000000000, 1000000000, 1000000000, 5000},
      {",link=2Mbit/s", 2000000, 2000000, 2000000, 5000},
      {",link=2Mbit/s,trunk=3Mbit/s", 2000000, 3000000, 3000000, 5000},
      {",rate=4Mbit/s,delay=9us,trunk=3Mbit/s", 1000000000, 3000000, 4000000, 9000},
  };
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    char text[80];
    snprintf(text, sizeof text, "dragonfly:3x2x1%s", rates[i].options);
    struct tny_cluster *cluster = open_cluster(text);
    for (uint32_t k = 0; k < cluster->link_count; k++) {
      const struct tny_link *link = &cluster->links[k];
      const bool is_host = link->from < 6 || link->to < 6;
      const bool is_local = !is_host && (link->from - 6) / 2 == (link->to - 6) / 2;
      assert_int_equal(link->bandwidth_bps, is_host    ? rates[i].host_bps
                                            : is_local ? rates[i].local_bps
                                                       : rates[i].global_bps);
      assert_int_equal(link->latency_ns, is_host || is_local ? 5000 : rates[i].global_ns);
    }
    tny_cluster_free(cluster);
  }
}

/* --- routes --- */

/* The trunks of a way, local and global: "lgl". */
static void describe_way(const struct tny_routes *routes, uint32_t switches, uint32_t from,
                         uint32_t to, char way[8])
{
  const struct tny_cluster *cluster = routes->cluster;
  uint32_t length = 0;
  for (uint32_t node = from, link; (link = tny_routes_next(routes, node, to)) != TNY_NONE;
       node = cluster->links[link].to) {
    const uint32_t a = cluster->links[link].from, b = cluster->links[link].to;
    if (a < cluster->host_count || b < cluster->host_count)
      continue;
    assert_true(length < 7);
    way[length++] =
        (a - cluster->host_count) / switches == (b - cluster->host_count) / switches ? 'l' : 'g';
  }
  way[length] = '\0';
}

static bool is_local_global_local(const char *way)
{
  way += *way == 'l';
  way += *way == 'g';
  way += *way == 'l';
  return *way == '\0';
}

/* A way by two global cables may be shorter, but only where a switch has two. */
static void ways_have_three_trunks_at_most_local_global_local(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < DRAGONFLIES; i++) {
    struct tny_cluster *cluster = open_cluster(dragonflies[i].text);
    const uint32_t switches = dragonflies[i].switches;
    struct tny_routes *routes = make_routes(cluster);
    for (uint32_t from = 0; from < cluster->host_count; from++)
      for (uint32_t to = 0; to < cluster->host_count; to++) {
        char way[8];
        describe_way(routes, switches, from, to, way);
        assert_true(strlen(way) <= 3);
        if (!is_local_global_local(way) &&
            (dragonflies[i].most < 2 || strchr(way, 'g') == strrchr(way, 'g')))
          fail_msg("%s: %u to %u: %s", dragonflies[i].text, from, to, way);
      }
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

static void messages_cannot_deadlock(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < DRAGONFLIES; i++)
    assert_no_cycle_on(dragonflies[i].text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_are_joined_each_to_each_by_as_many_cables),
      cmocka_unit_test(global_cables_are_arranged_as_a_palm_tree),
      cmocka_unit_test(local_and_global_cables_have_rates_of_their_own),
      cmocka_unit_test(ways_have_three_trunks_at_most_local_global_local),
      cmocka_unit_test(messages_cannot_deadlock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
