/* The all-gathers whose distances swing, Bine by rank and Swing on tori: how far their bytes go,
   and that they hold on tori of any shape. */
#include "support/setting.h"

#include <tourney/verify.h>

static const struct tny_pace whole = {.chunk_count = 1};

static struct tny_schedule *plan(const char *name, const struct tny_problem *problem)
{
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLGATHER, name);
  assert_non_null(algorithm);
  if (tny_plan_all(algorithm, problem, whole, &schedule, &error) != TNY_OK ||
      tny_verify_schedule(schedule, NULL, &error) != TNY_OK)
    fail_msg("%s of %u: %s", name, problem->rank_count, error.text);
  return schedule;
}

/* Blocks that go from groups of so many consecutive ranks to others. */
static uint64_t blocks_between(const char *name, uint32_t rank_count, uint32_t group)
{
  const struct tny_problem problem = {.collective = TNY_ALLGATHER, .rank_count = rank_count};
  struct tny_schedule *schedule = plan(name, &problem);
  uint64_t blocks = 0;
  for (uint32_t rank = 0; rank < rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind == TNY_SEND && step->peer / group != rank / group)
        blocks += step->span.count;
    }
  tny_schedule_free(schedule);
  return blocks;
}

/* Every rank has a way into its group for each step but the first ones, in which it holds little;
   combining sends half of all to ranks p/2 away. */
static void bine_sends_less_between_groups_than_combining(void **state)
{
  (void)state;
  for (uint32_t p = 16; p <= 128; p += 8)
    for (uint32_t group = 4; group <= p / 4; group *= 2) {
      const uint64_t bine = blocks_between("bine", p, group);
      assert_true(3 * bine <= 2 * blocks_between("combining", p, group));
    }
}

/* Partners differ by a sum of powers of -2, the longest first, and in the last step by 1. */
static void bine_halves_distances_while_it_doubles_blocks(void **state)
{
  (void)state;
  for (uint32_t p = 2, steps = 1; p <= 128; p *= 2, steps++) {
    const struct tny_problem problem = {.collective = TNY_ALLGATHER, .rank_count = p};
    struct tny_schedule *schedule = plan("bine", &problem);
    for (uint32_t rank = 0; rank < p; rank++)
      for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
        const struct tny_step *step = &schedule->ranks[rank].steps[i];
        if (step->kind != TNY_SEND)
          continue;
        uint32_t distance = 0;
        for (uint32_t k = 0, power = 1; k < steps - step->phase; k++, power *= (uint32_t)-2)
          distance += rank % 2 == 0 ? power : -power;
        assert_int_equal((rank + distance) % p, step->peer);
        assert_int_equal(step->span.count, UINT32_C(1) << step->phase);
      }
    tny_schedule_free(schedule);
  }
}

/* Even p: as few rounds as there can be, and no block twice. */
static void nothing_arrives_twice(void **state)
{
  (void)state;
  for (uint32_t p = 2; p <= 130; p += 2) {
    const struct tny_problem problem = {.collective = TNY_ALLGATHER, .rank_count = p};
    struct tny_schedule *schedule = plan("bine", &problem);
    for (uint32_t rank = 0; rank < p; rank++) {
      uint32_t received = 0;
      for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
        if (schedule->ranks[rank].steps[i].kind == TNY_RECV)
          received += schedule->ranks[rank].steps[i].span.count;
      assert_int_equal(received, p - 1);
    }
    tny_schedule_free(schedule);
  }
}

/* Odd p: the last rank hands its block over and gets all. */
static void an_odd_rank_out_is_folded(void **state)
{
  (void)state;
  for (uint32_t p = 3; p <= 129; p += 2) {
    const struct tny_problem problem = {.collective = TNY_ALLGATHER, .rank_count = p};
    struct tny_schedule *schedule = plan("bine", &problem);
    uint32_t last_messages = 0;
    for (uint32_t i = 0; i < schedule->ranks[p - 1].count; i++) {
      const struct tny_step *step = &schedule->ranks[p - 1].steps[i];
      last_messages += step->kind != TNY_COPY;
      assert_true(step->kind != TNY_SEND || step->span.count == 1);
    }
    assert_int_equal(last_messages, 2);
    tny_schedule_free(schedule);
  }
}

static void expect_swing(const char *shape, uint32_t ranks_a_host)
{
  struct setting setting;
  struct tny_cluster *cluster = open_cluster(shape);
  set_up_on(&setting, cluster, TNY_MAP_BLOCK, cluster->host_count * ranks_a_host);
  setting.problem.collective = TNY_ALLGATHER;
  struct tny_schedule *schedule = plan("swing", &setting.problem);
  struct tny_report report;
  struct tny_error error = {0};
  struct tny_problem prepared;
  const struct tny_algorithm *swing = tny_algorithm_find(TNY_ALLGATHER, "swing");
  assert_int_equal(tny_problem_prepare(swing, &setting.problem, &prepared, NULL), TNY_OK);
  const struct tny_claim claim = swing->claim(&prepared);
  assert_int_equal(tny_verify_progress(schedule, &report, NULL), TNY_OK);
  if (tny_verify_claim(&report, &claim, &error) != TNY_OK)
    fail_msg("%s, %u ranks a host: %s", shape, ranks_a_host, error.text);
  tny_problem_release(swing, &prepared);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void swing_holds_on_tori_of_any_shape(void **state)
{
  (void)state;
  static const char *const shapes[] = {"ring:3",    "ring:8",      "ring:13",
                                       "torus:4x4", "torus:3x3",   "torus:5x6",
                                       "torus:6x7", "torus:3x3x5", "torus:3x4x4"};
  for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (uint32_t ranks_a_host = 1; ranks_a_host <= 3; ranks_a_host++)
      expect_swing(shapes[i], ranks_a_host);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bine_sends_less_between_groups_than_combining),
      cmocka_unit_test(bine_halves_distances_while_it_doubles_blocks),
      cmocka_unit_test(nothing_arrives_twice),
      cmocka_unit_test(an_odd_rank_out_is_folded),
      cmocka_unit_test(swing_holds_on_tori_of_any_shape),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
