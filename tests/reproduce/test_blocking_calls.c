/* Schedules as loops of blocking calls, and programs of hosts with noise (reproduce/shared/). */
#include "support/cluster.h"
#include "support/memory.h"

#include <stdio.h>

#include <tourney/verify.h>

#include "core/alloc.h"
#include "reproduce/shared/blocking_calls.h"
#include "reproduce/shared/experiment.h"
#include "reproduce/shared/host_noise.h"

/* --- calls --- */

static struct tny_site open_site(const char *cluster)
{
  struct tny_site site;
  assert_int_equal(tny_site_open(&site, &(struct tny_site_wanted){.cluster = cluster}, NULL),
                   TNY_OK);
  return site;
}

static struct tny_schedule *plan(const struct tny_site *site, enum tny_collective collective,
                                 const char *algorithm, uint32_t chunk_count)
{
  const struct tny_plan_wanted wanted = {
      .collective = collective, .algorithm = algorithm, .chunk_count = chunk_count};
  struct tny_schedule *schedule;
  assert_int_equal(tny_site_plan(site, &wanted, &schedule, NULL), TNY_OK);
  return schedule;
}

static struct tny_schedule *one_partner(struct tny_schedule *in, uint32_t first_phase)
{
  struct tny_schedule *out;
  assert_int_equal(tny_blocking_one_partner(in, first_phase, &out, NULL), TNY_OK);
  tny_schedule_free(in);
  return out;
}

static void broadcasts_by_one_partner_at_a_time_are_proved(void **state)
{
  (void)state;
  static const char *const algorithms[] = {"linear", "pipelined-linear", "binomial", "van-de-geijn",
                                           "round-robin"};
  for (uint32_t p = 1; p <= 17; p++) {
    char cluster[32];
    snprintf(cluster, sizeof cluster, "single:%u", p);
    struct tny_site site = open_site(cluster);
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
      const uint32_t chunks = i == 1 || i == 4 ? 7 : 1;
      struct tny_schedule *schedule =
          one_partner(plan(&site, TNY_BROADCAST, algorithms[i], chunks), 0);
      assert_int_equal(tny_verify_schedule(schedule, NULL, NULL), TNY_OK);
      tny_schedule_free(schedule);
    }
    tny_site_close(&site);
  }
}

/* Of the broadcast of 40 pieces of 50 flits, in pieces. */
static double pieces_of(const struct tny_site *site, const struct tny_schedule *schedule)
{
  const struct tny_experiment experiment = {.network = {.buffering = TNY_BUFFER_SHARED,
                                                        .switching = TNY_SWITCH_WORMHOLE,
                                                        .channels = 1,
                                                        .depth = 2000,
                                                        .link_cycles = 1,
                                                        .inject_cycles = 1,
                                                        .eject_cycles = 1,
                                                        .credit_cycles = 1,
                                                        .ports = 1},
                                            .hosts = {.flit_bytes = 1},
                                            .block_bytes = 40 * 50};
  struct tny_simulation *simulation;
  assert_int_equal(tny_experiment_run(&experiment, site, schedule, &simulation, NULL), TNY_OK);
  const double pieces = (double)simulation->cycles / 50;
  tny_simulation_free(simulation);
  return pieces;
}

static void a_chain_that_receives_and_sends_in_turns_takes_twice_as_long(void **state)
{
  (void)state;
  struct tny_site site = open_site("single:4,latency=0");
  struct tny_schedule *schedule = plan(&site, TNY_BROADCAST, "pipelined-linear", 40);
  const double at_once = pieces_of(&site, schedule);
  schedule = one_partner(schedule, 0);
  const double in_turns = pieces_of(&site, schedule);
  assert_true(at_once < 1.1 * 42 && in_turns > 1.9 * at_once && in_turns < 2.3 * at_once);
  tny_schedule_free(schedule);
  tny_site_close(&site);
}

static void partners_across_two_clusters_meet_one_after_another(void **state)
{
  (void)state;
  static const char *const clusters[] = {"zones:3+7,delay=5ms", "zones:4+4,delay=5ms",
                                         "zones:5+2,delay=5ms"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    struct tny_site site = open_site(clusters[i]);
    struct tny_schedule *schedule = plan(&site, TNY_ALLTOALL, "lg", 1);
    uint32_t last = 0;
    for (uint32_t s = 0; s < schedule->ranks[0].count; s++)
      if (schedule->ranks[0].steps[s].kind == TNY_SEND)
        last = schedule->ranks[0].steps[s].phase;
    schedule = one_partner(schedule, last);
    struct tny_report report;
    assert_int_equal(tny_verify_schedule(schedule, &report, NULL), TNY_OK);
    assert_true(report.tokens > 0);
    tny_schedule_free(schedule);
    tny_site_close(&site);
  }
}

static void schedules_with_tokens_are_refused(void **state)
{
  (void)state;
  struct tny_site site = open_site("single:4");
  const struct tny_plan_wanted wanted = {
      .collective = TNY_BROADCAST, .algorithm = "pipelined-linear", .chunk_count = 8, .window = 2};
  struct tny_schedule *schedule, *out;
  assert_int_equal(tny_site_plan(&site, &wanted, &schedule, NULL), TNY_OK);
  assert_int_equal(tny_blocking_one_partner(schedule, 0, &out, NULL), TNY_REFUSED);
  assert_null(out);
  tny_schedule_free(schedule);
  tny_site_close(&site);
}

/* All messages of the rounds before are received and sent before a round's first send starts. */
static void a_rounds_first_send_waits_for_the_round_before(void **state)
{
  (void)state;
  enum { FAN_OUT = 2, CHUNKS = 3 };
  struct tny_site site = open_site("single:6");
  struct tny_schedule *planned = plan(&site, TNY_ALLTOALL, "group-shuffle:2", CHUNKS), *schedule;
  assert_int_equal(tny_blocking_in_rounds(planned, FAN_OUT * CHUNKS, &schedule, NULL), TNY_OK);
  assert_int_equal(tny_verify_schedule(schedule, NULL, NULL), TNY_OK);
  for (uint32_t rank = 0; rank < site.rank_count; rank++) {
    const struct tny_steps *steps = &schedule->ranks[rank];
    uint32_t round = 0, messages = 0;
    for (uint32_t s = 0; s < steps->count; s++) {
      const struct tny_step *step = &steps->steps[s];
      if (step->kind == TNY_SEND && step->phase / (FAN_OUT * CHUNKS) != round) {
        assert_true(step->after_count >= messages);
        round = step->phase / (FAN_OUT * CHUNKS);
        messages = 0;
      }
      messages += step->kind != TNY_COPY;
    }
    assert_int_equal(round, 2);
  }
  tny_schedule_free(planned);
  tny_schedule_free(schedule);
  tny_site_close(&site);
}

/* --- hold-ups --- */

static struct tny_program *make_program(const struct tny_site *site)
{
  struct tny_schedule *schedule = plan(site, TNY_ALLTOALL, "shuffle", 4);
  struct tny_program *program;
  assert_int_equal(tny_program_make(schedule, 4 * 10, NULL, &program, NULL), TNY_OK);
  tny_schedule_free(schedule);
  return program;
}

static struct tny_simulation *simulate(const struct tny_site *site,
                                       const struct tny_program *program)
{
  const struct tny_network_model network = {.routes = site->routes,
                                            .channels = 1,
                                            .depth = 64,
                                            .link_cycles = 1,
                                            .inject_cycles = 1,
                                            .eject_cycles = 1,
                                            .credit_cycles = 1,
                                            .ports = 1,
                                            .cycle_ns = 1};
  const struct tny_host_model hosts = {.host_of_rank = site->host_of_rank, .flit_bytes = 1};
  struct tny_simulation *simulation;
  assert_int_equal(tny_simulate(&network, &hosts, program, NULL, &simulation, NULL, NULL), TNY_OK);
  return simulation;
}

static uint64_t cycles_of(const struct tny_site *site, const struct tny_program *program,
                          const struct tny_host_noise *noise)
{
  struct tny_program *noisy;
  assert_int_equal(tny_program_add_noise(program, noise, &noisy, NULL), TNY_OK);
  struct tny_simulation *calm = simulate(site, program);
  struct tny_simulation *simulation = simulate(site, noisy);
  assert_int_equal(simulation->messages, calm->messages);
  assert_int_equal(simulation->flits, calm->flits);
  const uint64_t cycles = simulation->cycles;
  tny_simulation_free(calm);
  tny_simulation_free(simulation);
  tny_program_free(noisy);
  return cycles;
}

static void quiet_hosts_take_as_long_as_before(void **state)
{
  (void)state;
  struct tny_site site = open_site("single:5,latency=0");
  struct tny_program *program = make_program(&site);
  struct tny_simulation *calm = simulate(&site, program);
  assert_int_equal(cycles_of(&site, program, &(struct tny_host_noise){.seed = 3}), calm->cycles);
  tny_simulation_free(calm);
  tny_program_free(program);
  tny_site_close(&site);
}

static void late_and_delayed_hosts_take_longer_and_the_same_for_a_seed(void **state)
{
  (void)state;
  struct tny_site site = open_site("single:5,latency=0");
  struct tny_program *program = make_program(&site);
  const uint64_t calm = cycles_of(&site, program, &(struct tny_host_noise){0});
  const struct tny_host_noise late = {.start_spread_ns = 400, .seed = 1};
  const struct tny_host_noise delayed = {
      .delay_probability = 0.2, .delay_ns = 50, .card_messages = 2, .seed = 1};
  assert_true(cycles_of(&site, program, &late) > calm + 100);
  assert_true(cycles_of(&site, program, &late) < calm + 600);
  assert_true(cycles_of(&site, program, &delayed) > calm + 50);
  assert_int_equal(cycles_of(&site, program, &delayed), cycles_of(&site, program, &delayed));
  tny_program_free(program);
  tny_site_close(&site);
}

static void a_card_of_one_message_takes_the_next_when_the_one_before_has_left(void **state)
{
  (void)state;
  struct tny_site site = open_site("single:5,latency=0");
  struct tny_program *program = make_program(&site), *noisy;
  assert_int_equal(
      tny_program_add_noise(program, &(struct tny_host_noise){.card_messages = 1}, &noisy, NULL),
      TNY_OK);
  struct tny_simulation *simulation = simulate(&site, noisy);
  for (uint32_t rank = 0; rank < site.rank_count; rank++) {
    uint64_t left = 0;
    for (uint32_t op = noisy->first[rank]; op < noisy->first[rank + 1]; op++) {
      if (noisy->ops[op].kind != TNY_OP_SEND)
        continue;
      assert_true(simulation->ops[op].start >= left);
      left = simulation->ops[op].sent;
    }
  }
  tny_simulation_free(simulation);
  tny_program_free(noisy);
  tny_program_free(program);
  tny_site_close(&site);
}

static enum tny_status call_one_partner(const void *schedule, struct tny_error *error)
{
  struct tny_schedule *called;
  const enum tny_status status = tny_blocking_one_partner(schedule, 0, &called, error);
  assert_true(status == TNY_OK || !called);
  tny_schedule_free(called);
  return status;
}

static enum tny_status make_noisy(const void *program, struct tny_error *error)
{
  const struct tny_host_noise noise = {
      .start_spread_ns = 10, .delay_probability = 0.5, .delay_ns = 10, .seed = 1};
  struct tny_program *noisy;
  const enum tny_status status = tny_program_add_noise(program, &noise, &noisy, error);
  assert_true(status == TNY_OK || !noisy);
  tny_program_free(noisy);
  return status;
}

static void lacking_memory_is_said(void **state)
{
  (void)state;
  struct tny_site site = open_site("single:4");
  struct tny_schedule *schedule = plan(&site, TNY_BROADCAST, "round-robin", 6);
  struct tny_program *program = make_program(&site);
  assert_true(starve(call_one_partner, schedule) > 0);
  assert_true(starve(make_noisy, program) > 0);
  tny_program_free(program);
  tny_schedule_free(schedule);
  tny_site_close(&site);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(broadcasts_by_one_partner_at_a_time_are_proved),
      cmocka_unit_test(a_chain_that_receives_and_sends_in_turns_takes_twice_as_long),
      cmocka_unit_test(partners_across_two_clusters_meet_one_after_another),
      cmocka_unit_test(schedules_with_tokens_are_refused),
      cmocka_unit_test(a_rounds_first_send_waits_for_the_round_before),
      cmocka_unit_test(quiet_hosts_take_as_long_as_before),
      cmocka_unit_test(late_and_delayed_hosts_take_longer_and_the_same_for_a_seed),
      cmocka_unit_test(a_card_of_one_message_takes_the_next_when_the_one_before_has_left),
      cmocka_unit_test(lacking_memory_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
