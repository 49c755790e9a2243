/* Clusters from a line of text: what each generator makes, and what it refuses. */
#include "support/cluster.h"

static char *flat_of(const struct tny_cluster *cluster)
{
  char *flat;
  struct tny_error error = {0};
  assert_int_equal(tny_cluster_write_flat(cluster, &flat, &error), TNY_OK);
  return flat;
}

static const struct {
  const char *text;
  uint32_t hosts, switches, cables;
  uint64_t first_bps, last_bps; /* of cable 0, and of the last trunk, or of cable 0 again */
} generated[] = {
    {"single:1", 1, 1, 1, 1000000000, 0},
    {"single:16,link=20Mbit/s", 16, 1, 16, 20000000, 0},
    {"switches:3", 3, 1, 3, 1000000000, 0},
    {"switches:8+8,link=20Mbit/s", 16, 2, 17, 20000000, 20000000},
    {"switches:1+2+3,link=1Gbit/s,trunk=10Gbit/s,latency=1us,buffer=1MiB", 6, 3, 8, 1000000000,
     10000000000},
};

static void generators_make_what_they_are_asked_for(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof generated / sizeof *generated; i++) {
    assert_true(tny_cluster_is_generator(generated[i].text));
    struct tny_cluster *cluster = open_cluster(generated[i].text);
    assert_string_equal(cluster->name, generated[i].text);
    assert_int_equal(cluster->host_count, generated[i].hosts);
    assert_int_equal(cluster->switch_count, generated[i].switches);
    assert_int_equal(cluster->link_count, 2 * generated[i].cables);
    assert_int_equal(cluster->links[0].bandwidth_bps, generated[i].first_bps);
    assert_true(tny_cluster_is_tree(cluster));
    for (uint32_t k = 0; k < cluster->link_count; k++)
      if (cluster->links[k].from >= cluster->host_count &&
          cluster->links[k].to >= cluster->host_count)
        assert_int_equal(cluster->links[k].bandwidth_bps, generated[i].last_bps);
    tny_cluster_free(cluster);
  }
}

static void generated_hosts_are_numbered_through_the_switches(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_cluster("switches:2+3,latency=7us,buffer=2KiB");
  char *flat = flat_of(cluster);
  assert_string_equal(flat, "cluster 1 switches:2+3,latency=7us,buffer=2KiB\n"
                            "host h0\nhost h1\nhost h2\nhost h3\nhost h4\n"
                            "switch s0\nswitch s1\n"
                            "cable s0 h0 1000000000 7000 2048\n"
                            "cable s0 h1 1000000000 7000 2048\n"
                            "cable s0 s1 1000000000 7000 2048\n"
                            "cable s1 h2 1000000000 7000 2048\n"
                            "cable s1 h3 1000000000 7000 2048\n"
                            "cable s1 h4 1000000000 7000 2048\n");
  tny_text_free(flat);
  tny_cluster_free(cluster);
}

static const char *const bad_generators[][2] = {
    {"single:", "single:: \"\" is no number of hosts"},
    {"single:0", "single:0: a switch with 0 hosts"},
    {"single:x", "\"x\" is no number of hosts"},
    {"single:-1", "\"-1\" is no number of hosts"},
    {"single:4.5", "is no number of hosts"},
    {"single:1000001", "more than 1000000 hosts"},
    {"single:99999999999999999999", "more than 1000000 hosts"},
    {"single:4+4", "single has one switch; write switches:4+4"},
    {"single:4,trunk=1Gbit/s", "single has no option \"trunk=1Gbit/s\": there are link=, latency= "
                               "and buffer="},
    {"switches:4,speed=1Gbit/s", "no option \"speed=1Gbit/s\": there are link=, trunk=, latency="},
    {"single:4,", "single has no option \"\""},
    {"single:4,link=1Gbit/s,link=1Gbit/s", "the option link= is given twice"},
    {"single:4,link=fast", "\"fast\" is no bandwidth"},
    {"single:4,link=0bit/s", "a bandwidth must be more than 0"},
    {"single:4,latency=5", "has no unit"},
    {"single:4,buffer=0", "a buffer must be more than 0"},
    {"switches:8+", "\"\" is no number of hosts"},
    {"switches:8+0", "a switch with 0 hosts"},
    {"switches:8-8", "\"8-8\" is no number of hosts"},
    {"switches:999999+2", "more than 1000000 hosts"},
    {"star:8", "\"star:8\" names no generator: generators are single:N"},
    {"ring:", "\"\" are no sides: write numbers of nodes"},
    {"ring:2",
     "a side of 2: the sides of a ring have at least 3 nodes; for shorter ones, take mesh"},
    {"ring:8x8", "a ring has one side; write torus:8x8"},
    {"torus:8", "a torus has two or three sides, as in 8x8; for one, write ring:8"},
    {"torus:8x", "are no sides"},
    {"torus:8x2", "the sides of a torus have at least 3 nodes"},
    {"torus:4x4x4x4", "more than three sides"},
    {"torus:1001x1000", "more than 1000000 hosts"},
    {"torus:99999999999x1", "more than 1000000 hosts"},
    {"mesh:1x4", "the sides of a mesh have at least 2 nodes"},
    {"fattree:", "\"\" is no number of ports"},
    {"fattree:5", "\"5\" is no even number from 2 to 158: give the ports of a switch"},
    {"fattree:4+4", "\"4+4\" is no even number"},
    {"fattree:160", "is no even number from 2 to 158"},
    {"zones:8", "zones are at least two, as in zones:8+8; one is single:8"},
    {"zones:8+0", "a switch with 0 hosts"},
    {"zones:8+8,trunk=1Gbit/s", "zones has no option \"trunk=1Gbit/s\": there are link=, latency=, "
                                "buffer=, delay= and rate="},
    {"zones:8+8,delay=10", "has no unit"},
    {"irregular:128", "how many switches? Add switches=9"},
    {"irregular:128,switches=3", "128 hosts don't fit on 3 switches, which have 7 to 21 each: give "
                                 "switches=7 to switches=18"},
    {"irregular:128,switches=19", "128 hosts don't fit on 19 switches"},
    {"irregular:10", "10 hosts are too few: each of at least 2 switches has 7 to 21"},
    {"irregular:14", "how many switches? Add switches=2"},
    {"irregular:27", "how many switches? Add switches=2"},
    {"irregular:13,switches=2", "13 hosts are too few: each of at least 2 switches has 7 to 21"},
    {"irregular:20,switches=1", "at least 2 switches; one is single:20"},
    {"irregular:64+64,switches=10", "\"64+64\" is no number of hosts: give that of all"},
    {"irregular:128,switches=10,seed=x", "\"x\" is no whole number"},
    {"irregular:128,switches=10,seed=", "\"\" is no whole number"},
    {"irregular:128,switches=18446744073709551616", "is no whole number of 64 bits"},
    {"dragonfly:", "\"\" isn't groups x switches of a group x hosts of a switch, as in 9x4x2"},
    {"dragonfly:9x4", "\"9x4\" isn't groups x switches"},
    {"dragonfly:9x4x2x2", "\"9x4x2x2\" isn't groups x switches"},
    {"dragonfly:9x0x2", "as in 9x4x2, each at least 1"},
    {"dragonfly:9x4x0", "as in 9x4x2, each at least 1"},
    {"dragonfly:1x4x2", "a dragonfly has at least 2 groups"},
    {"dragonfly:1001x1000x1", "more than 1000000 hosts"},
    {"dragonfly:99999999999x1x1", "more than 1000000 hosts"},
    {"dragonfly:10x4x2,global=2",
     "10 groups are too many: 4 switches with 2 global cables each reach 9 groups at most, their "
     "own one included; give global=3"},
    {"dragonfly:2x4x2,global=0", "2 groups are too many: 4 switches with 0 global cables"},
    {"dragonfly:2x4x2,global=x", "\"x\" is no whole number"},
    {"dragonfly:2x1x1,global=8000001", "more than 8000000 cables"},
    {"dragonfly:2x1x1,global=18446744073709551615", "more than 8000000 cables"},
    {"dragonfly:1000x8x1,global=2000", "more than 8000000 cables"},
    {"dragonfly:2x8000x1", "more than 8000000 cables"},
    {"dragonfly:3x2x2,seed=1", "dragonfly has no option \"seed=1\": there are link=, trunk=, "
                               "latency=, buffer=, delay=, rate= and global="},
    {"hammingmesh:", "\"\" isn't the sides of a board, as in 2x2, each at least 1"},
    {"hammingmesh:2,boards=2x2", "\"2\" isn't the sides of a board"},
    {"hammingmesh:2x2x2,boards=2x2", "\"2x2x2\" isn't the sides of a board"},
    {"hammingmesh:0x2,boards=2x2", "\"0x2\" isn't the sides of a board"},
    {"hammingmesh:2x2", "how many boards? Add boards=2x2"},
    {"hammingmesh:2x2,boards=4", "\"4\" isn't boards of a row x rows of boards, as in 2x2"},
    {"hammingmesh:2x2,boards=2x2+1", "isn't boards of a row x rows of boards"},
    {"hammingmesh:2x2,boards=1x4", "boards=1x4: a row and a column have at least 2 boards; for "
                                   "one board, take mesh"},
    {"hammingmesh:2x2,boards=4x1", "boards=4x1: a row and a column have at least 2 boards"},
    {"hammingmesh:1000x2,boards=2x300", "more than 1000000 hosts"},
    {"hammingmesh:1001x1000,boards=2x2", "more than 1000000 hosts"},
    {"hammingmesh:2x2,boards=2x2,rate=1Gbit/s", "no option \"rate=1Gbit/s\": there are link=, "
                                                "trunk=, latency=, buffer= and boards="},
    {"", "names no generator"},
};

static void bad_generators_are_refused_with_what_there_is(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof bad_generators / sizeof *bad_generators; i++) {
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    assert_int_equal(tny_cluster_generate(bad_generators[i][0], &cluster, &error), TNY_BAD_INPUT);
    assert_null(cluster);
    if (!strstr(error.text, bad_generators[i][1]))
      fail_msg("%s: %s", bad_generators[i][0], error.text);
  }
}

/* --- grids --- */

static const struct {
  const char *text;
  struct tny_shape shape;
  uint32_t nodes, trunks;
} grids[] = {
    {"ring:3", {1, {3, 1, 1}, true}, 3, 3},
    {"ring:8,link=1Mbit/s,trunk=2Mbit/s", {1, {8, 1, 1}, true}, 8, 8},
    {"torus:3x5", {2, {3, 5, 1}, true}, 15, 30},
    {"torus:8x8", {2, {8, 8, 1}, true}, 64, 128},
    {"torus:3x4x5", {3, {3, 4, 5}, true}, 60, 180},
    {"mesh:2", {1, {2, 1, 1}, false}, 2, 1},
    {"mesh:4x3", {2, {4, 3, 1}, false}, 12, 17},
    {"mesh:2x3x4", {3, {2, 3, 4}, false}, 24, 46},
};

/* How far apart two coordinates are around a side. */
static uint32_t apart(uint32_t a, uint32_t b, uint32_t side, bool wraps)
{
  const uint32_t offset = a > b ? a - b : b - a;
  return wraps && side - offset < offset ? side - offset : offset;
}

static void grids_have_a_cable_just_between_neighbours(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
    struct tny_cluster *cluster = open_cluster(grids[i].text);
    const struct tny_shape *shape = &grids[i].shape;
    assert_memory_equal(&cluster->shape, shape, sizeof *shape);
    assert_int_equal(cluster->host_count, grids[i].nodes);
    assert_int_equal(cluster->switch_count, grids[i].nodes);
    assert_int_equal(cluster->link_count / 2, grids[i].nodes + grids[i].trunks);
    for (uint32_t k = 0; k < cluster->link_count; k += 2) {
      const uint32_t a = cluster->links[k].from % grids[i].nodes;
      const uint32_t b = cluster->links[k].to % grids[i].nodes;
      uint32_t distance = 0;
      for (uint32_t d = 0, stride = 1; d < 3; stride *= shape->size[d++])
        distance += apart(a / stride % shape->size[d], b / stride % shape->size[d], shape->size[d],
                          shape->wraps);
      assert_int_equal(distance, cluster->links[k].to >= grids[i].nodes &&
                                     cluster->links[k].from >= grids[i].nodes);
    }
    assert_string_equal(cluster->node_names[1], "h1");
    assert_string_equal(cluster->node_names[grids[i].nodes + 1], "s1");
    tny_cluster_free(cluster);
  }
}

/* --- fat trees and zones --- */

static uint32_t degree(const struct tny_cluster *cluster, uint32_t node)
{
  return cluster->first_out[node + 1] - cluster->first_out[node];
}

static void a_fat_tree_fills_all_ports_and_any_two_edges_share_as_many_ways(void **state)
{
  (void)state;
  for (uint32_t ports = 2; ports <= 8; ports += 2) {
    char text[32];
    snprintf(text, sizeof text, "fattree:%u", ports);
    struct tny_cluster *cluster = open_cluster(text);
    const uint32_t hosts = ports * ports * ports / 4;
    assert_int_equal(cluster->host_count, hosts);
    assert_int_equal(cluster->switch_count, 5 * ports * ports / 4);
    for (uint32_t s = 0; s < cluster->switch_count; s++)
      assert_int_equal(degree(cluster, hosts + s), ports);
    for (uint32_t core = hosts; core < hosts + ports * ports / 4; core++) {
      bool pods[8] = {false};
      for (uint32_t i = cluster->first_out[core]; i < cluster->first_out[core + 1]; i++) {
        const char *above = cluster->node_names[cluster->links[cluster->out_links[i]].to];
        assert_int_equal(above[0], 'a');
        const unsigned long number = strtoul(above + 1, NULL, 10);
        assert_int_equal(number % (ports / 2), (core - hosts) / (ports / 2));
        pods[number / (ports / 2)] = true;
      }
      for (uint32_t pod = 0; pod < ports; pod++)
        assert_true(pods[pod]);
    }
    tny_cluster_free(cluster);
  }
}

static void zones_are_joined_each_to_each_by_slow_long_cables(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_cluster("zones:2+1+3,delay=10ms,rate=1Mbit/s,link=2Mbit/s");
  uint32_t wide = 0;
  assert_int_equal(cluster->host_count, 6);
  assert_int_equal(cluster->switch_count, 3);
  for (uint32_t k = 0; k < cluster->link_count; k += 2) {
    const bool between = cluster->links[k].from >= 6 && cluster->links[k].to >= 6;
    wide += between;
    assert_int_equal(cluster->links[k].latency_ns, between ? 10000000 : 5000);
    assert_int_equal(cluster->links[k].bandwidth_bps, between ? 1000000 : 2000000);
  }
  assert_int_equal(wide, 3);
  tny_cluster_free(cluster);
}

/* --- the irregular family --- */

static void check_of_the_family(const struct tny_cluster *cluster)
{
  for (uint32_t s = cluster->host_count; s < cluster->host_count + cluster->switch_count; s++) {
    uint32_t hosts = 0, trunks = 0;
    for (uint32_t i = cluster->first_out[s]; i < cluster->first_out[s + 1]; i++) {
      const uint32_t to = cluster->links[cluster->out_links[i]].to;
      hosts += to < cluster->host_count;
      trunks += to >= cluster->host_count;
      if (to >= cluster->host_count)
        assert_in_range(cables_between(cluster, s, to), 1, 2);
    }
    assert_in_range(hosts, 7, 21);
    assert_in_range(trunks, 1, 5);
  }
}

/* The builder refuses what isn't connected, so that need not be looked at again. */
static void irregular_networks_are_of_the_family_and_most_differ(void **state)
{
  (void)state;
  uint32_t with_cycles = 0, with_parallel = 0, sizes = 0;
  for (uint32_t i = 0; i < 1000; i++) {
    char text[64];
    const uint32_t switches = 2 + i % 12, hosts = 7 * switches + i % (14 * switches + 1);
    snprintf(text, sizeof text, "irregular:%u,switches=%u,seed=%u", hosts, switches, i);
    struct tny_cluster *cluster = open_cluster(text);
    assert_int_equal(cluster->host_count, hosts);
    assert_int_equal(cluster->switch_count, switches);
    check_of_the_family(cluster);
    with_cycles += !tny_cluster_is_tree(cluster);
    for (uint32_t s = hosts; s < hosts + switches; s++)
      with_parallel += cables_between(cluster, s, hosts) == 2;
    sizes += cluster->link_count / 2 - hosts;
    tny_cluster_free(cluster);
  }
  assert_true(with_cycles > 700);
  assert_true(with_parallel > 100);
  assert_true(sizes > 7500);
}

static void an_irregular_network_is_the_same_each_time_and_another_with_another_seed(void **state)
{
  (void)state;
  static const char *const texts[] = {"irregular:128,switches=10,seed=7",
                                      "irregular:128,switches=10,seed=7",
                                      "irregular:128,switches=10,seed=8"};
  char *cables[3];
  for (size_t i = 0; i < 3; i++) {
    struct tny_cluster *cluster = open_cluster(texts[i]);
    char *flat = flat_of(cluster);
    cables[i] = strdup(strchr(flat, '\n'));
    tny_text_free(flat);
    tny_cluster_free(cluster);
  }
  assert_string_equal(cables[0], cables[1]);
  assert_string_not_equal(cables[0], cables[2]);
  for (size_t i = 0; i < 3; i++)
    free(cables[i]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(generators_make_what_they_are_asked_for),
      cmocka_unit_test(generated_hosts_are_numbered_through_the_switches),
      cmocka_unit_test(bad_generators_are_refused_with_what_there_is),
      cmocka_unit_test(grids_have_a_cable_just_between_neighbours),
      cmocka_unit_test(a_fat_tree_fills_all_ports_and_any_two_edges_share_as_many_ways),
      cmocka_unit_test(zones_are_joined_each_to_each_by_slow_long_cables),
      cmocka_unit_test(irregular_networks_are_of_the_family_and_most_differ),
      cmocka_unit_test(an_irregular_network_is_the_same_each_time_and_another_with_another_seed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
