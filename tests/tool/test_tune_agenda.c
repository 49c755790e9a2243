/* What a tuning run measures, in which order, and how long that takes. */
#include <stdlib.h>

#include "support/cluster.h"

#include "cli/tune/agenda.h"

#define CLUSTER "switches:4+4,link=20Mbit/s,trunk=20Mbit/s"

enum { RANKS = 8, BLOCK_MAX = 1 << 20, MESSAGE_MAX = 4 << 20, MEASURED = 6 };

/* All that are measured, and whether each is one whole message. */
static const struct {
  enum tny_collective collective;
  bool is_whole;
} measured[MEASURED] = {{TNY_BROADCAST, true}, {TNY_ALLGATHER, false},      {TNY_ALLTOALL, false},
                        {TNY_REDUCE, true},    {TNY_REDUCE_SCATTER, false}, {TNY_ALLREDUCE, true}};

/* Collectives, sizes (none: those that are usual), and the seconds that there are. */
struct asked {
  bool (*belongs)(enum tny_collective collective);
  const uint64_t *sizes;
  uint32_t size_count;
  double seconds;
};

static struct tune_options options;
static struct tune_findings found;

static struct tune_agenda plan(const struct asked *asked)
{
  struct tny_cluster *cluster = open_cluster(CLUSTER);
  struct tny_routes *routes = make_routes(cluster);
  struct tny_placement *placement;
  uint32_t hosts[RANKS];
  struct tune_agenda agenda = {.seconds_max = asked->seconds};
  assert_int_equal(tny_map_ranks(cluster, TNY_MAP_BLOCK, RANKS, hosts, NULL), TNY_OK);
  assert_int_equal(tny_placement_make(cluster, hosts, RANKS, &placement, NULL), TNY_OK);
  const struct tny_network network = {routes, hosts, RANKS};
  const struct tny_problem problem = {
      .rank_count = RANKS, .placement = placement, .network = &network};
  options = (struct tune_options){.candidates = 3, .mpi = LAUNCH_MPICH};
  for (uint32_t i = 0; i < asked->size_count; i++)
    options.rows.sizes[options.rows.size_count++] = asked->sizes[i];
  cli_rows_complete(&options.rows, asked->belongs);
  assert_int_equal(tune_agenda_make(&agenda, &options, &found, &problem, NULL), TNY_OK);
  tny_placement_free(placement);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
  return agenda;
}

static bool has_row(const struct tune_agenda *agenda, enum tny_collective collective,
                    uint64_t bytes)
{
  for (uint32_t i = 0; i < agenda->row_count; i++)
    if (agenda->rows[i].collective == collective && agenda->rows[i].bytes == bytes)
      return true;
  return false;
}

static void every_collective_has_its_rows_and_each_native_and_three_plans(void **state)
{
  (void)state;
  static const uint64_t sizes[] = {65536, 1024};
  struct tune_agenda agenda = plan(&(struct asked){cli_rows_is_measured, sizes, 2, 1e6});
  assert_int_equal(agenda.row_count, 2 * MEASURED);
  assert_int_equal(agenda.point_count, 4 * agenda.row_count);
  assert_int_equal(agenda.left_out, 0);
  for (size_t i = 0; i < MEASURED; i++)
    for (size_t s = 0; s < 2; s++)
      assert_true(has_row(&agenda, measured[i].collective, sizes[s]));
  for (uint32_t i = 0; i < agenda.row_count; i++) {
    uint32_t commas = 0;
    for (const char *at = agenda.rows[i].variants; *at; at++)
      commas += *at == ',';
    assert_int_equal(commas, 3);
    assert_int_equal(strncmp(agenda.rows[i].variants, "native,", strlen("native,")), 0);
  }
  tune_agenda_release(&agenda);
}

static void of_a_size_the_shortest_row_comes_first(void **state)
{
  (void)state;
  static const uint64_t sizes[] = {65536, 1024};
  struct tune_agenda agenda = plan(&(struct asked){cli_rows_is_measured, sizes, 2, 1e6});
  for (uint32_t i = 0; i < agenda.row_count; i++) {
    assert_int_equal(agenda.rows[i].bytes, sizes[i / MEASURED]);
    assert_true(i % MEASURED == 0 || agenda.rows[i].seconds >= agenda.rows[i - 1].seconds);
  }
  /* at 20 Mbit/s a block for each of 8 ranks takes longest */
  assert_int_equal(agenda.rows[MEASURED - 1].collective, TNY_ALLTOALL);
  tune_agenda_release(&agenda);
}

static void only_whole_messages_are_longer_than_a_mebibyte(void **state)
{
  (void)state;
  struct tune_agenda agenda = plan(&(struct asked){cli_rows_is_measured, NULL, 0, 1e6});
  for (size_t i = 0; i < MEASURED; i++) {
    assert_true(has_row(&agenda, measured[i].collective, BLOCK_MAX));
    assert_int_equal(has_row(&agenda, measured[i].collective, MESSAGE_MAX), measured[i].is_whole);
  }
  tune_agenda_release(&agenda);
}

/* What would take more than a fifth is left out, and what doesn't fit; short rows behind it are
   taken. */
static void what_is_measured_fits_into_the_time(void **state)
{
  (void)state;
  struct tune_agenda agenda = plan(&(struct asked){cli_rows_is_measured, NULL, 0, 30});
  double seconds = 0;
  assert_true(agenda.left_out > 0);
  assert_true(agenda.row_count > MEASURED);
  assert_false(has_row(&agenda, TNY_ALLTOALL, BLOCK_MAX));
  assert_true(has_row(&agenda, TNY_REDUCE, 1024));
  for (uint32_t i = 0; i < agenda.row_count; i++)
    seconds += agenda.rows[i].seconds;
  assert_true(seconds <= 30);
  assert_float_equal(seconds, agenda.seconds, 1e-6);
  assert_float_equal(tune_agenda_rest(&agenda, 0), agenda.seconds, 1e-6);
  tune_agenda_release(&agenda);
}

static void what_is_found_is_not_measured_again(void **state)
{
  (void)state;
  static const uint64_t sizes[] = {65536, 1024};
  found.done[found.done_count++] = (struct tune_done){TNY_REDUCE, 1024};
  struct tune_agenda agenda = plan(&(struct asked){cli_rows_is_measured, sizes, 2, 1e6});
  found.done_count = 0;
  assert_int_equal(agenda.row_count, 2 * MEASURED - 1);
  assert_false(has_row(&agenda, TNY_REDUCE, 1024));
  assert_true(has_row(&agenda, TNY_REDUCE, 65536));
  tune_agenda_release(&agenda);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_collective_has_its_rows_and_each_native_and_three_plans),
      cmocka_unit_test(of_a_size_the_shortest_row_comes_first),
      cmocka_unit_test(only_whole_messages_are_longer_than_a_mebibyte),
      cmocka_unit_test(what_is_measured_fits_into_the_time),
      cmocka_unit_test(what_is_found_is_not_measured_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
