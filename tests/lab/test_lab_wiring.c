/* What the lab tells ip and tc, as text; test_lab.sh sees what comes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lab/capacity.h"
#include "lab/process.h"
#include "lab/relay.h"
#include "lab/state.h"
#include "lab/wiring.h"

/* A cluster with its routes and a wiring. */
struct bench {
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  struct tny_lab_wiring wiring;
};

static struct bench make(const char *text)
{
  struct bench bench = {0};
  assert_int_equal(tny_cluster_generate(text, &bench.cluster, NULL), TNY_OK);
  assert_int_equal(tny_routes_make(bench.cluster, &bench.routes, NULL), TNY_OK);
  bench.wiring = (struct tny_lab_wiring){bench.cluster, bench.routes, "reno", "/n", false};
  return bench;
}

static void release(struct bench *bench)
{
  tny_routes_free(bench->routes);
  tny_cluster_free(bench->cluster);
}

static void assert_says(struct tny_text *text, const char *expected)
{
  char *taken;
  assert_int_equal(tny_text_take(text, &taken, NULL), TNY_OK);
  assert_string_equal(taken, expected);
  tny_text_free(taken);
}

static void a_cable_joins_the_ports_of_both_its_directions(void **state)
{
  (void)state;
  struct bench bench = make("single:2");
  struct tny_text batch = {0};
  tny_lab_wiring_cables(&bench.wiring, 0, bench.wiring.cluster->link_count / 2, &batch);
  char *text;
  assert_int_equal(tny_text_take(&batch, &text, NULL), TNY_OK);
  for (uint32_t host = 0; host < 2; host++) {
    const uint32_t out = bench.cluster->out_links[bench.cluster->first_out[host]];
    char end[128], port[16];
    snprintf(end, sizeof end, "name eth0 address 02:74:00:00:00:%02x netns /n/h%u", out, host);
    assert_non_null(strstr(text, end));
    tny_lab_wiring_port(bench.cluster, out ^ 1U, port);
    snprintf(end, sizeof end, "name %s address 02:74:00:00:00:%02x netns /n/s0", port, out ^ 1U);
    assert_non_null(strstr(text, end));
  }
  tny_text_free(text);
  release(&bench);
}

static void a_host_reaches_all_others_through_its_switch(void **state)
{
  (void)state;
  struct bench bench = make("single:2,link=20Mbit/s");
  struct tny_text batch = {0};
  const uint32_t out = bench.cluster->out_links[bench.cluster->first_out[0]];
  char expected[512];
  snprintf(expected, sizeof expected,
           "link set dev lo up\n"
           "link set dev eth0 up\n"
           "address add 10.77.0.1/16 dev eth0 noprefixroute\n"
           "neighbour add 10.76.0.1 lladdr 02:74:00:00:00:%02x dev eth0 nud permanent\n"
           "route replace 10.77.0.0/16 via 10.76.0.1 dev eth0 onlink congctl reno\n",
           out ^ 1U);
  tny_lab_wiring_node(&bench.wiring, 0, &batch);
  assert_says(&batch, expected);
  release(&bench);
}

static void a_switch_has_a_route_a_host_as_the_planner_has_it(void **state)
{
  (void)state;
  struct bench bench = make("switches:2+1+2");
  const struct tny_cluster *cluster = bench.cluster;
  for (uint32_t node = cluster->host_count; node < cluster->host_count + cluster->switch_count;
       node++) {
    struct tny_text batch = {0};
    char *text;
    tny_lab_wiring_node(&bench.wiring, node, &batch);
    assert_int_equal(tny_text_take(&batch, &text, NULL), TNY_OK);
    for (uint32_t host = 0; host < cluster->host_count; host++) {
      const uint32_t link = tny_routes_next(bench.routes, node, host);
      const uint32_t next = cluster->links[link].to;
      char port[16], line[128];
      tny_lab_wiring_port(cluster, link, port);
      if (next == host)
        snprintf(line, sizeof line, "route add 10.77.0.%u/32 dev %s\n", host + 1, port);
      else
        snprintf(line, sizeof line, "route add 10.77.0.%u/32 via 10.76.0.%u dev %s onlink\n",
                 host + 1, next - cluster->host_count + 1, port);
      assert_non_null(strstr(text, line));
    }
    tny_text_free(text);
  }
  release(&bench);
}

static void a_port_has_its_links_rate_and_buffer(void **state)
{
  (void)state;
  struct bench bench = make("single:2,link=20Mbit/s,buffer=32KiB");
  struct tny_text batch = {0};
  tny_lab_wiring_shape(&bench.wiring, 1, &batch);
  assert_says(&batch, "qdisc add dev eth0 root handle 1: tbf rate 20000000bit burst 3200 limit "
                      "32768\n");
  release(&bench);
}

static void only_a_latency_worth_making_is_made(void **state)
{
  (void)state;
  struct bench near = make("single:2,latency=100us"), far = make("single:2,latency=2ms");
  struct tny_text batch = {0};
  char *text;
  assert_false(tny_lab_wiring_delays(near.cluster));
  assert_true(tny_lab_wiring_delays(far.cluster));
  tny_lab_wiring_shape(&far.wiring, 0, &batch);
  assert_int_equal(tny_text_take(&batch, &text, NULL), TNY_OK);
  assert_non_null(strstr(text, "root handle 2: netem delay 2000000ns "));
  assert_non_null(strstr(text, "parent 2:1 handle 1: tbf "));
  tny_text_free(text);
  release(&near);
  release(&far);
}

static void a_bucket_holds_two_frames_and_never_more_than_half_the_buffer(void **state)
{
  (void)state;
  struct tny_link link = {.bandwidth_bps = 20000000, .buffer_bytes = 65536};
  assert_int_equal(tny_lab_wiring_burst(&link), 3200);
  link.bandwidth_bps = 100000000;
  assert_int_equal(tny_lab_wiring_burst(&link), 6250);
  link.bandwidth_bps = 10000000000;
  assert_int_equal(tny_lab_wiring_burst(&link), 32768);
  link.buffer_bytes = 4096;
  assert_int_equal(tny_lab_wiring_burst(&link), 3200);
}

static void packets_of_fast_links_are_small_to_bucket_and_buffer(void **state)
{
  (void)state;
  struct tny_link link = {.bandwidth_bps = 999999999, .buffer_bytes = 1 << 20};
  assert_int_equal(tny_lab_wiring_packet(&link), 0);
  link.bandwidth_bps = 1000000000;
  assert_int_equal(tny_lab_wiring_packet(&link), 62500 / 4);
  link.buffer_bytes = 131072;
  assert_int_equal(tny_lab_wiring_packet(&link), 8192);
  link.buffer_bytes = 8192;
  assert_int_equal(tny_lab_wiring_packet(&link), 3200);
  link = (struct tny_link){.bandwidth_bps = 10000000000, .buffer_bytes = 16 << 20};
  assert_int_equal(tny_lab_wiring_packet(&link), 0);
  struct bench slow = make("single:2,link=999Mbit/s"), fast = make("single:2,link=1Gbit/s");
  struct tny_text batch = {0};
  char *text;
  assert_false(tny_lab_wiring_is_fast(slow.cluster));
  assert_true(tny_lab_wiring_is_fast(fast.cluster));
  tny_lab_wiring_node(&slow.wiring, 0, &batch);
  assert_int_equal(tny_text_take(&batch, &text, NULL), TNY_OK);
  assert_null(strstr(text, "gso_max_size"));
  tny_text_free(text);
  tny_lab_wiring_node(&fast.wiring, 0, &batch);
  assert_int_equal(tny_text_take(&batch, &text, NULL), TNY_OK);
  assert_non_null(strstr(text, "link set dev eth0 gso_max_size "));
  tny_text_free(text);
  release(&slow);
  release(&fast);
}

/* The port's own end stays what it is: name, address, rate and buffer. */
static void a_cable_with_a_latency_passes_through_the_relay_where_the_kernel_cannot(void **state)
{
  (void)state;
  struct bench bench = make("zones:1+1,rate=20Mbit/s,delay=2ms");
  const struct tny_cluster *cluster = bench.cluster;
  struct tny_text batch = {0};
  char *text, *relay, *shape, line[160], port[16];
  bench.wiring.relayed = true;
  tny_lab_wiring_cables(&bench.wiring, 0, cluster->link_count / 2, &batch);
  assert_int_equal(tny_text_take(&batch, &text, NULL), TNY_OK);
  tny_lab_wiring_relay(&bench.wiring, &batch);
  assert_int_equal(tny_text_take(&batch, &relay, NULL), TNY_OK);
  uint32_t delayed = 0;
  for (uint32_t l = 0; l < cluster->link_count; l++) {
    tny_lab_wiring_port(cluster, l, port);
    snprintf(line, sizeof line,
             "link add name %s address 02:74:00:00:00:%02x netns /n/%s type veth "
             "peer name r%u netns /n/.relay\n",
             port, l, cluster->node_names[cluster->links[l].from], l);
    const bool is = tny_lab_wiring_is_delayed(cluster, l);
    assert_int_equal(strstr(text, line) != NULL, is);
    snprintf(line, sizeof line, "link set dev r%u up\n", l);
    assert_int_equal(strstr(relay, line) != NULL, is);
    delayed += is;
  }
  assert_int_equal(delayed, 2);
  tny_lab_wiring_shape(&bench.wiring, cluster->host_count, &batch);
  assert_int_equal(tny_text_take(&batch, &shape, NULL), TNY_OK);
  assert_null(strstr(shape, "netem"));
  tny_text_free(text);
  tny_text_free(relay);
  tny_text_free(shape);
  release(&bench);
}

static void the_relay_refuses_links_that_it_cannot_carry(void **state)
{
  (void)state;
  struct bench fine = make("zones:1+1,link=10Gbit/s,rate=1Gbit/s,delay=2ms");
  struct bench fast = make("zones:1+1,link=1Gbit/s,rate=1001Mbit/s,delay=2ms");
  struct tny_error error = {0};
  assert_int_equal(tny_lab_relay_check(fine.cluster, NULL), TNY_OK);
  assert_int_equal(tny_lab_relay_check(fast.cluster, &error), TNY_REFUSED);
  assert_non_null(strstr(error.text, "s0 -> s1 has a latency of 2000 us and more than 1 Gbit/s"));
  struct tny_lab_needs near, far;
  tny_lab_needs_of(fine.cluster, &far);
  struct bench none = make("zones:1+1,link=10Gbit/s,rate=1Gbit/s,delay=100us");
  tny_lab_needs_of(none.cluster, &near);
  assert_int_equal(far.namespaces, near.namespaces + 1);
  /* Two directions, each with what it carries in 2 ms at least. */
  assert_true(far.memory_bytes >= near.memory_bytes + 2 * 250000);
  release(&fine);
  release(&fast);
  release(&none);
}

static void what_a_lab_cannot_have_is_refused(void **state)
{
  (void)state;
  const char *const names[] = {"h0", "h1", "../s0"};
  const struct tny_link links[] = {
      {.from = 0, .to = 2, .bandwidth_bps = 20000000, .buffer_bytes = 65536},
      {.from = 2, .to = 0, .bandwidth_bps = 20000000, .buffer_bytes = 3027}};
  struct tny_cluster cluster = {
      .host_count = 2, .switch_count = 1, .link_count = 2, .node_names = names, .links = links};
  struct tny_error error = {0};
  assert_int_equal(tny_lab_wiring_check(&cluster, &error), TNY_REFUSED);
  assert_non_null(strstr(error.text, "../s0"));
  const char *const fine[] = {"h0", "h1", "s0"};
  cluster.node_names = fine;
  error = (struct tny_error){0};
  assert_int_equal(tny_lab_wiring_check(&cluster, &error), TNY_REFUSED);
  assert_non_null(strstr(error.text, "s0 -> h0 is too thin"));
}

static void a_labs_name_cannot_leave_its_folder(void **state)
{
  (void)state;
  static const char *const bad[] = {"../x", ".x", "a/b", "a b",
                                    "a234567890123456789012345678901234567890"};
  struct tny_lab_folder folder;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(tny_lab_folder_find(bad[i], &folder, NULL), TNY_BAD_INPUT);
  assert_int_equal(tny_lab_folder_find("a.b-c_1", &folder, NULL), TNY_OK);
  assert_string_equal(strrchr(folder.directory, '/'), "/a.b-c_1");
}

static void a_folder_that_others_may_write_to_is_not_trusted(void **state)
{
  (void)state;
  char runtime[] = "/tmp/tourney-test-XXXXXX", base[64], own[80];
  struct tny_lab_folder folder;
  assert_non_null(mkdtemp(runtime));
  snprintf(base, sizeof base, "%s/tourney", runtime);
  snprintf(own, sizeof own, "%s/x", base);
  assert_int_equal(setenv("XDG_RUNTIME_DIR", runtime, 1), 0);
  assert_int_equal(tny_lab_folder_find("x", &folder, NULL), TNY_OK);
  assert_false(folder.exists);
  assert_int_equal(mkdir(base, 0700), 0);
  assert_int_equal(mkdir(own, 0700), 0);
  assert_int_equal(tny_lab_folder_find("x", &folder, NULL), TNY_OK);
  assert_true(folder.exists);
  assert_int_equal(chmod(base, 0770), 0);
  assert_int_equal(tny_lab_folder_find("x", &folder, NULL), TNY_SYSTEM);
  assert_int_equal(chmod(base, 0700), 0);
  assert_int_equal(chmod(own, 0702), 0);
  assert_int_equal(tny_lab_folder_find("x", &folder, NULL), TNY_SYSTEM);
  assert_int_equal(rmdir(own), 0);
  assert_int_equal(symlink(runtime, own), 0);
  assert_int_equal(tny_lab_folder_find("x", &folder, NULL), TNY_SYSTEM);
  unlink(own);
  rmdir(base);
  rmdir(runtime);
  unsetenv("XDG_RUNTIME_DIR");
}

static void a_hint_names_the_lab_where_it_is_not_the_usual_one(void **state)
{
  (void)state;
  char command[TNY_LAB_COMMAND_MAX];
  unsetenv("TOURNEY_LAB");
  tny_lab_command("down", "lab", command);
  assert_string_equal(command, "tourney lab down");
  tny_lab_command("down", "other", command);
  assert_string_equal(command, "tourney lab down --name other");
  assert_int_equal(setenv("TOURNEY_LAB", "other", 1), 0);
  tny_lab_command("up", "other", command);
  assert_string_equal(command, "tourney lab up");
  unsetenv("TOURNEY_LAB");
}

static void a_missing_tool_is_told_with_its_package(void **state)
{
  (void)state;
  char path[256];
  struct tny_error error = {0};
  assert_int_equal(tny_lab_tool_find("no-such-tool", "iproute2", path, &error), TNY_SYSTEM);
  assert_non_null(strstr(error.text, "apt-get install iproute2"));
}

static void a_keeper_with_another_start_time_is_not_ours(void **state)
{
  (void)state;
  struct tny_lab_keeper keeper = {.pid = getpid()};
  assert_true(tny_lab_keeper_date(&keeper));
  assert_true(tny_lab_keeper_lives(&keeper));
  keeper.start_ticks++;
  assert_false(tny_lab_keeper_lives(&keeper));
}

/* A torus of 100 x 100: a namespace a host and a switch, and one for the keeper; a cable a host and
   two a switch; a route for each host at each switch, and one at each host. */
static void what_there_is_no_room_for_is_refused_with_numbers(void **state)
{
  (void)state;
  struct tny_cluster *cluster;
  struct tny_lab_needs needs;
  assert_int_equal(tny_cluster_generate("torus:100x100", &cluster, NULL), TNY_OK);
  tny_lab_needs_of(cluster, &needs);
  assert_int_equal(needs.namespaces, 20001);
  assert_int_equal(needs.cables, 30000);
  assert_int_equal(needs.routes, 100010000);
  assert_true(needs.memory_bytes > needs.routes * 100 + needs.namespaces * 100000);
  const struct tny_lab_capacity enough = {20001, 20001, needs.memory_bytes};
  assert_int_equal(tny_lab_capacity_check(&needs, &enough, NULL), TNY_OK);
  const struct tny_lab_capacity unknown = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
  assert_int_equal(tny_lab_capacity_check(&needs, &unknown, NULL), TNY_OK);
  const struct {
    struct tny_lab_capacity capacity;
    const char *said;
  } cases[] = {
      {{20000, 20001, needs.memory_bytes}, "sysctl user.max_net_namespaces=20001"},
      {{20001, 20000, needs.memory_bytes}, "20000 more are all a program may have"},
      {{20001, 20001, needs.memory_bytes - 1}, "take a smaller cluster"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tny_error error = {0};
    assert_int_equal(tny_lab_capacity_check(&needs, &cases[i].capacity, &error), TNY_SYSTEM);
    if (!strstr(error.text, cases[i].said))
      fail_msg("%s", error.text);
  }
  struct tny_lab_capacity capacity = {0};
  tny_lab_capacity_find(&capacity);
  assert_true(capacity.memory_bytes > 1 << 20 && capacity.namespaces > 0 && capacity.mounts > 0);
  tny_cluster_free(cluster);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cable_joins_the_ports_of_both_its_directions),
      cmocka_unit_test(a_host_reaches_all_others_through_its_switch),
      cmocka_unit_test(a_switch_has_a_route_a_host_as_the_planner_has_it),
      cmocka_unit_test(a_port_has_its_links_rate_and_buffer),
      cmocka_unit_test(only_a_latency_worth_making_is_made),
      cmocka_unit_test(a_bucket_holds_two_frames_and_never_more_than_half_the_buffer),
      cmocka_unit_test(packets_of_fast_links_are_small_to_bucket_and_buffer),
      cmocka_unit_test(a_cable_with_a_latency_passes_through_the_relay_where_the_kernel_cannot),
      cmocka_unit_test(the_relay_refuses_links_that_it_cannot_carry),
      cmocka_unit_test(what_a_lab_cannot_have_is_refused),
      cmocka_unit_test(a_labs_name_cannot_leave_its_folder),
      cmocka_unit_test(a_folder_that_others_may_write_to_is_not_trusted),
      cmocka_unit_test(a_hint_names_the_lab_where_it_is_not_the_usual_one),
      cmocka_unit_test(a_missing_tool_is_told_with_its_package),
      cmocka_unit_test(what_there_is_no_room_for_is_refused_with_numbers),
      cmocka_unit_test(a_keeper_with_another_start_time_is_not_ours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
