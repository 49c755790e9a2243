/* Heads that are routed when they come, and heads that are routed when nothing is before them. */
#include "support/cluster.h"

#include "simulator/fabric.h"

enum { FLITS = 64, MESSAGES = 8, SWITCH_CYCLES = 32 };

/* Cycles until host 1 has taken all messages of host 0, which follow each other without a gap. */
static uint64_t cycles_of(uint32_t depth, bool routes_ahead)
{
  struct tny_cluster *cluster = open_cluster("single:2,latency=0");
  struct tny_routes *routes;
  struct tny_fabric *fabric;
  assert_int_equal(tny_routes_make(cluster, &routes, NULL), TNY_OK);
  const struct tny_network_model model = {.routes = routes,
                                          .depth = depth,
                                          .channels = 1,
                                          .switch_cycles = SWITCH_CYCLES,
                                          .routes_ahead = routes_ahead,
                                          .link_cycles = 1,
                                          .inject_cycles = 1,
                                          .eject_cycles = 1,
                                          .credit_cycles = 1,
                                          .ports = 1};
  assert_int_equal(tny_fabric_new(&model, &fabric, NULL), TNY_OK);
  for (uint32_t i = 0; i < MESSAGES; i++) {
    const struct tny_packet packet = {
        .from = 0, .to = 1, .flits = FLITS, .phase = TNY_NONE, .tag = i};
    assert_int_equal(tny_fabric_send(fabric, &packet, NULL), TNY_OK);
  }
  while (!tny_fabric_is_empty(fabric)) {
    struct tny_fabric_events events;
    assert_int_equal(tny_fabric_run(fabric, UINT64_MAX, &events, NULL, NULL), TNY_OK);
  }
  const uint64_t cycles = tny_fabric_cycle(fabric);
  tny_fabric_free(fabric);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
  return cycles;
}

static void without_it_each_message_waits_for_its_routing(void **state)
{
  (void)state;
  const uint64_t shallow = cycles_of(4, false), deep = cycles_of(1024, false);
  assert_in_range(shallow, MESSAGES * (FLITS + SWITCH_CYCLES),
                  MESSAGES * (FLITS + SWITCH_CYCLES + 2));
  assert_in_range(shallow - deep, 0, MESSAGES);
}

static void with_it_a_deep_buffer_hides_the_routing_of_all_but_the_first(void **state)
{
  (void)state;
  const uint64_t cycles = cycles_of(1024, true), alone = SWITCH_CYCLES + MESSAGES * FLITS;
  /* The second one has come only a little while before the first has left. */
  assert_in_range(cycles, alone, alone + 2 * MESSAGES);
}

static void with_it_a_buffer_hides_as_many_cycles_as_it_has_flits(void **state)
{
  (void)state;
  const uint64_t of_8 = cycles_of(8, true), of_16 = cycles_of(16, true),
                 of_24 = cycles_of(24, true);
  assert_int_equal(of_8 - of_16, (MESSAGES - 1) * 8);
  assert_int_equal(of_16 - of_24, (MESSAGES - 1) * 8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_it_each_message_waits_for_its_routing),
      cmocka_unit_test(with_it_a_deep_buffer_hides_the_routing_of_all_but_the_first),
      cmocka_unit_test(with_it_a_buffer_hides_as_many_cycles_as_it_has_flits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
