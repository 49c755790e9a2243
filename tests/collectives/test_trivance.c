/* Trivance: as few steps as there can be for any number of ranks, a third of what one way alone
   puts on a ring's links, and results that ranks combine each in an order of its own. */
#include "torus_support.h"

static const struct tny_algorithm *trivance(void)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLREDUCE, "trivance");
  assert_non_null(algorithm);
  return algorithm;
}

static uint32_t log3_ceil(uint32_t count)
{
  uint32_t digits = 0;
  for (uint64_t power = 1; power < count; power *= 3)
    digits++;
  return digits;
}

static void trivance_takes_log3_steps(void **state)
{
  (void)state;
  for (uint32_t p = 1; p <= 3000; p++) {
    const struct tny_problem problem = {.collective = TNY_ALLREDUCE, .rank_count = p};
    const struct tny_claim claim = tny_algorithm_claim(trivance(), &problem);
    const uint32_t steps = log3_ceil(p);
    assert_int_equal(claim.phases, steps);
    assert_true(claim.rounds <= 2 * steps && claim.blocks_sent_max <= 3 * steps);
    if (p == 243 || p == 729 || p == 2187)
      assert_true(claim.rounds == 2 * steps && claim.blocks_sent_max == 2 * steps &&
                  claim.scratch_blocks == 2 * steps);
  }
}

/* Data, progress and the claim of a number of ranks that no cluster says anything of. */
static struct tny_report prove_by_number(uint32_t p)
{
  const struct tny_problem problem = {.collective = TNY_ALLREDUCE, .rank_count = p};
  const struct tny_claim claim = tny_algorithm_claim(trivance(), &problem);
  struct tny_schedule *schedule;
  struct tny_report report;
  struct tny_error error = {0};
  assert_int_equal(tny_plan_all(trivance(), &problem, whole, &schedule, NULL), TNY_OK);
  if (tny_verify_schedule(schedule, &report, &error) != TNY_OK ||
      tny_verify_claim(&report, &claim, &error) != TNY_OK)
    fail_msg("%u ranks: %s", p, error.text);
  tny_schedule_free(schedule);
  return report;
}

static void trivance_holds_for_any_number_of_ranks(void **state)
{
  (void)state;
  for (uint32_t p = 1; p <= 260; p++)
    prove_by_number(p);
}

/* The contributions stand in the order of the ring, from another rank on at each. */
static void ranks_combine_in_orders_of_their_own(void **state)
{
  (void)state;
  assert_true(prove_by_number(1).bits.on_all_ranks);
  for (uint32_t p = 3; p <= 81; p++) {
    const struct tny_report report = prove_by_number(p);
    assert_false(report.bits.on_all_ranks);
    assert_false(report.bits.in_rank_order);
  }
  assert_false(trivance()->same_bits.on_all_ranks);
  assert_true(trivance()->commutes);
}

static void distances_triple_both_ways(void **state)
{
  (void)state;
  static const uint32_t ways[] = {1, 26, 3, 24, 9, 18};
  const struct tny_problem problem = {.collective = TNY_ALLREDUCE, .rank_count = 27};
  struct tny_steps steps;
  uint32_t sends = 0;
  assert_int_equal(tny_plan_rank(trivance(), &problem, whole, 5, &steps, NULL), TNY_OK);
  for (uint32_t i = 0; i < steps.count; i++) {
    if (steps.steps[i].kind != TNY_SEND)
      continue;
    assert_true(sends < 6);
    assert_int_equal(steps.steps[i].peer, (5 + ways[sends]) % 27);
    assert_int_equal(steps.steps[i].phase, sends / 2);
    assert_int_equal(steps.steps[i].span.count, 1);
    sends++;
  }
  assert_int_equal(sends, 6);
  tny_steps_release(&steps);
}

static void begin_on(struct trial *trial, const char *cluster, uint32_t ranks_a_host)
{
  begin(trial, cluster, "shift", ranks_a_host);
  trial->on.problem.collective = TNY_ALLREDUCE;
  trial->algorithm = trivance();
}

/* Every link of every dimension carries, in step i along it, what goes 3^i nodes far. */
static void expect_loads(const char *cluster, uint32_t steps_a_side)
{
  struct trial trial;
  begin_on(&trial, cluster, 1);
  const uint32_t phases = claim_of(&trial).phases;
  prove(&trial, whole, 0);
  uint32_t *uses = count_uses(&trial, phases, false);
  for (uint32_t phase = 0; phase < phases; phase++) {
    uint32_t distance = 1;
    for (uint32_t i = 0; i < phase % steps_a_side; i++)
      distance *= 3;
    for (uint32_t link = 0; link < trial.on.cluster->link_count; link++)
      if (tny_link_is_trunk(trial.on.cluster, link))
        assert_int_equal(uses[(size_t)phase * trial.on.cluster->link_count + link], distance);
  }
  tny_free(uses);
  end(&trial);
}

static void links_carry_a_message_for_each_node_of_the_distance(void **state)
{
  (void)state;
  expect_loads("ring:3", 1);
  expect_loads("ring:27", 3);
  expect_loads("torus:9x9", 2);
  expect_loads("torus:3x3x3", 1);
}

/* With one rank a host trunks carry what is claimed, but for messages half around a side, 2 * 3^k
   nodes long, which may go both ways. */
static void trivance_keeps_its_claim_on_tori_of_any_shape(void **state)
{
  (void)state;
  static const char *const shapes[] = {"ring:3",     "ring:4",      "ring:13",    "ring:17",
                                       "ring:26",    "torus:3x3",   "torus:4x4",  "torus:3x9",
                                       "torus:10x4", "torus:3x3x5", "torus:3x4x4"};
  static const char *const with_halves[] = {"ring:6", "ring:18", "torus:5x6", "torus:6x4"};
  enum {
    SHAPES = sizeof shapes / sizeof *shapes,
    HALVES = sizeof with_halves / sizeof *with_halves
  };
  for (uint32_t i = 0; i < SHAPES + HALVES; i++)
    for (uint32_t ranks_a_host = 1; ranks_a_host <= 4; ranks_a_host++) {
      struct trial trial;
      begin_on(&trial, i < SHAPES ? shapes[i] : with_halves[i - SHAPES], ranks_a_host);
      const struct tny_report report = prove(&trial, whole, 0);
      const uint32_t claimed = claim_of(&trial).grid_link_messages;
      if (ranks_a_host == 1)
        assert_true(i < SHAPES ? report.phase_trunk_messages == claimed
                               : report.phase_trunk_messages <= claimed);
      end(&trial);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trivance_takes_log3_steps),
      cmocka_unit_test(trivance_holds_for_any_number_of_ranks),
      cmocka_unit_test(ranks_combine_in_orders_of_their_own),
      cmocka_unit_test(distances_triple_both_ways),
      cmocka_unit_test(links_carry_a_message_for_each_node_of_the_distance),
      cmocka_unit_test(trivance_keeps_its_claim_on_tori_of_any_shape),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
