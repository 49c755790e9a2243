/* The machine's parameters, from raw times that are made up. */
#include "support/cluster.h"

#include "cli/tune/machine.h"

/* Two hosts on a switch whose links take 120 bytes in 960 ns and delay by 1000: so a short message
   is under way for 3920 ns. */
#define CLUSTER "single:2,link=1Gbit/s,latency=1us"

static struct tny_machine make(const char *const *lines)
{
  static const uint32_t hosts[] = {0, 1};
  struct tny_cluster *cluster = open_cluster(CLUSTER);
  struct tny_routes *routes = make_routes(cluster);
  const struct tny_network network = {routes, hosts, 2};
  struct tune_raws raws = {0};
  for (size_t i = 0; lines[i]; i++)
    assert_true(tune_raws_add(&raws, lines[i]));
  const struct tny_machine machine = tune_machine_make(&raws, &network);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
  return machine;
}

static void overheads_are_those_of_all_ranks_at_once(void **state)
{
  (void)state;
  static const char *const lines[] = {
      "pair 0 1",       "send 1 2000", "receive 1 3000", "stream-least 1 19000", "stream 1 20000",
      "sharing 1 1000", NULL};
  const struct tny_machine machine = make(lines);
  assert_int_equal(machine.send_overhead_ns, 8000);
  assert_int_equal(machine.receive_overhead_ns, 12000);
}

/* Where the port is busy with frames (a stream's message takes little more than one), the sharing
   of processors counts instead. */
static void a_busy_port_is_no_overhead(void **state)
{
  (void)state;
  static const char *const lines[] = {
      "pair 0 1",       "send 1 200", "receive 1 300", "stream-least 1 1100", "stream 1 90000",
      "sharing 1 4000", NULL};
  const struct tny_machine machine = make(lines);
  assert_int_equal(machine.send_overhead_ns, 800);
  assert_int_equal(machine.receive_overhead_ns, 1200);
}

/* Two hosts on a switch have a message for each port in 960 ns. */
static void an_exchange_shows_what_turning_to_another_rank_costs(void **state)
{
  (void)state;
  static const char *const lines[] = {"pair 0 1",         "send 1 2000",
                                      "receive 1 3000",   "stream-least 1 19000",
                                      "stream 1 20000",   "exchange-least 1 40000",
                                      "exchange 1 50000", NULL};
  assert_int_equal(make(lines).source_overhead_ns, 30000);
  static const char *const cheaper[] = {"send 1 2000",
                                        "receive 1 3000",
                                        "stream-least 1 19000",
                                        "stream 1 20000",
                                        "exchange-least 1 18000",
                                        "exchange 1 19000",
                                        "exchange 2 9999",
                                        NULL};
  assert_int_equal(make(cheaper).source_overhead_ns, 0);
  static const char *const busy_port[] = {
      "send 1 200",     "receive 1 300",         "stream-least 1 1100", "stream 1 2000",
      "sharing 1 1000", "exchange-least 1 1100", "exchange 1 90000",    NULL};
  assert_int_equal(make(busy_port).source_overhead_ns, 0);
}

static void the_way_is_no_latency(void **state)
{
  (void)state;
  static const char *const lines[] = {"pair 0 1", "send 1 2000", "receive 1 3000",
                                      "round-trip 1 30000", NULL};
  assert_int_equal(make(lines).latency_ns, 15000 - 5000 - 3920);
  static const char *const fast[] = {"pair 0 1", "send 1 2000", "receive 1 3000",
                                     "round-trip 1 3000", NULL};
  assert_int_equal(make(fast).latency_ns, 0);
}

/* Both overheads are 4 times as long as alone, 20000 together. */
static void a_round_of_all_ranks_has_latency_in_it(void **state)
{
  (void)state;
  static const char *const lines[] = {
      "pair 0 1",       "send 1 2000",          "receive 1 3000", "round-trip 1 30000",
      "round 1 100000", "stream-least 1 19000", "stream 1 20000", NULL};
  assert_int_equal(make(lines).latency_ns, 100000 - 20000 - 3920);
}

static void bytes_cost_both_sides_and_shared_processors_more(void **state)
{
  (void)state;
  /* 16383 bytes more take 16383 ns more at both ends: 1 ns a byte, twice as much shared */
  static const char *const lines[] = {"send 1 1000",
                                      "receive 1 1000",
                                      "send 16384 17383",
                                      "receive 16384 17383",
                                      "stream 1 9000",
                                      "sharing 1 2000",
                                      NULL};
  assert_int_equal(make(lines).byte_overhead_ps, 2000);
}

static void combining_costs_shared_processors_more(void **state)
{
  (void)state;
  static const char *const lines[] = {"combine 1048576 131072", "sharing 1 2000", NULL};
  assert_int_equal(make(lines).combine_ps, 250);
}

/* The port takes 2097152 ns for 262144 bytes. Half as long again at least, and a stream is slow by
   its bytes: those that a message has more take 5242860 ns more, 10 ns each at both ends. A lost
   segment doesn't make a port look idle. */
static void a_stream_shows_what_bytes_cost_beside_the_calls(void **state)
{
  (void)state;
  static const char *const lines[] = {"pair 0 1",
                                      "send 1 1000",
                                      "receive 1 1000",
                                      "send 16384 17383",
                                      "receive 16384 17383",
                                      "stream-least 262144 5000000",
                                      "stream 262144 5251860",
                                      "stream 1 9000",
                                      "sharing 1 2000",
                                      NULL};
  assert_int_equal(make(lines).byte_overhead_ps, 10000);
  static const char *const busy[] = {"pair 0 1",
                                     "send 1 1000",
                                     "receive 1 1000",
                                     "send 16384 17383",
                                     "receive 16384 17383",
                                     "stream-least 262144 2200000",
                                     "stream 262144 9000000",
                                     "stream 1 9000",
                                     "sharing 1 2000",
                                     NULL};
  assert_int_equal(make(busy).byte_overhead_ps, 2000);
}

/* Below and above the limit of 65536: 1024 bytes more, 1 ns each, and a handshake both ways. */
static void the_handshake_is_what_the_bytes_dont_explain(void **state)
{
  (void)state;
  static const char *const lines[] = {"eager 65536 0", "round-trip 32768 100000",
                                      "round-trip 65024 132256", "round-trip 66048 183280", NULL};
  const struct tny_machine machine = make(lines);
  assert_int_equal(machine.eager_bytes, 65536);
  assert_int_equal(machine.handshake_ns, 25000);
  static const char *const always[] = {"eager 1048576 0", NULL};
  assert_int_equal(make(always).handshake_ns, 0);
}

static void what_lies_on_one_host_has_its_own_rate(void **state)
{
  (void)state;
  static const char *const lines[] = {"local-round-trip 1 2000", "local-round-trip 262144 100000",
                                      "local-round-trip 1048576 1672864", NULL};
  const struct tny_machine machine = make(lines);
  assert_int_equal(machine.local_latency_ns, 1000);
  assert_int_equal(machine.local_bps, UINT64_C(8000000000)); /* 786432 bytes in 786432 ns */
}

static void what_is_not_measured_is_as_by_default(void **state)
{
  (void)state;
  static const char *const none[] = {NULL};
  const struct tny_machine machine = make(none), standard = tny_machine_default(1000000000);
  assert_memory_equal(&machine, &standard, sizeof machine);
}

static void lines_that_are_no_raw_times_are_refused(void **state)
{
  (void)state;
  struct tune_raws raws = {0};
  assert_false(tune_raws_add(&raws, ""));
  assert_false(tune_raws_add(&raws, "send 1"));
  assert_false(tune_raws_add(&raws, "send 1 2 3"));
  assert_false(tune_raws_are_complete(&raws));
  assert_true(tune_raws_add(&raws, "stream 1 5"));
  assert_true(tune_raws_are_complete(&raws));
  while (raws.count < TUNE_RAWS_MAX)
    assert_true(tune_raws_add(&raws, "send 1 2"));
  assert_false(tune_raws_add(&raws, "send 1 2"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(overheads_are_those_of_all_ranks_at_once),
      cmocka_unit_test(a_busy_port_is_no_overhead),
      cmocka_unit_test(an_exchange_shows_what_turning_to_another_rank_costs),
      cmocka_unit_test(the_way_is_no_latency),
      cmocka_unit_test(a_round_of_all_ranks_has_latency_in_it),
      cmocka_unit_test(bytes_cost_both_sides_and_shared_processors_more),
      cmocka_unit_test(combining_costs_shared_processors_more),
      cmocka_unit_test(a_stream_shows_what_bytes_cost_beside_the_calls),
      cmocka_unit_test(the_handshake_is_what_the_bytes_dont_explain),
      cmocka_unit_test(what_lies_on_one_host_has_its_own_rate),
      cmocka_unit_test(what_is_not_measured_is_as_by_default),
      cmocka_unit_test(lines_that_are_no_raw_times_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
