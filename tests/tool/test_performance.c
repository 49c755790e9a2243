/* The cells of make performance: which are chosen, what the journal says of them, how they are
   judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/performance/document.h"
#include "bench/performance/judge.h"

/* The values of a cell, each a number of its own: cluster, network, collective, size, control. */
enum { VALUES = 5, VALUE_MAX = 32 };
static void values_of(const struct cell *cell, uint32_t values[VALUES])
{
  const struct cell_row *row = &cell_rows[cell->row];
  uint32_t size = 0;
  while (cell_rows[size].bytes != row->bytes) /* the first row of that size */
    size++;
  values[0] = cell->cluster;
  values[1] = cell->network;
  values[2] = row->collective;
  values[3] = size;
  values[4] = cell->congestion;
}

typedef bool pairs[VALUES][VALUE_MAX][VALUES][VALUE_MAX];

static void add_pairs(pairs seen, const struct cell *cell)
{
  uint32_t values[VALUES];
  values_of(cell, values);
  for (int a = 0; a < VALUES; a++)
    for (int b = 0; b < VALUES; b++)
      seen[a][values[a]][b][values[b]] = true;
}

static void each_pair_of_values_that_can_occur_together_does(void **state)
{
  (void)state;
  static pairs possible, chosen;
  struct cell cells[CELLS_MAX];
  const size_t count = cells_choose(cells);
  for (size_t i = 0; i < count; i++)
    add_pairs(chosen, &cells[i]);
  for (uint32_t i = 0; i < CELLS_MAX * CELL_CONGESTIONS; i++) {
    const struct cell cell = {.cluster = i % CELL_CLUSTERS,
                              .network = i / CELL_CLUSTERS % CELL_NETWORKS,
                              .row = i / CELL_CLUSTERS / CELL_NETWORKS % CELL_ROWS,
                              .congestion = i / CELLS_MAX};
    add_pairs(possible, &cell);
  }
  assert_memory_equal(chosen, possible, sizeof possible);
}

static void there_are_at_least_150_cells_and_none_twice(void **state)
{
  (void)state;
  struct cell cells[CELLS_MAX];
  const size_t count = cells_choose(cells);
  assert_true(count >= 150);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++)
      assert_string_not_equal(cell_name_of(&cells[i]).text, cell_name_of(&cells[j]).text);
}

static void each_cluster_has_each_collective_on_each_network(void **state)
{
  (void)state;
  struct cell cells[CELLS_MAX];
  bool seen[CELL_CLUSTERS][CELL_NETWORKS][TNY_COLLECTIVE_COUNT] = {0};
  const size_t count = cells_choose(cells);
  for (size_t i = 0; i < count; i++)
    seen[cells[i].cluster][cells[i].network][cell_rows[cells[i].row].collective] = true;
  for (int c = 0; c < CELL_CLUSTERS; c++)
    for (int n = 0; n < CELL_NETWORKS; n++)
      assert_true(seen[c][n][TNY_BROADCAST] && seen[c][n][TNY_ALLGATHER] &&
                  seen[c][n][TNY_ALLTOALL]);
}

static void most_cells_have_the_default_congestion_control(void **state)
{
  (void)state;
  struct cell cells[CELLS_MAX];
  size_t others = 0;
  const size_t count = cells_choose(cells);
  for (size_t i = 0; i < count; i++)
    others += cells[i].congestion != 0;
  assert_true(others > 0 && 4 * others < count);
}

static void the_quick_cells_are_a_tenth_with_every_value_but_sizes(void **state)
{
  (void)state;
  struct cell all[CELLS_MAX], quick[CELLS_MAX];
  const size_t all_count = cells_choose(all), count = cells_choose_quick(quick, 560);
  uint32_t clusters = 0, networks = 0, congestions = 0, collectives = 0;
  double seconds = 0;
  assert_int_equal(count, (all_count + 9) / 10);
  for (size_t i = 0; i < count; i++) {
    size_t at = 0;
    while (at < all_count && memcmp(&all[at], &quick[i], sizeof *all))
      at++;
    assert_true(at < all_count);
    clusters |= 1U << quick[i].cluster;
    seconds += cell_seconds(&quick[i], false) + cell_seconds(&quick[i], true);
    if (quick[i].cluster == CELL_CLUSTER_ZONES)
      continue; /* not every machine has them: all other values occur without */
    networks |= 1U << quick[i].network;
    congestions |= 1U << quick[i].congestion;
    collectives |= 1U << cell_rows[quick[i].row].collective;
  }
  assert_int_equal(clusters, (1U << CELL_CLUSTERS) - 1);
  assert_int_equal(networks, (1U << CELL_NETWORKS) - 1);
  assert_int_equal(congestions, (1U << CELL_CONGESTIONS) - 1);
  assert_int_equal(collectives, 1U << TNY_BROADCAST | 1U << TNY_ALLGATHER | 1U << TNY_ALLTOALL);
  assert_true(seconds <= 560);
}

/* A cell by its values. */
static struct cell make_cell(uint32_t cluster, uint32_t network, enum tny_collective collective,
                             uint64_t bytes)
{
  struct cell cell = {.cluster = cluster, .network = network};
  while (cell_rows[cell.row].collective != collective || cell_rows[cell.row].bytes != bytes)
    cell.row++;
  return cell;
}

static void the_cluster_to_bring_up_has_the_networks_rate(void **state)
{
  (void)state;
  struct cell cell = make_cell(4, 0, TNY_BROADCAST, 64);
  assert_string_equal(cell_cluster_text_of(&cell).text, "torus:4x4,link=20Mbit/s,trunk=20Mbit/s");
  assert_string_equal(cell_name_of(&cell).text, "torus/20Mbit-64KiB/bcast-64B/cubic");
  cell = make_cell(CELL_CLUSTER_ZONES, 4, TNY_BROADCAST, 64);
  assert_string_equal(cell_cluster_text_of(&cell).text,
                      "zones:4+4,delay=10ms,link=10Gbit/s,rate=10Gbit/s");
  cell = make_cell(0, 2, TNY_BROADCAST, 64);
  assert_string_equal(cell_cluster_text_of(&cell).text, "single:8,link=1Gbit/s");
}

static void shares_of_the_bound_are_wanted_at_20_mbit_and_8_kib_and_more(void **state)
{
  (void)state;
  const struct {
    struct cell cell;
    uint32_t congestion;
    double least;
  } cases[] = {
      {make_cell(1, 0, TNY_ALLTOALL, 8192), 0, 0.92},
      {make_cell(1, 0, TNY_ALLTOALL, 8192), 2, 0.90},
      {make_cell(1, 0, TNY_ALLTOALL, 1024), 0, 0},
      {make_cell(1, 1, TNY_ALLTOALL, 8192), 0, 0},
      {make_cell(1, 0, TNY_BROADCAST, 8192), 0, 0},
      {make_cell(1, 0, TNY_BROADCAST, 65536), 0, 0.89},
      {make_cell(1, 0, TNY_BROADCAST, 1 << 20), 0, 0.92},
      {make_cell(CELL_CLUSTER_ZONES, 0, TNY_ALLGATHER, 65536), 0, 0.88},
      {make_cell(CELL_CLUSTER_RANKS, 0, TNY_ALLGATHER, 65536), 0, 0.90},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct cell cell = cases[i].cell;
    cell.congestion = cases[i].congestion;
    assert_float_equal(judge_share_least(&cell), cases[i].least, 1e-9);
  }
}

static struct outcome make_outcome(double native, double planned, double spread)
{
  return (struct outcome){
      .attempt = 1,
      .seconds = 3,
      .native = {native, native * (1 - spread / 2), native * (1 + spread / 2)},
      .planned = {planned, planned * (1 - spread / 2), planned * (1 + spread / 2)},
      .share = 0.95};
}

static void a_cell_slower_than_native_falls_short(void **state)
{
  (void)state;
  const struct cell cell = make_cell(1, 2, TNY_ALLTOALL, 8192);
  struct outcome outcomes[MODE_COUNT] = {make_outcome(1, 1.01, 0), {0}};
  assert_false(judge_mode(&cell, outcomes, MODE_PLAIN).is_short);
  outcomes[MODE_PLAIN] = make_outcome(1, 1.03, 0);
  const struct verdict verdict = judge_mode(&cell, outcomes, MODE_PLAIN);
  assert_true(verdict.is_short);
  assert_false(verdict.may_be_noise);
  assert_non_null(strstr(verdict.reasons, "ratio to native 0.971 under 0.98"));
}

static void a_shortfall_within_the_spread_may_be_noise(void **state)
{
  (void)state;
  const struct cell cell = make_cell(1, 2, TNY_ALLTOALL, 8192);
  struct outcome outcomes[MODE_COUNT] = {make_outcome(1, 1.03, 0.05), {0}};
  assert_true(judge_mode(&cell, outcomes, MODE_PLAIN).may_be_noise);
  outcomes[MODE_PLAIN] = make_outcome(1, 1.3, 0.05);
  assert_false(judge_mode(&cell, outcomes, MODE_PLAIN).may_be_noise);
}

static void the_best_peer_counts_with_a_profile_only(void **state)
{
  (void)state;
  const struct cell cell = make_cell(1, 2, TNY_ALLTOALL, 8192);
  struct outcome outcomes[MODE_COUNT] = {make_outcome(2, 1, 0), make_outcome(2, 1, 0)};
  outcomes[MODE_PEERS].peer = (struct quartiles_ms){0.9, 0.9, 0.9};
  assert_false(judge_mode(&cell, outcomes, MODE_PEERS).is_short);
  outcomes[MODE_PEERS].has_profile = true;
  assert_true(judge_mode(&cell, outcomes, MODE_PEERS).is_short);
  outcomes[MODE_PEERS].peer.median = 0.96;
  assert_false(judge_mode(&cell, outcomes, MODE_PEERS).is_short);
}

static void a_broadcast_of_1_kib_at_20_mbit_must_be_half_again_as_fast(void **state)
{
  (void)state;
  const struct cell cell = make_cell(1, 0, TNY_BROADCAST, 1024);
  struct outcome outcomes[MODE_COUNT] = {make_outcome(1.4, 1, 0), {0}};
  assert_true(judge_mode(&cell, outcomes, MODE_PLAIN).is_short);
  outcomes[MODE_PLAIN] = make_outcome(1.6, 1, 0);
  assert_false(judge_mode(&cell, outcomes, MODE_PLAIN).is_short);
}

/* Reads a journal of the cell single/20Mbit-64KiB/alltoall-8KiB/cubic. */
static struct outcome read_outcome(const char *text, enum mode mode)
{
  const struct cell cell = make_cell(0, 0, TNY_ALLTOALL, 8192);
  char path[] = "/tmp/test_performance_XXXXXX";
  struct journal journal;
  const int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), strlen(text));
  close(file);
  assert_int_equal(journal_read(path, &cell, 1, &journal, NULL), TNY_OK);
  unlink(path);
  const struct outcome outcome = journal.outcomes[0][mode];
  journal_release(&journal);
  return outcome;
}

#define CELL "single/20Mbit-64KiB/alltoall-8KiB/cubic,"
#define ROW(attempt, variant, ms)                                                                  \
  CELL attempt ",row,\"single:16,link=20Mbit/s\",block,16,alltoall,8192," variant "," ms           \
               ",1.0000,0.9100,9,cubic,9.2000\n"

static void an_attempt_counts_once_its_end_is_written(void **state)
{
  (void)state;
  static const char whole[] = ROW("plain,1", "native,native", "30.0,29.0,31.0")
      ROW("plain,1", "planned,shuffle", "10.0,9.5,10.5") CELL "plain,1,end,12,0\n";
  struct outcome outcome = read_outcome(whole, MODE_PLAIN);
  assert_int_equal(outcome.attempt, 1);
  assert_float_equal(outcome_ratio(&outcome), 3, 1e-9);
  assert_string_equal(outcome.algorithm, "shuffle");
  assert_float_equal(outcome.share, 0.91, 1e-9);
  assert_float_equal(outcome.predicted_ms, 9.2, 1e-9);
  assert_float_equal(outcome.seconds, 12, 1e-9);
  char cut[sizeof whole];
  for (size_t length = 0; length + 1 < sizeof whole - 1; length++) {
    memcpy(cut, whole, length);
    cut[length] = '\0';
    outcome = read_outcome(cut, MODE_PLAIN);
    assert_int_equal(outcome.attempt, 0);
  }
}

static void the_last_attempt_is_the_one_that_counts(void **state)
{
  (void)state;
  const struct outcome outcome =
      read_outcome(ROW("peers,1", "native,native", "30.0,29.0,31.0")
                       ROW("peers,1", "planned,shuffle", "10.0,9.5,10.5") CELL
                   "peers,1,end,12,0\n" ROW("peers,2", "native,native", "40.0,29.0,31.0")
                       ROW("peers,2", "planned,shuffle", "10.0,9.5,10.5")
                           ROW("peers,2", "tuned:alltoall=pairwise,native", "12.0,9.5,10.5")
                               ROW("peers,2", "\"tuned:alltoall=x,segment=8KiB\",native",
                                   "11.0,9.5,10.5") CELL "peers,2,end,13,1\n",
                   MODE_PEERS);
  assert_int_equal(outcome.attempt, 2);
  assert_true(outcome.has_profile);
  assert_float_equal(outcome_ratio(&outcome), 4, 1e-9);
  assert_string_equal(outcome.peer_name, "tuned:alltoall=x,segment=8KiB");
  assert_float_equal(outcome_peer_ratio(&outcome), 1.1, 1e-9);
}

static void the_error_of_predictions_is_the_median_over_a_group(void **state)
{
  (void)state;
  const struct cell cells[] = {
      make_cell(0, 0, TNY_ALLTOALL, 8192), make_cell(1, 1, TNY_ALLTOALL, 8192),
      make_cell(2, 1, TNY_ALLTOALL, 8192), make_cell(0, 4, TNY_ALLTOALL, 8192)};
  struct outcome outcomes[4][MODE_COUNT] = {0};
  const double predicted[] = {9, 13, 0, 5};
  for (size_t i = 0; i < 4; i++) {
    outcomes[i][MODE_PLAIN] = make_outcome(20, 10, 0);
    outcomes[i][MODE_PLAIN].predicted_ms = predicted[i];
    snprintf(outcomes[i][MODE_PLAIN].algorithm, sizeof outcomes[i][MODE_PLAIN].algorithm, "%s",
             i == 1 ? "bruck" : "shuffle");
  }
  const struct journal journal = {.outcomes = outcomes};
  const struct measured all = {cells, 4, &journal};
  size_t count;
  assert_float_equal(judge_error(&judge_groups[0], NULL, &all, &count), 0.2, 1e-9);
  assert_int_equal(count, 2);
  assert_float_equal(judge_error(&judge_groups[0], "bruck", &all, &count), 0.3, 1e-9);
  assert_int_equal(count, 1);
  assert_float_equal(judge_error(&judge_groups[2], NULL, &all, &count), 0.5, 1e-9);
  judge_error(&judge_groups[1], NULL, &all, &count);
  assert_int_equal(count, 0);
  struct tny_text text = {0};
  assert_int_equal(document_complain(&all, &text) > 0, 1);
  assert_non_null(strstr(text.bytes, "median error of predictions at 20 and 100 Mbit/s: 20.0 %"));
  tny_text_release(&text);
}

static void what_cannot_be_measured_says_why(void **state)
{
  (void)state;
  const struct outcome outcome = read_outcome(CELL "plain,1,unable,no netem here\n", MODE_PLAIN);
  assert_string_equal(outcome.unable, "no netem here");
  assert_string_equal(read_outcome(CELL "plain,1,unable,\n", MODE_PLAIN).unable, "no reason given");
}

static void lines_of_nonsense_are_left_aside(void **state)
{
  (void)state;
  static const char *const texts[] = {"",
                                      "\n",
                                      ",,,,\n",
                                      CELL "\n",
                                      CELL "plain,0,end,1,0\n",
                                      CELL "plain,1,end,1,0\n",
                                      CELL "plain,1,row,\"\n",
                                      "nowhere/else,plain,1,unable,x\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_int_equal(read_outcome(texts[i], MODE_PLAIN).attempt, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_pair_of_values_that_can_occur_together_does),
      cmocka_unit_test(there_are_at_least_150_cells_and_none_twice),
      cmocka_unit_test(each_cluster_has_each_collective_on_each_network),
      cmocka_unit_test(most_cells_have_the_default_congestion_control),
      cmocka_unit_test(the_quick_cells_are_a_tenth_with_every_value_but_sizes),
      cmocka_unit_test(the_cluster_to_bring_up_has_the_networks_rate),
      cmocka_unit_test(shares_of_the_bound_are_wanted_at_20_mbit_and_8_kib_and_more),
      cmocka_unit_test(a_cell_slower_than_native_falls_short),
      cmocka_unit_test(a_shortfall_within_the_spread_may_be_noise),
      cmocka_unit_test(the_best_peer_counts_with_a_profile_only),
      cmocka_unit_test(a_broadcast_of_1_kib_at_20_mbit_must_be_half_again_as_fast),
      cmocka_unit_test(an_attempt_counts_once_its_end_is_written),
      cmocka_unit_test(the_last_attempt_is_the_one_that_counts),
      cmocka_unit_test(the_error_of_predictions_is_the_median_over_a_group),
      cmocka_unit_test(what_cannot_be_measured_says_why),
      cmocka_unit_test(lines_of_nonsense_are_left_aside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
