/* Uniform random traffic, against what is known of it: an independent simulator's latencies, and
   the limit of input queues. */
#include "fabric_support.h"
#include "support/memory.h"

#include <math.h>

#include <tourney/simulate.h>

static enum tny_status try_load(const char *cluster, struct tny_network_model model,
                                const struct tny_load *load, struct tny_load_report *report,
                                struct tny_error *error)
{
  struct tny_cluster *opened = open_cluster(cluster);
  struct tny_routes *routes = make_routes(opened);
  char *cycle = NULL;
  model.routes = routes;
  const enum tny_status status = tny_simulate_load(&model, load, report, &cycle, error);
  assert_int_equal(cycle != NULL, status == TNY_BROKEN);
  tny_text_free(cycle);
  tny_routes_free(routes);
  tny_cluster_free(opened);
  return status;
}

static struct tny_load_report measure(const char *cluster, const struct tny_network_model *model,
                                      const struct tny_load *load)
{
  struct tny_load_report report;
  struct tny_error error = {0};
  if (try_load(cluster, *model, load, &report, &error))
    fail_msg("%s: %s", cluster, error.text);
  return report;
}

/* BookSim 2.0, 8x8 torus, dimension order, uniform traffic, 4 virtual channels of 8 flits, packets
   of 4, iSLIP: the mean latencies of its packets. */
static void latencies_are_those_of_an_independent_simulator(void **state)
{
  (void)state;
  static const struct {
    double load, latency, tolerance;
  } known[] = {{0.01, 34.19, 0.03}, {0.1, 34.93, 0.03}, {0.3, 38.57, 0.03}, {0.5, 51.63, 0.06}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const struct tny_load load = {
        .load = known[i].load, .packet_flits = 4, .warm_up_cycles = 3000, .measured_cycles = 60000};
    const struct tny_load_report report = measure("torus:8x8", &tny_booksim_routers, &load);
    if (!(fabs(report.latency / known[i].latency - 1) < known[i].tolerance))
      fail_msg("latency %.2f at load %.2f", report.latency, known[i].load);
    assert_true(fabs(report.accepted / known[i].load - 1) < 0.02);
  }
}

/* Karol, Hluchyj and Morgan 1987: 2 - sqrt 2 for many ports; 0.655 for 4. */
static void heads_of_line_limit_a_large_switch_to_58_6_percent(void **state)
{
  (void)state;
  const struct tny_load load = {
      .load = 2, .packet_flits = 1, .warm_up_cycles = 1000, .measured_cycles = 4000};
  const double large = measure("single:256", &quick, &load).accepted;
  assert_true(fabs(large / (2 - sqrt(2)) - 1) < 0.01);
  const double small = measure("single:4", &quick, &load).accepted;
  assert_true(fabs(small / 0.655 - 1) < 0.02);
}

static void a_shared_store_lets_a_large_switch_pass_all_its_links_can(void **state)
{
  (void)state;
  struct tny_network_model model = quick;
  model.buffering = TNY_BUFFER_SHARED;
  model.depth = 64;
  const struct tny_load load = {
      .load = 0.95, .packet_flits = 1, .warm_up_cycles = 1000, .measured_cycles = 4000};
  const struct tny_load_report report = measure("single:64", &model, &load);
  assert_true(fabs(report.accepted / 0.95 - 1) < 0.01);
  assert_true(isfinite(report.latency));
}

static void what_the_network_can_not_carry_has_no_latency(void **state)
{
  (void)state;
  const struct tny_load load = {
      .load = 0.9, .packet_flits = 8, .warm_up_cycles = 100, .measured_cycles = 1000};
  const struct tny_load_report report = measure("switches:32+32", &quick, &load);
  assert_true(isinf(report.latency));
  /* Half of all crosses the trunk, each way as much as one host of 32 sends. */
  assert_true(report.accepted < 1.1 * 2 / 32);
}

static void packets_are_as_many_as_the_load_says(void **state)
{
  (void)state;
  const struct tny_load load = {
      .load = 0.2, .packet_flits = 5, .warm_up_cycles = 7, .measured_cycles = 50000};
  const struct tny_load_report report = measure("torus:4x4", &tny_booksim_routers, &load);
  const double expected = 0.2 / 5 * 16 * 50000;
  assert_true(fabs((double)report.packets / expected - 1) < 4 / sqrt(expected));
  /* Two hops on average, of all that was sent from the first to the last cycle. */
  assert_true((double)report.flit_hops / (expected * 5 * 2) > 0.97);
  assert_true((double)report.flit_hops / (expected * 5 * 2) < 1.03);
}

static void a_ring_without_lanes_deadlocks_under_load(void **state)
{
  (void)state;
  struct tny_network_model model = quick;
  model.ignores_lanes = true;
  const struct tny_load load = {
      .load = 0.5, .packet_flits = 16, .warm_up_cycles = 0, .measured_cycles = 100000};
  struct tny_load_report report;
  struct tny_error error = {0};
  assert_int_equal(try_load("ring:16", model, &load, &report, &error), TNY_BROKEN);
  assert_non_null(strstr(error.text, "wait for each other in a cycle"));
}

static void loads_that_mean_nothing_are_refused(void **state)
{
  (void)state;
  static const struct tny_load wrong[] = {
      {.load = 0, .packet_flits = 1, .measured_cycles = 1},
      {.load = 1, .packet_flits = 0, .measured_cycles = 1},
      {.load = 1, .packet_flits = 1, .measured_cycles = 0},
  };
  struct tny_load_report report;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_int_equal(try_load("single:4", quick, &wrong[i], &report, NULL), TNY_REFUSED);
}

static enum tny_status simulate_some_load(const void *model, struct tny_error *error)
{
  const struct tny_load load = {.load = 0.5, .packet_flits = 2, .measured_cycles = 2000};
  struct tny_load_report report;
  return tny_simulate_load(model, &load, &report, NULL, error);
}

static void without_memory_it_says_so(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_cluster("single:4");
  struct tny_routes *routes = make_routes(cluster);
  struct tny_network_model model = quick;
  model.routes = routes;
  assert_true(starve(simulate_some_load, &model) >= 29);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(latencies_are_those_of_an_independent_simulator),
      cmocka_unit_test(heads_of_line_limit_a_large_switch_to_58_6_percent),
      cmocka_unit_test(a_shared_store_lets_a_large_switch_pass_all_its_links_can),
      cmocka_unit_test(what_the_network_can_not_carry_has_no_latency),
      cmocka_unit_test(packets_are_as_many_as_the_load_says),
      cmocka_unit_test(a_ring_without_lanes_deadlocks_under_load),
      cmocka_unit_test(loads_that_mean_nothing_are_refused),
      cmocka_unit_test(without_memory_it_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
