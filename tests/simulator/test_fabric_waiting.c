/* What waits in the fabric: for its phase at synchronizing switches, or for good. */
#include "fabric_support.h"
#include "support/setting.h"

/* --- phases --- */

static void expect_and_send(struct bench *bench, const uint32_t pair[2], uint32_t flits,
                            uint32_t phase)
{
  struct tny_packet packet = packet_of(bench, pair[0], pair[1], flits);
  packet.phase = phase;
  assert_int_equal(tny_fabric_expect(bench->fabric, &packet, NULL), TNY_OK);
  hand_in(bench, &packet);
}

static void a_synchronizing_switch_waits_for_the_tails_of_a_phase(void **state)
{
  (void)state;
  static const uint32_t pairs[][2] = {{0, 1}, {2, 3}, {3, 2}, {1, 0}};
  for (uint32_t cycles = 0; cycles <= 40; cycles += 20) {
    struct tny_network_model model = quick;
    model.is_synchronizing = true;
    model.phase_cycles = cycles;
    struct bench bench;
    build(&bench, "single:4", &model);
    expect_and_send(&bench, pairs[0], 100, 0);
    expect_and_send(&bench, pairs[1], 1, 3);
    expect_and_send(&bench, pairs[2], 1, 5);
    send(&bench, 1, 0, 10); /* without a phase */
    finish(&bench);
    /* The tail of phase 0 leaves the switch in cycle 101, that of phase 3 in the next one. */
    assert_int_equal(bench.came[0], 102);
    assert_int_equal(bench.came[1], 103 + cycles);
    assert_int_equal(bench.came[2], 104 + 2 * cycles);
    assert_int_equal(bench.came[3], 12);
    clear(&bench);
  }
}

static void switches_that_a_phase_does_not_cross_do_not_wait_for_it(void **state)
{
  (void)state;
  static const uint32_t pairs[][2] = {{0, 1}, {2, 3}, {3, 0}};
  struct tny_network_model model = quick;
  model.is_synchronizing = true;
  struct bench bench;
  build(&bench, "switches:2+2", &model);
  expect_and_send(&bench, pairs[0], 100, 0);
  expect_and_send(&bench, pairs[1], 10, 1);
  expect_and_send(&bench, pairs[2], 10, 2); /* waits in the switch of 0 and 1 */
  finish(&bench);
  assert_int_equal(bench.came[1], 12);
  assert_int_equal(bench.came[2], 102 + 10);
  clear(&bench);
}

static void messages_of_a_phase_may_be_handed_in_late(void **state)
{
  (void)state;
  struct tny_network_model model = quick;
  model.is_synchronizing = true;
  struct bench bench;
  build(&bench, "single:4", &model);
  struct tny_packet first = packet_of(&bench, 0, 1, 10);
  first.phase = 0;
  assert_int_equal(tny_fabric_expect(bench.fabric, &first, NULL), TNY_OK);
  static const uint32_t pair[2] = {2, 3};
  expect_and_send(&bench, pair, 5, 1);
  for (uint32_t i = 0; tny_fabric_cycle(bench.fabric) < 500 && i < 10; i++)
    step(&bench, 500);
  assert_int_equal(tny_fabric_cycle(bench.fabric), 500);
  assert_int_equal(bench.came[0], 0);
  first.tag = bench.count;
  hand_in(&bench, &first);
  finish(&bench);
  assert_int_equal(bench.came[1], 511 + 1);
  assert_int_equal(bench.came[0], 511 + 6);
  clear(&bench);
}

/* The phases of an 8x8 torus, each of which uses every trunk once: what all of them take. */
static uint64_t time_of_phases(const struct tny_network_model *model, uint32_t flits)
{
  struct bench bench;
  struct setting on;
  struct tny_schedule *schedule;
  set_up(&on, "torus:8x8", TNY_MAP_BLOCK, 0);
  on.problem.collective = TNY_ALLTOALL;
  const struct tny_algorithm *phases = tny_algorithm_find(TNY_ALLTOALL, "phases");
  const struct tny_pace whole = {.chunk_count = 1};
  assert_int_equal(tny_plan_all(phases, &on.problem, whole, &schedule, NULL), TNY_OK);
  build(&bench, "torus:8x8", model);
  for (uint32_t rank = 0; rank < 64; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      const uint32_t pair[2] = {on.hosts[rank], on.hosts[step->peer % 64]};
      if (step->kind == TNY_SEND)
        expect_and_send(&bench, pair, flits, step->phase);
    }
  assert_int_equal(bench.count, 64 * 63);
  const uint64_t took = finish(&bench);
  clear(&bench);
  tny_schedule_free(schedule);
  tear_down(&on);
  return took;
}

static void synchronizing_switches_keep_phases_at_the_rate_of_the_links(void **state)
{
  (void)state;
  const uint32_t flits = 200, bound = 64 * 200;
  struct tny_network_model model = quick;
  const uint64_t loose = time_of_phases(&model, flits);
  model.is_synchronizing = true;
  const uint64_t kept = time_of_phases(&model, flits);
  /* A phase's front travels over the torus while its links are still at the phase before. */
  assert_in_range(kept, bound, bound * 108 / 100);
  assert_true(loose > kept * 5 / 4);
}

/* What is of a later phase never holds up what is of an earlier one, whatever the messages are:
   where a switch is at a phase, all earlier ones have passed it. */
static void phases_of_any_messages_come_to_an_end(void **state)
{
  (void)state;
  static const char *const clusters[] = {"torus:4x4", "ring:9", "irregular:60,switches=6,seed=5",
                                         "switches:3+4+2"};
  uint64_t seed = 3;
  for (uint32_t trial = 0; trial < 100; trial++) {
    struct tny_network_model model = quick;
    struct bench bench;
    model.is_synchronizing = true;
    model.depth = 1 + draw(&seed, 6);
    model.switch_cycles = draw(&seed, 4);
    model.phase_cycles = draw(&seed, 20);
    model.ports = 1 + draw(&seed, 2);
    build(&bench, clusters[trial % 4], &model);
    const uint32_t hosts = bench.cluster->host_count;
    for (uint32_t phase = 0; phase < 12; phase++)
      for (uint32_t i = 0; i < hosts / 2; i++) {
        const uint32_t pair[2] = {draw(&seed, hosts), draw(&seed, hosts)};
        expect_and_send(&bench, pair, 1 + draw(&seed, 20), phase);
      }
    finish(&bench);
    clear(&bench);
  }
}

/* --- deadlock --- */

/* Runs until it breaks; the cycle is the caller's, to be freed. */
static char *run_into_deadlock(struct bench *bench, struct tny_error *error)
{
  struct tny_fabric_events events;
  char *cycle = NULL;
  enum tny_status status = TNY_OK;
  while (!status && !tny_fabric_is_empty(bench->fabric))
    status = tny_fabric_run(bench->fabric, UINT64_MAX, &events, &cycle, error);
  assert_int_equal(status, TNY_BROKEN);
  return cycle;
}

static void a_ring_with_one_channel_gives_its_cycle(void **state)
{
  (void)state;
  static const char *const clockwise =
      "s1 -> s2\ns2 -> s3\ns3 -> s4\ns4 -> s5\ns5 -> s6\ns6 -> s7\ns7 -> s0\ns0 -> s1\n";
  struct tny_network_model model = quick;
  model.ignores_lanes = true;
  struct bench bench;
  build(&bench, "ring:8", &model);
  for (uint32_t host = 0; host < 8; host++)
    send(&bench, host, (host + 3) % 8, 100);
  struct tny_error error = {0};
  char *cycle = run_into_deadlock(&bench, &error);
  assert_non_null(strstr(error.text, "s0 -> s1"));
  assert_non_null(strstr(error.text, "(8 in all)"));
  /* The same cycle, wherever it begins. */
  assert_int_equal(strlen(cycle), strlen(clockwise));
  char *twice = tny_new(2 * strlen(clockwise) + 1, 1);
  memcpy(twice, clockwise, strlen(clockwise));
  memcpy(twice + strlen(clockwise), clockwise, strlen(clockwise));
  assert_non_null(strstr(twice, cycle));
  tny_free(twice);
  tny_text_free(cycle);
  clear(&bench);
}

static void what_only_leads_to_a_cycle_is_not_named(void **state)
{
  (void)state;
  struct bench bench;
  struct tny_error error = {0};
  /* A ring of five, and a switch p beside it, whose host is the first one. */
  build_on(&bench,
           read_cluster("cluster 1 lasso\nhost p0\nhost a\nhost b\nhost c\nhost d\nhost e\n"
                        "switch p\nswitch A\nswitch B\nswitch C\nswitch D\nswitch E\n"
                        "cable p A 1 1 1\ncable A B 1 1 1\ncable B C 1 1 1\ncable C D 1 1 1\n"
                        "cable D E 1 1 1\ncable E A 1 1 1\ncable p0 p 1 1 1\ncable a A 1 1 1\n"
                        "cable b B 1 1 1\ncable c C 1 1 1\ncable d D 1 1 1\ncable e E 1 1 1\n"),
           TNY_ROUTING_SHORTEST, &quick);
  send(&bench, 0, 3, 100);
  for (uint32_t i = 0; i < 5; i++)
    send(&bench, 1 + i, 1 + (i + 2) % 5, 100);
  char *cycle = run_into_deadlock(&bench, &error);
  assert_null(strstr(cycle, "p -> A"));
  assert_int_equal(strlen(cycle), 5 * strlen("A -> B\n"));
  assert_null(strstr(error.text, "in all"));
  tny_text_free(cycle);
  clear(&bench);
}

static void the_dateline_keeps_the_same_ring_from_deadlock(void **state)
{
  (void)state;
  struct bench bench;
  build(&bench, "ring:8", &quick);
  for (uint32_t host = 0; host < 8; host++)
    send(&bench, host, (host + 3) % 8, 100);
  finish(&bench);
  clear(&bench);
}

static void shared_stores_that_fill_each_other_are_a_deadlock(void **state)
{
  (void)state;
  struct tny_network_model model = quick;
  model.buffering = TNY_BUFFER_SHARED;
  model.depth = 4; /* 12 flits a switch */
  struct bench bench;
  build(&bench, "ring:4", &model);
  for (uint32_t i = 0; i < 40; i++)
    send(&bench, i % 4, (i % 4 + 2) % 4, 12);
  struct tny_error error = {0};
  char *cycle = run_into_deadlock(&bench, &error);
  assert_non_null(cycle);
  assert_non_null(strstr(cycle, " -> "));
  tny_text_free(cycle);
  clear(&bench);
}

static void a_phase_that_nobody_sends_is_named(void **state)
{
  (void)state;
  struct tny_network_model model = quick;
  model.is_synchronizing = true;
  struct bench bench;
  build(&bench, "single:4", &model);
  static const uint32_t late[2] = {0, 1}, early[2] = {0, 2};
  expect_and_send(&bench, late, 10, 7);
  expect_and_send(&bench, early, 10, 4); /* behind it in one queue */
  struct tny_error error = {0};
  assert_null(run_into_deadlock(&bench, &error));
  assert_non_null(strstr(error.text, "waits for 1 more messages of phase 4"));
  clear(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_synchronizing_switch_waits_for_the_tails_of_a_phase),
      cmocka_unit_test(switches_that_a_phase_does_not_cross_do_not_wait_for_it),
      cmocka_unit_test(messages_of_a_phase_may_be_handed_in_late),
      cmocka_unit_test(synchronizing_switches_keep_phases_at_the_rate_of_the_links),
      cmocka_unit_test(phases_of_any_messages_come_to_an_end),
      cmocka_unit_test(a_ring_with_one_channel_gives_its_cycle),
      cmocka_unit_test(what_only_leads_to_a_cycle_is_not_named),
      cmocka_unit_test(the_dateline_keeps_the_same_ring_from_deadlock),
      cmocka_unit_test(shared_stores_that_fill_each_other_are_a_deadlock),
      cmocka_unit_test(a_phase_that_nobody_sends_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
