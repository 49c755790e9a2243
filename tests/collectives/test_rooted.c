/* Gathers and scatters, and Bine trees: what each sends to whom in which round. That all are
   right, for every root, is test_algorithms.c's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tourney/verify.h>

static struct tny_schedule *plan(const char *name, enum tny_collective collective,
                                 uint32_t rank_count, uint32_t root)
{
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  const struct tny_problem problem = {
      .collective = collective, .rank_count = rank_count, .root = root};
  const struct tny_pace pace = {.chunk_count = 1};
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, name);
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

static void expect_mirrored(const char *name)
{
  for (uint32_t p = 2, rounds = 0; p <= 40; p++) {
    rounds += p > 1u << rounds;
    for (uint32_t root = 0; root < p; root++) {
      struct tny_schedule *scatter = plan(name, TNY_SCATTER, p, root);
      struct tny_schedule *gather = plan(name, TNY_GATHER, p, root);
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

static void a_gather_is_a_scatter_whose_time_runs_backwards(void **state)
{
  (void)state;
  expect_mirrored("binomial");
  expect_mirrored("bine");
}

/* The root in the middle halves what it has on both sides; no run of ranks wraps around. */
static void a_binomial_scatter_halves_runs_of_ranks(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan("binomial", TNY_SCATTER, 7, 2);
  assert_true(has_message(schedule, 0, 2, 4, 3));
  assert_true(has_message(schedule, 1, 2, 1, 2));
  assert_true(has_message(schedule, 1, 4, 6, 1));
  assert_true(has_message(schedule, 2, 2, 3, 1));
  assert_true(has_message(schedule, 2, 1, 0, 1));
  assert_true(has_message(schedule, 2, 4, 5, 1));
  tny_schedule_free(schedule);
}

/* A number modulo 2^digits as digits to the base -2. */
static uint32_t negabinary(uint32_t number, uint32_t digits)
{
  const uint32_t negative = 0xaaaaaaaa;
  return ((number + negative) ^ negative) & ((UINT32_C(1) << digits) - 1);
}

/* The paper's definition: in step i of s, partners differ in the s - i lowest digits, in all. */
static void a_bine_tree_of_2k_ranks_goes_by_digits_to_the_base_minus_2(void **state)
{
  (void)state;
  for (uint32_t digits = 1; digits <= 7; digits++) {
    const uint32_t p = UINT32_C(1) << digits;
    for (uint32_t root = 0; root < p; root += p / 2) {
      struct tny_schedule *schedule = plan("bine", TNY_BROADCAST, p, root);
      for (uint32_t rank = 0; rank < p; rank++)
        for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
          const struct tny_step *step = &schedule->ranks[rank].steps[i];
          assert_int_equal(negabinary(rank - root, digits) ^ negabinary(step->peer - root, digits),
                           (UINT32_C(1) << (digits - step->phase)) - 1);
        }
      tny_schedule_free(schedule);
    }
  }
}

static uint32_t distance(uint32_t p, uint32_t a, uint32_t b)
{
  const uint32_t up = (a + p - b) % p;
  return up < p - up ? up : p - up;
}

/* For any p, a run's leaders are about a third of it apart, where the binomial tree's are half of
   it: at most (n + ceil(log2 n))/3 for n ranks. In round i a run has at most ceil(p/2^i). */
static void a_bine_tree_has_short_ways_for_any_p(void **state)
{
  (void)state;
  for (uint32_t p = 2, rounds = 0; p <= 200; p++) {
    rounds += p > 1u << rounds;
    struct tny_schedule *schedule = plan("bine", TNY_BROADCAST, p, p / 3);
    for (uint32_t rank = 0; rank < p; rank++)
      for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
        const struct tny_step *step = &schedule->ranks[rank].steps[i];
        const uint32_t run = ((p - 1) >> step->phase) + 1;
        assert_true(3 * distance(p, rank, step->peer) <= run + rounds - step->phase);
      }
    tny_schedule_free(schedule);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_gather_is_a_scatter_whose_time_runs_backwards),
      cmocka_unit_test(a_binomial_scatter_halves_runs_of_ranks),
      cmocka_unit_test(a_bine_tree_of_2k_ranks_goes_by_digits_to_the_base_minus_2),
      cmocka_unit_test(a_bine_tree_has_short_ways_for_any_p),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
