/* The figures of a bench, its CSV, the reading of its ranks' lines, and the bytes it checks. */
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/pattern.h"
#include "cli/bench/reader.h"
#include "cli/bench/stats.h"
#include "cli/shared/csv.h"
#include "core/alloc.h"

static struct bench_quartiles quartiles_of(const double *seconds, uint32_t count)
{
  struct bench_samples samples = {0};
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(bench_samples_add(&samples, seconds[i], NULL), TNY_OK);
  const struct bench_quartiles quartiles = bench_samples_quartiles(&samples);
  tny_free(samples.seconds);
  return quartiles;
}

static void expect_quartiles(const double *seconds, uint32_t count, struct bench_quartiles expected)
{
  const struct bench_quartiles q = quartiles_of(seconds, count);
  assert_float_equal(q.q1, expected.q1, 1e-12);
  assert_float_equal(q.median, expected.median, 1e-12);
  assert_float_equal(q.q3, expected.q3, 1e-12);
}

static void quartiles_of_an_odd_count_are_samples(void **state)
{
  (void)state;
  const double seconds[] = {5, 1, 4, 2, 3};
  expect_quartiles(seconds, 5, (struct bench_quartiles){.q1 = 2, .median = 3, .q3 = 4});
}

static void quartiles_between_samples_are_interpolated(void **state)
{
  (void)state;
  const double seconds[] = {40, 10, 30, 20};
  expect_quartiles(seconds, 4, (struct bench_quartiles){.q1 = 17.5, .median = 25, .q3 = 32.5});
}

static void one_sample_is_all_its_quartiles(void **state)
{
  (void)state;
  const double seconds[] = {7};
  expect_quartiles(seconds, 1, (struct bench_quartiles){.q1 = 7, .median = 7, .q3 = 7});
}

static void no_samples_have_quartiles_of_zero(void **state)
{
  (void)state;
  const struct bench_quartiles q = quartiles_of(NULL, 0);
  assert_float_equal(q.median, 0, 0);
}

static void many_samples_are_all_kept(void **state)
{
  (void)state;
  struct bench_samples samples = {0};
  for (uint32_t i = 0; i <= 1000; i++)
    assert_int_equal(bench_samples_add(&samples, 1000 - i, NULL), TNY_OK);
  assert_float_equal(bench_samples_quartiles(&samples).q1, 250, 1e-9);
  tny_free(samples.seconds);
}

static void a_field_is_quoted_only_where_it_must_be(void **state)
{
  (void)state;
  struct tny_text text = {0};
  csv_add_field(&text, "single:4");
  tny_text_add(&text, "|");
  csv_add_field(&text, "single:4,link=20Mbit/s");
  tny_text_add(&text, "|");
  csv_add_field(&text, "a \"b\"");
  assert_string_equal(text.bytes, "single:4|\"single:4,link=20Mbit/s\"|\"a \"\"b\"\"\"");
  tny_text_release(&text);
}

/* A result of one complete row and one that has only begun. */
static void add_sample(struct bench_row *row, const char *variant, double seconds)
{
  struct bench_variant *found = bench_row_variant(row, variant);
  assert_non_null(found);
  assert_int_equal(bench_samples_add(&found->samples, seconds, NULL), TNY_OK);
}

static struct bench_result make_result(void)
{
  struct bench_result result = {
      .cluster = "single:4,link=20Mbit/s",
      .map = "block",
      .congestion = "cubic",
      .rank_count = 4,
      .row_count = 2,
      .rows_done = 1,
      .rows = tny_new(2, sizeof *result.rows),
  };
  assert_non_null(result.rows);
  struct bench_row *row = &result.rows[0];
  bench_row_begin(row, TNY_ALLTOALL, 8192);
  row->bound_seconds = 0.05;
  for (int i = -1; i <= 1; i++) {
    add_sample(row, "native", 0.3 + 0.02 * i);
    add_sample(row, "planned", 0.1 - 0.01 * i);
  }
  memcpy(row->variants[BENCH_NATIVE].algorithm, "native", sizeof "native");
  memcpy(row->variants[BENCH_PLANNED].algorithm, "shuffle", sizeof "shuffle");
  return result;
}

static void the_csv_has_a_line_for_each_variant_of_a_complete_row(void **state)
{
  (void)state;
  struct bench_result result = make_result();
  struct tny_text text = {0};
  result.rows[0].predicted_seconds = 0.098;
  bench_csv_add(&text, &result);
  assert_string_equal(
      text.bytes,
      "\"single:4,link=20Mbit/s\",block,4,alltoall,8192,native,native,300.0000,290.0000,310.0000,"
      "1.0000,0.1667,3,cubic,\n"
      "\"single:4,link=20Mbit/s\",block,4,alltoall,8192,planned,shuffle,100.0000,95.0000,105.0000,"
      "3.0000,0.5000,3,cubic,98.0000\n");
  tny_text_release(&text);
  bench_result_release(&result);
}

static void what_served_most_calls_is_named(void **state)
{
  (void)state;
  static const char *const served[] = {"native", "shuffle", "native", "shuffle", "shuffle"};
  struct bench_variant variant = {0};
  for (size_t i = 0; i < sizeof served / sizeof *served; i++)
    bench_variant_served(&variant, served[i]);
  assert_string_equal(variant.algorithm, "shuffle");
}

static void the_best_peer_is_one_that_was_not_left_out(void **state)
{
  (void)state;
  struct bench_result result = make_result();
  struct bench_row *row = &result.rows[0];
  add_sample(row, "lucky", 0.1); /* one sample: it was too slow to be called again */
  for (int i = 0; i < 3; i++) {
    add_sample(row, "good", 0.2);
    add_sample(row, "better", 0.15);
  }
  const struct bench_figures figures = bench_row_figures(row);
  assert_string_equal(row->variants[figures.best_peer].name, "better");
  assert_float_equal(figures.peer_ratio, 1.5, 1e-9);
  bench_result_release(&result);
}

static void a_row_without_peers_has_no_best_one(void **state)
{
  (void)state;
  struct bench_result result = make_result();
  assert_int_equal(bench_row_figures(&result.rows[0]).best_peer, 0);
  bench_result_release(&result);
}

static void a_row_has_room_for_so_many_variants(void **state)
{
  (void)state;
  struct bench_result result = make_result();
  char name[16];
  for (int i = 0; i < PEERS_MAX; i++) {
    snprintf(name, sizeof name, "peer%d", i);
    assert_non_null(bench_row_variant(&result.rows[0], name));
  }
  assert_null(bench_row_variant(&result.rows[0], "one too many"));
  bench_result_release(&result);
}

/* Feeds lines up to the first that fails; returns that line's status. */
static enum tny_status read_lines(struct bench_reader *reader, const char *const *lines,
                                  struct tny_error *error)
{
  enum bench_line kind;
  enum tny_status status = TNY_OK;
  for (; *lines && status == TNY_OK; lines++)
    status = bench_reader_read(reader, *lines, &kind, error);
  return status;
}

/* Of a result that is asked for. */
static enum tny_status read_as(const char *const *lines, struct bench_result *result,
                               struct tny_error *error)
{
  struct tny_cluster *cluster;
  assert_int_equal(tny_cluster_generate("single:2,link=80Mbit/s", &cluster, NULL), TNY_OK);
  struct bench_reader reader;
  assert_int_equal(bench_reader_begin(&reader, cluster, result, NULL), TNY_OK);
  const enum tny_status status = read_lines(&reader, lines, error);
  bench_reader_release(&reader);
  tny_cluster_free(cluster);
  return status;
}

static enum tny_status read_all(const char *const *lines, struct bench_result *result,
                                struct tny_error *error)
{
  *result = (struct bench_result){.row_count = 1, .rows = tny_new(1, sizeof *result->rows)};
  bench_row_begin(&result->rows[0], TNY_BROADCAST, 100000);
  return read_as(lines, result, error);
}

/* "rank R host NAME" by the name that the cluster gives its host. */
static void place_line(char line[64], uint32_t rank)
{
  struct tny_cluster *cluster;
  assert_int_equal(tny_cluster_generate("single:2", &cluster, NULL), TNY_OK);
  snprintf(line, 64, "rank %u host %s", (unsigned)rank, cluster->node_names[rank]);
  tny_cluster_free(cluster);
}

static void the_ranks_lines_become_a_row(void **state)
{
  (void)state;
  char first[64], second[64];
  place_line(first, 0);
  place_line(second, 1);
  const char *const lines[] = {"ranks 2",
                               first,
                               second,
                               "some launcher's greeting",
                               "row 1 1 bcast 100000",
                               "sample bcast 100000 native native 0.040000000",
                               "sample bcast 100000 planned pipelined-linear 0.020000000",
                               "sample bcast 100000 tuned:bcast=chain native 0.030000000",
                               "untried bcast 100000 han",
                               "done",
                               NULL};
  struct bench_result result;
  assert_int_equal(read_all(lines, &result, NULL), TNY_OK);
  assert_int_equal(result.rows_done, 1);
  assert_string_equal(result.rows[0].variants[BENCH_PLANNED].algorithm, "pipelined-linear");
  assert_string_equal(result.rows[0].variants[BENCH_PEERS].name, "tuned:bcast=chain");
  assert_int_equal(result.rows[0].untried_count, 1);
  const struct bench_figures figures = bench_row_figures(&result.rows[0]);
  assert_float_equal(figures.ratio, 2, 1e-9);
  assert_float_equal(figures.share[BENCH_PLANNED], 0.5, 1e-9); /* 10 ms at 80 Mbit/s */
  bench_result_release(&result);
}

/* Of two ranks one has twice as much as the other: 100,000 and 50,000 bytes, and the longer block
   takes 10 ms at 80 Mbit/s. */
static void the_bound_is_that_of_the_drawn_sizes(void **state)
{
  (void)state;
  char first[64], second[64];
  place_line(first, 0);
  place_line(second, 1);
  const char *const lines[] = {"ranks 2", first, second, "row 1 1 allgatherv 75000", NULL};
  struct bench_result result = {.row_count = 1,
                                .rows = tny_new(1, sizeof *result.rows),
                                .spread = {.by_zipf = true, .seed = 1}};
  result.rows[0].form = CLI_FORM_UNEVEN;
  bench_row_begin(&result.rows[0], TNY_ALLGATHER, 75000);
  assert_int_equal(read_as(lines, &result, NULL), TNY_OK);
  assert_float_equal(result.rows[0].bound_seconds, 0.01, 1e-9);
  bench_result_release(&result);
}

/* On a grid of 2 x 1 each rank has two edges to the other: in an all-to-all a block for each, in an
   all-gather one for both. */
static void the_bound_of_neighbours_is_that_of_their_edges(void **state)
{
  (void)state;
  char first[64], second[64];
  place_line(first, 0);
  place_line(second, 1);
  static const struct {
    enum tny_collective collective;
    enum cli_form form;
    uint64_t bytes;
    const char *row;
  } cases[] = {
      {TNY_ALLTOALL, CLI_FORM_NEIGHBOURS, 50000, "row 1 1 neighbor_alltoall 50000"},
      {TNY_ALLGATHER, CLI_FORM_NEIGHBOURS, 100000, "row 1 1 neighbor_allgather 100000"},
      /* both pairs' sizes are drawn: 4/3 of the mean, and 2/3 */
      {TNY_ALLTOALL, CLI_FORM_UNEVEN_NEIGHBOURS, 37500, "row 1 1 neighbor_alltoallv 37500"},
      {TNY_ALLGATHER, CLI_FORM_UNEVEN_NEIGHBOURS, 75000, "row 1 1 neighbor_allgatherv 75000"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *const lines[] = {"ranks 2", first, second, "grid 2x1", cases[i].row, NULL};
    struct bench_result result = {.row_count = 1,
                                  .rows = tny_new(1, sizeof *result.rows),
                                  .spread = {.by_zipf = true, .seed = 1}};
    result.rows[0].form = cases[i].form;
    bench_row_begin(&result.rows[0], cases[i].collective, cases[i].bytes);
    assert_int_equal(read_as(lines, &result, NULL), TNY_OK);
    assert_float_equal(result.rows[0].bound_seconds, 0.01, 1e-9);
    assert_string_equal(result.grid, "2x1");
    const char *const without[] = {"ranks 2", first, second, cases[i].row, NULL};
    assert_int_equal(read_as(without, &result, NULL), TNY_BAD_INPUT);
    const char *const of_others[] = {"ranks 2", first, second, "grid 3x1", NULL};
    assert_int_equal(read_as(of_others, &result, NULL), TNY_BAD_INPUT);
    bench_result_release(&result);
  }
}

static void a_rank_on_an_unknown_host_is_named(void **state)
{
  (void)state;
  const char *const lines[] = {"ranks 2", "rank 0 host nowhere", NULL};
  struct bench_result result;
  struct tny_error error = {0};
  assert_int_equal(read_all(lines, &result, &error), TNY_BAD_INPUT);
  assert_non_null(strstr(error.text, "'nowhere'"));
  bench_result_release(&result);
}

static void lines_out_of_order_are_refused(void **state)
{
  (void)state;
  static const char *const cases[][2] = {
      {"sample bcast 100000 native native 0.1", NULL},
      {"row 1 1 bcast 100000", NULL},
      {"untried bcast 100000 han", NULL},
      {"rank 0 host a", NULL},
      {"done", NULL},
      {"ranks two", NULL},
      {"ranks 1", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bench_result result;
    assert_int_equal(read_all(cases[i], &result, NULL), TNY_BAD_INPUT);
    bench_result_release(&result);
  }
}

static void every_wrong_byte_is_found_where_it_is(void **state)
{
  (void)state;
  uint8_t block[37];
  const uint64_t seed = bench_pattern_seed(3, 5, 7);
  for (uint64_t bytes = 1; bytes <= sizeof block; bytes++) {
    bench_pattern_fill(block, bytes, seed);
    assert_int_equal(bench_pattern_check(block, bytes, seed), bytes);
    for (uint64_t i = 0; i < bytes; i++) {
      assert_int_equal(block[i], bench_pattern_byte(seed, i));
      block[i] ^= 1;
      assert_int_equal(bench_pattern_check(block, bytes, seed), i);
      block[i] ^= 1;
    }
  }
}

static void blocks_differ_by_source_target_and_iteration(void **state)
{
  (void)state;
  uint8_t block[64];
  bench_pattern_fill(block, sizeof block, bench_pattern_seed(1, 2, 3));
  assert_true(bench_pattern_check(block, sizeof block, bench_pattern_seed(2, 1, 3)) < 8);
  assert_true(bench_pattern_check(block, sizeof block, bench_pattern_seed(0, 2, 3)) < 8);
  assert_true(bench_pattern_check(block, sizeof block, bench_pattern_seed(1, 0, 3)) < 8);
  assert_true(bench_pattern_check(block, sizeof block, bench_pattern_seed(1, 2, 4)) < 8);
  /* the same bytes 8 further on: a message that was shifted */
  assert_true(bench_pattern_check(block + 8, 56, bench_pattern_seed(1, 2, 3)) < 8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quartiles_of_an_odd_count_are_samples),
      cmocka_unit_test(quartiles_between_samples_are_interpolated),
      cmocka_unit_test(one_sample_is_all_its_quartiles),
      cmocka_unit_test(no_samples_have_quartiles_of_zero),
      cmocka_unit_test(many_samples_are_all_kept),
      cmocka_unit_test(a_field_is_quoted_only_where_it_must_be),
      cmocka_unit_test(the_csv_has_a_line_for_each_variant_of_a_complete_row),
      cmocka_unit_test(what_served_most_calls_is_named),
      cmocka_unit_test(the_best_peer_is_one_that_was_not_left_out),
      cmocka_unit_test(a_row_without_peers_has_no_best_one),
      cmocka_unit_test(a_row_has_room_for_so_many_variants),
      cmocka_unit_test(the_ranks_lines_become_a_row),
      cmocka_unit_test(the_bound_is_that_of_the_drawn_sizes),
      cmocka_unit_test(the_bound_of_neighbours_is_that_of_their_edges),
      cmocka_unit_test(a_rank_on_an_unknown_host_is_named),
      cmocka_unit_test(lines_out_of_order_are_refused),
      cmocka_unit_test(every_wrong_byte_is_found_where_it_is),
      cmocka_unit_test(blocks_differ_by_source_target_and_iteration),
  };
  unsetenv("TOURNEY_MAP"); /* it would place ranks by number */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
