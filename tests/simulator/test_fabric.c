/* The fabric: what is alone in it takes the time that its parts take, what meets shares it fairly,
   and everything comes once and whole. */
#include "fabric_support.h"
#include "support/memory.h"

#include <tourney/simulate.h>

/* --- alone --- */

static void an_empty_torus_takes_7_and_6_a_hop_and_1_a_flit_more(void **state)
{
  (void)state;
  struct bench bench;
  build(&bench, "torus:8x8", &tny_booksim_routers);
  for (uint32_t to = 0; to < 64; to++)
    for (uint32_t flits = 1; flits <= 21; flits += 4) {
      const uint64_t before = tny_fabric_cycle(bench.fabric);
      const uint32_t hops = links_between(&bench, 5, to) - 2;
      send(&bench, 5, to, flits);
      /* It is in the host from the next cycle on. */
      const uint64_t took = finish(&bench) - (before + 1);
      assert_int_equal(took, 7 + 6 * hops + flits - 1);
    }
  clear(&bench);
}

static void each_option_has_the_same_link_timing(void **state)
{
  (void)state;
  for (int switching = 0; switching <= TNY_SWITCH_STORE_AND_FORWARD; switching++)
    for (int buffering = 0; buffering <= TNY_BUFFER_SHARED; buffering++)
      for (int allocator = 0; allocator <= TNY_ALLOCATE_ISLIP; allocator++)
        for (int adaptive = 0; adaptive < 2; adaptive++) {
          struct tny_network_model model = quick;
          model.switching = (enum tny_switching)switching;
          model.buffering = (enum tny_buffering)buffering;
          model.allocator = (enum tny_allocator)allocator;
          model.is_adaptive = adaptive;
          model.depth = 16;
          model.switch_cycles = 3;
          model.link_cycles = 5;
          struct bench bench;
          build(&bench, "switches:1+1+1", &model);
          send(&bench, 0, 2, 9);
          /* Three switches, two trunks, two links of hosts, and the other flits: after the head, or
             in each switch. */
          const bool is_stored = switching == TNY_SWITCH_STORE_AND_FORWARD;
          const uint64_t took = 3 * 3 + 2 * 5 + 2 * 1 + 8 * (is_stored ? 4 : 1);
          assert_int_equal(finish(&bench) - 1, took);
          clear(&bench);
        }
}

static void a_slower_link_takes_a_flit_every_so_many_cycles(void **state)
{
  (void)state;
  static const struct {
    const char *cluster;
    uint32_t interval;
  } cases[] = {{"switches:1+1,link=10Gbit/s,trunk=5Gbit/s", 2},
               {"switches:1+1,link=10Gbit/s,trunk=6Gbit/s", 2},
               {"switches:1+1,link=10Gbit/s,trunk=9Gbit/s", 1},
               {"switches:1+1,link=10Gbit/s,trunk=100Mbit/s", 100}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bench bench;
    build(&bench, cases[i].cluster, &quick);
    send(&bench, 0, 1, 11);
    assert_int_equal(finish(&bench) - 1, 2 + 11 * cases[i].interval);
    clear(&bench);
  }
}

static void latencies_of_the_cluster_count_where_a_cycle_has_a_length(void **state)
{
  (void)state;
  struct tny_network_model model = quick;
  struct bench bench;
  for (int with = 0; with < 2; with++) {
    model.cycle_ns = with ? 16 : 0;
    build(&bench, "zones:1+1,delay=10ms", &model);
    uint64_t latency_ns = 0;
    for (uint32_t link = 0; link < bench.cluster->link_count; link += 2)
      latency_ns += bench.cluster->links[link].latency_ns;
    assert_true(latency_ns >= 10000000);
    send(&bench, 0, 1, 1);
    const uint64_t took = finish(&bench) - 1;
    if (with)
      assert_in_range(took * 16, latency_ns, latency_ns + 10 * 16);
    else
      assert_true(took < 100);
    clear(&bench);
  }
}

static void buffers_shorter_than_the_loop_of_credits_slow_a_link_down(void **state)
{
  (void)state;
  /* Room for a flit is used again after the link's 4 cycles and the credit's 3: 7 cycles. */
  const uint32_t loop = 7;
  for (uint32_t depth = 1; depth <= loop; depth += 2) {
    struct tny_network_model model = tny_booksim_routers;
    model.depth = depth;
    model.channels = 1;
    model.inject_cycles = 4;
    struct bench bench;
    build(&bench, "switches:1+1", &model);
    send(&bench, 0, 1, 4096);
    const uint64_t took = finish(&bench);
    assert_in_range(took, 4096 * loop / depth - 8, 4096 * loop / depth + 32);
    clear(&bench);
  }
}

/* --- together --- */

/* From host 2 and from host 3 to the right: they share the link behind 3, and its lane. What comes
   from 2 has that lane's channels to wait in there, what comes from 3 those of all lanes. */
static void an_input_gets_no_more_for_having_more_channels(void **state)
{
  (void)state;
  for (uint32_t channels = 1; channels <= 4; channels *= 2) {
    struct tny_network_model model = tny_booksim_routers;
    model.channels = channels;
    model.depth = 16;
    struct bench bench;
    build(&bench, "ring:8", &model);
    for (int i = 0; i < 200; i++) {
      send(&bench, 2, 5, 16);
      send(&bench, 3, 4, 16);
    }
    finish(&bench);
    const uint64_t far = bench.came[398], near = bench.came[399];
    const uint64_t last = far > near ? far : near;
    if (far < last * 9 / 10 || near < last * 9 / 10)
      fail_msg("%u channels: from 2 all is there at %llu, from 3 at %llu", channels,
               (unsigned long long)far, (unsigned long long)near);
    clear(&bench);
  }
}

static void two_packets_for_one_host_come_one_after_the_other(void **state)
{
  (void)state;
  struct bench bench;
  build(&bench, "single:4", &quick);
  send(&bench, 0, 2, 50);
  send(&bench, 1, 2, 50);
  send(&bench, 2, 3, 50);
  finish(&bench);
  const bool first = bench.came[0] < bench.came[1];
  assert_int_equal(bench.came[first ? 0 : 1] - 1, 2 + 49);
  assert_int_equal(bench.came[first ? 1 : 0] - 1, 2 + 99);
  assert_int_equal(bench.came[2] - 1, 2 + 49);
  clear(&bench);
}

static void with_channels_packets_share_a_trunk_flit_by_flit(void **state)
{
  (void)state;
  struct bench bench;
  struct tny_network_model model = quick;
  model.buffering = TNY_BUFFER_CHANNELS;
  model.channels = 2;
  build(&bench, "switches:2+2", &model);
  send(&bench, 0, 2, 100);
  send(&bench, 1, 3, 100);
  finish(&bench);
  assert_in_range(bench.came[0], 198, 205);
  assert_in_range(bench.came[1], 198, 205);
  clear(&bench);
}

/* Of two packets of one host, the first waits for a busy receiver, the second goes elsewhere. */
static uint64_t time_of_second(enum tny_buffering buffering, uint32_t channels)
{
  struct bench bench;
  struct tny_network_model model = quick;
  model.buffering = buffering;
  model.channels = channels;
  model.depth = 16;
  build(&bench, "single:4", &model);
  send(&bench, 0, 2, 60);
  step(&bench, 5);
  send(&bench, 1, 2, 8);
  send(&bench, 1, 3, 8);
  finish(&bench);
  const uint64_t took = bench.came[2];
  clear(&bench);
  return took;
}

static void the_head_of_a_fifo_blocks_and_that_of_channels_or_a_store_does_not(void **state)
{
  (void)state;
  assert_true(time_of_second(TNY_BUFFER_FIFO, 1) > 60);
  assert_true(time_of_second(TNY_BUFFER_CHANNELS, 2) < 40);
  assert_true(time_of_second(TNY_BUFFER_SHARED, 1) < 40);
}

/* Hosts a, b and, on a slow cable, c: a packet for c lies in the second switch, one flit of which
   has left; what has come over the trunk of it and of a second one. */
static uint64_t trunk_flits_when_blocked(enum tny_switching switching)
{
  struct bench bench;
  struct tny_network_model model = quick;
  model.switching = switching;
  model.depth = 8;
  build_on(&bench,
           read_cluster("cluster 1 slow\nhost a\nhost b\nhost c\nswitch s\nswitch t\n"
                        "cable s t 1000 1 1\ncable a s 1000 1 1\ncable b s 1000 1 1\n"
                        "cable c t 1 1 1\n"),
           TNY_ROUTING_AUTO, &model);
  send(&bench, 0, 2, 5);
  send(&bench, 1, 2, 5);
  while (tny_fabric_cycle(bench.fabric) < 100)
    step(&bench, 100);
  const uint64_t flits = tny_fabric_link_flits(bench.fabric)[0];
  finish(&bench);
  assert_int_equal(tny_fabric_link_flits(bench.fabric)[0], 10);
  clear(&bench);
  return flits;
}

static void cut_through_keeps_a_packet_that_has_no_room_off_the_link(void **state)
{
  (void)state;
  assert_int_equal(trunk_flits_when_blocked(TNY_SWITCH_WORMHOLE), 5 + 4);
  assert_int_equal(trunk_flits_when_blocked(TNY_SWITCH_CUT_THROUGH), 5);
  assert_int_equal(trunk_flits_when_blocked(TNY_SWITCH_STORE_AND_FORWARD), 5);
}

static void adaptive_packets_take_a_free_way_where_others_wait(void **state)
{
  (void)state;
  for (int adaptive = 0; adaptive < 2; adaptive++) {
    struct bench bench;
    struct tny_network_model model = quick;
    model.is_adaptive = adaptive;
    /* Two cables from s to t; both receivers are for the first of them. */
    build_on(&bench,
             read_cluster("cluster 1 two\nhost a\nhost b\nhost c\nhost d\nhost e\nswitch s\n"
                          "switch t\ncable s t 1 1 1\ncable s t 1 1 1\ncable a s 1 1 1\n"
                          "cable b s 1 1 1\ncable c t 1 1 1\ncable d t 1 1 1\ncable e t 1 1 1\n"),
             TNY_ROUTING_UP_DOWN, &model);
    send(&bench, 0, 2, 100);
    send(&bench, 1, 4, 100);
    assert_int_equal(finish(&bench) - 1, adaptive ? 102 : 202);
    clear(&bench);
  }
}

static void adaptive_packets_spread_by_lot(void **state)
{
  (void)state;
  enum { PACKETS = 1000 };
  struct bench bench;
  struct tny_network_model model = quick;
  model.is_adaptive = true;
  build_on(&bench,
           read_cluster("cluster 1 four\nhost a\nhost b\nswitch s\nswitch t\ncable s t 1 1 1\n"
                        "cable s t 1 1 1\ncable s t 1 1 1\ncable s t 1 1 1\ncable a s 1 1 1\n"
                        "cable b t 1 1 1\n"),
           TNY_ROUTING_UP_DOWN, &model);
  for (uint32_t i = 0; i < PACKETS; i++) {
    send(&bench, 0, 1, 1);
    finish(&bench);
  }
  for (uint32_t cable = 0; cable < 4; cable++)
    assert_in_range(tny_fabric_link_flits(bench.fabric)[2 * cable], PACKETS / 5, PACKETS * 3 / 10);
  clear(&bench);
}

/* Two packets wait in the channels of one input, for outputs that others keep busy until the same
   cycle. */
static void an_input_passes_one_flit_a_cycle_in_turn(void **state)
{
  (void)state;
  for (int allocator = 0; allocator <= TNY_ALLOCATE_ISLIP; allocator++) {
    struct bench bench;
    struct tny_network_model model = quick;
    model.buffering = TNY_BUFFER_CHANNELS;
    model.allocator = (enum tny_allocator)allocator;
    model.channels = 2;
    model.depth = 64;
    build(&bench, "single:7", &model);
    for (uint32_t from = 3; from < 7; from++)
      send(&bench, from, 1 + from % 2, 200);
    step(&bench, 10);
    send(&bench, 0, 1, 50);
    send(&bench, 0, 2, 50);
    const uint64_t took = finish(&bench) - 1;
    assert_in_range(took, 2 + 400 + 99, 2 + 400 + 102);
    assert_in_range(bench.came[4], took - 3, took + 1);
    assert_in_range(bench.came[5], took - 3, took + 1);
    clear(&bench);
  }
}

static void senders_to_one_host_have_equal_shares(void **state)
{
  (void)state;
  enum { SENDERS = 40, EACH = 25 };
  struct bench bench;
  build(&bench, "single:41", &quick);
  for (uint32_t i = 0; i < EACH * SENDERS; i++)
    send(&bench, 1 + i % SENDERS, 0, 3);
  finish(&bench);
  /* Nobody has two packets more through than another one, at any time. */
  for (uint32_t k = 0; k + 2 < EACH; k++)
    for (uint32_t i = 0; i < SENDERS; i++)
      for (uint32_t j = 0; j < SENDERS; j++)
        assert_true(bench.came[k * SENDERS + i] < bench.came[(k + 2) * SENDERS + j]);
  clear(&bench);
}

static void a_host_with_two_ports_sends_and_takes_two_flits_a_cycle(void **state)
{
  (void)state;
  for (uint32_t ports = 1; ports <= 2; ports++) {
    struct tny_network_model model = quick;
    model.ports = ports;
    struct bench bench;
    build(&bench, "single:4", &model);
    send(&bench, 0, 1, 100);
    send(&bench, 0, 2, 100);
    assert_int_equal(finish(&bench) - 1, 2 + 200 / ports - 1);
    assert_int_equal(bench.left[1], 200 / ports);
    tny_fabric_jump(bench.fabric, 1001);
    send(&bench, 0, 3, 100);
    send(&bench, 1, 3, 100);
    assert_int_equal(finish(&bench) - 1001, 2 + 200 / ports - 1);
    clear(&bench);
  }
}

static void a_message_between_two_hosts_without_a_switch_takes_the_cable(void **state)
{
  (void)state;
  struct bench bench;
  build_on(&bench, read_cluster("cluster 1 pair\nhost a\nhost b\ncable a b 1 1 1\n"),
           TNY_ROUTING_AUTO, &quick);
  send(&bench, 1, 0, 5);
  assert_int_equal(finish(&bench) - 1, 5);
  const struct tny_packet self = packet_of(&bench, 1, 1, 5);
  assert_int_equal(tny_fabric_send(bench.fabric, &self, NULL), TNY_REFUSED);
  clear(&bench);
}

/* --- everything --- */

static struct tny_network_model random_model(uint64_t *seed, uint32_t flits_max)
{
  struct tny_network_model model = {
      .is_adaptive = draw(seed, 2),
      .switching = (enum tny_switching)draw(seed, 3),
      .buffering = (enum tny_buffering)draw(seed, 3),
      .allocator = (enum tny_allocator)draw(seed, 2),
      .routes_ahead = draw(seed, 2),
      .channels = 1 + draw(seed, 3),
      .depth = 1 + draw(seed, 12),
      .switch_cycles = draw(seed, 5),
      .link_cycles = 1 + draw(seed, 4),
      .inject_cycles = 1 + draw(seed, 3),
      .eject_cycles = 1 + draw(seed, 3),
      .credit_cycles = 1 + draw(seed, 6),
      .inject_credit_cycles = draw(seed, 6),
      .release_cycles = draw(seed, 3),
      .ports = 1 + draw(seed, 3),
      .seed = *seed,
  };
  if (model.switching != TNY_SWITCH_WORMHOLE && model.depth < flits_max)
    model.depth = flits_max;
  return model;
}

static void all_that_is_sent_comes_once_and_whole_by_every_model(void **state)
{
  (void)state;
  static const char *const clusters[] = {
      "torus:4x4", "mesh:3x3x2", "irregular:60,switches=6,seed=5",
      "fattree:4", "single:9",   "switches:3+4+2,trunk=5Gbit/s"};
  uint64_t seed = 1;
  for (uint32_t trial = 0; trial < 300; trial++) {
    struct tny_network_model model = random_model(&seed, 12);
    /* A store has no lanes, so that rings could deadlock. */
    const char *cluster = clusters[draw(&seed, 6)];
    if (model.buffering == TNY_BUFFER_SHARED)
      model.depth = 100000;
    struct bench bench;
    build(&bench, cluster, &model);
    const uint32_t hosts = bench.cluster->host_count;
    for (uint32_t burst = 0; burst < 20; burst++) {
      for (uint32_t i = 0; i < 10; i++)
        send(&bench, draw(&seed, hosts), draw(&seed, hosts), 1 + draw(&seed, 12));
      step(&bench, tny_fabric_cycle(bench.fabric) + 1 + draw(&seed, 30));
    }
    finish(&bench);
    clear(&bench);
  }
}

static void the_same_seed_gives_the_same_cycles(void **state)
{
  (void)state;
  uint64_t cycles[3];
  struct tny_network_model model = tny_booksim_routers;
  model.is_adaptive = true;
  for (uint32_t run = 0; run < 3; run++) {
    struct bench bench;
    uint64_t seed = 4;
    model.seed = run == 2 ? 8 : 7;
    build(&bench, "irregular:64,switches=8,seed=5", &model);
    for (uint32_t i = 0; i < 1000; i++)
      send(&bench, draw(&seed, 64), draw(&seed, 64), 1 + draw(&seed, 12));
    cycles[run] = finish(&bench);
    clear(&bench);
  }
  assert_int_equal(cycles[0], cycles[1]);
  assert_int_not_equal(cycles[0], cycles[2]);
}

static void time_can_jump_when_nothing_is_under_way(void **state)
{
  (void)state;
  struct bench bench;
  build(&bench, "switches:1+1", &tny_booksim_routers);
  for (uint64_t start = 1; start < 1000000000000; start = start * 3 + 100) {
    tny_fabric_jump(bench.fabric, start);
    assert_int_equal(tny_fabric_cycle(bench.fabric), start - 1);
    send(&bench, 0, 1, 12);
    assert_int_equal(finish(&bench), start + 7 + 6 + 11);
  }
  clear(&bench);
}

/* --- refused, and no memory --- */

static void refuse(const struct tny_network_model *changed, const char *cluster, const char *word)
{
  struct tny_cluster *opened = open_cluster(cluster);
  struct tny_routes *routes = make_routes(opened);
  struct tny_network_model model = *changed;
  struct tny_error error = {0};
  struct tny_fabric *fabric;
  model.routes = routes;
  assert_int_equal(tny_fabric_new(&model, &fabric, &error), TNY_REFUSED);
  assert_null(fabric);
  assert_non_null(strstr(error.text, word));
  tny_routes_free(routes);
  tny_cluster_free(opened);
}

static void networks_that_can_not_be_are_refused(void **state)
{
  (void)state;
  struct tny_network_model model = quick;
  model.depth = 0;
  refuse(&model, "single:4", "at least 1");
  model = quick;
  model.ports = 0;
  refuse(&model, "single:4", "at least 1");
  model = tny_booksim_routers;
  model.channels = 33;
  refuse(&model, "torus:4x4", "64");
  model = quick;
  model.is_adaptive = model.is_synchronizing = true;
  refuse(&model, "irregular:60,switches=6,seed=5", "deterministic");
  model = quick;
  model.cycle_ns = 1e-9;
  refuse(&model, "zones:2+2,delay=10ms", "longer cycles");
  refuse(&quick, "switches:2+2,link=100Gbit/s,trunk=1bit/s", "longer cycles");
}

static void packets_longer_than_a_buffer_that_must_take_them_are_refused(void **state)
{
  (void)state;
  for (int buffering = 0; buffering <= TNY_BUFFER_SHARED; buffering++) {
    struct tny_network_model model = quick;
    model.switching = TNY_SWITCH_CUT_THROUGH;
    model.buffering = (enum tny_buffering)buffering;
    struct bench bench;
    build(&bench, "single:3", &model);
    const uint32_t most = buffering == TNY_BUFFER_SHARED ? 12 : 4;
    const struct tny_packet packet = packet_of(&bench, 0, 1, most + 1);
    assert_int_equal(tny_fabric_send(bench.fabric, &packet, NULL), TNY_REFUSED);
    send(&bench, 0, 1, most);
    finish(&bench);
    clear(&bench);
  }
}

static enum tny_status run_short_of_memory(const void *model, struct tny_error *error)
{
  struct tny_fabric *fabric;
  enum tny_status status = tny_fabric_new(model, &fabric, error);
  for (uint32_t i = 0; !status && i < 300; i++) {
    const struct tny_packet packet = {.from = i % 6, .to = i % 5, .flits = 9, .phase = i};
    status = tny_fabric_expect(fabric, &packet, error);
    if (!status)
      status = tny_fabric_send(fabric, &packet, error);
  }
  while (!status && !tny_fabric_is_empty(fabric)) {
    struct tny_fabric_events events;
    status = tny_fabric_run(fabric, UINT64_MAX, &events, NULL, error);
  }
  tny_fabric_free(fabric);
  return status;
}

static void without_memory_it_says_so(void **state)
{
  (void)state;
  for (int buffering = 0; buffering <= TNY_BUFFER_SHARED; buffering += 2) {
    struct tny_network_model model = quick;
    model.buffering = (enum tny_buffering)buffering;
    model.depth = 1000;
    model.is_synchronizing = true;
    struct tny_cluster *cluster = open_cluster("switches:3+3");
    struct tny_routes *routes = make_routes(cluster);
    model.routes = routes;
    assert_true(starve(run_short_of_memory, &model) >= 29);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_empty_torus_takes_7_and_6_a_hop_and_1_a_flit_more),
      cmocka_unit_test(each_option_has_the_same_link_timing),
      cmocka_unit_test(a_slower_link_takes_a_flit_every_so_many_cycles),
      cmocka_unit_test(latencies_of_the_cluster_count_where_a_cycle_has_a_length),
      cmocka_unit_test(buffers_shorter_than_the_loop_of_credits_slow_a_link_down),
      cmocka_unit_test(an_input_gets_no_more_for_having_more_channels),
      cmocka_unit_test(two_packets_for_one_host_come_one_after_the_other),
      cmocka_unit_test(with_channels_packets_share_a_trunk_flit_by_flit),
      cmocka_unit_test(the_head_of_a_fifo_blocks_and_that_of_channels_or_a_store_does_not),
      cmocka_unit_test(cut_through_keeps_a_packet_that_has_no_room_off_the_link),
      cmocka_unit_test(adaptive_packets_take_a_free_way_where_others_wait),
      cmocka_unit_test(adaptive_packets_spread_by_lot),
      cmocka_unit_test(an_input_passes_one_flit_a_cycle_in_turn),
      cmocka_unit_test(senders_to_one_host_have_equal_shares),
      cmocka_unit_test(a_host_with_two_ports_sends_and_takes_two_flits_a_cycle),
      cmocka_unit_test(a_message_between_two_hosts_without_a_switch_takes_the_cable),
      cmocka_unit_test(all_that_is_sent_comes_once_and_whole_by_every_model),
      cmocka_unit_test(the_same_seed_gives_the_same_cycles),
      cmocka_unit_test(time_can_jump_when_nothing_is_under_way),
      cmocka_unit_test(networks_that_can_not_be_are_refused),
      cmocka_unit_test(packets_longer_than_a_buffer_that_must_take_them_are_refused),
      cmocka_unit_test(without_memory_it_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
