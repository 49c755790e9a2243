/* The simulator's hosts: cases counted by hand, to the cycle. */
#include "simulate_support.h"

/* --- by hand --- */

static void send_one(struct bench *bench, uint64_t bytes)
{
  const uint32_t send = add_message(bench, 0, TNY_OP_SEND, bytes);
  join(bench, send, add_message(bench, 1, TNY_OP_RECV, bytes));
}

static void a_message_over_one_switch_takes_its_latency_and_its_flits(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  send_one(&bench, 1);
  for (uint32_t flits = 1; flits < 200; flits += 33) {
    bench.ops[0].bytes = bench.ops[1].bytes = flits;
    assert_int_equal(cycles_of(&bench), ONE_SWITCH + flits);
  }
  bench.ops[0].bytes = bench.ops[1].bytes = 0; /* a flit all the same */
  assert_int_equal(cycles_of(&bench), ONE_SWITCH + 1);
  bench_close(&bench);
}

static void a_second_switch_adds_a_link_and_a_switch(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "switches:1+1", 0);
  send_one(&bench, 20);
  assert_int_equal(cycles_of(&bench), ONE_SWITCH + LINK + SWITCH + 20);
  bench_close(&bench);
}

/* Two hosts of 3 Gbit/s on a switch each. */
static struct tny_cluster *with_trunk(const char *trunk)
{
  char text[256];
  struct tny_cluster *cluster;
  snprintf(text, sizeof text,
           "cluster 1 pair\nhost a\nhost b\nswitch s\nswitch t\ncable a s 3000000000 0 65536\n"
           "cable b t 3000000000 0 65536\n%s\n",
           trunk);
  assert_int_equal(tny_cluster_read_flat(text, &cluster, NULL), TNY_OK);
  return cluster;
}

static void a_bundle_is_as_fast_as_it_can_be_relied_on(void **state)
{
  (void)state;
  static const struct {
    const char *bundle, *cable;
  } cases[] = {
      {"bundle s t 3 flow 1000000000 0 65536", "cable s t 1000000000 0 65536"},
      {"bundle s t 3 packet 1000000000 0 65536", "cable s t 3000000000 0 65536"},
  };
  uint64_t cycles[2][2];
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k < 2; k++) {
      struct bench bench;
      bench_open_on(&bench, with_trunk(k ? cases[i].cable : cases[i].bundle), 0);
      send_one(&bench, 300);
      cycles[i][k] = cycles_of(&bench);
      bench_close(&bench);
    }
  assert_int_equal(cycles[0][0], cycles[0][1]);
  assert_int_equal(cycles[1][0], cycles[1][1]);
  assert_int_equal(cycles[1][0], ONE_SWITCH + LINK + SWITCH + 300);
  assert_true(cycles[0][0] >= 3 * 300);
}

static void a_links_own_latency_counts_once_a_link(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2,latency=40ns", 0);
  send_one(&bench, 20);
  bench.network.cycle_ns = 4;
  bench.network.depth = 64;
  assert_int_equal(cycles_of(&bench), ONE_SWITCH + 20 + 2 * 10);
  bench_close(&bench);
}

static void headers_and_packets_are_counted(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  send_one(&bench, 100);
  bench.hosts.flit_bytes = 8; /* 13 flits: packets of 5, 5 and 3, each with 2 more */
  bench.hosts.packet_flits = 5;
  bench.hosts.header_flits = 2;
  struct tny_simulation *simulation = run_program(&bench, &bench.program);
  assert_int_equal(simulation->messages, 1);
  assert_int_equal(simulation->packets, 3);
  assert_int_equal(simulation->flits, 19);
  assert_int_equal(simulation->flit_hops, 2 * 19);
  assert_int_equal(simulation->cycles, ONE_SWITCH + 19 + 2 * SWITCH); /* each head is looked at */
  tny_simulation_free(simulation);
  bench_close(&bench);
}

static void two_senders_share_a_port(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:3", 0);
  const uint32_t first = add_message(&bench, 0, TNY_OP_SEND, 30);
  const uint32_t second = add_message(&bench, 1, TNY_OP_SEND, 30);
  join(&bench, first, add_message(&bench, 2, TNY_OP_RECV, 30));
  join(&bench, second, add_message(&bench, 2, TNY_OP_RECV, 30));
  const uint64_t cycles = cycles_of(&bench);
  assert_in_range(cycles, ONE_SWITCH + 60, ONE_SWITCH + 60 + SWITCH);
  bench_close(&bench);
}

static void software_comes_before_and_after_the_network(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2,latency=0us", 0);
  send_one(&bench, 20);
  bench.hosts.send_ns = 50;
  bench.hosts.send_packet_ns = 7;
  bench.hosts.send_byte_ns = 0.5;
  bench.hosts.recv_ns = 100;
  bench.hosts.recv_packet_ns = 3;
  bench.hosts.recv_byte_ns = 0.25;
  const uint64_t software = 50 + 7 + 10 + 100 + 3 + 5;
  struct tny_simulation *simulation = run_program(&bench, &bench.program);
  assert_int_equal(simulation->cycles, software + ONE_SWITCH + 20);
  assert_int_equal(simulation->ops[0].start, 0);
  assert_int_equal(simulation->ops[1].sent, 67 + ONE_SWITCH + 20);
  assert_int_equal(simulation->ops[1].end, simulation->cycles);
  tny_simulation_free(simulation);
  bench.network.cycle_ns = 10; /* 6.7 cycles before, 10.8 after; what is sent at 6.7 goes at 7 */
  assert_int_equal(cycles_of(&bench), 7 + ONE_SWITCH + 20 + 11);
  bench_close(&bench);
}

static void the_second_packets_software_overlaps_the_first_ones_flight(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  send_one(&bench, 20);
  bench.hosts.packet_flits = 10;
  bench.hosts.send_packet_ns = 40;
  bench.hosts.recv_packet_ns = 30;
  assert_int_equal(cycles_of(&bench), 2 * 40 + ONE_SWITCH + 10 + 30);
  bench_close(&bench);
}

/* Rank 0 sends to 1 and 2; or works, and sends to 1. */
static void one_processor_does_one_thing_at_a_time(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:3", 0);
  const uint32_t first = add_message(&bench, 0, TNY_OP_SEND, 10);
  const uint32_t second = add_message(&bench, 0, TNY_OP_SEND, 10);
  const uint32_t work = add_work(&bench, 0, 1000);
  join(&bench, first, add_message(&bench, 1, TNY_OP_RECV, 10));
  join(&bench, second, add_message(&bench, 2, TNY_OP_RECV, 10));
  bench.hosts.send_ns = 100;
  struct tny_simulation *simulation = run_program(&bench, &bench.program);
  assert_int_equal(simulation->ops[first].start, 0);
  assert_int_equal(simulation->ops[second].start, 100);
  assert_int_equal(simulation->ops[work].start, 200);
  assert_int_equal(simulation->ops[work].end, 1200);
  assert_int_equal(simulation->cycles, 1200);
  tny_simulation_free(simulation);
  bench.ops[work].partner = 1; /* on a processor of its own */
  simulation = run_program(&bench, &bench.program);
  assert_int_equal(simulation->ops[work].start, 0);
  tny_simulation_free(simulation);
  bench_close(&bench);
}

static void receiving_shares_the_processor_unless_there_are_two(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  const uint32_t send = add_message(&bench, 0, TNY_OP_SEND, 10);
  const uint32_t recv = add_message(&bench, 1, TNY_OP_RECV, 10);
  add_work(&bench, 1, 500);
  join(&bench, send, recv);
  bench.hosts.recv_ns = 100;
  assert_int_equal(cycles_of(&bench), 600);
  bench.hosts.has_two_processors = true;
  struct tny_simulation *simulation = run_program(&bench, &bench.program);
  assert_int_equal(simulation->ops[recv].end, ONE_SWITCH + 10 + 100);
  assert_int_equal(simulation->cycles, 500);
  tny_simulation_free(simulation);
  bench_close(&bench);
}

static void a_message_waits_for_its_receive_to_be_posted(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  const uint32_t send = add_message(&bench, 0, TNY_OP_SEND, 10);
  const uint32_t work = add_work(&bench, 1, 500);
  const uint32_t recv = add_message(&bench, 1, TNY_OP_RECV, 10);
  wait_for(&bench, work);
  join(&bench, send, recv);
  bench.hosts.recv_ns = 100;
  struct tny_simulation *simulation = run_program(&bench, &bench.program);
  assert_int_equal(simulation->ops[recv].sent, ONE_SWITCH + 10);
  assert_int_equal(simulation->ops[recv].start, 500);
  assert_int_equal(simulation->ops[recv].end, 600);
  assert_int_equal(simulation->ops[send].end, simulation->ops[send].sent);
  tny_simulation_free(simulation);
  bench_close(&bench);
}

static void ranks_of_one_host_dont_use_the_network(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:1", 2);
  send_one(&bench, 1000);
  bench.hosts.send_ns = 10;
  bench.hosts.recv_ns = 20;
  struct tny_simulation *simulation = run_program(&bench, &bench.program);
  assert_int_equal(simulation->cycles, 30);
  assert_int_equal(simulation->messages, 0);
  assert_int_equal(simulation->flit_hops, 0);
  tny_simulation_free(simulation);
  bench_close(&bench);
}

/* Messages 0 -> 1 and 2 -> 3, of phases 0 and 2; 1 is empty. */
/* --- tokens --- */

static void a_token_apart_takes_what_it_does_on_an_empty_network(void **state)
{
  (void)state;
  static const char *const clusters[] = {"single:2,latency=40ns",
                                         "switches:1+1,link=10Gbit/s,trunk=3Gbit/s", "torus:4x4",
                                         "zones:1+1,delay=1us", "switches:1+1+1,latency=7ns"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++)
    for (uint32_t switch_cycles = 0; switch_cycles < 4; switch_cycles++)
      for (uint32_t headers = 0; headers < 8; headers += 7)
        for (int switching = 0; switching <= TNY_SWITCH_STORE_AND_FORWARD; switching++) {
          struct bench bench;
          bench_open(&bench, clusters[i], 2);
          send_one(&bench, 0);
          bench.network.switching = (enum tny_switching)switching;
          bench.network.switch_cycles = switch_cycles;
          bench.network.cycle_ns = 3;
          bench.network.depth = 2000;
          bench.hosts.header_flits = headers;
          const uint64_t among_data = cycles_of(&bench);
          bench.hosts.tokens_apart = true;
          const uint64_t apart = cycles_of(&bench);
          if (apart != among_data)
            fail_msg("%s, %u cycles a switch, %u flits of header, switching %d: %llu, not %llu",
                     clusters[i], switch_cycles, headers, switching, (unsigned long long)apart,
                     (unsigned long long)among_data);
          bench_close(&bench);
        }
}

static void only_a_token_apart_passes_data(void **state)
{
  (void)state;
  for (int apart = 0; apart < 2; apart++) {
    struct bench bench;
    bench_open(&bench, "single:2", 0);
    bench.hosts.tokens_apart = apart;
    const uint32_t data = add_message(&bench, 0, TNY_OP_SEND, 1000);
    const uint32_t token = add_message(&bench, 0, TNY_OP_SEND, 0);
    join(&bench, data, add_message(&bench, 1, TNY_OP_RECV, 1000));
    const uint32_t came = add_message(&bench, 1, TNY_OP_RECV, 0);
    join(&bench, token, came);
    struct tny_simulation *simulation = run_program(&bench, &bench.program);
    assert_int_equal(simulation->ops[came].end, ONE_SWITCH + 1 + (apart ? 0 : 1000 + SWITCH));
    assert_int_equal(simulation->cycles, ONE_SWITCH + 1000 + (apart ? 0 : 1 + SWITCH));
    assert_int_equal(simulation->messages, apart ? 1 : 2);
    tny_simulation_free(simulation);
    bench_close(&bench);
  }
}

/* A rank's next message stands behind the whole one before it, in however many packets that is. */
static void a_messages_packets_are_sent_before_the_next_message(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:3", 0);
  bench.network.depth = 64;
  bench.hosts.packet_flits = 10;
  const uint32_t first = add_message(&bench, 0, TNY_OP_SEND, 100);
  const uint32_t second = add_message(&bench, 0, TNY_OP_SEND, 100);
  const uint32_t came = add_message(&bench, 1, TNY_OP_RECV, 100);
  join(&bench, first, came);
  join(&bench, second, add_message(&bench, 2, TNY_OP_RECV, 100));
  struct tny_simulation *simulation = run_program(&bench, &bench.program);
  assert_true(simulation->ops[first].sent <= 100);
  assert_true(simulation->ops[came].end < 150);
  tny_simulation_free(simulation);
  bench_close(&bench);
}

static void a_barrier_keeps_phases_apart(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:4", 0);
  const uint32_t first = add_message(&bench, 0, TNY_OP_SEND, 10);
  join(&bench, first, add_message(&bench, 1, TNY_OP_RECV, 10));
  const uint32_t second = add_message(&bench, 2, TNY_OP_SEND, 10);
  join(&bench, second, add_message(&bench, 3, TNY_OP_RECV, 10));
  for (uint32_t op = 0; op < 4; op++)
    bench.ops[op].phase = op < 2 ? 0 : 2;
  assert_int_equal(cycles_of(&bench), ONE_SWITCH + 10);
  bench.hosts.with_barrier = true;
  bench.hosts.barrier_ns = 77;
  struct tny_simulation *simulation = run_program(&bench, &bench.program);
  assert_int_equal(simulation->cycles, 2 * (ONE_SWITCH + 10) + 77);
  assert_int_equal(simulation->phase_count, 3);
  assert_int_equal(simulation->phase_end[0], ONE_SWITCH + 10);
  assert_int_equal(simulation->phase_end[1], 0);
  assert_int_equal(simulation->phase_begin[2], ONE_SWITCH + 10 + 77);
  tny_simulation_free(simulation);
  bench_close(&bench);
}

static void time_jumps_over_what_nobody_does(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  const uint32_t work = add_work(&bench, 0, UINT64_C(1000000000000));
  const uint32_t send = add_message(&bench, 0, TNY_OP_SEND, 10);
  wait_for(&bench, work);
  join(&bench, send, add_message(&bench, 1, TNY_OP_RECV, 10));
  struct tny_simulation *simulation = run_program(&bench, &bench.program);
  assert_int_equal(simulation->cycles, UINT64_C(1000000000000) + ONE_SWITCH + 10);
  uint64_t flits = 0;
  for (uint32_t bin = 0; bin < simulation->bin_count; bin++)
    flits += simulation->bin_flits[bin];
  assert_int_equal(flits, simulation->link_flits[0]);
  tny_simulation_free(simulation);
  bench_close(&bench);
}

static void a_program_without_messages_takes_its_work(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  assert_int_equal(cycles_of(&bench), 0);
  add_work(&bench, 0, 12);
  assert_int_equal(cycles_of(&bench), 12);
  bench_close(&bench);
}

/* --- deadlock, refusals, interruption --- */

/* Each sends after it has received from the other. */
static void ops_that_wait_for_each_other_are_told_as_a_cycle(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  uint32_t recv[2], send[2];
  for (uint32_t rank = 0; rank < 2; rank++) {
    recv[rank] = add_message(&bench, rank, TNY_OP_RECV, 10);
    send[rank] = add_message(&bench, rank, TNY_OP_SEND, 10);
    wait_for(&bench, recv[rank]);
    bench.ops[send[rank]].phase = rank;
  }
  join(&bench, send[0], recv[1]);
  join(&bench, send[1], recv[0]);
  struct tny_simulation *simulation;
  struct tny_error error = {0};
  char *cycle;
  assert_int_equal(
      tny_simulate(&bench.network, &bench.hosts, &bench.program, NULL, &simulation, &cycle, &error),
      TNY_BROKEN);
  assert_null(simulation);
  assert_string_equal(cycle, "r0's receive from r1\nr1's send to r0 of phase 1\n"
                             "r1's receive from r0\nr0's send to r1 of phase 0\n");
  assert_non_null(strstr(error.text, "deadlock: r0's receive from r1, which waits for r1's send"));
  tny_text_free(cycle);
  bench_close(&bench);
}

static void a_phase_that_waits_for_a_later_one_is_a_cycle(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  const uint32_t early = add_work(&bench, 0, 1);
  bench.ops[early].phase = 0;
  const uint32_t late = add_work(&bench, 1, 1);
  bench.ops[late].phase = 1;
  bench.after[bench.after_count++] = late;
  bench.ops[early].after_first = 0;
  bench.ops[early].after_count = 1;
  bench.hosts.with_barrier = true;
  struct tny_simulation *simulation;
  char *cycle;
  assert_int_equal(
      tny_simulate(&bench.network, &bench.hosts, &bench.program, NULL, &simulation, &cycle, NULL),
      TNY_BROKEN);
  assert_string_equal(cycle, "r0's work of phase 0\nr1's work of phase 1\n");
  tny_text_free(cycle);
  bench_close(&bench);
}

/* The message of phase 1 waits at its switch for that of phase 0, whose sender waits for it. */
static void hosts_and_switches_that_wait_for_each_other_are_a_deadlock(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "switches:1+1", 0);
  const uint32_t late = add_message(&bench, 0, TNY_OP_SEND, 10);
  const uint32_t receives_early = add_message(&bench, 0, TNY_OP_RECV, 10);
  const uint32_t receives_late = add_message(&bench, 1, TNY_OP_RECV, 10);
  const uint32_t early = add_message(&bench, 1, TNY_OP_SEND, 10);
  wait_for(&bench, receives_late);
  join(&bench, late, receives_late);
  join(&bench, early, receives_early);
  bench.ops[late].phase = bench.ops[receives_late].phase = 1;
  bench.ops[early].phase = bench.ops[receives_early].phase = 0;
  assert_int_equal(cycles_of(&bench), 2 * (ONE_SWITCH + LINK + SWITCH + 10));
  bench.network.is_synchronizing = true;
  struct tny_simulation *simulation;
  struct tny_error error = {0};
  assert_int_equal(
      tny_simulate(&bench.network, &bench.hosts, &bench.program, NULL, &simulation, NULL, &error),
      TNY_BROKEN);
  assert_non_null(strstr(error.text, "waits for 1 more messages of phase 0"));
  bench_close(&bench);
}

static enum tny_status status_of(const struct bench *bench)
{
  struct tny_simulation *simulation;
  const enum tny_status status =
      tny_simulate(&bench->network, &bench->hosts, &bench->program, NULL, &simulation, NULL, NULL);
  tny_simulation_free(simulation);
  return status;
}

static void hosts_that_cant_be_are_refused(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  send_one(&bench, 10);
  bench.hosts.flit_bytes = 0;
  assert_int_equal(status_of(&bench), TNY_REFUSED);
  bench.hosts.flit_bytes = 1;
  bench.hosts.send_ns = -1;
  assert_int_equal(status_of(&bench), TNY_REFUSED);
  bench.hosts.send_ns = 0;
  assert_int_equal(status_of(&bench), TNY_OK);
  bench_close(&bench);
}

static void what_is_too_large_to_count_is_refused(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  send_one(&bench, UINT64_C(1) << 40);
  assert_int_equal(status_of(&bench), TNY_REFUSED);
  bench.ops[0].bytes = bench.ops[1].bytes = 1;
  bench.ops[0].phase = bench.ops[1].phase = TNY_NONE - 1;
  assert_int_equal(status_of(&bench), TNY_REFUSED);
  bench.ops[0].phase = bench.ops[1].phase = 0;
  add_work(&bench, 1, UINT64_MAX / 2);
  assert_int_equal(status_of(&bench), TNY_REFUSED);
  bench_close(&bench);
}

static bool stop(void *context, uint64_t cycle, double share)
{
  (void)cycle;
  (void)share;
  ++*(int *)context;
  return false;
}

static void the_watch_ends_a_run(void **state)
{
  (void)state;
  struct bench bench;
  bench_open(&bench, "single:2", 0);
  send_one(&bench, 1000000);
  int ticks = 0;
  const struct tny_simulate_watch watch = {.tick = stop, .context = &ticks};
  struct tny_simulation *simulation;
  assert_int_equal(
      tny_simulate(&bench.network, &bench.hosts, &bench.program, &watch, &simulation, NULL, NULL),
      TNY_INTERRUPTED);
  assert_null(simulation);
  assert_int_equal(ticks, 1);
  bench_close(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_message_over_one_switch_takes_its_latency_and_its_flits),
      cmocka_unit_test(a_second_switch_adds_a_link_and_a_switch),
      cmocka_unit_test(a_bundle_is_as_fast_as_it_can_be_relied_on),
      cmocka_unit_test(a_links_own_latency_counts_once_a_link),
      cmocka_unit_test(headers_and_packets_are_counted),
      cmocka_unit_test(two_senders_share_a_port),
      cmocka_unit_test(software_comes_before_and_after_the_network),
      cmocka_unit_test(the_second_packets_software_overlaps_the_first_ones_flight),
      cmocka_unit_test(one_processor_does_one_thing_at_a_time),
      cmocka_unit_test(receiving_shares_the_processor_unless_there_are_two),
      cmocka_unit_test(a_message_waits_for_its_receive_to_be_posted),
      cmocka_unit_test(ranks_of_one_host_dont_use_the_network),
      cmocka_unit_test(a_token_apart_takes_what_it_does_on_an_empty_network),
      cmocka_unit_test(only_a_token_apart_passes_data),
      cmocka_unit_test(a_messages_packets_are_sent_before_the_next_message),
      cmocka_unit_test(a_barrier_keeps_phases_apart),
      cmocka_unit_test(time_jumps_over_what_nobody_does),
      cmocka_unit_test(a_program_without_messages_takes_its_work),
      cmocka_unit_test(ops_that_wait_for_each_other_are_told_as_a_cycle),
      cmocka_unit_test(a_phase_that_waits_for_a_later_one_is_a_cycle),
      cmocka_unit_test(hosts_and_switches_that_wait_for_each_other_are_a_deadlock),
      cmocka_unit_test(hosts_that_cant_be_are_refused),
      cmocka_unit_test(what_is_too_large_to_count_is_refused),
      cmocka_unit_test(the_watch_ends_a_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
