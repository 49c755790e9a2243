/* How plans are cut and clocked: the bytes in flight stay under half of every port buffer. */
#include "support/setting.h"

#include <tourney/model.h>

/* The chunk budget of an algorithm on a cluster, one rank a host. */
static uint64_t chunk_budget_bytes(const char *cluster, enum tny_map map,
                                   enum tny_collective collective, const char *name)
{
  struct setting setting;
  uint64_t bytes;
  set_up(&setting, cluster, map, 0);
  setting.problem.collective = collective;
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, name);
  assert_non_null(algorithm);
  assert_int_equal(
      tny_model_chunk_budget(algorithm, &setting.problem, &setting.network, &bytes, NULL), TNY_OK);
  tear_down(&setting);
  return bytes;
}

static void a_shuffle_on_one_switch_has_a_whole_port_buffer(void **state)
{
  (void)state;
  assert_int_equal(chunk_budget_bytes("single:16", TNY_MAP_BLOCK, TNY_ALLTOALL, "shuffle"), 65536);
}

static void a_shuffle_across_a_trunk_shares_its_buffer_among_the_hosts_behind_it(void **state)
{
  (void)state;
  assert_int_equal(chunk_budget_bytes("switches:8+8", TNY_MAP_BLOCK, TNY_ALLTOALL, "shuffle"),
                   8192);
  assert_int_equal(chunk_budget_bytes("switches:8+8", TNY_MAP_INTERLEAVED, TNY_ALLTOALL, "shuffle"),
                   8192);
}

static void switch_order_gives_a_ring_the_whole_trunk(void **state)
{
  (void)state;
  const char *cluster = "switches:8+8";
  assert_int_equal(
      chunk_budget_bytes(cluster, TNY_MAP_INTERLEAVED, TNY_ALLGATHER, "switch-ordered-ring"),
      65536);
  assert_int_equal(chunk_budget_bytes(cluster, TNY_MAP_INTERLEAVED, TNY_ALLGATHER, "ring"), 8192);
}

static void a_chain_has_all_its_hops_at_work_at_once(void **state)
{
  (void)state;
  const char *cluster = "switches:8+8";
  assert_int_equal(
      chunk_budget_bytes(cluster, TNY_MAP_INTERLEAVED, TNY_BROADCAST, "switch-ordered-chain"),
      65536);
  assert_int_equal(
      chunk_budget_bytes(cluster, TNY_MAP_INTERLEAVED, TNY_BROADCAST, "pipelined-linear"), 8192);
}

static struct tny_model model_of(uint32_t rank_count, uint64_t link_bps)
{
  return (struct tny_model){.rank_count = rank_count,
                            .link_bps = link_bps,
                            .machine = tny_machine_default(link_bps),
                            .step_ns = 60000,
                            .software_ns = 50000,
                            .crowding_bytes = UINT64_MAX};
}

static const struct tny_problem exchange = {.collective = TNY_ALLTOALL, .rank_count = 16};
static const struct tny_problem broadcast = {.collective = TNY_BROADCAST, .rank_count = 16};
static const uint64_t rates[] = {20000000, 100000000, 1000000000, 10000000000, 100000000000};

static void check_paces(const struct tny_algorithm *algorithm, const struct tny_problem *problem)
{
  for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
    for (uint64_t budget = 2048; budget <= 1 << 20; budget += 5000)
      for (uint64_t block = 1; block <= 1 << 24; block = block * 3 + 1) {
        const struct tny_model model = model_of(16, rates[r]);
        const struct tny_pace pace = tny_model_pace(&model, algorithm, problem, budget, block);
        const uint64_t chunk = (block + pace.chunk_count - 1) / pace.chunk_count;
        assert_true(pace.window >= 1);
        assert_true(
            chunk * pace.window <=
            (algorithm->pacing == TNY_PACE_CREDIT_BATCHES ? budget * 6 / 7 + 1 : budget / 2));
      }
}

static void the_bytes_in_flight_stay_under_their_part_of_the_buffer(void **state)
{
  (void)state;
  for (const struct tny_algorithm *const *a = tny_algorithms; *a; a++) {
    const struct tny_problem problem = {.collective = (*a)->collective, .rank_count = 16};
    struct tny_problem prepared;
    if ((*a)->pacing == TNY_PACE_NONE || tny_algorithm_refusal(*a, &problem))
      continue;
    assert_int_equal(tny_problem_prepare(*a, &problem, &prepared, NULL), TNY_OK);
    check_paces(*a, &prepared);
    tny_problem_release(*a, &prepared);
  }
}

/* The messages that the smallest port buffer takes at once where links' windows alone pace. */
static void check_limited(const char *cluster, const char *name)
{
  struct setting setting;
  struct tny_problem prepared;
  uint64_t budget;
  set_up(&setting, cluster, TNY_MAP_BLOCK, 0);
  setting.problem.collective = TNY_ALLTOALL;
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLTOALL, name);
  const struct tny_model model = tny_model_make(&setting.network, setting.problem.rank_count, NULL);
  assert_int_equal(tny_problem_prepare(algorithm, &setting.problem, &prepared, NULL), TNY_OK);
  assert_int_equal(tny_model_chunk_budget(algorithm, &prepared, &setting.network, &budget, NULL),
                   TNY_OK);
  for (uint64_t block = 1024; block <= 1 << 20; block *= 2) {
    const struct tny_pace pace = tny_model_pace(&model, algorithm, &prepared, budget, block);
    assert_int_equal(pace.window, 0);
    assert_in_range(setting.cluster->links[0].buffer_bytes / pace.limit_message_bytes, 6,
                    UINT32_MAX);
  }
  tny_problem_release(algorithm, &prepared);
  tear_down(&setting);
}

static void the_windows_of_links_take_several_messages(void **state)
{
  (void)state;
  check_limited("switches:5+11", "tree-phases");
  check_limited("switches:5+11,link=10Gbit/s", "tree-phases");
  check_limited("mesh:4x4,link=20Mbit/s", "planned-phases");
}

static void a_tiny_buffer_still_gets_chunks_worth_sending(void **state)
{
  (void)state;
  const struct tny_model model = model_of(16, 20000000);
  const struct tny_pace pace =
      tny_model_pace(&model, tny_algorithm_find(TNY_ALLTOALL, "shuffle"), &exchange, 100, 10000);
  assert_int_equal(pace.window, 1);
  assert_int_equal(pace.chunk_count, 10);
}

static void the_window_grows_with_the_latency_in_bytes(void **state)
{
  (void)state;
  const struct tny_algorithm *shuffle = tny_algorithm_find(TNY_ALLTOALL, "shuffle");
  const struct tny_model slow = model_of(16, 20000000), fast = model_of(16, 1000000000);
  assert_int_equal(tny_model_pace(&slow, shuffle, &exchange, 1 << 20, 1 << 20).window, 1);
  assert_int_equal(tny_model_pace(&fast, shuffle, &exchange, 1 << 20, 1 << 20).window, 2);
}

static void long_pipelines_and_short_messages_get_short_chunks(void **state)
{
  (void)state;
  const struct tny_algorithm *chain = tny_algorithm_find(TNY_BROADCAST, "switch-ordered-chain");
  const struct tny_model model = model_of(16, 20000000);
  assert_int_equal(tny_model_pace(&model, chain, &broadcast, 65536, 1 << 20).chunk_count, 368);
  assert_int_equal(tny_model_pace(&model, chain, &broadcast, 65536, 65536).chunk_count, 47);
  assert_int_equal(tny_model_pace(&model, chain, &broadcast, 65536, 8192).chunk_count, 32);
}

/* Without the guard. */
static bool is_planned(const struct tny_model *model, enum tny_collective collective,
                       uint64_t bytes)
{
  return bytes >= tny_model_bytes_min(model, collective, false);
}

static void short_blocks_and_few_ranks_are_left_to_native(void **state)
{
  (void)state;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    const enum tny_collective collective = (enum tny_collective)c;
    const struct tny_model model = model_of(16, 20000000), two = model_of(2, 20000000);
    assert_false(is_planned(&model, collective, 64));
    assert_false(is_planned(&two, collective, 1 << 20));
    assert_true(is_planned(&model, collective, 1 << 20));
  }
}

static void a_faster_link_leaves_longer_blocks_to_native(void **state)
{
  (void)state;
  const struct tny_model slow = model_of(16, 20000000), fast = model_of(16, 10000000000);
  assert_true(is_planned(&slow, TNY_ALLGATHER, 8192));
  assert_false(is_planned(&fast, TNY_ALLGATHER, 8192));
}

static void trunks_make_shorter_all_gathers_worth_a_plan(void **state)
{
  (void)state;
  struct tny_model model = model_of(16, 20000000);
  assert_false(is_planned(&model, TNY_ALLGATHER, 1024));
  model.has_trunks = true;
  assert_true(is_planned(&model, TNY_ALLGATHER, 1024));
}

static void the_guard_tries_shorter_blocks_and_long_routes(void **state)
{
  (void)state;
  struct tny_model model = model_of(16, 1000000000);
  assert_false(is_planned(&model, TNY_ALLTOALL, 32768));
  assert_true(tny_model_bytes_min(&model, TNY_ALLTOALL, true) <= 32768);
  model.step_ns += 10000000;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    assert_false(is_planned(&model, (enum tny_collective)c, 65536));
    assert_true(tny_model_bytes_min(&model, (enum tny_collective)c, true) <= 65536);
  }
}

static uint64_t shortest_tried(const char *cluster, uint32_t rank_count)
{
  struct setting setting;
  set_up(&setting, cluster, TNY_MAP_BLOCK, rank_count);
  const struct tny_model model = tny_model_make(&setting.network, setting.network.rank_count, NULL);
  tear_down(&setting);
  return tny_model_bytes_min(&model, TNY_ALLTOALL, true);
}

/* 256 messages of 151 bytes, and the 106 that MPI and frames add, are more than the 64 KiB of the
   trunk's port. */
static void the_guard_tries_all_to_alls_that_may_overfill_a_port(void **state)
{
  (void)state;
  const char *halves = "switches:16+16,link=1Gbit/s,trunk=1Gbit/s,buffer=64KiB";
  assert_int_equal(shortest_tried(halves, 0), 151);
  assert_true(shortest_tried("single:32,link=1Gbit/s,buffer=64KiB", 0) > 2000);
}

static void the_guard_tries_any_size_where_ranks_share_hosts(void **state)
{
  (void)state;
  assert_true(shortest_tried("switches:4+4,link=1Gbit/s", 8) > 64);
  assert_int_equal(shortest_tried("switches:4+4,link=1Gbit/s", 32), 1);
  assert_int_equal(shortest_tried("switches:4+4,link=1Gbit/s", 9), 1);
}

static uint64_t shortest_sparse(const char *cluster, uint32_t rank_count, uint32_t messages_most)
{
  struct setting setting;
  set_up(&setting, cluster, TNY_MAP_BLOCK, rank_count);
  const struct tny_model model = tny_model_make(&setting.network, setting.network.rank_count, NULL);
  tear_down(&setting);
  return tny_model_sparse_bytes_min(&model, messages_most, true);
}

/* Of 32 ranks on 8 hosts, 16 may send over the trunk at once: 16 messages of 4 KiB, with what is
   around them, are more than its 64 KiB, and so are 32 messages of 2 KiB. */
static void of_few_messages_longer_blocks_are_too_short(void **state)
{
  (void)state;
  const char *const fast = "switches:4+4,link=10Gbit/s,buffer=64KiB";
  const uint64_t single = shortest_sparse(fast, 32, 1), pairs = shortest_sparse(fast, 32, 2);
  assert_in_range(single, 3500, 4096);
  assert_in_range(pairs, 1500, 2048);
  assert_true(shortest_sparse(fast, 32, 8) < pairs);
  /* All send to all: as in an all-to-all, but for what ranks on one host might save. */
  assert_int_equal(shortest_sparse("switches:4+4,link=1Gbit/s", 8, 8),
                   shortest_tried("switches:4+4,link=1Gbit/s", 8));
  assert_int_equal(shortest_tried("switches:4+4,link=1Gbit/s", 9), 1);
  assert_true(shortest_sparse("switches:4+4,link=1Gbit/s", 9, 9) > 64);
}

static void no_communicator_is_planned_for_blocks_below_the_least(void **state)
{
  (void)state;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    for (int trunks = 0; trunks < 2; trunks++) {
      struct tny_model world = model_of(2000, 20000000);
      world.has_trunks = trunks;
      world.shares_hosts = trunks;
      const struct tny_model least = tny_model_least(&world);
      for (uint32_t p = 3; p < 2000; p++)
        for (uint64_t step_ns = 50000; step_ns < 100000000; step_ns *= 7) {
          const struct tny_model model = {.rank_count = p,
                                          .link_bps = world.link_bps,
                                          .step_ns = step_ns,
                                          .software_ns = world.software_ns,
                                          .has_trunks = trunks,
                                          .crowding_bytes = world.crowding_bytes};
          for (int guard = 0; guard < 2; guard++) {
            assert_true(tny_model_bytes_min(&model, (enum tny_collective)c, guard) >=
                        tny_model_bytes_min(&least, (enum tny_collective)c, guard));
            assert_true(tny_model_sparse_bytes_min(&model, 4, guard) >=
                        tny_model_sparse_bytes_min(&least, 4, guard));
          }
        }
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_shuffle_on_one_switch_has_a_whole_port_buffer),
      cmocka_unit_test(a_shuffle_across_a_trunk_shares_its_buffer_among_the_hosts_behind_it),
      cmocka_unit_test(switch_order_gives_a_ring_the_whole_trunk),
      cmocka_unit_test(a_chain_has_all_its_hops_at_work_at_once),
      cmocka_unit_test(the_bytes_in_flight_stay_under_their_part_of_the_buffer),
      cmocka_unit_test(the_windows_of_links_take_several_messages),
      cmocka_unit_test(a_tiny_buffer_still_gets_chunks_worth_sending),
      cmocka_unit_test(the_window_grows_with_the_latency_in_bytes),
      cmocka_unit_test(long_pipelines_and_short_messages_get_short_chunks),
      cmocka_unit_test(short_blocks_and_few_ranks_are_left_to_native),
      cmocka_unit_test(a_faster_link_leaves_longer_blocks_to_native),
      cmocka_unit_test(trunks_make_shorter_all_gathers_worth_a_plan),
      cmocka_unit_test(the_guard_tries_shorter_blocks_and_long_routes),
      cmocka_unit_test(the_guard_tries_all_to_alls_that_may_overfill_a_port),
      cmocka_unit_test(the_guard_tries_any_size_where_ranks_share_hosts),
      cmocka_unit_test(of_few_messages_longer_blocks_are_too_short),
      cmocka_unit_test(no_communicator_is_planned_for_blocks_below_the_least),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
