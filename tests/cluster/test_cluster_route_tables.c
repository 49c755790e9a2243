/* Routes that a file gives: what is read, what is refused and how, and that cycles are found in
   them, also in those of other routings once their lanes are gone. */
#include "support/cluster.h"

#include <tourney/routing.h>

static struct tny_routes *read_tables(const struct tny_cluster *cluster, const char *text)
{
  struct tny_routes *routes;
  struct tny_error error = {0};
  if (tny_routes_read(cluster, text, "tables", &routes, &error))
    fail_msg("%u: %s", error.line, error.text);
  assert_string_equal(routes->name, "given tables");
  return routes;
}

/* The deterministic ways of any routes, as tables; without the lanes. */
static char *tables_of(const struct tny_routes *routes)
{
  const struct tny_cluster *cluster = routes->cluster;
  struct tny_text text = {0};
  char *taken;
  tny_text_add(&text, "routes 1\n");
  for (uint32_t s = cluster->host_count; s < count_nodes(cluster); s++)
    for (uint32_t host = 0; host < cluster->host_count; host++) {
      const uint32_t link = tny_routes_next(routes, s, host), to = cluster->links[link].to;
      uint32_t cable = 0;
      for (uint32_t i = cluster->first_out[s]; cluster->out_links[i] != link; i++)
        cable += cluster->links[cluster->out_links[i]].to == to;
      tny_text_add(&text, to < cluster->host_count ? "%s %s %s\n" : "%s %s %s#%u\n",
                   cluster->node_names[s], cluster->node_names[host], cluster->node_names[to],
                   cable);
    }
  assert_int_equal(tny_text_take(&text, &taken, NULL), TNY_OK);
  return taken;
}

static const struct {
  const char *grid;
  enum tny_status status;
} one_laned[] = {
    /* Around three nodes no way has two links; around four, those that have never follow on. */
    {"ring:3", TNY_OK},        {"ring:4", TNY_OK},          {"torus:4x4", TNY_OK},
    {"ring:5", TNY_BROKEN},    {"ring:6", TNY_BROKEN},      {"ring:8", TNY_BROKEN},
    {"torus:3x5", TNY_BROKEN}, {"torus:3x4x6", TNY_BROKEN}, {"mesh:6x6", TNY_OK},
};

static void dimension_order_needs_its_second_lane_where_a_side_has_five_nodes(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof one_laned / sizeof *one_laned; i++) {
    struct tny_cluster *cluster = open_cluster(one_laned[i].grid);
    struct tny_routes *routes = make_routes(cluster);
    char *text = tables_of(routes);
    struct tny_routes *one_lane = read_tables(cluster, text);
    assert_int_equal(tny_routes_lane_count(one_lane), 1);
    assert_int_equal(tny_routes_check(one_lane, false, NULL, NULL), one_laned[i].status);
    assert_int_equal(tny_routes_check(routes, false, NULL, NULL), TNY_OK);
    tny_text_free(text);
    tny_routes_free(one_lane);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

static void tables_say_again_what_any_routing_says(void **state)
{
  (void)state;
  static const char *const clusters[] = {"irregular:100,switches=8,seed=3", "fattree:4", "ring:6",
                                         "switches:3+2"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    struct tny_cluster *cluster = open_cluster(clusters[i]);
    struct tny_routes *routes = make_routes(cluster);
    char *text = tables_of(routes);
    struct tny_routes *tables = read_tables(cluster, text);
    for (uint32_t node = 0; node < count_nodes(cluster); node++)
      for (uint32_t to = 0; to < cluster->host_count; to++)
        assert_int_equal(tny_routes_next(tables, node, to), tny_routes_next(routes, node, to));
    tny_text_free(text);
    tny_routes_free(tables);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

/* Four switches in a ring, the first with a third cable to the second. */
static struct tny_cluster *open_square(void)
{
  struct tny_cluster *cluster;
  const char *flat =
      "cluster 1 square\nhost a\nhost b\nhost c\nhost d\nhost e\nswitch s\nswitch t\nswitch u\n"
      "switch v#\ncable s a 1 1 1\ncable t b 1 1 1\ncable u c 1 1 1\ncable v# d 1 1 1\n"
      "cable v# e 1 1 1\ncable s t 1 1 1\ncable t u 1 1 1\ncable u v# 1 1 1\ncable v# s 1 1 1\n"
      "cable t s 1 1 1\ncable s t 1 1 1\n";
  assert_int_equal(tny_cluster_read_flat(flat, &cluster, NULL), TNY_OK);
  return cluster;
}

#define AROUND "routes 1\ns * t\nt * u\nu * v#\nv# * s\n"

static void tables_take_lists_defaults_cables_and_comments(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_square();
  struct tny_routes *routes = read_tables(cluster, "routes 1\r\n"
                                                   "# the way around, but for some\n\n"
                                                   "  s   * t \r\n"
                                                   "s a a\n"
                                                   "s e,c t#1\n"
                                                   "t * u\nu * v#\n\tv#\tc\tu#0\n"
                                                   "v# * s");
  assert_int_equal(tny_routes_next(routes, 5, 0), 1 ^ 1);     /* to its own host */
  assert_int_equal(tny_routes_next(routes, 5, 1), 2 * 9 + 1); /* cables 5, 9, 10 in turn: host 1 */
  assert_int_equal(tny_routes_next(routes, 5, 3), 2 * 5);
  assert_int_equal(tny_routes_next(routes, 5, 2), 2 * 9 + 1);
  assert_int_equal(tny_routes_next(routes, 5, 4), 2 * 9 + 1);
  assert_int_equal(tny_routes_next(routes, 8, 2), 2 * 7 + 1);
  assert_int_equal(tny_routes_next(routes, 8, 0), 2 * 8);
  assert_int_equal(tny_routes_lane_count(routes), 1);
  assert_false(tny_routes_are_adaptive(routes));
  tny_routes_free(routes);
  tny_cluster_free(cluster);
}

static void tables_around_a_ring_have_a_cycle_which_names_the_cables(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_square();
  struct tny_routes *routes = read_tables(cluster, AROUND);
  struct tny_error error = {0};
  char *cycle;
  assert_int_equal(tny_routes_check(routes, false, &cycle, &error), TNY_BROKEN);
  assert_string_equal(cycle, "s -> t#1\nt -> u\nu -> v#\nv# -> s\n");
  tny_text_free(cycle);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
}

static void of_several_cycles_a_shortest_one_is_shown(void **state)
{
  (void)state;
  struct tny_text flat = {0}, tables = {0};
  struct tny_cluster *cluster;
  char *cycle;
  tny_text_add(&flat, "cluster 1 rings\n");
  tny_text_add(&tables, "routes 1\ns0 h[5-8] t0\nt0 h[0-4] s0\n");
  for (uint32_t i = 0; i < 9; i++)
    tny_text_add(&flat, "host h%u\nswitch %c%u\n", i, i < 5 ? 's' : 't', i % 5);
  for (uint32_t i = 0; i < 9; i++) { /* s0 to s4 around, and t0 to t3 around */
    const char ring = i < 5 ? 's' : 't';
    const uint32_t size = i < 5 ? 5 : 4, next = (i % 5 + 1) % size;
    tny_text_add(&flat, "cable %c%u h%u 1 1 1\ncable %c%u %c%u 1 1 1\n", ring, i % 5, i, ring,
                 i % 5, ring, next);
    tny_text_add(&tables, "%c%u * %c%u\n", ring, i % 5, ring, next);
  }
  tny_text_add(&flat, "cable s0 t0 1 1 1\n");
  assert_int_equal(tny_cluster_read_flat(flat.bytes, &cluster, NULL), TNY_OK);
  struct tny_routes *routes = read_tables(cluster, tables.bytes);
  assert_int_equal(tny_routes_check(routes, false, &cycle, NULL), TNY_BROKEN);
  assert_string_equal(cycle, "t0 -> t1\nt1 -> t2\nt2 -> t3\nt3 -> t0\n");
  tny_text_free(cycle);
  tny_text_release(&flat);
  tny_text_release(&tables);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
}

static const struct {
  const char *text;
  unsigned line;
  const char *complaint;
} bad_tables[] = {
    {"", 1, "tables of routes begin with the line \"routes 1\""},
    {"routes 2\n", 1, "begin with the line"},
    {"routes 1\n", 0,
     "no line says how to get from s to b: add \"s b NEXT\", or \"s * NEXT\" for all"},
    {"routes 1\ns * t\nt * s\n", 0, "no line says how to get from u to a"},
    {AROUND "s\n", 6, "s begins a line that isn't of the form SWITCH HOSTS NEXT"},
    {AROUND "s b\n", 6, "isn't of the form"},
    {AROUND "s b t u\n", 6, "isn't of the form"},
    {AROUND "x b t\n", 6, "x is no switch of the cluster"},
    {AROUND "a b t\n", 6, "a is a host, whose one cable is its way"},
    {AROUND "s x t\n", 6, "x is no host of the cluster"},
    {AROUND "s t t\n", 6, "t is no host of the cluster"},
    {AROUND "s b[ t\n", 6, ""},
    {AROUND "s b x\n", 6, "x is no node of the cluster"},
    {AROUND "s b x#1\n", 6, "x is no node of the cluster"},
    {AROUND "s b u\n", 6, "s and u have no cable between them"},
    {AROUND "s b s\n", 6, "s and s have no cable between them"},
    {AROUND "s b t#3\n", 6, "there is no cable 3 from s to t: the last is number 2"},
    {AROUND "s b t#\n", 6, "t# has no number of a cable behind its #"},
    {AROUND "s b t#1x\n", 6, "has no number of a cable"},
    {AROUND "s b t#-1\n", 6, "has no number of a cable"},
    {AROUND "s b t#99999999999999999999\n", 6, "has no number of a cable"},
    {AROUND "s a t\n", 6, "a is plugged into s, which sends it nowhere else: leave it out"},
    {AROUND "s b a\n", 6, "a is a host: what is for another host can't go there"},
    {AROUND "s * a\n", 6, "a is a host"},
    {AROUND "s * t\n", 6, "s has a line for * already"},
    {AROUND "s b t\n\ns c,b t\n", 8, "the way from s to b is given twice, first in line 6"},
    {AROUND "t a s\nu a t\nt c s\n", 2,
     "what is for c goes around in a loop and never gets there: s -> t -> s"},
    {"routes 1\ns c v#\nv# c s\ns * t\nt * u\nu * v#\nv# * s\n", 2,
     "what is for c goes around in a loop and never gets there: s -> v# -> s"},
    {"routes 1\ns * t\nt * u\nu * t\nv# * s\n", 3, "what is for a goes around in a loop"},
};

static void bad_tables_are_refused_by_line_and_reason(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_square();
  for (size_t i = 0; i < sizeof bad_tables / sizeof *bad_tables; i++) {
    struct tny_routes *routes;
    struct tny_error error = {0};
    assert_int_equal(tny_routes_read(cluster, bad_tables[i].text, "file", &routes, &error),
                     TNY_BAD_INPUT);
    assert_null(routes);
    assert_string_equal(error.file, "file");
    if (error.line != bad_tables[i].line || !strstr(error.text, bad_tables[i].complaint))
      fail_msg("%s: %u: %s", bad_tables[i].text, error.line, error.text);
  }
  tny_cluster_free(cluster);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dimension_order_needs_its_second_lane_where_a_side_has_five_nodes),
      cmocka_unit_test(tables_say_again_what_any_routing_says),
      cmocka_unit_test(tables_take_lists_defaults_cables_and_comments),
      cmocka_unit_test(tables_around_a_ring_have_a_cycle_which_names_the_cables),
      cmocka_unit_test(of_several_cycles_a_shortest_one_is_shown),
      cmocka_unit_test(bad_tables_are_refused_by_line_and_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
