/* Local groups on any number of zones: the messages across, and that each block crosses once. And
   the colouring that puts messages in rounds. */
#include "memory_support.h"
#include "support/setting.h"

#include <tourney/verify.h>

#include "planner/phases/colouring.h"

enum { ZONES_MAX = 8, PHASES_MAX = 1024 };

static const struct tny_pace whole = {.chunk_count = 1, .window = 0};

static const struct tny_algorithm *algorithm(const char *name)
{
  const struct tny_algorithm *found = tny_algorithm_find(TNY_ALLTOALL, name);
  assert_non_null(found);
  return found;
}

static struct tny_schedule *plan(const char *name, const struct setting *setting)
{
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  struct tny_problem problem = setting->problem;
  problem.collective = TNY_ALLTOALL;
  if (tny_plan_all(algorithm(name), &problem, whole, &schedule, &error) != TNY_OK)
    fail_msg("%s on %s: %s", name, setting->cluster->name, error.text);
  return schedule;
}

static struct tny_claim claim_of(const char *name, const struct setting *setting)
{
  struct tny_problem problem = setting->problem, prepared;
  problem.collective = TNY_ALLTOALL;
  assert_int_equal(tny_problem_prepare(algorithm(name), &problem, &prepared, NULL), TNY_OK);
  const struct tny_claim claim = algorithm(name)->claim(&prepared);
  tny_problem_release(algorithm(name), &prepared);
  return claim;
}

/* What is to be counted: zones by rank, and their sizes. */
struct zones {
  uint32_t count, of_rank[SETTING_RANKS_MAX], size[ZONES_MAX];
};

static uint32_t larger(const struct zones *zones, uint32_t a, uint32_t b)
{
  return zones->size[a] > zones->size[b] ? zones->size[a] : zones->size[b];
}

/* Messages and blocks from one zone to another. */
struct crossing {
  uint32_t messages, blocks;
};

/* Also that a rank sends and receives at most one of them in a phase. Returns in how many phases
   there are any. */
static uint32_t count_crossings(const struct tny_schedule *schedule, const struct zones *zones,
                                struct crossing crossings[ZONES_MAX][ZONES_MAX])
{
  bool is_used[PHASES_MAX] = {false};
  uint32_t phases = 0;
  memset(crossings, 0, ZONES_MAX * sizeof *crossings);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    uint32_t last[2] = {TNY_NONE, TNY_NONE};
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      const uint32_t zone = zones->of_rank[rank];
      if (step->kind == TNY_COPY || zones->of_rank[step->peer] == zone)
        continue;
      const bool sends = step->kind == TNY_SEND;
      assert_true(last[sends] == TNY_NONE || step->phase > last[sends]);
      last[sends] = step->phase;
      assert_true(step->phase < PHASES_MAX);
      phases += !is_used[step->phase];
      is_used[step->phase] = true;
      if (sends) {
        crossings[zone][zones->of_rank[step->peer]].messages++;
        crossings[zone][zones->of_rank[step->peer]].blocks += step->span.count;
      }
    }
  }
  return phases;
}

/* No fewer would do: each rank of the larger zone has one message each way, and the busiest zone's
   messages are dealt out to its ranks. */
static uint32_t least_rounds(const struct zones *zones)
{
  uint32_t least = 0;
  for (uint32_t zone = 0; zone < zones->count; zone++) {
    uint32_t messages = 0;
    for (uint32_t other = 0; other < zones->count; other++)
      messages += other == zone ? 0 : larger(zones, zone, other);
    const uint32_t rounds = (messages + zones->size[zone] - 1) / zones->size[zone];
    least = rounds > least ? rounds : least;
  }
  return least;
}

/* Data, progress, claim; and, as all blocks arrive, that none crosses twice where no more cross
   than there are. */
static void check(const char *name, const struct setting *setting, const struct zones *zones)
{
  struct crossing crossings[ZONES_MAX][ZONES_MAX];
  struct tny_report report = {0};
  struct tny_error error = {0};
  struct tny_schedule *schedule = plan(name, setting);
  const struct tny_claim claim = claim_of(name, setting);
  if (tny_verify_schedule(schedule, &report, &error) != TNY_OK ||
      tny_verify_claim(&report, &claim, &error) != TNY_OK ||
      tny_verify_links(schedule, &setting->network, claim.tree_link_messages, &report, &error) !=
          TNY_OK)
    fail_msg("%s on %s: %s", name, setting->cluster->name, error.text);
  const uint32_t phases = count_crossings(schedule, zones, crossings);
  assert_int_equal(phases, least_rounds(zones));
  for (uint32_t a = 0; a < zones->count; a++) {
    for (uint32_t b = 0; b < zones->count; b++) {
      if (a == b)
        continue;
      assert_int_equal(crossings[a][b].messages, larger(zones, a, b));
      assert_int_equal(crossings[a][b].blocks, zones->size[a] * zones->size[b]);
    }
  }
  tny_schedule_free(schedule);
}

/* Each switch a zone: the switch that a rank's host is on. */
static void find_switches(const struct setting *setting, struct zones *zones)
{
  const struct tny_cluster *cluster = setting->cluster;
  *zones = (struct zones){.count = cluster->switch_count};
  for (uint32_t rank = 0; rank < setting->problem.rank_count; rank++) {
    const uint32_t host = setting->hosts[rank];
    zones->of_rank[rank] = tny_cluster_switch_of(cluster, host) - cluster->host_count;
    zones->size[zones->of_rank[rank]]++;
  }
}

static void check_zones(const char *name, const uint32_t *sizes, uint32_t count, const char *more)
{
  char text[128] = "zones:";
  struct zones zones;
  for (uint32_t i = 0; i < count; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), i ? "+%u" : "%u", sizes[i]);
  snprintf(text + strlen(text), sizeof text - strlen(text), "%s", more);
  for (enum tny_map map = TNY_MAP_BLOCK; map <= TNY_MAP_INTERLEAVED; map++) {
    struct setting setting;
    set_up(&setting, text, map, 0);
    find_switches(&setting, &zones);
    check(name, &setting, &zones);
    tear_down(&setting);
  }
}

static void between_two_zones_there_is_a_message_each_way_for_each_rank_of_the_larger(void **state)
{
  (void)state;
  for (uint32_t a = 1; a <= 5; a++)
    for (uint32_t b = 1; b <= 5; b++)
      for (uint32_t c = 0; c <= 5; c++)
        check_zones("lg-zones", (const uint32_t[]){a, b, c}, c ? 3 : 2, ",delay=10ms");
}

static void up_to_six_zones_of_any_sizes_have_the_fewest_messages_and_rounds(void **state)
{
  (void)state;
  uint64_t seed = 2002;
  for (uint32_t trial = 0; trial < 200; trial++) {
    uint32_t sizes[6];
    const uint32_t count = 2 + draw(&seed, 5), most = 1 + draw(&seed, 16);
    for (uint32_t i = 0; i < count; i++)
      sizes[i] = 1 + draw(&seed, most);
    check_zones("lg-zones", sizes, count, trial % 2 ? ",rate=100Mbit/s" : "");
  }
}

static void of_two_zones_it_is_lg(void **state)
{
  (void)state;
  const char *const clusters[] = {"zones:3+7", "zones:8+8", "zones:7+2", "switches:5+11"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    struct setting setting;
    char *texts[2];
    set_up(&setting, clusters[i], TNY_MAP_BLOCK, 0);
    for (int zones = 0; zones < 2; zones++) {
      struct tny_schedule *schedule = plan(zones ? "lg-zones" : "lg", &setting);
      snprintf(schedule->algorithm, sizeof schedule->algorithm, "either");
      assert_int_equal(tny_schedule_write(schedule, &texts[zones], NULL), TNY_OK);
      tny_schedule_free(schedule);
    }
    assert_string_equal(texts[0], texts[1]);
    tny_text_free(texts[0]);
    tny_text_free(texts[1]);
    tear_down(&setting);
  }
}

/* As many streams on each of the three wide links in a phase. */
static void all_wide_links_are_used_at_the_same_time(void **state)
{
  (void)state;
  struct setting setting;
  struct tny_report report;
  set_up(&setting, "zones:8+8+8,delay=10ms", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan("lg-zones", &setting);
  assert_int_equal(tny_verify_links(schedule, &setting.network, 4, &report, NULL), TNY_OK);
  assert_int_equal(report.phase_trunk_messages, 4);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

/* Two sites of two switches each: s0 - s1 and s2 - s3, the wide cable between s0 and s3. */
static void a_zone_may_have_several_switches(void **state)
{
  (void)state;
  const char flat[] = "cluster 1 sites\nhost h0\nhost h1\nhost h2\nhost h3\nhost h4\nhost h5\n"
                      "host h6\nswitch s0\nswitch s1\nswitch s2\nswitch s3\n"
                      "cable s0 s3 1000 10000000 1\ncable s0 s1 1000 5000 1\n"
                      "cable s2 s3 1000 5000 1\ncable s1 h0 1000 5000 1\ncable s0 h1 1000 5000 1\n"
                      "cable s1 h2 1000 5000 1\ncable s2 h3 1000 5000 1\ncable s3 h4 1000 5000 1\n"
                      "cable s3 h5 1000 5000 1\ncable s2 h6 1000 5000 1\n";
  struct tny_cluster *cluster;
  struct setting setting;
  struct zones zones = {.count = 2, .of_rank = {0, 0, 0, 1, 1, 1, 1}, .size = {3, 4}};
  assert_int_equal(tny_cluster_read_flat(flat, &cluster, NULL), TNY_OK);
  set_up_on(&setting, cluster, TNY_MAP_BLOCK, 0);
  for (uint32_t rank = 0; rank < 7; rank++)
    zones.of_rank[rank] = setting.hosts[rank] >= 3;
  check("lg-zones", &setting, &zones);
  check("lg", &setting, &zones);
  tear_down(&setting);
}

static void hosts_with_several_ranks_are_zones_of_one_switch(void **state)
{
  (void)state;
  for (uint32_t p = 4; p <= 12; p++) {
    struct setting setting;
    struct zones zones = {.count = 3};
    set_up(&setting, "single:3", TNY_MAP_BLOCK, p);
    for (uint32_t rank = 0; rank < p; rank++) {
      zones.of_rank[rank] = setting.hosts[rank];
      zones.size[setting.hosts[rank]]++;
    }
    check("lg-zones", &setting, &zones);
    tear_down(&setting);
  }
}

static void a_switch_with_a_rank_a_host_is_no_zones(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "single:5", TNY_MAP_BLOCK, 0);
  assert_non_null(tny_algorithm_refusal(algorithm("lg-zones"), &setting.problem));
  setting.problem.placement = NULL;
  assert_non_null(tny_algorithm_refusal(algorithm("lg-zones"), &setting.problem));
  tear_down(&setting);
  set_up(&setting, "zones:3+2+1", TNY_MAP_BLOCK, 0);
  assert_null(tny_algorithm_refusal(algorithm("lg-zones"), &setting.problem));
  assert_non_null(tny_algorithm_refusal(algorithm("lg"), &setting.problem));
  tear_down(&setting);
}

static void out_of_memory_is_an_error_wherever_it_comes(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "zones:3+2+4", TNY_MAP_INTERLEAVED, 0);
  setting.problem.collective = TNY_ALLTOALL;
  const struct planning planning = {algorithm("lg-zones"), setting.problem, whole, 4};
  assert_true(starve_planning(&planning) >= 8);
  tear_down(&setting);
}

enum { ARCS = 400, RANKS = 24 };

static void
no_rank_has_two_messages_of_a_round_and_there_are_as_many_rounds_as_the_busiest_has(void **state)
{
  (void)state;
  uint64_t seed = 1916;
  for (uint32_t trial = 0; trial < 300; trial++) {
    struct tny_arc arcs[ARCS];
    uint32_t rounds[ARCS], degree[2][RANKS] = {{0}}, most = 0;
    const uint32_t count = 1 + draw(&seed, ARCS), ranks = 1 + draw(&seed, RANKS);
    for (uint32_t i = 0; i < count; i++) {
      arcs[i] = (struct tny_arc){draw(&seed, ranks), draw(&seed, 1 + draw(&seed, ranks))};
      rounds[i] = draw(&seed, 1000);
      const uint32_t sent = ++degree[0][arcs[i].from], received = ++degree[1][arcs[i].to];
      most = sent > most ? sent : received > most ? received : most;
    }
    assert_int_equal(tny_colour_arcs(arcs, count, ranks, rounds, NULL), TNY_OK);
    for (uint32_t i = 0; i < count; i++) {
      assert_true(rounds[i] < most);
      for (uint32_t k = 0; k < i; k++)
        if (rounds[k] == rounds[i])
          assert_true(arcs[k].from != arcs[i].from && arcs[k].to != arcs[i].to);
    }
  }
}

static void preferred_rounds_are_kept_where_nothing_stands_against_them(void **state)
{
  (void)state;
  const struct tny_arc arcs[] = {{0, 1}, {0, 2}, {0, 0}, {1, 2}, {1, 1}, {2, 0}};
  uint32_t rounds[] = {2, 0, 1, 2, 1, 0};
  assert_int_equal(tny_colour_arcs(arcs, 6, 3, rounds, NULL), TNY_OK);
  assert_memory_equal(rounds, ((uint32_t[]){2, 0, 1, 2, 1, 0}), sizeof rounds);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(between_two_zones_there_is_a_message_each_way_for_each_rank_of_the_larger),
      cmocka_unit_test(up_to_six_zones_of_any_sizes_have_the_fewest_messages_and_rounds),
      cmocka_unit_test(of_two_zones_it_is_lg),
      cmocka_unit_test(all_wide_links_are_used_at_the_same_time),
      cmocka_unit_test(a_zone_may_have_several_switches),
      cmocka_unit_test(hosts_with_several_ranks_are_zones_of_one_switch),
      cmocka_unit_test(a_switch_with_a_rank_a_host_is_no_zones),
      cmocka_unit_test(out_of_memory_is_an_error_wherever_it_comes),
      cmocka_unit_test(
          no_rank_has_two_messages_of_a_round_and_there_are_as_many_rounds_as_the_busiest_has),
      cmocka_unit_test(preferred_rounds_are_kept_where_nothing_stands_against_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
