/* The routings: what they allow, that it is as short as it can be, and that it can't deadlock; and
   that what can is found out. */
#include "support/cluster.h"

#include "cluster/router.h"
#include "core/alloc.h"

#include <tourney/routing.h>

#define OPTIONS_MAX 256

static const struct tny_lane no_lane = {.link = TNY_NONE};

static struct tny_routes *make_as(const struct tny_cluster *cluster, enum tny_routing routing)
{
  struct tny_routes *routes;
  struct tny_error error = {0};
  if (tny_routes_make_as(cluster, routing, &routes, &error))
    fail_msg("%s: %s", cluster->name, error.text);
  assert_string_equal(routes->name, tny_routing_title(routing));
  return routes;
}

/* Follows the deterministic way; returns its length. */
static uint32_t walk(const struct tny_routes *routes, uint32_t from, uint32_t to)
{
  const struct tny_cluster *cluster = routes->cluster;
  uint32_t hops = 0, node = from;
  for (struct tny_lane way; (way = tny_routes_choice(routes, node, to)).link != TNY_NONE; hops++) {
    assert_true(hops < count_nodes(cluster));
    assert_int_equal(cluster->links[way.link].from, node);
    assert_int_equal(way.link, tny_routes_next(routes, node, to));
    assert_true(way.lane < tny_routes_lane_count(routes));
    node = cluster->links[way.link].to;
  }
  assert_int_equal(node, to);
  return hops;
}

/* --- all generators --- */

static const struct {
  const char *cluster;
  enum tny_routing routing;
  uint32_t lanes;
} defaults[] = {
    {"single:5", TNY_ROUTING_SHORTEST, 1},
    {"switches:3+1+2", TNY_ROUTING_SHORTEST, 1},
    {"mesh:7", TNY_ROUTING_SHORTEST, 1},
    {"ring:3", TNY_ROUTING_DIMENSION_ORDER, 2},
    {"ring:4", TNY_ROUTING_DIMENSION_ORDER, 2},
    {"ring:9", TNY_ROUTING_DIMENSION_ORDER, 2},
    {"ring:16", TNY_ROUTING_DIMENSION_ORDER, 2},
    {"torus:3x3", TNY_ROUTING_DIMENSION_ORDER, 2},
    {"torus:8x8", TNY_ROUTING_DIMENSION_ORDER, 2},
    {"torus:5x4x3", TNY_ROUTING_DIMENSION_ORDER, 2},
    {"mesh:2x2", TNY_ROUTING_DIMENSION_ORDER, 1},
    {"mesh:4x5x3", TNY_ROUTING_DIMENSION_ORDER, 1},
    {"fattree:2", TNY_ROUTING_SHORTEST, 1},
    {"fattree:4", TNY_ROUTING_UP_DOWN, 1},
    {"fattree:6", TNY_ROUTING_UP_DOWN, 1},
    {"zones:3+2", TNY_ROUTING_SHORTEST, 1},
    {"zones:3+2+4+1", TNY_ROUTING_UP_DOWN, 1},
    {"irregular:128,switches=10,seed=7", TNY_ROUTING_UP_DOWN, 1},
    {"dragonfly:2x1x3", TNY_ROUTING_SHORTEST_LANES, 1},
    {"dragonfly:4x1x2", TNY_ROUTING_SHORTEST_LANES, 1},
    {"dragonfly:9x4x2", TNY_ROUTING_SHORTEST_LANES, 3},
    {"hammingmesh:1x1,boards=2x2", TNY_ROUTING_SHORTEST_LANES, 4},
    {"hammingmesh:2x2,boards=3x3", TNY_ROUTING_SHORTEST_LANES, 4},
};

static void every_generators_routes_arrive_and_have_no_cycle(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
    struct tny_cluster *cluster = open_cluster(defaults[i].cluster);
    struct tny_routes *routes = make_routes(cluster);
    assert_int_equal(tny_routing_default(cluster), defaults[i].routing);
    assert_string_equal(routes->name, tny_routing_title(defaults[i].routing));
    assert_int_equal(tny_routes_lane_count(routes), defaults[i].lanes);
    enum tny_routing named;
    assert_true(tny_routing_find(tny_routing_name(defaults[i].routing), &named));
    assert_int_equal(named, defaults[i].routing);
    for (uint32_t from = 0; from < count_nodes(cluster); from++)
      for (uint32_t to = 0; to < cluster->host_count; to++)
        walk(routes, from, to);
    assert_no_cycle(routes, false);
    assert_no_cycle(routes, true);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

static void two_hosts_and_no_switch_have_routes(void **state)
{
  (void)state;
  struct tny_cluster *cluster;
  assert_int_equal(
      tny_cluster_read_flat("cluster 1 two\nhost a\nhost b\ncable b a 1 1 1\n", &cluster, NULL),
      TNY_OK);
  static const enum tny_routing routings[] = {TNY_ROUTING_SHORTEST, TNY_ROUTING_SHORTEST_LANES,
                                              TNY_ROUTING_UP_DOWN};
  for (size_t i = 0; i < sizeof routings / sizeof *routings; i++) {
    struct tny_routes *routes = make_as(cluster, routings[i]);
    struct tny_lane options[1];
    assert_int_equal(tny_routes_next(routes, 0, 1), 1);
    assert_int_equal(tny_routes_next(routes, 1, 0), 0);
    assert_int_equal(tny_routes_next(routes, 1, 1), TNY_NONE);
    assert_int_equal(tny_routes_option_max(routes), 1);
    assert_int_equal(tny_routes_options(routes, no_lane, 0, 1, options), 1);
    assert_int_equal(tny_routes_options(routes, options[0], 1, 1, options), 0);
    assert_no_cycle(routes, true);
    tny_routes_free(routes);
  }
  tny_cluster_free(cluster);
}

/* --- up*-down* --- */

static void the_root_is_the_first_switch_with_the_most_cables_to_switches(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < 200; i++) {
    struct tny_cluster *cluster = random_cluster(i, 2 + i % 40, 1 + i % 11, i % 8);
    assert_int_equal(cluster->host_count + tny_up_down_root(cluster), root_of(cluster));
    tny_cluster_free(cluster);
  }
  /* s6 has the most cables of all, but only one to another switch; s1 has five of these. */
  struct tny_cluster *cluster = open_cluster("irregular:128,switches=10,seed=14");
  assert_int_equal(tny_up_down_root(cluster), 1);
  tny_cluster_free(cluster);
}

static bool has_option(const struct tny_lane *options, uint32_t count, uint32_t link)
{
  for (uint32_t i = 0; i < count; i++)
    if (options[i].link == link)
      return true;
  return false;
}

/* Ways to one host, as brute force sees them. */
struct legal {
  uint32_t *levels;
  uint32_t to;
  uint32_t left[2][LEGAL_NODES_MAX]; /* as measure_legal fills it */
};

/* The options at a node behind link `in` (TNY_NONE: at the source) are all the links on shortest
   legal ways, and no others. */
static void check_options(const struct tny_routes *routes, const struct legal *legal, uint32_t in,
                          uint32_t node)
{
  const struct tny_cluster *cluster = routes->cluster;
  struct tny_lane options[OPTIONS_MAX];
  const bool went_down = in != TNY_NONE && !leads_up(legal->levels, &cluster->links[in]);
  const uint32_t count =
      tny_routes_options(routes, (struct tny_lane){.link = in}, node, legal->to, options);
  uint32_t expected = 0;
  assert_true(count <= tny_routes_option_max(routes));
  for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
    const struct tny_link *link = &cluster->links[cluster->out_links[i]];
    const bool up = leads_up(legal->levels, link);
    const uint32_t behind = legal->left[!up][link->to];
    const bool shortest =
        !(went_down && up) && behind != TNY_NONE && behind + 1 == legal->left[went_down][node];
    expected += shortest;
    assert_int_equal(has_option(options, count, cluster->out_links[i]), shortest);
  }
  assert_int_equal(count, expected);
}

static void up_down_offers_all_shortest_legal_ways_and_no_others(void **state)
{
  (void)state;
  uint32_t several = 0;
  for (uint32_t i = 0; i < 60; i++) {
    struct tny_cluster *cluster = random_cluster(i, 2 + i % 9, 2 + i % 11, i % 8);
    struct tny_routes *routes = make_as(cluster, TNY_ROUTING_UP_DOWN);
    struct legal legal = {.levels = levels_of(cluster)};
    for (legal.to = 0; legal.to < cluster->host_count; legal.to++) {
      measure_legal(cluster, legal.levels, legal.to, legal.left);
      for (uint32_t node = 0; node < count_nodes(cluster); node++)
        check_options(routes, &legal, TNY_NONE, node);
      for (uint32_t in = 0; in < cluster->link_count; in++)
        if (legal.left[!leads_up(legal.levels, &cluster->links[in])][cluster->links[in].to] !=
            TNY_NONE)
          check_options(routes, &legal, in, cluster->links[in].to);
    }
    several += tny_routes_option_max(routes) > 1;
    tny_free(legal.levels);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
  assert_true(several > 40);
}

static void a_thousand_irregular_networks_have_no_cycle_also_adaptively(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < 1000; i++) {
    char text[64];
    const uint32_t switches = 2 + i % 12, hosts = 7 * switches + i % (14 * switches + 1);
    snprintf(text, sizeof text, "irregular:%u,switches=%u,seed=%u", hosts, switches, i);
    struct tny_cluster *cluster = open_cluster(text);
    struct tny_routes *routes = make_as(cluster, TNY_ROUTING_UP_DOWN);
    assert_true(tny_routes_are_adaptive(routes));
    assert_no_cycle(routes, false);
    assert_no_cycle(routes, true);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

/* --- dimension order --- */

/* Coordinate d of a host or a switch. */
static uint32_t coordinate(const struct tny_cluster *cluster, uint32_t node, uint32_t d)
{
  node %= cluster->host_count;
  for (uint32_t i = 0; i < d; i++)
    node /= cluster->shape.size[i];
  return node % cluster->shape.size[d];
}

/* The dimension in which a link between switches leads, and whether up. */
static uint32_t direction(const struct tny_cluster *cluster, uint32_t link, bool *up)
{
  const uint32_t from = cluster->links[link].from, to = cluster->links[link].to;
  uint32_t d = 0;
  while (coordinate(cluster, from, d) == coordinate(cluster, to, d))
    d++;
  *up = coordinate(cluster, to, d) == (coordinate(cluster, from, d) + 1) % cluster->shape.size[d];
  return d;
}

/* Links from one coordinate to another: the shorter way around. */
static uint32_t apart(const struct tny_shape *shape, uint32_t d, uint32_t from, uint32_t to)
{
  const uint32_t straight = from > to ? from - to : to - from;
  const uint32_t around = shape->size[d] - straight;
  return shape->wraps && around < straight ? around : straight;
}

/* Whether the link goes around the edge of its ring. */
static bool passes_dateline(const struct tny_cluster *cluster, uint32_t link, uint32_t d, bool up)
{
  const uint32_t from = coordinate(cluster, cluster->links[link].from, d);
  return from == (up ? cluster->shape.size[d] - 1 : 0);
}

/* One way: x before y before z, shortest, ties by the coordinate left, from lane 0 to lane 1 at the
   dateline. */
static void check_way(const struct tny_routes *routes, uint32_t from, uint32_t to)
{
  const struct tny_cluster *cluster = routes->cluster;
  const struct tny_shape *shape = &cluster->shape;
  uint32_t hops = 0, before = 0, lane_before = 0, expected = 0;
  for (uint32_t d = 0; d < shape->dimension_count; d++)
    expected += apart(shape, d, coordinate(cluster, from, d), coordinate(cluster, to, d));
  struct tny_lane way = tny_routes_choice(routes, cluster->host_count + from, to);
  for (; cluster->links[way.link].to != to; hops++) {
    const uint32_t node = cluster->links[way.link].from;
    bool up;
    const uint32_t d = direction(cluster, way.link, &up);
    const uint32_t at = coordinate(cluster, node, d), want = coordinate(cluster, to, d);
    assert_true(d >= before);
    if (shape->wraps && 2 * apart(shape, d, at, want) == shape->size[d])
      assert_int_equal(up, at % 2);
    if (d == before && hops > 0)
      assert_true(way.lane >= lane_before);
    if (shape->wraps)
      assert_false(way.lane == 1 && passes_dateline(cluster, way.link, d, up));
    lane_before = way.lane;
    before = d;
    way = tny_routes_choice(routes, cluster->links[way.link].to, to);
  }
  assert_int_equal(hops, expected);
}

static void dimension_order_goes_the_shortest_way_one_dimension_after_the_other(void **state)
{
  (void)state;
  static const char *const grids[] = {"ring:3",   "ring:4",      "ring:7",    "ring:8",
                                      "mesh:5",   "torus:4x4",   "torus:3x8", "torus:8x8",
                                      "mesh:4x7", "torus:3x4x5", "mesh:3x4x5"};
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
    struct tny_cluster *cluster = open_cluster(grids[i]);
    struct tny_routes *routes = make_as(cluster, TNY_ROUTING_DIMENSION_ORDER);
    assert_false(tny_routes_are_adaptive(routes));
    for (uint32_t from = 0; from < cluster->host_count; from++)
      for (uint32_t to = 0; to < cluster->host_count; to++)
        check_way(routes, from, to);
    assert_no_cycle(routes, false);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

/* What all pairs of hosts lay on each (link, lane), at link * 2 + lane. A message that goes on in
   its dimension keeps its lane. */
static void load_lanes(const struct tny_routes *routes, uint64_t *load, bool keeps_lane)
{
  const struct tny_cluster *cluster = routes->cluster;
  for (uint32_t from = 0; from < cluster->host_count; from++)
    for (uint32_t to = 0; to < cluster->host_count; to++) {
      uint32_t before = TNY_NONE, lane_before = 0;
      struct tny_lane way = tny_routes_choice(routes, cluster->host_count + from, to);
      while (cluster->links[way.link].to != to) {
        bool up;
        const uint32_t d = direction(cluster, way.link, &up);
        if (keeps_lane && d == before)
          assert_int_equal(way.lane, lane_before);
        load[2 * way.link + way.lane]++;
        before = d;
        lane_before = way.lane;
        way = tny_routes_choice(routes, cluster->links[way.link].to, to);
      }
    }
}

static void balanced_lanes_carry_as_much_each_on_the_same_ways(void **state)
{
  (void)state;
  static const char *const grids[] = {
      "ring:3",    "ring:4",    "ring:5",   "ring:8",  "ring:9",  "torus:3x3",  "torus:4x6",
      "torus:5x7", "torus:8x8", "mesh:4x5", "ring:16", "ring:33", "torus:3x4x5"};
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
    struct tny_cluster *cluster = open_cluster(grids[i]);
    struct tny_routes *plain = make_as(cluster, TNY_ROUTING_DIMENSION_ORDER);
    struct tny_routes *balanced = make_as(cluster, TNY_ROUTING_DIMENSION_ORDER_BALANCED);
    uint64_t *load = calloc(cluster->link_count, 2 * sizeof *load), lanes[2] = {0};
    assert_non_null(load);
    for (uint32_t node = 0; node < count_nodes(cluster); node++)
      for (uint32_t to = 0; to < cluster->host_count; to++)
        assert_int_equal(tny_routes_next(plain, node, to), tny_routes_next(balanced, node, to));
    assert_int_equal(tny_routes_lane_count(balanced), tny_routes_lane_count(plain));
    assert_no_cycle(balanced, false);
    assert_no_cycle(balanced, true);
    load_lanes(balanced, load, true);
    bool sides_are_even = cluster->shape.wraps;
    for (uint32_t d = 0; d < cluster->shape.dimension_count; d++)
      sides_are_even &= cluster->shape.size[d] % 2 == 0;
    for (uint32_t link = 0; link < cluster->link_count; link++)
      for (uint32_t lane = 0; lane < 2; lane++)
        lanes[lane] += load[2 * link + lane];
    if (sides_are_even)
      assert_int_equal(lanes[0], lanes[1]);
    free(load);
    tny_routes_free(balanced);
    tny_routes_free(plain);
    tny_cluster_free(cluster);
  }
}

/* Why there are others. */
static void the_datelines_lanes_leave_half_of_the_links_to_one_of_them(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_cluster("ring:8");
  struct tny_routes *routes = make_routes(cluster);
  uint64_t *load = calloc(cluster->link_count, 2 * sizeof *load);
  uint32_t unused = 0, trunks = 0;
  assert_non_null(load);
  load_lanes(routes, load, false);
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const bool is_trunk = load[2 * link] + load[2 * link + 1] > 0;
    trunks += is_trunk;
    unused += is_trunk && load[2 * link] == 0;
  }
  assert_int_equal(trunks, 16);
  assert_true(2 * unused >= trunks);
  free(load);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
}

static void halfway_around_odd_nodes_go_up_and_even_ones_down(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_cluster("ring:8");
  struct tny_routes *routes = make_routes(cluster);
  for (uint32_t node = 0; node < 8; node++) {
    const uint32_t link = tny_routes_next(routes, 8 + node, (node + 4) % 8);
    const uint32_t next = node % 2 ? (node + 1) % 8 : (node + 7) % 8;
    assert_int_equal(cluster->links[link].to, 8 + next);
  }
  tny_routes_free(routes);
  tny_cluster_free(cluster);
}

/* --- shortest path with lanes --- */

/* The lanes of the trunks count down to 0, and the links are those of shortest path. */
static void lanes_count_the_trunks_that_are_left(void **state)
{
  (void)state;
  static const char *const names[] = {"switches:2+2+2", "ring:9", "torus:4x5", "fattree:4",
                                      "irregular:128,switches=10,seed=7"};
  enum { NAMED = sizeof names / sizeof *names };
  for (uint32_t i = 0; i < NAMED + 60; i++) {
    struct tny_cluster *cluster =
        i < NAMED ? open_cluster(names[i]) : random_cluster(i, 2 + i % 20, 1 + i % 11, i % 8);
    struct tny_routes *shortest = make_as(cluster, TNY_ROUTING_SHORTEST);
    struct tny_routes *lanes = make_as(cluster, TNY_ROUTING_SHORTEST_LANES);
    uint32_t most = 1;
    for (uint32_t from = 0; from < cluster->host_count; from++)
      for (uint32_t to = 0; to < cluster->host_count; to++) {
        uint32_t way[64], length = 0;
        struct tny_lane next;
        for (uint32_t node = from; (next = tny_routes_choice(lanes, node, to)).link != TNY_NONE;
             node = cluster->links[next.link].to) {
          assert_int_equal(next.link, tny_routes_next(shortest, node, to));
          if (node >= cluster->host_count && cluster->links[next.link].to >= cluster->host_count)
            way[length++] = next.lane;
        }
        for (uint32_t k = 0; k < length; k++)
          assert_int_equal(way[k], length - 1 - k);
        most = length > most ? length : most;
      }
    assert_true(tny_routes_lane_count(lanes) >= most);
    assert_true(i >= NAMED || tny_routes_lane_count(lanes) == most);
    assert_no_cycle(lanes, false);
    tny_routes_free(shortest);
    tny_routes_free(lanes);
    tny_cluster_free(cluster);
  }
}

/* --- cycles --- */

static void shortest_paths_around_a_ring_have_a_cycle_which_is_shown(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_cluster("ring:5");
  struct tny_routes *routes = make_as(cluster, TNY_ROUTING_SHORTEST);
  struct tny_error error = {0};
  char *cycle;
  assert_int_equal(tny_routes_check(routes, false, &cycle, &error), TNY_BROKEN);
  assert_string_equal(cycle, "s0 -> s1\ns1 -> s2\ns2 -> s3\ns3 -> s4\ns4 -> s0\n");
  assert_string_equal(error.text, "messages can wait for each other in a cycle: s0 -> s1, s1 -> "
                                  "s2, s2 -> s3, s3 -> s4, s4 -> s0");
  tny_text_free(cycle);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
}

static void a_long_cycle_is_shortened_in_the_error_only(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_cluster("ring:20");
  struct tny_routes *routes = make_as(cluster, TNY_ROUTING_SHORTEST);
  struct tny_error error = {0};
  char *cycle;
  assert_int_equal(tny_routes_check(routes, false, NULL, NULL), TNY_BROKEN);
  assert_int_equal(tny_routes_check(routes, false, &cycle, &error), TNY_BROKEN);
  assert_non_null(strstr(cycle, "s10 -> s11\ns11 -> s12\n"));
  assert_non_null(strstr(error.text, "s4 -> s5, ... (20 in all), s19 -> s0"));
  tny_text_free(cycle);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
}

/* --- what can't be had --- */

static void routings_that_a_cluster_cannot_have_are_refused(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_cluster("switches:2+2");
  struct tny_routes *routes;
  struct tny_error error = {0};
  assert_int_equal(tny_routes_make_as(cluster, TNY_ROUTING_DIMENSION_ORDER, &routes, &error),
                   TNY_REFUSED);
  assert_null(routes);
  assert_non_null(strstr(error.text, "dimension order needs a ring, a torus or a mesh"));
  assert_int_equal(tny_routes_make_as(cluster, TNY_ROUTING_TABLE, &routes, NULL), TNY_REFUSED);
  tny_cluster_free(cluster);
}

static void large_grids_have_routes_but_no_large_tables(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_cluster("torus:200x200");
  struct tny_routes *routes = make_routes(cluster);
  struct tny_error error = {0};
  assert_int_equal(walk(routes, 0, 100 * 200 + 100), 202);
  tny_routes_free(routes);
  assert_int_equal(tny_routes_make_as(cluster, TNY_ROUTING_UP_DOWN, &routes, &error), TNY_REFUSED);
  assert_non_null(
      strstr(error.text, "routes of 40000 hosts and 40000 switches need more than 4 GiB"));
  assert_int_equal(tny_routes_make_as(cluster, TNY_ROUTING_SHORTEST, &routes, NULL), TNY_REFUSED);
  assert_int_equal(tny_routes_read(cluster, "routes 1\n", "file", &routes, NULL), TNY_REFUSED);
  tny_cluster_free(cluster);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_generators_routes_arrive_and_have_no_cycle),
      cmocka_unit_test(two_hosts_and_no_switch_have_routes),
      cmocka_unit_test(the_root_is_the_first_switch_with_the_most_cables_to_switches),
      cmocka_unit_test(up_down_offers_all_shortest_legal_ways_and_no_others),
      cmocka_unit_test(a_thousand_irregular_networks_have_no_cycle_also_adaptively),
      cmocka_unit_test(dimension_order_goes_the_shortest_way_one_dimension_after_the_other),
      cmocka_unit_test(balanced_lanes_carry_as_much_each_on_the_same_ways),
      cmocka_unit_test(the_datelines_lanes_leave_half_of_the_links_to_one_of_them),
      cmocka_unit_test(halfway_around_odd_nodes_go_up_and_even_ones_down),
      cmocka_unit_test(lanes_count_the_trunks_that_are_left),
      cmocka_unit_test(shortest_paths_around_a_ring_have_a_cycle_which_is_shown),
      cmocka_unit_test(a_long_cycle_is_shortened_in_the_error_only),
      cmocka_unit_test(routings_that_a_cluster_cannot_have_are_refused),
      cmocka_unit_test(large_grids_have_routes_but_no_large_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
