/* The broadcasts: what each sends to whom in which round, against the papers' figures and tables.
   That all are right, for every root, is test_algorithms.c's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include <tourney/verify.h>

static const struct tny_algorithm *find(const char *name)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_BROADCAST, name);
  assert_non_null(algorithm);
  return algorithm;
}

static struct tny_schedule *plan(const char *name, uint32_t rank_count, uint32_t root,
                                 uint32_t chunk_count)
{
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  const struct tny_problem problem = {
      .collective = TNY_BROADCAST, .rank_count = rank_count, .root = root};
  const struct tny_pace pace = {.chunk_count = chunk_count};
  if (tny_plan_all(find(name), &problem, pace, &schedule, &error) != TNY_OK)
    fail_msg("%s", error.text);
  return schedule;
}

/* Of a schedule that the verifier finds right. */
static uint32_t rounds_of(const struct tny_schedule *schedule)
{
  struct tny_report report;
  struct tny_error error = {0};
  if (tny_verify_data(schedule, &error) != TNY_OK ||
      tny_verify_progress(schedule, &report, &error) != TNY_OK)
    fail_msg("%s, %u ranks, root %u, %u pieces: %s", schedule->algorithm, schedule->rank_count,
             schedule->root, schedule->chunk_count, error.text);
  return report.rounds;
}

static uint32_t rounds(const char *name, uint32_t rank_count, uint32_t chunk_count)
{
  struct tny_schedule *schedule = plan(name, rank_count, rank_count / 3, chunk_count);
  const uint32_t count = rounds_of(schedule);
  tny_schedule_free(schedule);
  return count;
}

/* The verifier's rounds and blocks against the claim. */
static void keep_claim(const char *name, uint32_t rank_count, uint32_t chunk_count)
{
  const struct tny_problem problem = {.collective = TNY_BROADCAST, .rank_count = rank_count};
  struct tny_report report;
  struct tny_error error = {0};
  struct tny_problem prepared;
  assert_int_equal(tny_problem_prepare(find(name), &problem, &prepared, NULL), TNY_OK);
  const struct tny_problem settled = tny_plan_problem(find(name), &prepared, chunk_count);
  const struct tny_claim claim = find(name)->claim(&settled);
  tny_problem_release(find(name), &prepared);
  struct tny_schedule *schedule = plan(name, rank_count, rank_count - 1, chunk_count);
  rounds_of(schedule);
  assert_int_equal(tny_verify_progress(schedule, &report, NULL), TNY_OK);
  if (tny_verify_claim(&report, &claim, &error) != TNY_OK)
    fail_msg("%s, %u ranks, %u pieces: %s", name, rank_count, chunk_count, error.text);
  tny_schedule_free(schedule);
}

/* Every rank but the root receives each piece once. */
static void expect_each_piece_once(const struct tny_schedule *schedule)
{
  const uint32_t chunks = schedule->chunk_count;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    uint32_t *received = calloc(chunks, sizeof *received);
    assert_non_null(received);
    const struct tny_steps *steps = &schedule->ranks[rank];
    for (uint32_t i = 0; i < steps->count; i++) {
      const struct tny_span *span = &steps->steps[i].span;
      const uint32_t count = span->chunk_count == 1 ? chunks : span->chunks;
      for (uint32_t k = 0; k < count && steps->steps[i].kind == TNY_RECV; k++)
        received[span->chunk + k]++;
    }
    for (uint32_t k = 0; k < chunks; k++)
      assert_int_equal(received[k], rank != schedule->root);
    free(received);
  }
}

/* A message as a figure shows it. */
struct message {
  uint32_t phase, from, to, first, count;
};

static bool has_message(const struct tny_schedule *schedule, const struct message *message)
{
  const struct tny_steps *steps = &schedule->ranks[message->from];
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct tny_step *step = &steps->steps[i];
    if (step->kind == TNY_SEND && step->phase == message->phase && step->peer == message->to &&
        step->span.chunk == message->first && step->span.chunks == message->count)
      return true;
  }
  return false;
}

/* These messages and no others. */
static void expect_messages(const struct tny_schedule *schedule, const struct message *messages,
                            size_t count)
{
  struct tny_report report;
  assert_int_equal(tny_verify_progress(schedule, &report, NULL), TNY_OK);
  assert_int_equal(report.messages, count);
  for (size_t i = 0; i < count; i++)
    if (!has_message(schedule, &messages[i]))
      fail_msg("%s lacks the message %u -> %u of phase %u", schedule->algorithm, messages[i].from,
               messages[i].to, messages[i].phase);
}

static void linear_hands_the_whole_message_on_however_many_chunks_are_asked_for(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan("linear", 4, 1, 5);
  const struct message messages[] = {{0, 1, 2, 0, 1}, {1, 2, 3, 0, 1}, {2, 3, 0, 0, 1}};
  expect_messages(schedule, messages, 3);
  assert_int_equal(schedule->chunk_count, 1);
  tny_schedule_free(schedule);
}

static void pipelined_linear_takes_a_round_more_for_each_chunk_more(void **state)
{
  (void)state;
  for (uint32_t p = 2; p <= 17; p++)
    for (uint32_t chunks = 1; chunks <= 6; chunks++)
      assert_int_equal(rounds("pipelined-linear", p, chunks), chunks + p - 2);
}

/* Figure 1 of axida2009. */
static void binomial_is_the_tree_of_order_4(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan("binomial", 16, 0, 1);
  struct message messages[15];
  uint32_t count = 0;
  for (uint32_t phase = 0; phase < 4; phase++)
    for (uint32_t from = 0; from < 16; from += 16u >> phase)
      messages[count++] = (struct message){phase, from, from + (8u >> phase), 0, 1};
  expect_messages(schedule, messages, count);
  tny_schedule_free(schedule);
}

static void van_de_geijn_halves_the_message_and_doubles_it_again(void **state)
{
  (void)state;
  struct tny_schedule *four = plan("van-de-geijn", 4, 0, 1), *five = plan("van-de-geijn", 5, 0, 1);
  const struct message of_four[] = {{0, 0, 2, 2, 2}, {1, 0, 1, 1, 1}, {1, 2, 3, 3, 1},
                                    {2, 0, 1, 0, 1}, {2, 2, 3, 2, 1}, {3, 0, 2, 0, 2},
                                    {3, 1, 3, 0, 2}, {3, 3, 1, 2, 2}};
  /* Positions 0 1 2 and 3 4: who has no counterpart is served by the free one. */
  const struct message of_five[] = {{0, 0, 3, 3, 2}, {1, 0, 2, 2, 1}, {1, 3, 4, 4, 1},
                                    {2, 0, 1, 1, 1}, {3, 0, 1, 0, 1}, {4, 0, 2, 0, 2},
                                    {4, 2, 1, 2, 1}, {4, 3, 4, 3, 1}, {5, 0, 3, 0, 3},
                                    {5, 1, 4, 0, 3}, {5, 3, 2, 3, 2}, {5, 4, 1, 3, 2}};
  expect_messages(four, of_four, sizeof of_four / sizeof *of_four);
  expect_messages(five, of_five, sizeof of_five / sizeof *of_five);
  tny_schedule_free(four);
  tny_schedule_free(five);
}

static void van_de_geijn_takes_two_doublings_for_any_p_and_wastes_nothing(void **state)
{
  (void)state;
  for (uint32_t p = 1, doublings = 0; p <= 130; p++) {
    doublings += p > 1u << doublings;
    struct tny_schedule *schedule = plan("van-de-geijn", p, p / 2, 1);
    assert_int_equal(rounds_of(schedule), 2 * doublings);
    expect_each_piece_once(schedule);
    tny_schedule_free(schedule);
    keep_claim("van-de-geijn", p, 1);
  }
}

/* Figure 6 of axida2009: the initial phase and iteration 0, then the next segment's exchange. */
static void round_robin_deals_and_exchanges_as_figure_6_has_it(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan("round-robin", 4, 0, 6);
  const struct message messages[] = {
      {0, 0, 3, 0, 1}, {1, 0, 2, 1, 1}, {2, 0, 1, 2, 1},                  /* initial phase */
      {3, 0, 3, 3, 1}, {3, 1, 2, 2, 1}, {3, 2, 1, 1, 1},                  /* iteration 0 */
      {4, 0, 2, 4, 1}, {4, 1, 3, 2, 1}, {4, 3, 1, 0, 1}, {5, 0, 1, 5, 1}, /* */
      {5, 2, 3, 1, 1}, {5, 3, 2, 0, 1},                                   /* final phase: */
      {6, 1, 2, 5, 1}, {6, 2, 1, 4, 1}, {7, 1, 3, 5, 1}, {7, 3, 1, 3, 1}, /* */
      {8, 2, 3, 4, 1}, {8, 3, 2, 3, 1}};
  expect_messages(schedule, messages, sizeof messages / sizeof *messages);
  tny_schedule_free(schedule);
}

/* Tables 1 and 2: a segment is p-1 pieces, and takes p-1 rounds where p is even, p where it is odd:
   p/(p-1) of the time that its bytes take, which is 1.5 for 3, 1.25 for 5, 1.167 for 7. */
static void each_segment_of_round_robin_takes_the_rounds_of_table_2(void **state)
{
  (void)state;
  for (uint32_t p = 2; p <= 17; p++) {
    const uint32_t segment = p - 1, rounds_a_segment = p % 2 == 1 ? p : p - 1;
    for (uint32_t segments = 2; segments <= 5; segments++)
      assert_int_equal(rounds("round-robin", p, (segments + 1) * segment) -
                           rounds("round-robin", p, segments * segment),
                       rounds_a_segment);
    if (p % 2 == 0 && p > 2)
      assert_int_equal(rounds("round-robin", p, 4 * segment), 4 * segment + p - 1);
  }
}

static void round_robin_keeps_its_claim_for_any_number_of_pieces(void **state)
{
  (void)state;
  for (uint32_t p = 1; p <= 24; p++)
    for (uint32_t pieces = 1; pieces <= 3 * p + 2; pieces++)
      keep_claim("round-robin", p, pieces);
  for (uint32_t p = 63; p <= 65; p++)
    for (uint32_t pieces = 1; pieces <= 3 * p + 2; pieces += 7)
      keep_claim("round-robin", p, pieces);
}

static void round_robin_and_circulant_bring_each_piece_once(void **state)
{
  (void)state;
  const char *const names[] = {"round-robin", "circulant"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    for (uint32_t p = 1; p <= 34; p++) {
      for (uint32_t pieces = 1; pieces <= 50; pieces += 1 + pieces / 4) {
        struct tny_schedule *schedule = plan(names[i], p, p / 2, pieces);
        expect_each_piece_once(schedule);
        tny_schedule_free(schedule);
      }
    }
  }
}

static void circulant_takes_as_few_rounds_as_there_can_be(void **state)
{
  (void)state;
  for (uint32_t p = 2, doublings = 0; p <= 65; p++) {
    doublings += p > 1u << doublings;
    for (uint32_t pieces = 1; pieces <= 2 * doublings + 3; pieces++)
      assert_int_equal(rounds("circulant", p, pieces), pieces - 1 + doublings);
    keep_claim("circulant", p, p);
  }
  assert_int_equal(rounds("circulant", 1, 7), 0);
}

/* So that a rank talks to few others, whatever the number of pieces. */
static void circulant_sends_only_along_its_skips(void **state)
{
  (void)state;
  const uint32_t skips_of_17[] = {1, 2, 3, 5, 9};
  struct tny_schedule *schedule = plan("circulant", 17, 4, 20);
  for (uint32_t rank = 0; rank < 17; rank++) {
    const struct tny_steps *steps = &schedule->ranks[rank];
    for (uint32_t i = 0; i < steps->count; i++) {
      const struct tny_step *step = &steps->steps[i];
      /* 20 - 1 rounds and 5 turns: the last round is a period's last turn. */
      const uint32_t skip = skips_of_17[(step->phase + 1) % 5];
      assert_int_equal(step->peer, (rank + (step->kind == TNY_SEND ? skip : 17 - skip)) % 17);
    }
  }
  tny_schedule_free(schedule);
}

static void two_tree_sends_halves_down_two_trees(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan("two-tree", 4, 0, 1);
  const struct message messages[] = {{0, 0, 2, 0, 1}, {1, 0, 3, 1, 1}, {1, 2, 1, 0, 1},
                                     {2, 2, 3, 0, 1}, {2, 3, 1, 1, 1}, {3, 3, 2, 1, 1}};
  expect_messages(schedule, messages, sizeof messages / sizeof *messages);
  tny_schedule_free(schedule);
}

/* Each rank but the root is a leaf of one tree at least: it sends pieces of one tree alone, to two
   ranks at most, and receives from two. */
static void expect_two_trees(const struct tny_schedule *schedule)
{
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    const struct tny_steps *steps = &schedule->ranks[rank];
    uint32_t peers[2][2] = {{TNY_NONE, TNY_NONE}, {TNY_NONE, TNY_NONE}}, tree = TNY_NONE;
    for (uint32_t i = 0; i < steps->count; i++) {
      const struct tny_step *step = &steps->steps[i];
      const bool sends = step->kind == TNY_SEND;
      uint32_t *peer = &peers[sends][step->phase % 2];
      assert_true(*peer == TNY_NONE || *peer == step->peer);
      *peer = step->peer;
      if (!sends || rank == schedule->root)
        continue;
      assert_true(tree == TNY_NONE || tree == step->span.chunk % 2);
      tree = step->span.chunk % 2;
    }
  }
}

static void two_tree_keeps_every_port_busy_for_any_p(void **state)
{
  (void)state;
  for (uint32_t p = 2, doublings = 0; p <= 130; p++) {
    doublings += p > 1u << doublings;
    for (uint32_t pieces = 1; pieces <= 8; pieces += 7) {
      struct tny_schedule *schedule = plan("two-tree", p, p / 2, pieces);
      assert_true(rounds_of(schedule) <= schedule->chunk_count - 2 + 2 * doublings);
      expect_each_piece_once(schedule);
      expect_two_trees(schedule);
      tny_schedule_free(schedule);
      keep_claim("two-tree", p, pieces);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_hands_the_whole_message_on_however_many_chunks_are_asked_for),
      cmocka_unit_test(pipelined_linear_takes_a_round_more_for_each_chunk_more),
      cmocka_unit_test(binomial_is_the_tree_of_order_4),
      cmocka_unit_test(van_de_geijn_halves_the_message_and_doubles_it_again),
      cmocka_unit_test(van_de_geijn_takes_two_doublings_for_any_p_and_wastes_nothing),
      cmocka_unit_test(round_robin_deals_and_exchanges_as_figure_6_has_it),
      cmocka_unit_test(each_segment_of_round_robin_takes_the_rounds_of_table_2),
      cmocka_unit_test(round_robin_keeps_its_claim_for_any_number_of_pieces),
      cmocka_unit_test(round_robin_and_circulant_bring_each_piece_once),
      cmocka_unit_test(circulant_takes_as_few_rounds_as_there_can_be),
      cmocka_unit_test(circulant_sends_only_along_its_skips),
      cmocka_unit_test(two_tree_sends_halves_down_two_trees),
      cmocka_unit_test(two_tree_keeps_every_port_busy_for_any_p),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
