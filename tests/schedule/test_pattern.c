/* Sparse and uneven patterns: made, read, and an all-to-all cut down to them. */
#include "support/memory.h"

#include <tourney/pattern.h>
#include <tourney/separate.h>
#include <tourney/verify.h>

#include "core/alloc.h"

static struct tny_schedule *plan(const char *name, uint32_t rank_count, struct tny_pace pace)
{
  const struct tny_problem problem = {.collective = TNY_ALLTOALL, .rank_count = rank_count};
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLTOALL, name);
  struct tny_schedule *schedule;
  assert_non_null(algorithm);
  assert_int_equal(tny_plan_all(algorithm, &problem, pace, &schedule, NULL), TNY_OK);
  return schedule;
}

static struct tny_pattern *read_pattern(const char *text)
{
  struct tny_pattern *pattern;
  struct tny_error error = {0};
  if (tny_pattern_read(text, "test", &pattern, &error) != TNY_OK)
    fail_msg("%u:%u: %s", error.line, error.column, error.text);
  return pattern;
}

static struct tny_pattern *random_pattern(uint32_t rank_count, double density, uint64_t seed)
{
  struct tny_pattern *pattern;
  const struct tny_pattern_chance chance = {density, seed};
  assert_int_equal(tny_pattern_random(rank_count, chance, 1, &pattern, NULL), TNY_OK);
  return pattern;
}

static uint64_t bytes_of(const struct tny_pattern *pattern, uint32_t sender, uint32_t receiver)
{
  return pattern->bytes[sender * pattern->rank_count + receiver];
}

static uint32_t count_of(const struct tny_pattern *pattern)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < pattern->rank_count * pattern->rank_count; i++)
    count += pattern->bytes[i] > 0;
  return count;
}

static void neighbours_are_one_step_away_in_one_dimension(void **state)
{
  (void)state;
  struct tny_pattern *pattern;
  const struct tny_shape torus = {2, {4, 3, 1}, true}, mesh = {2, {4, 3, 1}, false};
  const struct tny_shape ring = {1, {5, 1, 1}, true}, pair = {1, {2, 1, 1}, true};
  assert_int_equal(tny_pattern_neighbours(&torus, 7, &pattern, NULL), TNY_OK);
  assert_int_equal(pattern->rank_count, 12);
  assert_int_equal(count_of(pattern), 12 * 4);
  assert_int_equal(bytes_of(pattern, 0, 3), 7);
  assert_int_equal(bytes_of(pattern, 0, 8), 7);
  assert_int_equal(bytes_of(pattern, 5, 9), 7);
  assert_int_equal(bytes_of(pattern, 5, 5), 0);
  tny_pattern_free(pattern);
  assert_int_equal(tny_pattern_neighbours(&mesh, 7, &pattern, NULL), TNY_OK);
  assert_int_equal(count_of(pattern), 2 * (3 * 3 + 4 * 2));
  assert_int_equal(bytes_of(pattern, 0, 3), 0);
  tny_pattern_free(pattern);
  assert_int_equal(tny_pattern_neighbours(&ring, 1, &pattern, NULL), TNY_OK);
  assert_int_equal(count_of(pattern), 10);
  tny_pattern_free(pattern);
  assert_int_equal(tny_pattern_neighbours(&pair, 1, &pattern, NULL), TNY_OK);
  assert_int_equal(count_of(pattern), 2);
  tny_pattern_free(pattern);
}

static void a_hypercube_needs_a_power_of_two(void **state)
{
  (void)state;
  struct tny_pattern *pattern;
  struct tny_error error = {0};
  assert_int_equal(tny_pattern_hypercube(8, 1, &pattern, NULL), TNY_OK);
  assert_int_equal(count_of(pattern), 8 * 3);
  assert_int_equal(bytes_of(pattern, 5, 1), 1);
  assert_int_equal(bytes_of(pattern, 5, 2), 0);
  tny_pattern_free(pattern);
  assert_int_equal(tny_pattern_hypercube(6, 1, &pattern, &error), TNY_REFUSED);
  assert_null(pattern);
  assert_non_null(strstr(error.text, "2^k"));
}

static void a_random_pattern_has_its_density_and_comes_again_with_its_seed(void **state)
{
  (void)state;
  struct tny_pattern *first = random_pattern(64, 0.1, 7), *again = random_pattern(64, 0.1, 7);
  struct tny_pattern *other = random_pattern(64, 0.1, 8);
  const size_t size = (size_t)64 * 64 * sizeof *first->bytes;
  assert_memory_equal(first->bytes, again->bytes, size);
  assert_true(memcmp(first->bytes, other->bytes, size) != 0);
  assert_in_range(count_of(first), 330, 480); /* 403 expected */
  tny_pattern_free(first);
  tny_pattern_free(again);
  tny_pattern_free(other);
  first = random_pattern(9, 1, 1);
  assert_int_equal(count_of(first), 9 * 8);
  tny_pattern_free(first);
  first = random_pattern(9, 0, 1);
  assert_int_equal(count_of(first), 0);
  tny_pattern_free(first);
  assert_int_equal(tny_pattern_random(9, (struct tny_pattern_chance){1.5, 0}, 1, &first, NULL),
                   TNY_BAD_INPUT);
}

static void a_matrix_is_read_with_blanks_and_commas(void **state)
{
  (void)state;
  struct tny_pattern *pattern = read_pattern("# bytes\n0 10, 20\n\n1,2,3 # rank 1\n 7 , 0\t9\r\n");
  const uint64_t expected[] = {0, 10, 20, 1, 2, 3, 7, 0, 9};
  assert_int_equal(pattern->rank_count, 3);
  assert_memory_equal(pattern->bytes, expected, sizeof expected);
  tny_pattern_free(pattern);
}

static void what_ranks_have_for_themselves_counts_for_nothing(void **state)
{
  (void)state;
  struct tny_pattern *pattern = read_pattern("9 4 0 4\n0 0 0 0\n4 4 9 4\n0 4 0 0\n");
  const struct tny_pattern_most most = tny_pattern_most(pattern);
  assert_int_equal(most.sent, 3);
  assert_int_equal(most.received, 3);
  assert_int_equal(tny_pattern_longest(pattern), 4);
  assert_true(tny_pattern_is_even(pattern));
  pattern->bytes[4] = 3;
  assert_false(tny_pattern_is_even(pattern));
  tny_pattern_free(pattern);
  pattern = read_pattern("5 0\n0 6\n");
  assert_true(tny_pattern_is_even(pattern));
  assert_int_equal(tny_pattern_most(pattern).sent, 0);
  tny_pattern_free(pattern);
}

static void what_is_wrong_in_a_matrix_is_told_with_its_line(void **state)
{
  (void)state;
  const struct {
    const char *text;
    unsigned line, column;
    const char *says;
  } faults[] = {
      {"", 1, 1, "a line of numbers for each rank"},
      {"# nothing\n", 2, 1, "a line of numbers for each rank"},
      {"0 1\n", 1, 1, "2 numbers in a line need 2 lines"},
      {"0 1 2\n0 0 0\n", 1, 1, "3 numbers in a line need 3 lines"},
      {"0 1 2\n0 0 0   # long enough\n", 3, 1, "3 ranks need 3 lines, here are 2"},
      {"0 1\n1 0\n0 0\n", 3, 1, "this is one more"},
      {"0 1\n1\n", 2, 1, "the first line has 2 numbers, this one 1"},
      {"0 1\n1 0 0\n", 2, 1, "the first line has 2 numbers, this one 3"},
      {"0 1\n1 x\n", 2, 3, "a whole number"},
      {"0 -1\n1 0\n", 1, 3, "a whole number"},
      {"0 1\n1,,0\n", 2, 3, "a whole number"},
      {"0 1,\n1 0\n", 1, 5, "missing behind the last comma"},
      {"0 1\n1 99999999999999999999\n", 2, 3, "a whole number"},
      {"0 1\n1 \x7f\n", 2, 3, "plain text"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct tny_pattern *pattern;
    struct tny_error error = {0};
    assert_int_equal(tny_pattern_read(faults[i].text, "bad", &pattern, &error), TNY_BAD_INPUT);
    assert_null(pattern);
    if (!strstr(error.text, faults[i].says) || error.line != faults[i].line ||
        error.column != faults[i].column)
      fail_msg("fault %zu: %u:%u: %s", i, error.line, error.column, error.text);
    assert_string_equal(error.file, "bad");
  }
}

static struct tny_schedule *thin(const struct tny_schedule *in, const struct tny_pattern *pattern)
{
  struct tny_schedule *out;
  struct tny_error error = {0};
  if (tny_pass_subset(in, pattern, &out, &error) != TNY_OK)
    fail_msg("%s", error.text);
  return out;
}

static void check_round_trip(const struct tny_schedule *schedule)
{
  char *first, *second;
  struct tny_schedule *read;
  struct tny_error error = {0};
  assert_int_equal(tny_schedule_write(schedule, &first, NULL), TNY_OK);
  if (tny_schedule_read(first, "written", &read, &error) != TNY_OK)
    fail_msg("%u:%u: %s", error.line, error.column, error.text);
  assert_int_equal(tny_schedule_write(read, &second, NULL), TNY_OK);
  assert_string_equal(first, second);
  assert_int_equal(tny_verify_data(read, NULL), TNY_OK);
  tny_schedule_free(read);
  tny_text_free(first);
  tny_text_free(second);
}

/* A subset moves just the wanted blocks, is proved and round-trips. */
static void check_subset(const char *name, struct tny_pace pace, const struct tny_pattern *pattern)
{
  struct tny_schedule *full = plan(name, pattern->rank_count, pace);
  struct tny_schedule *out = thin(full, pattern);
  struct tny_report report, full_report;
  struct tny_error error = {0};
  if (tny_verify_data(out, &error) != TNY_OK)
    fail_msg("%s: %s", name, error.text);
  assert_int_equal(tny_verify_progress(out, &report, &error), TNY_OK);
  assert_int_equal(tny_verify_progress(full, &full_report, &error), TNY_OK);
  uint32_t remote = count_of(pattern);
  for (uint32_t rank = 0; rank < pattern->rank_count; rank++)
    remote -= bytes_of(pattern, rank, rank) > 0;
  assert_int_equal(report.messages, (uint64_t)remote * out->chunk_count);
  assert_true(report.rounds <= full_report.rounds);
  check_round_trip(out);
  tny_schedule_free(out);
  tny_schedule_free(full);
}

static const char *const direct[] = {"shift", "shuffle", "pairwise", "group-shuffle"};
static const struct tny_pace paces[] = {{1, 0, 0}, {3, 0, 0}, {3, 1, 0}};

static void a_subset_of_any_exchange_moves_just_what_is_wanted(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof direct / sizeof *direct; i++) {
    for (size_t k = 0; k < sizeof paces / sizeof *paces; k++) {
      for (uint32_t p = 1; p <= 9; p++) {
        for (uint64_t seed = 0; seed < 5; seed++) {
          struct tny_pattern *pattern = random_pattern(p, (double)seed / 4, seed);
          for (uint32_t rank = 0; seed % 2 && rank < p; rank++)
            pattern->bytes[rank * p + rank] = 1;
          check_subset(direct[i], paces[k], pattern);
          tny_pattern_free(pattern);
        }
      }
    }
  }
}

static void phases_keep_their_numbers_and_the_order_of_what_is_left(void **state)
{
  (void)state;
  struct tny_pattern *pattern = read_pattern("0 5 0 5\n0 0 0 0\n0 0 0 0\n0 0 0 0\n");
  struct tny_schedule *full = plan("shift", 4, paces[0]), *out = thin(full, pattern);
  char *text;
  assert_int_equal(tny_schedule_write(out, &text, NULL), TNY_OK);
  assert_string_equal(text, "tourney schedule 1\ncollective alltoall\nranks 4\nroot 0\n"
                            "algorithm shift\nchunks 1\nscratch 0\nwanted from 0 to 1,3\n"
                            "\nrank 0\n0 send 1 input[1] phase 0\n"
                            "1 send 3 input[3] phase 2 after 0\n"
                            "\nrank 1\n0 recv 0 output[0] phase 0\n"
                            "\nrank 2\n"
                            "\nrank 3\n0 recv 0 output[0] phase 2\n");
  tny_text_free(text);
  tny_schedule_free(out);
  tny_schedule_free(full);
  tny_pattern_free(pattern);
}

static void a_wanted_block_that_does_not_arrive_is_caught(void **state)
{
  (void)state;
  struct tny_pattern *pattern = random_pattern(5, 0.5, 3);
  struct tny_schedule *full = plan("shift", 5, paces[0]), *out = thin(full, pattern);
  struct tny_error error = {0};
  uint32_t missing = 1;
  while (tny_schedule_wants(out, 0, missing))
    missing++;
  assert_int_equal(tny_verify_data(out, NULL), TNY_OK);
  tny_schedule_want(out, 0, missing);
  assert_int_equal(tny_verify_data(out, &error), TNY_BROKEN);
  assert_non_null(strstr(error.text, "of rank 0: nothing writes output[0]"));
  tny_schedule_free(out);
  tny_schedule_free(full);
  tny_pattern_free(pattern);
}

static void a_subset_can_be_separated(void **state)
{
  (void)state;
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  uint32_t hosts[8];
  assert_int_equal(tny_cluster_generate("switches:3+5", &cluster, NULL), TNY_OK);
  assert_int_equal(tny_routes_make(cluster, &routes, NULL), TNY_OK);
  assert_int_equal(tny_map_ranks(cluster, TNY_MAP_BLOCK, 8, hosts, NULL), TNY_OK);
  const struct tny_network network = {routes, hosts, 8};
  for (uint64_t seed = 0; seed < 20; seed++) {
    struct tny_pattern *pattern = random_pattern(8, 0.4, seed);
    struct tny_schedule *full = plan("shuffle", 8, paces[seed % 3]), *apart;
    struct tny_schedule *out = thin(full, pattern);
    assert_int_equal(tny_pass_separate(out, &network, TNY_SEPARATE_TOKENS, &apart, NULL, NULL),
                     TNY_OK);
    assert_int_equal(tny_verify_separated(apart, &network, NULL), TNY_OK);
    assert_int_equal(tny_verify_data(apart, NULL), TNY_OK);
    assert_int_equal(tny_verify_progress(apart, NULL, NULL), TNY_OK);
    check_round_trip(apart);
    tny_schedule_free(apart);
    tny_schedule_free(out);
    tny_schedule_free(full);
    tny_pattern_free(pattern);
  }
  tny_routes_free(routes);
  tny_cluster_free(cluster);
}

static void check_refused(const struct tny_schedule *in, const struct tny_pattern *pattern,
                          enum tny_status status, const char *says)
{
  struct tny_schedule *out;
  struct tny_error error = {0};
  assert_int_equal(tny_pass_subset(in, pattern, &out, &error), status);
  assert_null(out);
  if (!strstr(error.text, says))
    fail_msg("%s", error.text);
}

#define HEADER                                                                                     \
  "tourney schedule 1\ncollective alltoall\nranks 2\nroot 0\nalgorithm test\nchunks 1\n"           \
  "scratch 2\n"

static void what_forwards_or_bundles_blocks_is_refused(void **state)
{
  (void)state;
  const char *const bundles = HEADER "rank 0\n0 send 1 input[0..1]\n"
                                     "rank 1\n0 recv 0 scratch[0..1]\n";
  const char *const forwards = HEADER "rank 0\n0 recv 1 output[1]\n"
                                      "rank 1\n0 copy input[0] to scratch[0]\n"
                                      "1 send 0 scratch[0] after 0\n";
  struct tny_pattern *half = read_pattern("0 1\n1 0\n"), *all = read_pattern("1 1\n1 1\n");
  struct tny_schedule *schedule, *out;
  assert_int_equal(tny_schedule_read(bundles, "test", &schedule, NULL), TNY_OK);
  check_refused(schedule, half, TNY_REFUSED,
                "rank 0 step 0 (send to 1) moves 2 blocks at once, of which the pattern wants 1");
  out = thin(schedule, all);
  assert_int_equal(out->ranks[0].count + out->ranks[1].count, 2);
  tny_schedule_free(out);
  tny_schedule_free(schedule);
  assert_int_equal(tny_schedule_read(forwards, "test", &schedule, NULL), TNY_OK);
  check_refused(schedule, all, TNY_REFUSED, "rank 1 step 1 (send to 0) forwards scratch[0]");
  tny_schedule_free(schedule);
  schedule = plan("bruck", 5, paces[0]);
  struct tny_pattern *sparse = random_pattern(5, 0.3, 1);
  check_refused(schedule, sparse, TNY_REFUSED, "rank ");
  tny_pattern_free(sparse);
  tny_schedule_free(schedule);
  tny_pattern_free(half);
  tny_pattern_free(all);
}

static void patterns_must_fit_the_schedule(void **state)
{
  (void)state;
  struct tny_pattern *three = random_pattern(3, 1, 0), *four = random_pattern(4, 1, 0);
  struct tny_pattern *sparse = random_pattern(4, 0.5, 1);
  struct tny_schedule *full = plan("shift", 4, paces[0]), *out = thin(full, sparse), *gather;
  check_refused(full, three, TNY_BAD_INPUT, "the pattern is of 3 ranks, the schedule of 4");
  check_refused(out, four, TNY_REFUSED, "which the schedule leaves out");
  const struct tny_problem problem = {.collective = TNY_ALLGATHER, .rank_count = 4};
  assert_int_equal(
      tny_plan_all(tny_algorithm_find(TNY_ALLGATHER, "ring"), &problem, paces[0], &gather, NULL),
      TNY_OK);
  check_refused(gather, four, TNY_REFUSED, "only an alltoall can leave blocks out");
  tny_schedule_free(gather);
  tny_schedule_free(out);
  tny_schedule_free(full);
  tny_pattern_free(three);
  tny_pattern_free(four);
  tny_pattern_free(sparse);
}

static void what_is_wrong_in_the_wanted_lines_is_told(void **state)
{
  (void)state;
  const struct {
    const char *lines;
    unsigned line, column;
    const char *says;
  } faults[] = {
      {"wanted\n", 8, 7, "\"from\" belongs here"},
      {"wanted none 1\n", 8, 13, "should end"},
      {"wanted from 2 to 0\n", 8, 13, "a sender is a number from 0 to 1"},
      {"wanted from 0 to 2\n", 8, 18, "receivers go up"},
      {"wanted from 0 to 1,0\n", 8, 20, "receivers go up"},
      {"wanted from 0 to 1..0\n", 8, 18, "receivers go up"},
      {"wanted from 0 to 0..\n", 8, 19, "receivers go up"},
      {"wanted from 0 to\n", 8, 17, "receivers go up"},
      {"wanted from 0 to 0 1\n", 8, 20, "should end"},
      {"wanted from 1 to 0\nwanted from 0 to 0\n", 9, 13, "senders go up"},
      {"wanted none\nwanted from 0 to 0\n", 9, 13, "senders go up"},
      {"wanted from 0 to 0\nwanted none\n", 9, 8, "\"from\" belongs here"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    char text[400];
    struct tny_schedule *schedule;
    struct tny_error error = {0};
    snprintf(text, sizeof text, "%s%srank 0\nrank 1\n", HEADER, faults[i].lines);
    assert_int_equal(tny_schedule_read(text, "bad", &schedule, &error), TNY_BAD_INPUT);
    if (!strstr(error.text, faults[i].says) || error.line != faults[i].line ||
        error.column != faults[i].column)
      fail_msg("fault %zu: %u:%u: %s", i, error.line, error.column, error.text);
  }
  const char *gather = "tourney schedule 1\ncollective allgather\nranks 1\nroot 0\n"
                       "algorithm test\nchunks 1\nscratch 0\nwanted none\nrank 0\n";
  struct tny_schedule *schedule;
  assert_int_equal(tny_schedule_read(gather, "bad", &schedule, NULL), TNY_BAD_INPUT);
}

static void a_schedule_may_want_nothing(void **state)
{
  (void)state;
  struct tny_pattern *none = random_pattern(3, 0, 0);
  struct tny_schedule *full = plan("shift", 3, paces[0]), *out = thin(full, none);
  assert_int_equal(out->ranks[0].count + out->ranks[1].count + out->ranks[2].count, 0);
  check_round_trip(out);
  tny_schedule_free(out);
  tny_schedule_free(full);
  tny_pattern_free(none);
}

static enum tny_status read_and_thin(const void *full, struct tny_error *error)
{
  struct tny_pattern *pattern = NULL;
  struct tny_schedule *out = NULL, *again = NULL;
  char *text = NULL;
  enum tny_status status = tny_pattern_read("0 1 0\n0 0 1\n1 1 0\n", "test", &pattern, error);
  if (status == TNY_OK)
    status = tny_pass_subset(full, pattern, &out, error);
  if (status == TNY_OK)
    status = tny_schedule_write(out, &text, error);
  if (status == TNY_OK)
    status = tny_schedule_read(text, "test", &again, error);
  if (text)
    tny_text_free(text);
  tny_schedule_free(again);
  tny_schedule_free(out);
  tny_pattern_free(pattern);
  return status;
}

static void patterns_out_of_memory_say_so(void **state)
{
  (void)state;
  struct tny_schedule *full = plan("shift", 3, paces[1]);
  assert_true(starve(read_and_thin, full) > 0);
  tny_schedule_free(full);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_are_one_step_away_in_one_dimension),
      cmocka_unit_test(a_hypercube_needs_a_power_of_two),
      cmocka_unit_test(a_random_pattern_has_its_density_and_comes_again_with_its_seed),
      cmocka_unit_test(a_matrix_is_read_with_blanks_and_commas),
      cmocka_unit_test(what_ranks_have_for_themselves_counts_for_nothing),
      cmocka_unit_test(what_is_wrong_in_a_matrix_is_told_with_its_line),
      cmocka_unit_test(a_subset_of_any_exchange_moves_just_what_is_wanted),
      cmocka_unit_test(phases_keep_their_numbers_and_the_order_of_what_is_left),
      cmocka_unit_test(a_wanted_block_that_does_not_arrive_is_caught),
      cmocka_unit_test(a_subset_can_be_separated),
      cmocka_unit_test(what_forwards_or_bundles_blocks_is_refused),
      cmocka_unit_test(patterns_must_fit_the_schedule),
      cmocka_unit_test(what_is_wrong_in_the_wanted_lines_is_told),
      cmocka_unit_test(a_schedule_may_want_nothing),
      cmocka_unit_test(patterns_out_of_memory_say_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
