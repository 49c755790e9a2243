/* How the model cuts and clocks blocks (chunks, window, limit), and that no port buffer can then
   overflow: by the exact count of what can be in flight. */
#include "in_flight_support.h"

/* How the model cuts and clocks blocks of so many bytes. */
static struct tny_pace pace_of(const struct setting *setting, enum tny_collective collective,
                               const char *name, uint64_t block_bytes)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, name);
  struct tny_problem problem = setting->problem, prepared;
  uint64_t chunk_budget_bytes;
  problem.collective = collective;
  assert_non_null(algorithm);
  assert_int_equal(tny_problem_prepare(algorithm, &problem, &prepared, NULL), TNY_OK);
  assert_int_equal(
      tny_model_chunk_budget(algorithm, &prepared, &setting->network, &chunk_budget_bytes, NULL),
      TNY_OK);
  const struct tny_model model = tny_model_make(&setting->network, problem.rank_count, NULL);
  const struct tny_pace pace =
      tny_model_pace(&model, algorithm, &prepared, chunk_budget_bytes, block_bytes);
  tny_problem_release(algorithm, &prepared);
  return pace;
}

struct measured {
  const char *cluster;
  enum tny_collective collective;
  const char *algorithm;
  struct tny_pace pace; /* of 64 KiB */
};

static void what_was_measured_is_clocked_as_it_was(void **state)
{
  (void)state;
  static const struct measured cases[] = {
      {"single:16,link=20Mbit/s", TNY_ALLTOALL, "shuffle", {16, 1, 0}},
      {"single:16,link=100Mbit/s", TNY_ALLTOALL, "shuffle", {47, 2, 0}},
      {"single:16,link=20Mbit/s", TNY_ALLGATHER, "switch-ordered-ring", {16, 1, 0}},
      {"switches:8+8,link=20Mbit/s", TNY_ALLTOALL, "shuffle", {16, 1, 0}},
      {"switches:8+8,link=20Mbit/s", TNY_ALLGATHER, "switch-ordered-ring", {16, 1, 0}},
      {"switches:8+8,link=20Mbit/s", TNY_BROADCAST, "switch-ordered-chain", {47, 16, 0}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct setting setting;
    set_up(&setting, cases[i].cluster, TNY_MAP_BLOCK, 0);
    const struct tny_pace pace = pace_of(&setting, cases[i].collective, cases[i].algorithm, 65536);
    assert_int_equal(pace.chunk_count, cases[i].pace.chunk_count);
    assert_int_equal(pace.window, cases[i].pace.window);
    assert_int_equal(pace.limit_message_bytes, 0);
    tear_down(&setting);
  }
}

/* Plans as the model says; returns the messages of which no port buffer has more than it takes, but
   for hosts' ports where `only_trunks`. */
static void check_buffers(const struct setting *setting, enum tny_collective collective,
                          const char *name, uint64_t block_bytes, bool only_trunks)
{
  const struct tny_pace pace = pace_of(setting, collective, name, block_bytes);
  const uint64_t message_bytes = (block_bytes + pace.chunk_count - 1) / pace.chunk_count;
  struct tny_schedule *schedule = plan_by_name(setting, collective, name, pace);
  struct link_counts counts;
  prove(schedule);
  count_in_flight(&counts, setting, schedule, pace.window);
  for (uint32_t link = 0; link < setting->cluster->link_count; link++) {
    const struct tny_link *at = &setting->cluster->links[link];
    const bool is_port =
        at->from < setting->cluster->host_count || at->to < setting->cluster->host_count;
    if (!(only_trunks && is_port) && counts.exact[link] * message_bytes > at->buffer_bytes)
      fail_msg("%s on %s: %u messages of %llu bytes on link %u", name, setting->cluster->name,
               counts.exact[link], (unsigned long long)message_bytes, link);
  }
  release_counts(&counts);
  tny_schedule_free(schedule);
}

static void no_buffer_can_overflow_where_ranks_take_turns_on_a_trunk(void **state)
{
  (void)state;
  static const char *const trees[] = {"switches:5+11,link=20Mbit/s", "switches:3+4+5+6",
                                      "switches:2+14,link=20Mbit/s"};
  for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
    struct setting setting;
    set_up(&setting, trees[i], TNY_MAP_BLOCK, 0);
    const struct tny_pace pace = pace_of(&setting, TNY_ALLTOALL, "tree-phases", 16384);
    assert_int_equal(pace.window, 0);
    assert_true(pace.limit_message_bytes > 4096);
    check_buffers(&setting, TNY_ALLTOALL, "tree-phases", 16384, false);
    tear_down(&setting);
  }
}

static void no_trunk_can_overflow_where_many_ranks_share_it(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:5+27,link=20Mbit/s", TNY_MAP_BLOCK, 0);
  check_buffers(&setting, TNY_ALLTOALL, "shuffle", 16384, true);
  check_buffers(&setting, TNY_ALLGATHER, "switch-ordered-ring", 16384, false);
  tear_down(&setting);
  set_up(&setting, "switches:12+12,link=1Gbit/s", TNY_MAP_INTERLEAVED, 0);
  check_buffers(&setting, TNY_ALLTOALL, "shuffle", 65536, true);
  check_buffers(&setting, TNY_ALLGATHER, "switch-ordered-ring", 65536, false);
  tear_down(&setting);
}

/* Fast ports; a slow trunk with a buffer of a quarter. */
static struct tny_cluster *slow_trunk(uint32_t hosts)
{
  struct tny_text text = {0};
  tny_text_add(&text, "cluster 1 slow\n");
  for (uint32_t i = 0; i < hosts; i++)
    tny_text_add(&text, "host h%u\n", i);
  tny_text_add(&text, "switch s0\nswitch s1\ncable s0 s1 20000000 5000 16384\n");
  for (uint32_t i = 0; i < hosts; i++)
    tny_text_add(&text, "cable h%u s%u 1000000000 5000 65536\n", i, i % 2);
  struct tny_cluster *cluster;
  assert_false(text.failed);
  assert_int_equal(tny_cluster_read_flat(text.bytes, &cluster, NULL), TNY_OK);
  tny_text_release(&text);
  return cluster;
}

static void a_slow_trunk_among_fast_ports_has_a_window_of_its_own(void **state)
{
  (void)state;
  struct setting setting;
  struct link_counts counts;
  set_up_on(&setting, slow_trunk(8), TNY_MAP_BLOCK, 0);
  const struct tny_pace pace = {.chunk_count = 16, .window = 2, .limit_message_bytes = 4096};
  check_buffers(&setting, TNY_ALLGATHER, "switch-ordered-ring", 65536, false);
  struct tny_schedule *schedule =
      plan_by_name(&setting, TNY_ALLGATHER, "switch-ordered-ring", pace);
  count_in_flight(&counts, &setting, schedule, pace.window);
  uint32_t trunk = 0, port = 0;
  for (uint32_t link = 0; link < setting.cluster->link_count; link++) {
    uint32_t *most = setting.cluster->links[link].bandwidth_bps < 1000000000 ? &trunk : &port;
    if (counts.exact[link] > *most)
      *most = counts.exact[link];
  }
  assert_int_equal(trunk, 4);
  assert_true(port > trunk);
  release_counts(&counts);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_measured_is_clocked_as_it_was),
      cmocka_unit_test(no_buffer_can_overflow_where_ranks_take_turns_on_a_trunk),
      cmocka_unit_test(no_trunk_can_overflow_where_many_ranks_share_it),
      cmocka_unit_test(a_slow_trunk_among_fast_ports_has_a_window_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
