/* The multi-leader all-to-all: which messages cross between hosts in each of its variants, and that
   it holds on hosts with any number of ranks. */
#include "support/setting.h"

#include "memory_support.h"

#include <tourney/verify.h>

static const struct tny_pace whole = {.chunk_count = 1};

struct planned {
  struct tny_schedule *schedule;
  struct tny_claim claim;
};

/* By the name with its parameter: data, progress and the claim are right. */
static struct planned plan(const struct setting *setting, const char *name)
{
  struct planned planned = {0};
  struct tny_algorithm_choice choice;
  struct tny_report report;
  struct tny_error error = {0};
  struct tny_problem problem = setting->problem, prepared;
  assert_int_equal(tny_algorithm_parse(TNY_ALLTOALL, name, &choice, NULL), TNY_OK);
  problem.collective = TNY_ALLTOALL;
  problem.parameter = choice.parameter;
  enum tny_status status = tny_problem_prepare(choice.algorithm, &problem, &prepared, &error);
  if (status == TNY_OK) {
    const struct tny_problem settled = tny_plan_problem(choice.algorithm, &prepared, 1);
    planned.claim = tny_algorithm_claim(choice.algorithm, &settled);
    status = tny_plan_all(choice.algorithm, &prepared, whole, &planned.schedule, &error);
  }
  if (status == TNY_OK)
    status = tny_verify_schedule(planned.schedule, &report, &error);
  if (status == TNY_OK)
    status = tny_verify_claim(&report, &planned.claim, &error);
  if (status != TNY_OK)
    fail_msg("%s, %u ranks: %s", name, problem.rank_count, error.text);
  tny_problem_release(choice.algorithm, &prepared);
  return planned;
}

/* A rank has at most one message to send and one to receive in a phase. */
static void check_ports(const struct planned *planned)
{
  const uint32_t phases = planned->claim.phases;
  bool *is_taken = tny_new((size_t)2 * phases + 1, sizeof *is_taken);
  for (uint32_t rank = 0; rank < planned->schedule->rank_count; rank++) {
    const struct tny_steps *steps = &planned->schedule->ranks[rank];
    memset(is_taken, 0, (size_t)2 * phases);
    for (uint32_t i = 0; i < steps->count; i++) {
      const struct tny_step *step = &steps->steps[i];
      if (!tny_step_is_message(step->kind))
        continue;
      bool *taken = &is_taken[2 * step->phase + tny_step_receives(step->kind)];
      assert_false(*taken);
      *taken = true;
    }
  }
  tny_free(is_taken);
}

struct crossing {
  uint32_t messages, blocks;
};

/* What goes from one host to another. */
static struct crossing between(const struct setting *setting, const struct planned *planned,
                               uint32_t from, uint32_t to)
{
  struct crossing crossing = {0};
  for (uint32_t rank = 0; rank < setting->problem.rank_count; rank++) {
    const struct tny_steps *steps = &planned->schedule->ranks[rank];
    for (uint32_t i = 0; i < steps->count && setting->hosts[rank] == from; i++)
      if (steps->steps[i].kind == TNY_SEND && setting->hosts[steps->steps[i].peer] == to) {
        crossing.messages++;
        crossing.blocks += steps->steps[i].span.count;
      }
  }
  return crossing;
}

/* Four hosts of six ranks: messages from a host to another, the ranks that send some, rounds. */
static void each_variant_has_its_messages_between_hosts(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    uint32_t messages, rounds;
  } variants[] = {
      {"multi-leader:1.1", 1, 5 + 3 + 5},   /* hierarchical */
      {"multi-leader:1.2", 4, 2 + 7 + 2},   /* multi-leader, two leaders */
      {"multi-leader:1.3", 9, 1 + 11 + 1},  /* multi-leader, three leaders */
      {"multi-leader:255.1", 6, 3 + 5},     /* node-aware */
      {"multi-leader:255.2", 12, 7 + 2},    /* locality-aware, two groups */
      {"multi-leader:1.255", 36, 23},       /* straight */
      {"multi-leader:2", 2, 2 + 3 + 1 + 2}, /* multi-leader node-aware */
      {"multi-leader:3.1", 3, 1 + 3 + 2 + 1},
  };
  struct setting setting;
  set_up(&setting, "single:4", TNY_MAP_BLOCK, 24);
  for (uint32_t v = 0; v < sizeof variants / sizeof *variants; v++) {
    struct planned planned = plan(&setting, variants[v].name);
    assert_int_equal(planned.claim.rounds, variants[v].rounds);
    check_ports(&planned);
    for (uint32_t from = 0; from < 4; from++)
      for (uint32_t to = 0; to < 4; to++)
        if (from != to) {
          const struct crossing crossing = between(&setting, &planned, from, to);
          assert_int_equal(crossing.messages, variants[v].messages);
          assert_int_equal(crossing.blocks, 36);
        }
    tny_schedule_free(planned.schedule);
  }
  tear_down(&setting);
}

/* Two leaders for six ranks: the others send all their blocks in one message, and get all. */
static void teams_talk_to_their_leader_alone(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "single:4", TNY_MAP_BLOCK, 24);
  struct planned planned = plan(&setting, "multi-leader:2");
  for (uint32_t rank = 0; rank < 24; rank++) {
    if (rank % 3 == 0)
      continue;
    const struct tny_steps *steps = &planned.schedule->ranks[rank];
    assert_int_equal(steps->count, 2);
    for (uint32_t i = 0; i < 2; i++) {
      assert_int_equal(steps->steps[i].peer, rank - rank % 3);
      assert_int_equal(steps->steps[i].span.count, 24);
    }
  }
  tny_schedule_free(planned.schedule);
  tear_down(&setting);
}

static void it_holds_on_hosts_with_any_number_of_ranks(void **state)
{
  (void)state;
  static const char *const names[] = {"multi-leader",       "multi-leader:1.1",  "multi-leader:2.1",
                                      "multi-leader:3.1",   "multi-leader:1.3",  "multi-leader:2.2",
                                      "multi-leader:255.1", "multi-leader:255.3"};
  static const char *const clusters[] = {"single:1", "single:3", "switches:2+3", "switches:1+4+2",
                                         "zones:3+2"};
  for (uint32_t c = 0; c < sizeof clusters / sizeof *clusters; c++)
    for (uint32_t p = 1; p <= 41; p += 1 + p / 8)
      for (uint32_t map = 0; map < 2; map++) {
        struct setting setting;
        set_up(&setting, clusters[c], map ? TNY_MAP_INTERLEAVED : TNY_MAP_BLOCK, p);
        for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
          struct planned planned = plan(&setting, names[i]);
          check_ports(&planned);
          tny_schedule_free(planned.schedule);
        }
        tear_down(&setting);
      }
}

static void planning_with_little_memory_is_an_error(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:2+3", TNY_MAP_BLOCK, 17);
  struct planning planning = {.algorithm = tny_algorithm_find(TNY_ALLTOALL, "multi-leader"),
                              .problem = setting.problem,
                              .pace = whole};
  planning.problem.collective = TNY_ALLTOALL;
  assert_true(starve_planning(&planning) >= 2);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_variant_has_its_messages_between_hosts),
      cmocka_unit_test(teams_talk_to_their_leader_alone),
      cmocka_unit_test(it_holds_on_hosts_with_any_number_of_ranks),
      cmocka_unit_test(planning_with_little_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
