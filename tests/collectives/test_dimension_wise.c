/* The all-to-all dimension by dimension: how few its messages are, how often blocks are copied, and
   that it holds for any factors and on grids of any shape. */
#include "torus_support.h"

static const struct tny_algorithm *dimension_wise(void)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLTOALL, "dimension-wise");
  assert_non_null(algorithm);
  return algorithm;
}

static struct tny_schedule *prove_by_number(uint32_t p, uint32_t dimensions)
{
  const struct tny_problem problem = {
      .collective = TNY_ALLTOALL, .rank_count = p, .parameter = dimensions};
  const struct tny_claim claim = tny_algorithm_claim(dimension_wise(), &problem);
  struct tny_schedule *schedule;
  struct tny_report report;
  struct tny_error error = {0};
  assert_int_equal(tny_plan_all(dimension_wise(), &problem, whole, &schedule, NULL), TNY_OK);
  if (tny_verify_schedule(schedule, &report, &error) != TNY_OK ||
      tny_verify_claim(&report, &claim, &error) != TNY_OK)
    fail_msg("%u ranks, %u dimensions: %s", p, dimensions, error.text);
  return schedule;
}

static void it_holds_for_any_number_of_ranks_and_dimensions(void **state)
{
  (void)state;
  for (uint32_t p = 1; p <= 96; p++)
    for (uint32_t dimensions = 1; dimensions <= 7; dimensions++)
      tny_schedule_free(prove_by_number(p, dimensions));
}

/* The sum of the sides less one each, by sides of about the same length. */
static void rounds_are_those_of_the_dimensions(void **state)
{
  (void)state;
  static const struct {
    uint32_t ranks, dimensions, rounds;
  } cases[] = {{1000, 1, 999}, {1000, 2, 63},   {1000, 3, 27}, {1024, 2, 62}, {1024, 10, 10},
               {1024, 40, 10}, {1013, 3, 1012}, {1, 3, 0},     {12, 2, 5},    {48, 3, 8}};
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct tny_problem problem = {
        .collective = TNY_ALLTOALL, .rank_count = cases[i].ranks, .parameter = cases[i].dimensions};
    const struct tny_claim claim = tny_algorithm_claim(dimension_wise(), &problem);
    assert_int_equal(claim.rounds, cases[i].rounds);
  }
}

/* 4 x 4 x 4 ranks: a message of 16 blocks to each other coordinate of each dimension in turn. A
   block is copied before each stage that it moves in, but for those that lie in a row, and not
   after the last one. */
static void bundles_go_along_one_dimension_after_the_other(void **state)
{
  (void)state;
  struct tny_schedule *schedule = prove_by_number(64, 3);
  const struct tny_steps *steps = &schedule->ranks[0];
  uint32_t sends = 0, copied = 0;
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct tny_step *step = &steps->steps[i];
    if (step->kind == TNY_COPY)
      copied += step->span.count;
    if (step->kind == TNY_RECV && step->phase >= 6)
      assert_int_equal(step->span.buffer, TNY_OUTPUT);
    if (step->kind != TNY_SEND)
      continue;
    static const uint32_t stride[] = {1, 4, 16};
    assert_int_equal(step->phase, sends);
    assert_int_equal(step->peer, stride[sends / 3] * (sends % 3 + 1));
    assert_int_equal(step->span.count, 16);
    sends++;
  }
  assert_int_equal(sends, 9);
  assert_int_equal(copied, 3 * 48 + 16);
  tny_schedule_free(schedule);
}

/* The paper's zero-copy. */
static void along_one_dimension_only_the_own_block_is_copied(void **state)
{
  (void)state;
  struct tny_schedule *schedule = prove_by_number(13, 1);
  uint32_t copied = 0;
  for (uint32_t i = 0; i < schedule->ranks[4].count; i++)
    copied += schedule->ranks[4].steps[i].kind == TNY_COPY;
  assert_int_equal(copied, 1);
  tny_schedule_free(schedule);
}

static void grids_have_their_own_dimensions(void **state)
{
  (void)state;
  static const struct {
    const char *cluster;
    uint32_t rounds;
  } cases[] = {{"ring:9", 8},      {"torus:4x4", 6},  {"torus:5x6", 9},
               {"torus:3x3x5", 8}, {"mesh:2x3x4", 6}, {"mesh:7x3", 8}};
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (uint32_t ranks_a_host = 1; ranks_a_host <= 3; ranks_a_host++) {
      struct trial trial;
      begin(&trial, cases[i].cluster, "dimension-wise", ranks_a_host);
      const struct tny_claim claim = claim_of(&trial);
      const struct tny_report report = prove(&trial, whole, 0);
      assert_int_equal(claim.rounds, cases[i].rounds + ranks_a_host - 1);
      if (ranks_a_host == 1)
        assert_true(report.phase_trunk_messages <= claim.grid_link_messages);
      prove(&trial, (struct tny_pace){.chunk_count = 3, .window = 2}, 0);
      end(&trial);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_holds_for_any_number_of_ranks_and_dimensions),
      cmocka_unit_test(rounds_are_those_of_the_dimensions),
      cmocka_unit_test(bundles_go_along_one_dimension_after_the_other),
      cmocka_unit_test(along_one_dimension_only_the_own_block_is_copied),
      cmocka_unit_test(grids_have_their_own_dimensions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
