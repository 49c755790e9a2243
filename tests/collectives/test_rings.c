/* Contention-free rings: how near the all-gather comes to the bound on all sorts of clusters. That
   its blocks arrive, test_algorithms.c and `tourney verify` prove on many more. */
#include "memory_support.h"
#include "support/setting.h"

#include <time.h>

#include <tourney/verify.h>

enum { IRREGULAR = 1000, BLOCK_BYTES = 1 << 20, SHARE_MAX = 110 /* percent of the bound */ };

static const struct tny_algorithm *rings(void)
{
  const struct tny_algorithm *found = tny_algorithm_find(TNY_ALLGATHER, "contention-free-rings");
  assert_non_null(found);
  return found;
}

/* A plan with what there is to know of it. */
struct plan {
  struct tny_problem problem; /* prepared */
  struct tny_claim claim;
  struct tny_schedule *schedule;
};

static void plan_begin(struct plan *plan, const struct setting *setting, uint32_t ring_count,
                       uint32_t pieces)
{
  struct tny_problem problem = setting->problem;
  struct tny_error error = {0};
  const struct tny_pace pace = {.chunk_count = pieces};
  problem.collective = TNY_ALLGATHER;
  problem.parameter = ring_count;
  if (tny_problem_prepare(rings(), &problem, &plan->problem, &error) != TNY_OK ||
      tny_plan_all(rings(), &plan->problem, pace, &plan->schedule, &error) != TNY_OK)
    fail_msg("%s: %s", setting->cluster->name, error.text);
  const struct tny_problem settled = tny_plan_problem(rings(), &plan->problem, pieces);
  plan->claim = rings()->claim(&settled);
}

static void plan_end(struct plan *plan)
{
  tny_schedule_free(plan->schedule);
  tny_problem_release(rings(), &plan->problem);
}

/* Data, progress and claim, and at most so many messages a phase on any link. */
static void prove(const struct setting *setting, const struct plan *plan, uint32_t limit)
{
  struct tny_report report;
  struct tny_error error = {0};
  if (tny_verify_schedule(plan->schedule, &report, &error) != TNY_OK ||
      tny_verify_claim(&report, &plan->claim, &error) != TNY_OK ||
      tny_verify_links(plan->schedule, &setting->network, limit, &report, &error) != TNY_OK)
    fail_msg("%s, %u ranks: %s", setting->cluster->name, setting->problem.rank_count, error.text);
}

/* How long the fullest link takes, in percent of the bound; 100 where no link is used. */
static double share_of_bound(const struct setting *setting, const struct plan *plan)
{
  const struct tny_cluster *cluster = setting->cluster;
  const uint32_t p = setting->problem.rank_count;
  uint64_t *bytes = tny_new(cluster->link_count, sizeof *bytes);
  struct tny_bound bound;
  double longest = 0;
  assert_int_equal(tny_verify_load(plan->schedule, &setting->network, BLOCK_BYTES, bytes, NULL),
                   TNY_OK);
  assert_int_equal(tny_bound_compute(setting->routes, setting->hosts, p, TNY_ALLGATHER, 0,
                                     BLOCK_BYTES, &bound, NULL),
                   TNY_OK);
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const double seconds = (double)bytes[link] * 8 / (double)cluster->links[link].bandwidth_bps;
    longest = seconds > longest ? seconds : longest;
  }
  tny_free(bytes);
  return bound.seconds > 0 ? 100 * longest / bound.seconds : 100;
}

/* Plans, proves a message a link and phase for each ring, and compares with the bound. */
static double measure(const struct setting *setting, uint32_t ring_count)
{
  struct plan plan;
  plan_begin(&plan, setting, ring_count, 1);
  prove(setting, &plan, plan.claim.tree_link_messages);
  const double share = share_of_bound(setting, &plan);
  plan_end(&plan);
  return share;
}

static double measure_on(const char *cluster, uint32_t ranks, uint32_t ring_count)
{
  struct setting setting;
  set_up(&setting, cluster, TNY_MAP_BLOCK, ranks);
  const double share = measure(&setting, ring_count);
  tear_down(&setting);
  return share;
}

/* Not a percent apart: the first pieces of a block are a byte longer. */
static void expect_share(const char *cluster, uint32_t ranks, uint32_t ring_count, double wanted)
{
  const double share = measure_on(cluster, ranks, ring_count);
  if (share < wanted - 0.5 || share > wanted + 0.5)
    fail_msg("%s, %u ranks, %u rings: %.2f %% of the bound, not %.2f", cluster, ranks, ring_count,
             share, wanted);
}

/* Those of `tourney verify --all`. */
static void open_irregular(struct setting *setting, uint32_t number, const char *more)
{
  char text[80];
  const uint32_t switches = 2 + number % 9;
  snprintf(text, sizeof text, "irregular:%u,switches=%u,seed=%u%s", switches * (7 + number / 9 % 7),
           switches, number, more);
  set_up(setting, text, TNY_MAP_INTERLEAVED, 0);
}

static void on_1000_irregular_clusters_one_ring_meets_the_bound(void **state)
{
  (void)state;
  for (uint32_t number = 1; number <= IRREGULAR; number++) {
    struct setting setting;
    struct plan plan;
    struct tny_error error = {0};
    open_irregular(&setting, number, "");
    plan_begin(&plan, &setting, 0, 1);
    assert_int_equal(plan.claim.port_messages, 1);
    if (number % 20 == 0)
      prove(&setting, &plan, 1);
    else if (tny_verify_links(plan.schedule, &setting.network, 1, NULL, &error) != TNY_OK)
      fail_msg("%s: %s", setting.cluster->name, error.text);
    const double share = share_of_bound(&setting, &plan);
    if (share > 100.0001)
      fail_msg("%s: %.2f %% of the bound", setting.cluster->name, share);
    plan_end(&plan);
    tear_down(&setting);
  }
}

static void where_trunks_are_half_as_fast_nearly_all_irregular_clusters_stay_near_it(void **state)
{
  (void)state;
  uint32_t far = 0;
  for (uint32_t number = 10; number <= IRREGULAR; number += 10) {
    struct setting setting;
    open_irregular(&setting, number, ",trunk=500Mbit/s");
    far += measure(&setting, 0) > SHARE_MAX;
    tear_down(&setting);
  }
  assert_true(far <= 5);
}

static void on_trees_grids_and_fat_trees_one_ring_meets_the_bound(void **state)
{
  (void)state;
  const char *const clusters[] = {
      "single:2",      "single:9",         "switches:1+1",
      "switches:5+11", "switches:1+7+1+6", "ring:7",
      "torus:3x5",     "torus:8x8",        "torus:3x4x5",
      "mesh:5x7",      "mesh:3x3x3",       "fattree:4",
      "fattree:8",     "zones:4+6",        "irregular:500,switches=40,seed=5"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++)
    expect_share(clusters[i], 0, 0, 100);
}

/* Ranks of a host share its port: what they have for each other doesn't pass it. */
static void with_several_ranks_a_host_one_ring_meets_the_bound(void **state)
{
  (void)state;
  const char *const clusters[] = {"single:1",  "single:3",  "switches:2+3",
                                  "torus:3x4", "fattree:4", "irregular:28,switches=4,seed=2"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++)
    for (uint32_t each = 2; each <= 5; each++) {
      struct tny_cluster *cluster = open_cluster(clusters[i]);
      const uint32_t ranks = each * cluster->host_count;
      tny_cluster_free(cluster);
      expect_share(clusters[i], ranks, 0, 100);
      measure_on(clusters[i], ranks - 1, 0);
    }
}

static void ranks_on_any_hosts_are_served(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    struct setting setting;
    uint64_t draws = seed;
    const uint32_t switches = 1 + draw(&draws, 9), hosts = 1 + draw(&draws, 20);
    const uint32_t ranks = 1 + draw(&draws, 30), more = draw(&draws, 6);
    set_up_on(&setting, random_cluster(seed, hosts, switches, more), TNY_MAP_BLOCK, ranks);
    for (uint32_t rank = 0; rank < ranks; rank++)
      setting.hosts[rank] = draw(&draws, hosts);
    tny_placement_free(setting.placement);
    assert_int_equal(
        tny_placement_make(setting.cluster, setting.hosts, ranks, &setting.placement, NULL),
        TNY_OK);
    setting.problem.placement = setting.placement;
    measure(&setting, 0);
    measure(&setting, 1 + draw(&draws, 4));
    tear_down(&setting);
  }
}

/* One ring would take twice as long: each corner of a mesh has two trunks. */
static void slow_trunks_are_used_by_two_rings(void **state)
{
  (void)state;
  expect_share("mesh:4x4,trunk=250Mbit/s", 0, 1, 200);
  expect_share("mesh:4x4,trunk=250Mbit/s", 0, 0, 100);
  expect_share("torus:8x8,trunk=500Mbit/s", 0, 1, 200);
  expect_share("torus:8x8,trunk=500Mbit/s", 0, 0, 100);
}

/* Else the blocks of a switch would come back to it: 15 of 16 over the trunk in place of 8. */
static void blocks_dont_come_back_over_slow_trunks(void **state)
{
  (void)state;
  expect_share("switches:8+8,trunk=250Mbit/s", 0, 0, 100);
  expect_share("switches:5+11,trunk=250Mbit/s", 0, 0, 100);
  expect_share("switches:4+4+4+4,trunk=100Mbit/s", 0, 0, 100);
  expect_share("zones:8+8,rate=100Mbit/s", 48, 0, 100);
}

static void pieces_are_dealt_out_to_the_rings(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "mesh:3x4", TNY_MAP_BLOCK, 24);
  for (uint32_t count = 1; count <= 5; count++)
    for (uint32_t pieces = 1; pieces <= 7; pieces += 3) {
      struct plan plan;
      plan_begin(&plan, &setting, count, pieces);
      prove(&setting, &plan, plan.claim.tree_link_messages);
      assert_int_equal(plan.schedule->chunk_count % count, 0);
      assert_true(plan.schedule->chunk_count >= pieces);
      assert_int_equal(plan.claim.port_messages, count);
      plan_end(&plan);
    }
  tear_down(&setting);
}

static bool is_same(const struct tny_schedule *a, const struct tny_schedule *b)
{
  char *texts[2];
  assert_int_equal(tny_schedule_write(a, &texts[0], NULL), TNY_OK);
  assert_int_equal(tny_schedule_write(b, &texts[1], NULL), TNY_OK);
  const bool is = strcmp(texts[0], texts[1]) == 0;
  tny_text_free(texts[0]);
  tny_text_free(texts[1]);
  return is;
}

static void every_rank_finds_the_same_rings(void **state)
{
  (void)state;
  struct setting setting;
  struct plan once, again;
  set_up(&setting, "irregular:60,switches=6,seed=4,trunk=300Mbit/s", TNY_MAP_INTERLEAVED, 0);
  plan_begin(&once, &setting, 0, 1);
  plan_begin(&again, &setting, 0, 1);
  assert_true(once.claim.port_messages > 1);
  assert_true(is_same(once.schedule, again.schedule));
  plan_end(&once);
  plan_end(&again);
  tear_down(&setting);
}

static void what_cant_be_planned_is_refused_with_a_reason(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:2+3", TNY_MAP_BLOCK, 0);
  struct tny_problem problem = setting.problem;
  problem.collective = TNY_ALLGATHER;
  problem.parameter = 17;
  assert_string_equal(tny_algorithm_refusal(rings(), &problem), "plans at most 16 rings");
  problem.parameter = 16;
  assert_null(tny_algorithm_refusal(rings(), &problem));
  problem.network = NULL;
  assert_string_equal(tny_algorithm_refusal(rings(), &problem), "needs the cluster");
  tear_down(&setting);
}

static double cpu_ms(void)
{
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void sixty_four_hosts_on_a_tree_are_planned_in_under_10_ms(void **state)
{
  (void)state;
  struct setting setting;
  double least = 1e9;
  set_up(&setting, "switches:16+16+16+16", TNY_MAP_BLOCK, 0);
  for (int run = 0; run < 5; run++) {
    struct plan plan;
    const double start = cpu_ms();
    plan_begin(&plan, &setting, 0, 1);
    const double ms = cpu_ms() - start;
    least = ms < least ? ms : least;
    plan_end(&plan);
  }
  assert_true(least < 10);
  tear_down(&setting);
}

static void without_memory_it_says_so(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "mesh:3x3,trunk=250Mbit/s", TNY_MAP_BLOCK, 0);
  struct planning planning = {rings(), setting.problem, {.chunk_count = 1}, 4};
  planning.problem.collective = TNY_ALLGATHER;
  assert_true(starve_planning(&planning) >= 20);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_1000_irregular_clusters_one_ring_meets_the_bound),
      cmocka_unit_test(where_trunks_are_half_as_fast_nearly_all_irregular_clusters_stay_near_it),
      cmocka_unit_test(on_trees_grids_and_fat_trees_one_ring_meets_the_bound),
      cmocka_unit_test(with_several_ranks_a_host_one_ring_meets_the_bound),
      cmocka_unit_test(ranks_on_any_hosts_are_served),
      cmocka_unit_test(slow_trunks_are_used_by_two_rings),
      cmocka_unit_test(blocks_dont_come_back_over_slow_trunks),
      cmocka_unit_test(pieces_are_dealt_out_to_the_rings),
      cmocka_unit_test(every_rank_finds_the_same_rings),
      cmocka_unit_test(what_cant_be_planned_is_refused_with_a_reason),
      cmocka_unit_test(sixty_four_hosts_on_a_tree_are_planned_in_under_10_ms),
      cmocka_unit_test(without_memory_it_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
