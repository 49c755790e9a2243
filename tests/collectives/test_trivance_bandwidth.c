/* Trivance for the most bandwidth: the reduce-scatter by thirds, its all-gather, and the all-reduce
   of both. As few steps as there can be on any ring, no block twice, a third of all on each link in
   each step where the side is 3^k, and the blocks of a message in a row. */
#include "torus_support.h"

static const struct tny_algorithm *find(enum tny_collective collective, const char *name)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, name);
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

/* Plans for a number of ranks that no cluster says anything of; proves data, progress and claim. */
static struct tny_schedule *prove_by_number(const struct tny_algorithm *algorithm, uint32_t p,
                                            uint32_t pieces, struct tny_claim *claim)
{
  const struct tny_problem problem = {.collective = algorithm->collective, .rank_count = p};
  struct tny_problem prepared;
  struct tny_schedule *schedule = NULL;
  struct tny_report report;
  struct tny_error error = {0};
  enum tny_status status = tny_problem_prepare(algorithm, &problem, &prepared, &error);
  if (status == TNY_OK)
    status = tny_plan_all(algorithm, &prepared, (struct tny_pace){.chunk_count = pieces}, &schedule,
                          &error);
  if (status == TNY_OK)
    status = tny_verify_schedule(schedule, &report, &error);
  if (status == TNY_OK) {
    const struct tny_problem settled = tny_plan_problem(algorithm, &prepared, pieces);
    *claim = tny_algorithm_claim(algorithm, &settled);
    status = tny_verify_claim(&report, claim, &error);
  }
  if (status != TNY_OK)
    fail_msg("%s of %u ranks: %s", tny_collective_name(algorithm->collective), p, error.text);
  tny_problem_release(algorithm, &prepared);
  return schedule;
}

static void any_number_of_ranks_takes_log3_steps(void **state)
{
  (void)state;
  for (uint32_t p = 1; p <= 130; p++) {
    struct tny_claim claim;
    tny_schedule_free(prove_by_number(find(TNY_ALLGATHER, "trivance"), p, 1, &claim));
    assert_int_equal(claim.phases, log3_ceil(p));
    assert_int_equal(claim.blocks_sent_max, p - 1);
    assert_true(claim.rounds <= 2 * claim.phases);
    tny_schedule_free(prove_by_number(find(TNY_REDUCE_SCATTER, "trivance"), p, 1, &claim));
    assert_int_equal(claim.phases, log3_ceil(p));
    assert_int_equal(claim.blocks_sent_max, p - 1);
    tny_schedule_free(prove_by_number(find(TNY_ALLREDUCE, "trivance-bandwidth"), p, p, &claim));
    assert_int_equal(claim.phases, 2 * log3_ceil(p));
    assert_true(claim.blocks_sent_max <= 2 && claim.scratch_blocks <= 3);
  }
}

/* A power of three needs no packing: a message is what is held. */
static void all_that_is_held_goes_both_ways_the_farthest_first(void **state)
{
  (void)state;
  static const uint32_t ways[] = {18, 9, 24, 3, 26, 1}, blocks[] = {1, 1, 3, 3, 9, 9};
  struct tny_claim claim;
  struct tny_schedule *schedule = prove_by_number(find(TNY_ALLGATHER, "trivance"), 27, 1, &claim);
  const struct tny_steps *steps = &schedule->ranks[5];
  uint32_t sends = 0;
  assert_int_equal(claim.scratch_blocks, 27);
  for (uint32_t i = 0; i < steps->count; i++) {
    if (steps->steps[i].kind != TNY_SEND)
      continue;
    assert_true(sends < 6);
    assert_int_equal(steps->steps[i].peer, (5 + ways[sends]) % 27);
    assert_int_equal(steps->steps[i].phase, sends / 2);
    assert_int_equal(steps->steps[i].span.count, blocks[sends]);
    sends++;
  }
  assert_int_equal(sends, 6);
  tny_schedule_free(schedule);
}

/* As the authors' simulator prints it for a ring of 8 in its README: in the first step of the
   reduce-scatter, which is the all-gather's last, 3 of 8 blocks go one way and 2 the other. */
static void a_ring_of_eight_gives_five_blocks_away_first(void **state)
{
  (void)state;
  struct tny_claim claim;
  struct tny_schedule *schedule =
      prove_by_number(find(TNY_REDUCE_SCATTER, "trivance"), 8, 1, &claim);
  uint32_t sent[2] = {0};
  for (uint32_t i = 0; i < schedule->ranks[6].count; i++) {
    const struct tny_step *step = &schedule->ranks[6].steps[i];
    if (step->kind == TNY_SEND && step->phase == 0)
      sent[step->peer == 7] += step->span.count;
    assert_true(step->kind != TNY_SEND || step->phase > 0 || step->peer == 7 || step->peer == 5);
  }
  assert_int_equal(sent[1], 3);
  assert_int_equal(sent[0], 2);
  tny_schedule_free(schedule);
}

static void begin_on(struct trial *trial, enum tny_collective collective, const char *name,
                     const char *cluster, uint32_t ranks_a_host)
{
  begin(trial, cluster, "shift", ranks_a_host);
  trial->on.problem.collective = collective;
  trial->algorithm = find(collective, name);
}

/* Adds up the blocks on each link in a phase. */
static void add_up(const struct trial *trial, uint32_t phase, uint64_t *blocks)
{
  for (uint32_t rank = 0; rank < trial->schedule->rank_count; rank++)
    for (uint32_t i = 0; i < trial->schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &trial->schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND || step->phase != phase)
        continue;
      const uint32_t to = trial->on.hosts[step->peer];
      uint32_t node = trial->on.hosts[rank], link;
      for (; (link = tny_routes_next(trial->on.routes, node, to)) != TNY_NONE;
           node = trial->on.cluster->links[link].to)
        blocks[link] += step->span.count;
    }
}

/* The blocks on each trunk, in each phase of the all-gather. */
static void expect_blocks_on_links(const char *cluster, uint32_t phases, uint32_t expected)
{
  struct trial trial;
  begin_on(&trial, TNY_ALLGATHER, "trivance", cluster, 1);
  plan(&trial, whole);
  for (uint32_t phase = 0; phase < phases; phase++) {
    uint64_t *blocks = tny_new(trial.on.cluster->link_count, sizeof *blocks);
    assert_non_null(blocks);
    add_up(&trial, phase, blocks);
    for (uint32_t link = 0; link < trial.on.cluster->link_count; link++)
      if (tny_link_is_trunk(trial.on.cluster, link))
        assert_int_equal(blocks[link], expected);
    tny_free(blocks);
  }
  end(&trial);
}

static void each_link_carries_a_third_of_all_blocks_in_each_step(void **state)
{
  (void)state;
  expect_blocks_on_links("ring:3", 1, 1);
  expect_blocks_on_links("ring:9", 2, 3);
  expect_blocks_on_links("ring:27", 3, 9);
}

static void expect_claim(const struct tny_algorithm *algorithm, struct trial *trial,
                         const char *cluster)
{
  struct tny_problem prepared;
  struct tny_schedule *schedule = NULL;
  struct tny_report report;
  struct tny_error error = {0};
  const uint32_t pieces = algorithm->cut == TNY_CUT_OWN ? trial->on.problem.rank_count : 1;
  enum tny_status status = tny_problem_prepare(algorithm, &trial->on.problem, &prepared, &error);
  if (status == TNY_OK)
    status = tny_plan_all(algorithm, &prepared, (struct tny_pace){.chunk_count = pieces}, &schedule,
                          &error);
  if (status == TNY_OK)
    status = tny_verify_schedule(schedule, &report, &error);
  if (status == TNY_OK) {
    const struct tny_problem settled = tny_plan_problem(algorithm, &prepared, pieces);
    const struct tny_claim claim = tny_algorithm_claim(algorithm, &settled);
    status = tny_verify_claim(&report, &claim, &error);
    if (status == TNY_OK)
      status = tny_verify_links(schedule, &trial->on.network, 0, &report, &error);
    if (status == TNY_OK && claim.grid_link_messages > 0 &&
        trial->on.problem.rank_count == trial->on.cluster->host_count)
      assert_true(report.phase_trunk_messages <= claim.grid_link_messages);
  }
  if (status != TNY_OK)
    fail_msg("%s on %s: %s", tny_collective_name(algorithm->collective), cluster, error.text);
  tny_schedule_free(schedule);
  tny_problem_release(algorithm, &prepared);
}

static void tori_of_any_shape_are_served(void **state)
{
  (void)state;
  static const char *const shapes[] = {"ring:3",      "ring:4",     "ring:6",     "ring:13",
                                       "ring:17",     "ring:26",    "torus:3x3",  "torus:4x4",
                                       "torus:3x9",   "torus:9x6",  "torus:10x4", "torus:5x6",
                                       "torus:3x3x5", "torus:3x4x4"};
  static const struct {
    enum tny_collective collective;
    const char *name;
  } forms[] = {{TNY_ALLGATHER, "trivance"},
               {TNY_REDUCE_SCATTER, "trivance"},
               {TNY_ALLREDUCE, "trivance-bandwidth"}};
  for (size_t form = 0; form < sizeof forms / sizeof *forms; form++)
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
      for (uint32_t ranks_a_host = 1; ranks_a_host <= 3; ranks_a_host++) {
        struct trial trial;
        begin_on(&trial, forms[form].collective, forms[form].name, shapes[i], ranks_a_host);
        expect_claim(trial.algorithm, &trial, shapes[i]);
        end(&trial);
      }
}

/* Two messages in a phase of the all-reduce, each of parts in a row, where sides are 3^k or twice
   that, or one of them is four times that; else some go in several. */
static void parts_of_a_message_are_in_a_row(void **state)
{
  (void)state;
  static const char *const shapes[] = {"ring:9",    "ring:27",    "ring:12",    "ring:18",
                                       "ring:4",    "ring:36",    "torus:3x3",  "torus:9x3",
                                       "torus:6x4", "torus:12x3", "torus:3x6x3"};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    struct trial trial;
    begin_on(&trial, TNY_ALLREDUCE, "trivance-bandwidth", shapes[i], 1);
    const uint32_t p = trial.on.problem.rank_count;
    plan(&trial, (struct tny_pace){.chunk_count = p});
    for (uint32_t rank = 0; rank < p; rank++) {
      uint32_t sends[64] = {0};
      for (uint32_t k = 0; k < trial.schedule->ranks[rank].count; k++)
        if (trial.schedule->ranks[rank].steps[k].kind == TNY_SEND)
          assert_true(++sends[trial.schedule->ranks[rank].steps[k].phase] <= 2);
    }
    end(&trial);
  }
}

static void all_ranks_get_the_same_bits(void **state)
{
  (void)state;
  for (uint32_t p = 2; p <= 30; p++) {
    struct tny_claim claim;
    struct tny_report report;
    struct tny_schedule *schedule =
        prove_by_number(find(TNY_ALLREDUCE, "trivance-bandwidth"), p, p, &claim);
    assert_int_equal(tny_verify_schedule(schedule, &report, NULL), TNY_OK);
    assert_true(report.bits.on_all_ranks);
    tny_schedule_free(schedule);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_number_of_ranks_takes_log3_steps),
      cmocka_unit_test(all_that_is_held_goes_both_ways_the_farthest_first),
      cmocka_unit_test(a_ring_of_eight_gives_five_blocks_away_first),
      cmocka_unit_test(each_link_carries_a_third_of_all_blocks_in_each_step),
      cmocka_unit_test(tori_of_any_shape_are_served),
      cmocka_unit_test(parts_of_a_message_are_in_a_row),
      cmocka_unit_test(all_ranks_get_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
