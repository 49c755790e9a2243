/* Zones: which trunks are wide, and that the placement keeps each zone in one run. */
#include "support/setting.h"

/* Switches s0 .. of hosts each; trunks are given as cables in the flat form, hosts come behind. */
static struct tny_cluster *cluster_of(const uint32_t *hosts, uint32_t switch_count,
                                      const char *trunks)
{
  struct tny_text text = {0};
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  tny_text_add(&text, "cluster 1 zones\n");
  for (uint32_t s = 0, host = 0; s < switch_count; s++)
    for (uint32_t i = 0; i < hosts[s]; i++)
      tny_text_add(&text, "host h%u\n", host++);
  for (uint32_t s = 0; s < switch_count; s++)
    tny_text_add(&text, "switch s%u\n", s);
  tny_text_add(&text, "%s", trunks);
  for (uint32_t s = 0, host = 0; s < switch_count; s++)
    for (uint32_t i = 0; i < hosts[s]; i++)
      tny_text_add(&text, "cable s%u h%u 1000 5000 1\n", s, host++);
  if (tny_cluster_read_flat(text.bytes, &cluster, &error))
    fail_msg("line %u: %s", error.line, error.text);
  tny_text_release(&text);
  return cluster;
}

static void check_zones(const struct setting *setting, const uint32_t *first, uint32_t zone_count)
{
  assert_int_equal(setting->placement->zone_count, zone_count);
  for (uint32_t zone = 0; zone <= zone_count; zone++)
    assert_int_equal(setting->placement->zone_first[zone], first[zone]);
}

static void a_trunk_is_wide_from_eight_times_a_ports_latency_on_however_slow_it_is(void **state)
{
  (void)state;
  const struct {
    const char *cluster;
    uint32_t zones;
  } cases[] = {{"single:8", 1},
               {"zones:3+5", 1},
               {"switches:3+5+4", 1},
               {"zones:3+5,delay=10ms", 2},
               {"zones:3+5+2,delay=40us", 3},
               {"zones:3+5+2,delay=39us", 1},
               {"zones:3+5+2,rate=10Mbit/s", 1},
               {"zones:3+5+2,rate=10Mbit/s,delay=40us", 3},
               {"zones:3+5,latency=100ns,delay=8us", 2},
               {"zones:3+5,latency=100ns,delay=7us", 1},
               {"switches:3+5+4,trunk=100Mbit/s", 1},
               {"switches:3+5+4,trunk=10Gbit/s", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct setting setting;
    set_up(&setting, cases[i].cluster, TNY_MAP_INTERLEAVED, 0);
    if (setting.placement->zone_count != cases[i].zones)
      fail_msg("%s: %u zones", cases[i].cluster, setting.placement->zone_count);
    tear_down(&setting);
  }
}

/* Zone A: s0 - s1 - s2 with s1 - s4 too; B: s3, by a wide cable at s1 that comes first; C: s5, by
   two at s1. */
static void zones_of_several_switches_are_runs_though_their_cables_come_first(void **state)
{
  (void)state;
  const uint32_t hosts[] = {2, 1, 3, 4, 2, 5}, first[] = {0, 8, 12, 17};
  struct setting setting;
  set_up_on(&setting,
            cluster_of(hosts, 6,
                       "cable s1 s3 1000 10000000 1\ncable s1 s5 1000 40000 1\n"
                       "cable s5 s1 100 50000 1\ncable s0 s1 1000 5000 1\n"
                       "cable s1 s2 1000 39999 1\ncable s1 s4 1 5000 1\n"),
            TNY_MAP_BLOCK, 0);
  check_zones(&setting, first, 3);
  tear_down(&setting);
}

/* The wide cable between s0 and s1 is beside a way that isn't. */
static void switches_that_any_near_way_joins_are_of_one_zone(void **state)
{
  (void)state;
  const uint32_t hosts[] = {2, 1, 3}, first[] = {0, 6};
  struct setting setting;
  set_up_on(&setting,
            cluster_of(hosts, 3,
                       "cable s0 s1 1000 500000 1\ncable s0 s2 1000 5000 1\n"
                       "cable s2 s1 1000 5000 1\n"),
            TNY_MAP_BLOCK, 0);
  check_zones(&setting, first, 1);
  tear_down(&setting);
}

/* A cycle of s1 (in the middle, most cables) and host 0's switch s0 in the zone of s1 and s2: the
   order begins within the zone, and ends with it. */
static void a_zone_that_the_order_begins_within_is_still_one_run(void **state)
{
  (void)state;
  const uint32_t hosts[] = {2, 1, 3, 4, 4}, first[] = {0, 6, 14};
  struct setting setting;
  set_up_on(&setting,
            cluster_of(hosts, 5,
                       "cable s0 s1 1000 5000 1\ncable s1 s2 1000 5000 1\ncable s0 s2 1000 5000 1\n"
                       "cable s1 s3 1000 500000 1\ncable s3 s4 1000 5000 1\n"
                       "cable s1 s4 1000 500000 1\n"),
            TNY_MAP_BLOCK, 0);
  check_zones(&setting, first, 2);
  tear_down(&setting);
}

enum { SWITCHES = 8 };

/* Up to 5 hosts a switch, a random tree of trunks with some more, a third of them wide. */
static struct tny_cluster *random_zones(uint64_t *seed, uint32_t extra_trunks)
{
  uint32_t hosts[SWITCHES];
  char trunks[1024];
  size_t used = 0;
  for (uint32_t s = 0; s < SWITCHES; s++)
    hosts[s] = (s == 0) + draw(seed, 5);
  for (uint32_t i = 1; i < SWITCHES + extra_trunks; i++) {
    const uint32_t from = i < SWITCHES ? i : 1 + draw(seed, SWITCHES - 1);
    used += (size_t)snprintf(trunks + used, sizeof trunks - used, "cable s%u s%u 1000 %u 1\n", from,
                             draw(seed, from), draw(seed, 3) ? 5000 : 500000);
  }
  return cluster_of(hosts, SWITCHES, trunks);
}

/* The zone of each position in the order, by the cluster; returns how many zones there are. */
static uint32_t zones_by_position(const struct setting *setting, uint32_t *zone_at)
{
  const struct tny_cluster *cluster = setting->cluster;
  uint32_t zone_of[SWITCHES], zone_count, found = 0;
  bool is_seen[SWITCHES] = {false};
  assert_int_equal(tny_cluster_zones(cluster, zone_of, &zone_count, NULL), TNY_OK);
  for (uint32_t i = 0; i < setting->placement->rank_count; i++) {
    const uint32_t host = setting->hosts[setting->placement->order[i]];
    zone_at[i] = zone_of[tny_cluster_switch_of(cluster, host) - cluster->host_count];
    found += !is_seen[zone_at[i]];
    is_seen[zone_at[i]] = true;
  }
  return found;
}

/* A run of each zone that has ranks; one of all only where one zone's switches stand apart. */
static void on_random_clusters_zones_are_runs_unless_the_order_tears_one_apart(void **state)
{
  (void)state;
  uint32_t several = 0, torn = 0;
  uint64_t seed = 1;
  for (uint32_t trial = 0; trial < 400; trial++) {
    struct setting setting;
    uint32_t zone_at[64], runs = 1;
    struct tny_cluster *cluster = random_zones(&seed, trial % 3);
    set_up_on(&setting, cluster, trial % 2 ? TNY_MAP_INTERLEAVED : TNY_MAP_BLOCK,
              1 + draw(&seed, cluster->host_count));
    const struct tny_placement *placement = setting.placement;
    const uint32_t found = zones_by_position(&setting, zone_at);
    const uint32_t *first = placement->zone_first;
    for (uint32_t i = 1; i < placement->rank_count; i++) {
      if (zone_at[i] == zone_at[i - 1])
        continue;
      assert_true(placement->zone_count == 1 || first[runs] == i);
      runs++;
    }
    assert_int_equal(placement->zone_count, runs == found ? found : 1);
    assert_int_equal(first[0], 0);
    assert_int_equal(first[placement->zone_count], placement->rank_count);
    several += placement->zone_count > 1;
    torn += runs != found;
    tear_down(&setting);
  }
  if (several < 200 || torn > several / 5)
    fail_msg("%u with several zones, %u torn", several, torn);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_trunk_is_wide_from_eight_times_a_ports_latency_on_however_slow_it_is),
      cmocka_unit_test(zones_of_several_switches_are_runs_though_their_cables_come_first),
      cmocka_unit_test(switches_that_any_near_way_joins_are_of_one_zone),
      cmocka_unit_test(a_zone_that_the_order_begins_within_is_still_one_run),
      cmocka_unit_test(on_random_clusters_zones_are_runs_unless_the_order_tears_one_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
