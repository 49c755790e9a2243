/* TuNA(l,g): the same as hierarchical Bruck with a level for hosts alone, straight between them. */
#include "support/setting.h"

#include <tourney/verify.h>

static const struct tny_pace whole = {.chunk_count = 1};

/* Proved: data, progress and the claim. */
static struct tny_schedule *plan(const struct setting *setting, const char *name,
                                 struct tny_claim *claim)
{
  struct tny_algorithm_choice choice;
  struct tny_schedule *schedule = NULL;
  struct tny_report report;
  struct tny_error error = {0};
  struct tny_problem problem = setting->problem, prepared;
  assert_int_equal(tny_algorithm_parse(TNY_ALLTOALL, name, &choice, NULL), TNY_OK);
  problem.collective = TNY_ALLTOALL;
  problem.parameter = choice.parameter;
  enum tny_status status = tny_problem_prepare(choice.algorithm, &problem, &prepared, &error);
  if (status == TNY_OK) {
    const struct tny_problem settled = tny_plan_problem(choice.algorithm, &prepared, 1);
    *claim = tny_algorithm_claim(choice.algorithm, &settled);
    status = tny_plan_all(choice.algorithm, &prepared, whole, &schedule, &error);
  }
  if (status == TNY_OK)
    status = tny_verify_schedule(schedule, &report, &error);
  if (status == TNY_OK)
    status = tny_verify_claim(&report, claim, &error);
  if (status != TNY_OK)
    fail_msg("%s, %u ranks: %s", name, problem.rank_count, error.text);
  tny_problem_release(choice.algorithm, &prepared);
  return schedule;
}

static void assert_same_steps(const struct tny_schedule *one, const struct tny_schedule *other)
{
  for (uint32_t rank = 0; rank < one->rank_count; rank++) {
    const struct tny_steps *steps = &one->ranks[rank];
    assert_int_equal(steps->count, other->ranks[rank].count);
    for (uint32_t i = 0; i < steps->count; i++) {
      const struct tny_step *step = &steps->steps[i], *same = &other->ranks[rank].steps[i];
      assert_true(step->kind == same->kind && step->peer == same->peer &&
                  step->span.count == same->span.count && step->phase == same->phase);
    }
  }
}

static void on_one_switch_it_is_hierarchical_bruck_straight_between_hosts(void **state)
{
  (void)state;
  static const char *const names[][2] = {{"tuna", "hierarchical-bruck:2.1.1.1"},
                                         {"tuna:3", "hierarchical-bruck:3.1.1.1"},
                                         {"tuna:256", "hierarchical-bruck:1.1.1.1"}};
  struct setting setting;
  set_up(&setting, "single:5", TNY_MAP_BLOCK, 35);
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct tny_claim claim;
    struct tny_schedule *tuna = plan(&setting, names[i][0], &claim);
    struct tny_schedule *levels = plan(&setting, names[i][1], &claim);
    assert_same_steps(tuna, levels);
    tny_schedule_free(tuna);
    tny_schedule_free(levels);
  }
  tear_down(&setting);
}

/* On 2 + 3 hosts of 8 ranks, a message from each rank to a rank of each other host, with 8 blocks;
   3 rounds by radix 2 before, 7 by radix 8. */
static void between_hosts_each_rank_sends_one_message_to_each(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:2+3", TNY_MAP_BLOCK, 40);
  for (uint32_t radix = 2; radix <= 8; radix += 6) {
    struct tny_claim claim;
    struct tny_schedule *schedule = plan(&setting, radix == 2 ? "tuna:2" : "tuna:8", &claim);
    assert_int_equal(claim.rounds, (radix == 2 ? 3 : 7) + 4);
    for (uint32_t rank = 0; rank < 40; rank++) {
      uint32_t sent_to[5] = {0};
      for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
        const struct tny_step *step = &schedule->ranks[rank].steps[i];
        if (step->kind != TNY_SEND || setting.hosts[step->peer] == setting.hosts[rank])
          continue;
        sent_to[setting.hosts[step->peer]]++;
        assert_int_equal(step->span.count, 8);
        assert_int_equal(step->peer % 8, rank % 8);
      }
      for (uint32_t host = 0; host < 5; host++)
        assert_int_equal(sent_to[host], host != setting.hosts[rank]);
    }
    tny_schedule_free(schedule);
  }
  tear_down(&setting);
}

static void it_holds_on_hosts_with_any_number_of_ranks(void **state)
{
  (void)state;
  static const char *const clusters[] = {"single:1", "single:3", "switches:1+4+2", "zones:3+2"};
  for (uint32_t c = 0; c < sizeof clusters / sizeof *clusters; c++)
    for (uint32_t p = 1; p <= 41; p += 1 + p / 8)
      for (uint32_t map = 0; map < 2; map++) {
        struct setting setting;
        struct tny_claim claim;
        set_up(&setting, clusters[c], map ? TNY_MAP_INTERLEAVED : TNY_MAP_BLOCK, p);
        tny_schedule_free(plan(&setting, "tuna", &claim));
        tny_schedule_free(plan(&setting, "tuna:3", &claim));
        tear_down(&setting);
      }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_one_switch_it_is_hierarchical_bruck_straight_between_hosts),
      cmocka_unit_test(between_hosts_each_rank_sends_one_message_to_each),
      cmocka_unit_test(it_holds_on_hosts_with_any_number_of_ranks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
