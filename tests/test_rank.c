/* Predicting and ranking: the plan that is best for a cluster comes first. */
#include "setting_support.h"

#include <tourney/model.h>

enum { BLOCK_BYTES = 65536 };

static struct tny_ranking rank_on(const struct setting *setting, enum tny_collective collective)
{
  struct tny_ranking ranking;
  struct tny_problem problem = setting->problem;
  const struct tny_model model = tny_model_make(&setting->network, problem.rank_count);
  problem.collective = collective;
  problem.network = &setting->network;
  assert_int_equal(tny_model_rank(&model, &problem, tny_model_limits, BLOCK_BYTES, &ranking, NULL),
                   TNY_OK);
  return ranking;
}

static const struct tny_candidate *find(const struct tny_ranking *ranking, const char *name)
{
  for (uint32_t i = 0; i < ranking->count; i++)
    if (strcmp(ranking->list[i].named.algorithm->name, name) == 0)
      return &ranking->list[i];
  fail_msg("%s isn't ranked", name);
  return NULL;
}

static void assert_first(const char *cluster, enum tny_collective collective, const char *name)
{
  struct setting setting;
  set_up(&setting, cluster, TNY_MAP_BLOCK, 0);
  struct tny_ranking ranking = rank_on(&setting, collective);
  assert_string_equal(ranking.list[0].named.algorithm->name, name);
  tny_ranking_free(&ranking);
  tear_down(&setting);
}

static void what_was_measured_as_best_stays_first_on_one_and_two_switches(void **state)
{
  (void)state;
  const char *const clusters[] = {"single:16,link=20Mbit/s",
                                  "switches:8+8,link=20Mbit/s,trunk=20Mbit/s"};
  for (uint32_t i = 0; i < 2; i++) {
    assert_first(clusters[i], TNY_ALLGATHER, "switch-ordered-ring");
    assert_first(clusters[i], TNY_ALLTOALL, "shuffle");
  }
}

static void a_torus_gets_its_phases(void **state)
{
  (void)state;
  assert_first("torus:8x8", TNY_ALLTOALL, "phases");
}

/* On every cluster and for every algorithm, the least time that links allow is a lower bound. */
static void no_prediction_is_below_the_bound(void **state)
{
  (void)state;
  const char *const clusters[] = {"single:9", "switches:3+5+2", "torus:4x4",
                                  "irregular:30,switches=3,seed=5", "zones:3+4,delay=5ms"};
  for (uint32_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    struct setting setting;
    set_up(&setting, clusters[i], TNY_MAP_INTERLEAVED, 0);
    for (unsigned c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
      struct tny_bound bound;
      struct tny_ranking ranking = rank_on(&setting, (enum tny_collective)c);
      assert_int_equal(tny_bound_compute(setting.network.routes, setting.network.host_of_rank,
                                         setting.problem.rank_count, (enum tny_collective)c, 0,
                                         BLOCK_BYTES, &bound, NULL),
                       TNY_OK);
      for (uint32_t k = 0; k < ranking.count && !ranking.list[k].why_not; k++)
        if ((double)ranking.list[k].prediction.ns < bound.seconds * 1e9)
          fail_msg("%s on %s: %llu ns, the bound is %g s", ranking.list[k].named.algorithm->name,
                   clusters[i], (unsigned long long)ranking.list[k].prediction.ns, bound.seconds);
      tny_ranking_free(&ranking);
    }
    tear_down(&setting);
  }
}

/* The ring's blocks take p-1 steps over a port; wire bytes cost about 6 % more, and nothing else
   weighs here. */
static void a_ring_on_one_switch_is_predicted_to_fill_its_ports(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "single:16,link=20Mbit/s", TNY_MAP_BLOCK, 0);
  struct tny_ranking ranking = rank_on(&setting, TNY_ALLGATHER);
  const double raw_ns = 15.0 * BLOCK_BYTES * 8 / 0.02;
  const double share = raw_ns / (double)find(&ranking, "switch-ordered-ring")->prediction.ns;
  assert_true(share > 0.93 && share < 0.96);
  tny_ranking_free(&ranking);
  tear_down(&setting);
}

/* 64 KiB from each to each is more than the trunk's port can hold. */
static void
what_nothing_holds_back_is_taken_to_lose_frames_where_buffers_are_too_small(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:4+4", TNY_MAP_BLOCK, 0);
  struct tny_ranking ranking = rank_on(&setting, TNY_ALLTOALL);
  const struct tny_prediction *all_at_once = &find(&ranking, "message-passing")->prediction;
  assert_true(all_at_once->ns > all_at_once->link_ns + 250000000);
  assert_non_null(find(&ranking, "phases")->why_not); /* needs a torus */
  tny_ranking_free(&ranking);
  tear_down(&setting);
}

static void between_zones_the_fewest_messages_come_first(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "zones:8+8,delay=10ms", TNY_MAP_BLOCK, 0);
  struct tny_ranking ranking = rank_on(&setting, TNY_ALLTOALL);
  assert_int_equal(ranking.list[0].prediction.wide_messages, 16); /* 64 blocks each way in 8 */
  assert_int_equal(find(&ranking, "shuffle")->prediction.wide_messages, 128);
  tny_ranking_free(&ranking);
  tear_down(&setting);
}

static void a_planner_isnt_asked_to_look_at_more_ranks_than_the_limit(void **state)
{
  (void)state;
  struct setting setting;
  struct tny_ranking ranking;
  set_up(&setting, "single:16", TNY_MAP_BLOCK, 0);
  const struct tny_model model = tny_model_make(&setting.network, 16);
  struct tny_problem problem = setting.problem;
  problem.collective = TNY_ALLTOALL;
  problem.network = &setting.network;
  const struct tny_ranking_limits none = {.planner_ranks = 15, .steps = 15};
  assert_int_equal(tny_model_rank(&model, &problem, none, BLOCK_BYTES, &ranking, NULL), TNY_OK);
  for (uint32_t i = 0; i < ranking.count; i++)
    assert_non_null(ranking.list[i].why_not);
  tny_ranking_free(&ranking);
  tear_down(&setting);
}

static void sizes_are_ranked_by_the_power_of_two_below(void **state)
{
  (void)state;
  assert_int_equal(tny_model_size_class(1), 1);
  assert_int_equal(tny_model_size_class(4095), 2048);
  assert_int_equal(tny_model_size_class(4096), 4096);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_measured_as_best_stays_first_on_one_and_two_switches),
      cmocka_unit_test(a_torus_gets_its_phases),
      cmocka_unit_test(no_prediction_is_below_the_bound),
      cmocka_unit_test(a_ring_on_one_switch_is_predicted_to_fill_its_ports),
      cmocka_unit_test(what_nothing_holds_back_is_taken_to_lose_frames_where_buffers_are_too_small),
      cmocka_unit_test(between_zones_the_fewest_messages_come_first),
      cmocka_unit_test(a_planner_isnt_asked_to_look_at_more_ranks_than_the_limit),
      cmocka_unit_test(sizes_are_ranked_by_the_power_of_two_below),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
