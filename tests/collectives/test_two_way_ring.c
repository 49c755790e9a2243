/* The ring both ways: it goes on to next switches only, so that nothing meets on a link. */
#include "memory_support.h"
#include "support/setting.h"

static struct tny_schedule *plan(const struct setting *setting)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLGATHER, "two-way-ring");
  struct tny_problem problem = setting->problem, prepared;
  struct tny_schedule *schedule;
  problem.collective = TNY_ALLGATHER;
  assert_int_equal(tny_problem_prepare(algorithm, &problem, &prepared, NULL), TNY_OK);
  assert_int_equal(
      tny_plan_all(algorithm, &prepared, (struct tny_pace){.chunk_count = 1}, &schedule, NULL),
      TNY_OK);
  tny_problem_release(algorithm, &prepared);
  return schedule;
}

static bool are_joined(const struct tny_cluster *cluster, uint32_t a, uint32_t b)
{
  for (uint32_t i = cluster->first_out[a]; i < cluster->first_out[a + 1]; i++)
    if (cluster->links[cluster->out_links[i]].to == b)
      return true;
  return false;
}

/* One message a phase from each switch to each other, and only to one next to it. `used` has,
   for each pair of switches, the last phase with a message, from 1. */
static void check_sends(const struct setting *setting, const struct tny_schedule *schedule,
                        uint32_t phase, uint32_t *used)
{
  const struct tny_cluster *cluster = setting->cluster;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND || step->phase != phase)
        continue;
      const uint32_t from = tny_cluster_switch_of(cluster, setting->hosts[rank]);
      const uint32_t to = tny_cluster_switch_of(cluster, setting->hosts[step->peer]);
      if (from == to)
        continue;
      assert_true(are_joined(cluster, from, to));
      uint32_t *pair =
          &used[(from - cluster->host_count) * cluster->switch_count + (to - cluster->host_count)];
      assert_int_not_equal(*pair, phase + 1);
      *pair = phase + 1;
    }
}

static void
on_irregular_networks_no_two_messages_of_a_phase_go_between_the_same_switches(void **state)
{
  (void)state;
  enum { SWITCHES = 10 };
  for (uint32_t seed = 0; seed < 50; seed++) {
    char generator[64];
    struct setting setting;
    uint32_t used[SWITCHES * SWITCHES] = {0};
    snprintf(generator, sizeof generator, "irregular:128,switches=10,seed=%u", seed);
    set_up(&setting, generator, TNY_MAP_INTERLEAVED, 0);
    struct tny_schedule *schedule = plan(&setting);
    for (uint32_t phase = 0; phase < 2; phase++)
      check_sends(&setting, schedule, phase, used);
    tny_schedule_free(schedule);
    tear_down(&setting);
  }
}

static void each_rank_talks_to_the_two_beside_it_only(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:5+3+4", TNY_MAP_BLOCK, 24);
  struct tny_schedule *schedule = plan(&setting);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    const struct tny_steps *steps = &schedule->ranks[rank];
    const uint32_t sides[] = {steps->steps[0].peer, steps->steps[1].peer};
    for (uint32_t i = 0; i < steps->count; i++)
      if (steps->steps[i].kind != TNY_COPY)
        assert_true(steps->steps[i].peer == sides[0] || steps->steps[i].peer == sides[1]);
  }
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void ranks_of_a_host_stay_together_on_the_ring(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:5+3+4", TNY_MAP_BLOCK, 24);
  struct tny_schedule *schedule = plan(&setting);
  uint32_t between = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    between += setting.hosts[rank] != setting.hosts[schedule->ranks[rank].steps[0].peer];
  assert_int_equal(between, 12);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void running_out_of_memory_is_an_error(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:5+3+4", TNY_MAP_BLOCK, 0);
  struct planning planning = {
      tny_algorithm_find(TNY_ALLGATHER, "two-way-ring"), setting.problem, {.chunk_count = 1}, 4};
  planning.problem.collective = TNY_ALLGATHER;
  assert_in_range(starve_planning(&planning), 1, 200);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(
          on_irregular_networks_no_two_messages_of_a_phase_go_between_the_same_switches),
      cmocka_unit_test(each_rank_talks_to_the_two_beside_it_only),
      cmocka_unit_test(ranks_of_a_host_stay_together_on_the_ring),
      cmocka_unit_test(running_out_of_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
