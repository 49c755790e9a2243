/* Blocks whose sizes are drawn, and the edges of grids of ranks, by their definitions. */
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

#include <tourney/pattern.h>

static void drawn_sizes_are_between_their_least_and_their_most(void **state)
{
  (void)state;
  const struct tny_unevenness spread = {.least_part = 1, .most_part = 8, .mean_bytes = 16384};
  struct tny_pattern *pattern;
  uint64_t least = UINT64_MAX, most = 0, sum = 0;
  assert_int_equal(tny_pattern_uneven(64, TNY_ALLTOALL, &spread, &pattern, NULL), TNY_OK);
  for (uint32_t i = 0; i < 64 * 64; i++) {
    sum += pattern->bytes[i];
    least = pattern->bytes[i] < least ? pattern->bytes[i] : least;
    most = pattern->bytes[i] > most ? pattern->bytes[i] : most;
  }
  assert_in_range(least, 3640, 3700);
  assert_in_range(most, 29060, 29127);
  assert_in_range(sum / (64 * 64), 16384 - 400, 16384 + 400);
  tny_pattern_free(pattern);
  assert_int_equal(tny_pattern_uneven(5, TNY_ALLGATHER, &spread, &pattern, NULL), TNY_OK);
  assert_int_equal(pattern->bytes[5], pattern->bytes[9]);
  assert_int_not_equal(pattern->bytes[5], pattern->bytes[0]);
  tny_pattern_free(pattern);
  assert_int_equal(tny_pattern_uneven(5, TNY_REDUCE_SCATTER, &spread, &pattern, NULL), TNY_OK);
  assert_int_equal(pattern->bytes[1], pattern->bytes[21]);
  assert_int_not_equal(pattern->bytes[5], pattern->bytes[6]);
  tny_pattern_free(pattern);
}

static int compare_longest_first(const void *a, const void *b)
{
  const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return (left < right) - (left > right);
}

/* Sizes are those of Zipf's law in some order: the longest one over the places, longest first. */
static void expect_zipf(uint64_t *bytes, size_t count, uint64_t mean_bytes)
{
  uint64_t sum = 0;
  qsort(bytes, count, sizeof *bytes, compare_longest_first);
  for (size_t i = 0; i < count; i++) {
    const uint64_t expected = bytes[0] / (i + 1);
    assert_in_range(bytes[i], expected, expected + 1);
    sum += bytes[i];
  }
  assert_in_range(sum / count, mean_bytes - 2, mean_bytes);
}

static const struct tny_unevenness by_zipf = {.by_zipf = true, .seed = 1, .mean_bytes = 16384};

static void sizes_by_zipf_are_the_longest_one_over_their_places(void **state)
{
  (void)state;
  enum { RANKS = 20, BLOCKS = RANKS * (RANKS - 1) };
  struct tny_unevenness spread = by_zipf;
  struct tny_pattern *pattern, *other;
  assert_int_equal(tny_pattern_uneven(RANKS, TNY_ALLTOALL, &spread, &pattern, NULL), TNY_OK);
  spread.seed = 2;
  assert_int_equal(tny_pattern_uneven(RANKS, TNY_ALLTOALL, &spread, &other, NULL), TNY_OK);
  assert_true(memcmp(pattern->bytes, other->bytes, (size_t)RANKS * RANKS * 8) != 0);
  for (size_t rank = 0; rank < RANKS; rank++)
    assert_int_equal(pattern->bytes[rank * RANKS + rank], 0);
  qsort(pattern->bytes, (size_t)RANKS * RANKS, sizeof *pattern->bytes, compare_longest_first);
  expect_zipf(pattern->bytes, BLOCKS, 16384);
  tny_pattern_free(pattern);
  tny_pattern_free(other);
  spread.mean_bytes = 0;
  assert_int_equal(tny_pattern_uneven(3, TNY_ALLTOALL, &spread, &pattern, NULL), TNY_OK);
  assert_int_equal(pattern->bytes[1], 1);
  tny_pattern_free(pattern);
}

/* What a rank has for all, or all have for a rank, is one size: so many as ranks are drawn. */
static void blocks_for_all_or_of_all_have_one_size_by_zipf(void **state)
{
  (void)state;
  enum { RANKS = 17 };
  static const struct {
    enum tny_collective collective;
    bool by_sender;
  } cases[] = {
      {TNY_ALLGATHER, true}, {TNY_GATHER, true}, {TNY_SCATTER, false}, {TNY_REDUCE_SCATTER, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tny_pattern *pattern;
    uint64_t sizes[RANKS];
    assert_int_equal(tny_pattern_uneven(RANKS, cases[i].collective, &by_zipf, &pattern, NULL),
                     TNY_OK);
    for (size_t block = 0; block < (size_t)RANKS * RANKS; block++) {
      const size_t whose = cases[i].by_sender ? block / RANKS : block % RANKS;
      if (block == (cases[i].by_sender ? whose * RANKS : whose))
        sizes[whose] = pattern->bytes[block];
      assert_int_equal(pattern->bytes[block], sizes[whose]);
    }
    expect_zipf(sizes, RANKS, 16384);
    tny_pattern_free(pattern);
  }
}

static void how_sizes_are_drawn_is_read_or_refused(void **state)
{
  (void)state;
  struct tny_unevenness spread = {.mean_bytes = 7};
  assert_int_equal(tny_unevenness_parse("2:5", &spread, NULL), TNY_OK);
  assert_false(spread.by_zipf);
  assert_int_equal(spread.least_part, 2);
  assert_int_equal(spread.most_part, 5);
  assert_int_equal(spread.mean_bytes, 7);
  assert_int_equal(tny_unevenness_parse("zipf", &spread, NULL), TNY_OK);
  assert_true(spread.by_zipf);
  static const char *const refused[] = {"",     "zip",       "zipf:1",      "8:1",  "0:1",
                                        "1:8x", "1",         "-1:8",        "1:-1", "1: 8",
                                        "+1:8", "1:1000000", "1:4294967304"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    assert_int_equal(tny_unevenness_parse(refused[i], &spread, NULL), TNY_BAD_INPUT);
  assert_true(spread.by_zipf);
}

static enum tny_status draw_by_zipf(const void *unused, struct tny_error *error)
{
  (void)unused;
  struct tny_pattern *pattern;
  const enum tny_status status = tny_pattern_uneven(4, TNY_ALLTOALL, &by_zipf, &pattern, error);
  tny_pattern_free(pattern);
  return status;
}

static void drawing_out_of_memory_says_so(void **state)
{
  (void)state;
  assert_true(starve(draw_by_zipf, NULL) > 0);
}

/* The rank at coordinates of a periodic grid, the last one counting fastest. */
static uint32_t rank_at(const int *sides, int count, const int *at)
{
  uint32_t rank = 0;
  for (int d = 0; d < count; d++)
    rank = rank * (uint32_t)sides[d] + (uint32_t)((at[d] + sides[d]) % sides[d]);
  return rank;
}

static void the_edges_of_a_grid_lead_both_ways_in_each_dimension(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int count, sides[3];
  } cases[] = {{"5", 1, {5}},      {"3x4", 2, {3, 4}},      {"2x3", 2, {2, 3}}, {"1x4", 2, {1, 4}},
               {"2x1", 2, {2, 1}}, {"2x3x4", 3, {2, 3, 4}}, {"1", 1, {1}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int *sides = cases[i].sides, count = cases[i].count;
    const uint32_t p = rank_at(sides, count, (int[]){sides[0] - 1, sides[1] - 1, sides[2] - 1}) + 1;
    uint64_t *expected = calloc((size_t)p * p, sizeof *expected);
    struct tny_shape grid;
    struct tny_pattern *pattern;
    assert_non_null(expected);
    for (uint32_t rank = 0; rank < p; rank++) {
      int at[3] = {0}, rest = (int)rank;
      for (int d = count - 1; d >= 0; rest /= sides[d--])
        at[d] = rest % sides[d];
      for (int d = 0; d < count; d++)
        for (int step = -1; step <= 1; step += 2) {
          int beside[3] = {at[0], at[1], at[2]};
          beside[d] += step;
          expected[rank * p + rank_at(sides, count, beside)]++;
        }
    }
    assert_int_equal(tny_grid_parse(cases[i].text, &grid, NULL), TNY_OK);
    assert_int_equal(tny_pattern_edges(&grid, &pattern, NULL), TNY_OK);
    assert_int_equal(pattern->rank_count, p);
    assert_memory_equal(pattern->bytes, expected, (size_t)p * p * sizeof *expected);
    tny_pattern_free(pattern);
    free(expected);
  }
}

static void what_is_no_grid_is_refused(void **state)
{
  (void)state;
  static const char *const refused[] = {"",    "x",    "4x",      "x4",     "0x4",       "4x0",
                                        "4y4", "4x4x", "2x2x2x2", "4x4 ",   "-4",        "99999",
                                        "4,4", "a",    "4xx4",    "2x2x2x", "1000000000"};
  struct tny_shape grid;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    assert_int_equal(tny_grid_parse(refused[i], &grid, NULL), TNY_BAD_INPUT);
  struct tny_pattern *pattern;
  assert_int_equal(tny_grid_parse("30000x30000", &grid, NULL), TNY_OK);
  assert_int_equal(tny_pattern_edges(&grid, &pattern, NULL), TNY_BAD_INPUT);
  assert_null(pattern);
}

/* By Zipf's law the mean is that of the pairs that have something, and no other gets any. */
static void only_what_a_pattern_has_is_drawn(void **state)
{
  (void)state;
  struct tny_shape grid;
  struct tny_pattern *edges, *pattern;
  assert_int_equal(tny_grid_parse("4x5", &grid, NULL), TNY_OK);
  assert_int_equal(tny_pattern_edges(&grid, &edges, NULL), TNY_OK);
  for (int law = 0; law < 2; law++)
    for (int c = 0; c < 2; c++) {
      const enum tny_collective collective = c == 0 ? TNY_ALLTOALL : TNY_ALLGATHER;
      const struct tny_unevenness between = {.least_part = 1, .most_part = 8, .mean_bytes = 16384};
      assert_int_equal(tny_pattern_edges(&grid, &pattern, NULL), TNY_OK);
      assert_int_equal(tny_pattern_draw(pattern, collective, law == 0 ? &between : &by_zipf, NULL),
                       TNY_OK);
      for (size_t i = 0; i < 400; i++)
        assert_int_equal(pattern->bytes[i] > 0, edges->bytes[i] > 0);
      if (law == 1 && c == 0) {
        qsort(pattern->bytes, 400, sizeof *pattern->bytes, compare_longest_first);
        expect_zipf(pattern->bytes, 80, 16384);
      }
      tny_pattern_free(pattern);
    }
  tny_pattern_free(edges);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drawn_sizes_are_between_their_least_and_their_most),
      cmocka_unit_test(sizes_by_zipf_are_the_longest_one_over_their_places),
      cmocka_unit_test(blocks_for_all_or_of_all_have_one_size_by_zipf),
      cmocka_unit_test(how_sizes_are_drawn_is_read_or_refused),
      cmocka_unit_test(drawing_out_of_memory_says_so),
      cmocka_unit_test(the_edges_of_a_grid_lead_both_ways_in_each_dimension),
      cmocka_unit_test(what_is_no_grid_is_refused),
      cmocka_unit_test(only_what_a_pattern_has_is_drawn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
