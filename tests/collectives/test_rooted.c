/* Gathers and scatters: what each sends to whom in which round. That all are right, for every root,
   is test_algorithms.c's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tourney/verify.h>

static struct tny_schedule *plan(enum tny_collective collective, uint32_t rank_count, uint32_t root)
{
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  const struct tny_problem problem = {
      .collective = collective, .rank_count = rank_count, .root = root};
  const struct tny_pace pace = {.chunk_count = 1};
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, "binomial");
  assert_non_null(algorithm);
  if (tny_plan_all(algorithm, &problem, pace, &schedule, &error) != TNY_OK ||
      tny_verify_schedule(schedule, NULL, &error) != TNY_OK)
    fail_msg("%s", error.text);
  return schedule;
}

static bool has_message(const struct tny_schedule *schedule, uint32_t phase, uint32_t from,
                        uint32_t to, uint32_t blocks)
{
  const struct tny_steps *steps = &schedule->ranks[from];
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct tny_step *step = &steps->steps[i];
    if (step->kind == TNY_SEND && step->phase == phase && step->peer == to)
      return step->span.count == blocks;
  }
  return false;
}

static void a_gather_is_a_scatter_whose_time_runs_backwards(void **state)
{
  (void)state;
  for (uint32_t p = 2, rounds = 0; p <= 40; p++) {
    rounds += p > 1u << rounds;
    for (uint32_t root = 0; root < p; root++) {
      struct tny_schedule *scatter = plan(TNY_SCATTER, p, root);
      struct tny_schedule *gather = plan(TNY_GATHER, p, root);
      uint32_t messages = 0;
      for (uint32_t rank = 0; rank < p; rank++)
        for (uint32_t i = 0; i < scatter->ranks[rank].count; i++) {
          const struct tny_step *step = &scatter->ranks[rank].steps[i];
          if (step->kind != TNY_SEND)
            continue;
          messages++;
          assert_true(
              has_message(gather, rounds - 1 - step->phase, step->peer, rank, step->span.count));
        }
      assert_int_equal(messages, p - 1);
      tny_schedule_free(scatter);
      tny_schedule_free(gather);
    }
  }
}

/* The root in the middle halves what it has on both sides; no run of ranks wraps around. */
static void a_binomial_scatter_halves_runs_of_ranks(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan(TNY_SCATTER, 7, 2);
  assert_true(has_message(schedule, 0, 2, 4, 3));
  assert_true(has_message(schedule, 1, 2, 1, 2));
  assert_true(has_message(schedule, 1, 4, 6, 1));
  assert_true(has_message(schedule, 2, 2, 3, 1));
  assert_true(has_message(schedule, 2, 1, 0, 1));
  assert_true(has_message(schedule, 2, 4, 5, 1));
  tny_schedule_free(schedule);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_gather_is_a_scatter_whose_time_runs_backwards),
      cmocka_unit_test(a_binomial_scatter_halves_runs_of_ranks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
