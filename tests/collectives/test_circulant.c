/* The circulant broadcast's schedule: the conditions that prove it for any number of pieces hold,
   and where they don't, the verifier finds what is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <tourney/verify.h>

#include "circulant_support.h"

enum { RANKS_ALL = 4096 };

/* All vertices' receives, row by row; owned by the caller. */
static int32_t *receives_of_all(const struct tny_circulant *graph)
{
  int32_t *receives = calloc((size_t)graph->p * (graph->turns + 1), sizeof *receives);
  assert_non_null(receives);
  for (uint32_t vertex = 0; vertex < graph->p; vertex++)
    tny_circulant_receives(graph, vertex, receives + (size_t)vertex * graph->turns);
  return receives;
}

static void check(uint32_t p)
{
  const struct tny_circulant graph = tny_circulant_make(p);
  struct tny_error error = {0};
  int32_t *receives = receives_of_all(&graph);
  if (circulant_check(&graph, receives, &error) != TNY_OK)
    fail_msg("p=%u: %s", p, error.text);
  free(receives);
}

static void the_conditions_hold_for_every_p_up_to_4096(void **state)
{
  (void)state;
  for (uint32_t p = 1; p <= RANKS_ALL; p++)
    check(p);
}

static void the_conditions_hold_for_some_larger_p(void **state)
{
  (void)state;
  const uint32_t ranks[] = {4097, 6561, 8191, 8193, 10007, 16385, 21845, 32769, 65535, 65537};
  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
    check(ranks[i]);
}

static void each_skip_is_half_of_the_next_rounded_up(void **state)
{
  (void)state;
  const struct tny_circulant graph = tny_circulant_make(17);
  const uint32_t skips[] = {1, 2, 3, 5, 9, 17};
  assert_int_equal(graph.turns, 5);
  assert_memory_equal(graph.skip, skips, sizeof skips);
  for (uint32_t k = 0; k < graph.turns; k++)
    assert_int_equal(tny_circulant_base(&graph, skips[k]), k);
  assert_int_equal(tny_circulant_base(&graph, 0), 5);
}

static void as_many_ranks_as_can_be_numbered_fit(void **state)
{
  (void)state;
  const struct tny_circulant graph = tny_circulant_make(UINT32_MAX);
  int32_t receives[TNY_CIRCULANT_TURNS_MAX];
  assert_int_equal(graph.turns, TNY_CIRCULANT_TURNS_MAX);
  tny_circulant_receives(&graph, UINT32_MAX - 1, receives);
  uint64_t seen = 0;
  for (uint32_t k = 0; k < graph.turns; k++)
    seen |= (uint64_t)1 << (receives[k] < 0 ? receives[k] + 32 : receives[k]);
  assert_true(seen == UINT32_MAX);
}

static const int32_t right_at_33[] = {0, -3, -4, -2, -5, -1};
/* What an iterative rewrite of the recursive construction makes of it. */
static const int32_t wrong_at_33[] = {0, -3, -5, -4, -1, -2};

static void rank_1_of_33_receives_what_the_recursive_construction_says(void **state)
{
  (void)state;
  const struct tny_circulant graph = tny_circulant_make(33);
  int32_t receives[TNY_CIRCULANT_TURNS_MAX];
  tny_circulant_receives(&graph, 1, receives);
  assert_memory_equal(receives, right_at_33, sizeof right_at_33);
}

/* All vertices' receives at p = 33, rank 1's being the wrong ones. */
static int32_t *wrong_receives_at_33(const struct tny_circulant *graph)
{
  int32_t *receives = receives_of_all(graph);
  memcpy(receives + graph->turns, wrong_at_33, sizeof wrong_at_33);
  return receives;
}

static void the_conditions_tell_the_vertex_and_the_turn(void **state)
{
  (void)state;
  const struct tny_circulant graph = tny_circulant_make(33);
  struct tny_error error = {0};
  int32_t *receives = wrong_receives_at_33(&graph);
  assert_int_equal(circulant_check(&graph, receives, &error), TNY_BROKEN);
  assert_string_equal(error.text,
                      "vertex 1 of 33 receives piece -5 in turn 2 from vertex 31, which by "
                      "then has received -6 -4, and -3 in the period before");
  free(receives);
}

static void a_piece_that_comes_twice_is_refused_with_the_row(void **state)
{
  (void)state;
  const struct tny_circulant graph = tny_circulant_make(33);
  struct tny_error error = {0};
  int32_t *receives = receives_of_all(&graph);
  receives[graph.turns + 2] = -3;
  assert_int_equal(circulant_check(&graph, receives, &error), TNY_BROKEN);
  assert_string_equal(error.text,
                      "vertex 1 of 33 receives 0 -3 -3 -2 -5 -1; it should receive 0 and, "
                      "once each, -1 to -6 but for -6");
  free(receives);
}

/* The broadcast of vertices that receive this; what a vertex sends is what its receivers receive.
   */
static struct tny_schedule *schedule_of(const struct tny_circulant *graph, const int32_t *receives,
                                        uint32_t pieces)
{
  const struct tny_problem problem = {
      .collective = TNY_BROADCAST, .rank_count = graph->p, .piece_count = pieces};
  struct tny_schedule *schedule;
  assert_int_equal(tny_schedule_new(TNY_BROADCAST, graph->p, 0, "circulant", &schedule, NULL),
                   TNY_OK);
  schedule->chunk_count = pieces;
  for (uint32_t vertex = 0; vertex < graph->p; vertex++) {
    struct tny_circulant_rows rows;
    for (uint32_t k = 0; k < graph->turns; k++) {
      const uint32_t to = (vertex + graph->skip[k]) % graph->p;
      rows.receives[k] = receives[vertex * graph->turns + k];
      rows.sends[k] = receives[to * graph->turns + k];
    }
    struct tny_builder builder;
    tny_builder_init(&builder);
    tny_circulant_emit(&problem, vertex, &rows, &builder);
    assert_int_equal(tny_builder_finish(&builder, &schedule->ranks[vertex], NULL), TNY_OK);
  }
  return schedule;
}

/* Through the verifier. */
static enum tny_status prove(const struct tny_circulant *graph, const int32_t *receives,
                             uint32_t pieces, struct tny_error *error)
{
  struct tny_schedule *schedule = schedule_of(graph, receives, pieces);
  enum tny_status status = tny_verify_data(schedule, error);
  if (status == TNY_OK)
    status = tny_verify_progress(schedule, NULL, error);
  tny_schedule_free(schedule);
  return status;
}

/* The rounds of as many are two whole periods, in the second of which each vertex keeps to all of
   its row; periods more only repeat. With fewer, a wrong row may still do. */
static uint32_t pieces_of_two_periods(const struct tny_circulant *graph)
{
  return graph->turns + 1;
}

static void the_verifier_refuses_the_wrong_schedule_of_33_by_rank_step_and_piece(void **state)
{
  (void)state;
  const struct tny_circulant graph = tny_circulant_make(33);
  const uint32_t pieces = pieces_of_two_periods(&graph);
  struct tny_error error = {0};
  int32_t *right = receives_of_all(&graph), *wrong = wrong_receives_at_33(&graph);
  assert_int_equal(prove(&graph, right, pieces, NULL), TNY_OK);
  assert_int_equal(prove(&graph, wrong, pieces, &error), TNY_BROKEN);
  assert_string_equal(error.text, "rank 31 step 4 (send to 1) reads output[0] 1/7, where nothing "
                                  "is written before");
  print_message("rank 1 of 33 receives 0 -3 -5 -4 -1 -2, %u pieces: %s\n", pieces, error.text);
  free(right);
  free(wrong);
}

static void the_wrong_schedule_of_33_fails_from_as_many_pieces_as_a_period_has_turns(void **state)
{
  (void)state;
  const struct tny_circulant graph = tny_circulant_make(33);
  int32_t *wrong = wrong_receives_at_33(&graph);
  for (uint32_t pieces = 1; pieces <= 4 * graph.turns; pieces++)
    assert_int_equal(prove(&graph, wrong, pieces, NULL),
                     pieces < graph.turns ? TNY_OK : TNY_BROKEN);
  free(wrong);
}

/* With two entries of a row exchanged. */
static bool is_refused_when_exchanged(const struct tny_circulant *graph, int32_t *receives,
                                      int32_t *one, int32_t *other)
{
  const int32_t kept = *one;
  *one = *other;
  *other = kept;
  const bool is_refused = circulant_check(graph, receives, NULL) != TNY_OK;
  const uint32_t pieces = pieces_of_two_periods(graph);
  assert_int_equal(is_refused, prove(graph, receives, pieces, NULL) != TNY_OK);
  *other = *one;
  *one = kept;
  return is_refused;
}

static void the_conditions_fail_just_where_the_verifier_refuses(void **state)
{
  (void)state;
  uint32_t exchanged = 0, refused = 0;
  for (uint32_t p = 3; p <= 40; p++) {
    const struct tny_circulant graph = tny_circulant_make(p);
    int32_t *receives = receives_of_all(&graph);
    for (uint32_t vertex = 1; vertex < p; vertex++) {
      int32_t *row = receives + (size_t)vertex * graph.turns;
      for (uint32_t i = 0; i < graph.turns; i++)
        for (uint32_t j = i + 1; j < graph.turns; j++, exchanged++)
          refused += is_refused_when_exchanged(&graph, receives, &row[i], &row[j]);
    }
    free(receives);
  }
  print_message("%u of %u schedules with two entries exchanged are refused\n", refused, exchanged);
  assert_true(refused > exchanged / 10 * 9 && refused < exchanged);
}

static void what_a_vertex_sends_is_what_its_receiver_receives(void **state)
{
  (void)state;
  for (uint32_t p = 2; p <= 70; p++) {
    const struct tny_circulant graph = tny_circulant_make(p);
    int32_t *receives = receives_of_all(&graph);
    int32_t sends[TNY_CIRCULANT_TURNS_MAX];
    for (uint32_t vertex = 0; vertex < p; vertex++) {
      tny_circulant_sends(&graph, vertex, sends);
      for (uint32_t k = 0; k < graph.turns; k++) {
        const uint32_t to = (vertex + graph.skip[k]) % p;
        assert_int_equal(sends[k], receives[to * graph.turns + k]);
        if (vertex == 0)
          assert_int_equal(sends[k], k);
      }
    }
    free(receives);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_conditions_hold_for_every_p_up_to_4096),
      cmocka_unit_test(the_conditions_hold_for_some_larger_p),
      cmocka_unit_test(each_skip_is_half_of_the_next_rounded_up),
      cmocka_unit_test(as_many_ranks_as_can_be_numbered_fit),
      cmocka_unit_test(rank_1_of_33_receives_what_the_recursive_construction_says),
      cmocka_unit_test(the_conditions_tell_the_vertex_and_the_turn),
      cmocka_unit_test(a_piece_that_comes_twice_is_refused_with_the_row),
      cmocka_unit_test(the_verifier_refuses_the_wrong_schedule_of_33_by_rank_step_and_piece),
      cmocka_unit_test(the_wrong_schedule_of_33_fails_from_as_many_pieces_as_a_period_has_turns),
      cmocka_unit_test(the_conditions_fail_just_where_the_verifier_refuses),
      cmocka_unit_test(what_a_vertex_sends_is_what_its_receiver_receives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
