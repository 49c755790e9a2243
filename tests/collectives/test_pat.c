/* PAT: the order of its messages, how far they go, and that its reduce-scatter needs scratch space
   for a logarithmic number of blocks. */
#include "core/log2.h"
#include "support/setting.h"

#include <tourney/verify.h>

static const struct tny_pace whole = {.chunk_count = 1};

static const struct tny_algorithm *find(enum tny_collective collective)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, "pat");
  assert_non_null(algorithm);
  return algorithm;
}

static struct tny_problem problem_of(enum tny_collective collective, uint32_t p,
                                     uint32_t aggregation)
{
  return (struct tny_problem){.collective = collective, .rank_count = p, .parameter = aggregation};
}

/* One rank's messages: so many, to the ranks so far on, with so many blocks. */
static void assert_messages(uint32_t p, uint32_t aggregation, uint32_t count, const uint32_t *ways,
                            const uint32_t *blocks)
{
  const struct tny_problem problem = problem_of(TNY_ALLGATHER, p, aggregation);
  struct tny_steps steps;
  uint32_t sends = 0;
  assert_int_equal(tny_plan_rank(find(TNY_ALLGATHER), &problem, whole, 2, &steps, NULL), TNY_OK);
  for (uint32_t i = 0; i < steps.count; i++) {
    const struct tny_step *step = &steps.steps[i];
    if (step->kind != TNY_SEND)
      continue;
    assert_true(sends < count);
    assert_int_equal(step->phase, sends);
    assert_int_equal(step->peer, (2 + ways[sends]) % p);
    assert_int_equal(step->span.count, blocks[sends]);
    sends++;
  }
  assert_int_equal(sends, count);
  tny_steps_release(&steps);
}

static void pat_goes_through_subtrees_depth_first_and_far_ways_first(void **state)
{
  (void)state;
  assert_messages(8, 1, 7, (const uint32_t[]){4, 2, 1, 1, 2, 1, 1},
                  (const uint32_t[]){1, 1, 1, 1, 1, 1, 1});
  assert_messages(8, 2, 4, (const uint32_t[]){4, 2, 1, 1}, (const uint32_t[]){1, 2, 2, 2});
  assert_messages(8, 8, 3, (const uint32_t[]){4, 2, 1}, (const uint32_t[]){1, 2, 4});
  assert_messages(11, 2, 8, (const uint32_t[]){8, 4, 2, 1, 1, 2, 1, 1},
                  (const uint32_t[]){1, 1, 1, 1, 1, 2, 1, 2});
  assert_messages(11, 16, 4, (const uint32_t[]){8, 4, 2, 1}, (const uint32_t[]){1, 1, 3, 5});
}

/* A number that is no power of two stands for the power below it. */
static void pat_rounds_its_aggregation_down(void **state)
{
  (void)state;
  assert_messages(8, 3, 4, (const uint32_t[]){4, 2, 1, 1}, (const uint32_t[]){1, 2, 2, 2});
  assert_messages(8, 1000, 3, (const uint32_t[]){4, 2, 1}, (const uint32_t[]){1, 2, 4});
}

/* In blocks, of p ranks with m = ceil(log2 p) - log2 A levels below the bases: (9 + 6m) A at most.
   The verifier refuses what uses more than is claimed. */
static void a_reduce_scatter_by_pat_needs_logarithmic_scratch_space(void **state)
{
  (void)state;
  static const uint32_t sizes[] = {2, 3, 7, 31, 64, 100, 129, 257, 300};
  for (uint32_t aggregation = 1; aggregation <= 16; aggregation *= 4) {
    const uint32_t joined = tny_log2_ceil(aggregation);
    for (uint32_t p = 2; p <= 1000000; p += 1 + p / 50) {
      const struct tny_problem problem = problem_of(TNY_REDUCE_SCATTER, p, aggregation);
      const struct tny_claim claim = tny_algorithm_claim(find(TNY_REDUCE_SCATTER), &problem);
      const uint32_t bits = tny_log2_ceil(p), levels = bits > joined ? bits - joined : 0;
      assert_true(claim.scratch_blocks <= (9 + 6 * levels) * aggregation);
      assert_int_equal(claim.blocks_sent_max, p - 1);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      const struct tny_problem problem = problem_of(TNY_REDUCE_SCATTER, sizes[i], aggregation);
      struct tny_schedule *schedule;
      struct tny_error error = {0};
      if (tny_plan_all(find(TNY_REDUCE_SCATTER), &problem, whole, &schedule, &error) != TNY_OK ||
          tny_verify_schedule(schedule, NULL, &error) != TNY_OK)
        fail_msg("%u ranks, aggregation %u: %s", sizes[i], aggregation, error.text);
      tny_schedule_free(schedule);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pat_goes_through_subtrees_depth_first_and_far_ways_first),
      cmocka_unit_test(pat_rounds_its_aggregation_down),
      cmocka_unit_test(a_reduce_scatter_by_pat_needs_logarithmic_scratch_space),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
