/* PAT: the order of its messages, how far they go, and that its reduce-scatter needs scratch space
   for a logarithmic number of blocks. */
#include "core/log2.h"
#include "support/sends.h"

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

static void assert_sends_of_rank_2(uint32_t p, uint32_t aggregation, const struct sends *expected)
{
  const struct tny_problem problem = problem_of(TNY_ALLGATHER, p, aggregation);
  assert_sends(find(TNY_ALLGATHER), &problem, 2, expected);
}

static void pat_goes_through_subtrees_depth_first_and_far_ways_first(void **state)
{
  (void)state;
  assert_sends_of_rank_2(8, 1, &(struct sends){7, {4, 2, 1, 1, 2, 1, 1}, {1, 1, 1, 1, 1, 1, 1}});
  assert_sends_of_rank_2(8, 2, &(struct sends){4, {4, 2, 1, 1}, {1, 2, 2, 2}});
  assert_sends_of_rank_2(8, 8, &(struct sends){3, {4, 2, 1}, {1, 2, 4}});
  assert_sends_of_rank_2(11, 2,
                         &(struct sends){8, {8, 4, 2, 1, 1, 2, 1, 1}, {1, 1, 1, 1, 1, 2, 1, 2}});
  assert_sends_of_rank_2(11, 16, &(struct sends){4, {8, 4, 2, 1}, {1, 1, 3, 5}});
}

/* A number that is no power of two stands for the power below it. */
static void pat_rounds_its_aggregation_down(void **state)
{
  (void)state;
  assert_sends_of_rank_2(8, 3, &(struct sends){4, {4, 2, 1, 1}, {1, 2, 2, 2}});
  assert_sends_of_rank_2(8, 1000, &(struct sends){3, {4, 2, 1}, {1, 2, 4}});
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
