/* The rules of tourney doctor: each has facts in which its fault is there, and all are silent about
   a cluster without one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/doctor/rules.h"
#include "cli/doctor/show.h"
#include "core/alloc.h"
#include "core/text.h"

#define CLUSTER "switches:3+3,link=20Mbit/s"
#define LONG_PATHS "switches:3+3,link=20Mbit/s,latency=5ms"

/* A host as it should be. */
static void add_host(struct tny_text *text, unsigned h)
{
  static const char *const facts[] = {
      "net.ipv4.tcp_slow_start_after_idle 0",
      "net.ipv4.tcp_congestion_control cubic",
      "net.ipv4.tcp_window_scaling 1",
      "net.ipv4.tcp_rmem 4096 131072 33554432",
      "net.ipv4.tcp_wmem 4096 16384 4194304",
      "cpu.online 4",
      "cpu.governor performance",
      "interface.eth0.mtu 1500",
      "interface.eth0.speed 1000",
      "interface.eth0.tso on",
      "interface.eth0.gso on",
      "interface.eth0.gro on",
      "mpi.btl_tcp_eager_limit 65536",
      "mpi.btl_tcp_if_exclude 127.0.0.1/8,sppp",
      "mpi.btl_tcp_if_include ",
      "mpi.btl_tcp_progress_thread 0",
      "mpi.btl_tcp_rcvbuf 0",
      "mpi.btl_tcp_sndbuf 0",
      "mpi.btl_tcp_use_nagle 0",
      "mpi.mpi_yield_when_idle 0",
      "tcp.connections 5",
      "tcp.congestion cubic",
      "tcp.interfaces eth0",
  };
  tny_text_add(text, "rank %u h%u 0-3\nhost h%u kernel.boot_id %u\n", h, h, h, h);
  tny_text_add(text, "host h%u interface.eth0.address 10.1.0.%u/16\n", h, h + 1);
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
    tny_text_add(text, "host h%u %s\n", h, facts[i]);
  for (int v = 0; v < DOCTOR_VARIANT_COUNT; v++)
    tny_text_add(text, "window %s h%u 1000 1 0 0 0\n", v ? "native" : "planned", h);
}

/* What was measured of CLUSTER, as it should be: its trunk is the links 6 and 7. */
static const char measured[] = "transfer solo - h0 h1 18900000\n"
                               "transfer solo - h1 h2 18900000\n"
                               "transfer solo - h2 h0 18900000\n"
                               "transfer solo - h3 h4 18900000\n"
                               "transfer solo - h4 h5 18900000\n"
                               "transfer solo - h5 h3 18900000\n"
                               "latency h0 h1 0.000020\n"
                               "latency h0 h3 0.000030\n"
                               "transfer inside - h0 h1 18000000\n"
                               "transfer inside - h1 h2 18000000\n"
                               "transfer inside - h2 h0 18000000\n"
                               "transfer cut 6 h0 h3 9500000\n"
                               "transfer cut 6 h1 h4 9400000\n"
                               "buffer 0 h1 h0 36864 0\n"
                               "buffer 0 h2 h0 36864 1\n"
                               "exchange planned 32768 0.1 shuffle\n"
                               "exchange native 32768 0.2 native\n";

/* A fault: lines before the facts of the hosts (the first of a key counts) or after all others, or
   another cluster file; what must be said of it. */
struct fault {
  const char *id, *before, *after, *cluster, *seen, *command;
};

static const struct fault faults[] = {
    {"unknown-host", "", "rank 6 stranger 0-3\n", NULL, "not in 'switches:3+3", "topology show"},
    {"port-rate", "", "", "switches:3+3,link=100Mbit/s", "18.9 Mbit/s, the file says 100",
     "bandwidth=\"20Mbit/s\""},
    {"port-rate", "", "", "switches:3+3,link=10Mbit/s", "18.9 Mbit/s, the file says 10",
     "bandwidth=\"20Mbit/s\""},
    {"trunk-rate", "", "", "switches:3+3,link=20Mbit/s,trunk=40Mbit/s",
     "2 transfers at once had 18.9 Mbit/s together, by the file 40", "bandwidth=\"20Mbit/s\""},
    {"trunk-rate", "", "", "switches:3+3,link=20Mbit/s,trunk=10Mbit/s", "by the file 10",
     "bandwidth=\"20Mbit/s\""},
    {"placement", "", "transfer inside - h3 h4 9000000\n", NULL,
     "h3 -> h4 had 9 Mbit/s while others sent, alone 18.9", "topology dot"},
    {"latency", "", "", "switches:3+3,link=20Mbit/s,latency=5ms", "0.02 ms, the file says 10",
     "latency="},
    {"latency", "", "latency h0 h4 0.004\n", NULL, "4 ms, the file says", "latency=\"4000us\""},
    {"port-buffer", "buffer 0 h1 h0 36864 19\n", "", NULL,
     "s0 -> h0: 20 segments lost with 36KiB in flight, the file says 64KiB", "buffer=\"18KiB\""},
    {"losses", "", "window planned h1 1000 20 0 0 0\n", NULL, "20 of 1000 TCP segments", "nstat"},
    {"losses", "", "window planned h1 1000 1 1 0 0\n", NULL, "1 time-outs", "nstat"},
    {"losses", "", "lab lab\nport 6 3 0\n", NULL, "s0 -> s1 dropped 3 packets",
     "lab status --links"},
    {"congestion-control", "host h1 tcp.congestion cubic,bbr\n", "", NULL, "use cubic,bbr",
     "sudo sysctl"},
    {"idle-restart", "host h1 net.ipv4.tcp_slow_start_after_idle 1\n", "", LONG_PATHS,
     "= 1, where the way there and back takes 75000 bytes", "tcp_slow_start_after_idle=0"},
    {"idle-restart", "host h1 net.ipv4.tcp_slow_start_after_idle 1\n", "lab other\n", LONG_PATHS,
     "= 1", "for host in h1; do tourney lab exec --name other $host -- sysctl"},
    {"socket-buffers", "host h1 net.ipv4.tcp_rmem 4096 4096 1000\n", "",
     "switches:3+3,link=20Mbit/s,latency=1ms", "at most 1000 bytes, where the way there",
     "tcp_rmem='4096 131072 4194304'"},
    {"window-scaling", "host h1 net.ipv4.tcp_window_scaling 0\n", "", NULL, "= 0", "=1"},
    {"oversubscription", "", "rank 6 h1 0-3\nrank 7 h1 0-3\nrank 8 h1 0-3\nrank 9 h1 0-3\n", NULL,
     "5 ranks on 4 processors", "mpirun -n 24"},
    {"binding", "host h1 cpu.online 8\n", "rank 6 h1 0-3\nrank 7 h1 0\nrank 8 h1 1\nrank 9 h1 2\n",
     NULL, "5 ranks on 4 of 8 processors", "--bind-to"},
    {"cgroup-limit", "host h1 cpu.limit 0.50\n", "", NULL, "1 rank may use 0.50", "cpu.max"},
    {"shared-machine", "host h0 kernel.boot_id x\nhost h1 kernel.boot_id x\n", "",
     "switches:3+3,link=10Gbit/s", "2 hosts with ports of 10000 Mbit/s share 4 processors",
     "single:2,link=1600Mbit/s"},
    {"governor", "host h1 cpu.governor powersave\n", "", NULL, "= powersave", "cpupower"},
    {"mtu", "host h1 interface.eth0.mtu 9000\n", "", NULL, "eth0 has 9000 bytes, 1500 on most",
     "ip link set dev eth0 mtu 1500"},
    {"offloads", "host h1 interface.eth0.gro off\n", "", "switches:3+3,link=1Gbit/s",
     "eth0 has gro off", "ethtool -K eth0"},
    {"nic-speed", "host h1 interface.eth0.speed 10\n", "", NULL, "runs at 10 Mbit/s",
     "ethtool eth0"},
    {"interface-errors", "", "window native h1 1000 0 0 0 7\n", NULL, "7 errors", "ip -s -s"},
    {"eager-limit", "host h1 mpi.btl_tcp_eager_limit 4096\n", "", NULL, "= 4096", "65536"},
    {"yield", "", "rank 6 h1 0-3\nrank 7 h1 0-3\nrank 8 h1 0-3\nrank 9 h1 0-3\n", NULL, "idle = 0",
     "mpi_yield_when_idle 1"},
    {"mpi-interfaces", "host h1 interface.docker0.address 172.17.0.1/16\n", "", NULL, "2 networks",
     "btl_tcp_if_include 10.1.0.0/16"},
    {"nagle", "host h1 mpi.btl_tcp_use_nagle 1\n", "", NULL, "= 1", "use_nagle 0"},
    {"progress-thread", "host h1 mpi.btl_tcp_progress_thread 1\n", "rank 6 h1 0-3\nrank 7 h1 0-3\n",
     NULL, "= 1", "progress_thread 0"},
    {"mpi-buffers", "host h1 mpi.btl_tcp_sndbuf 100\n", "",
     "switches:3+3,link=20Mbit/s,latency=1ms", "btl_tcp_sndbuf = 100", "btl_tcp_sndbuf 0"},
};
#define FAULT_COUNT (sizeof faults / sizeof *faults)

/* Facts with a fault, judged. */
struct judged {
  struct tny_cluster *cluster;
  struct doctor_facts facts;
  struct doctor_finding *findings;
};

static void read_lines(struct doctor_facts *facts, const char *lines)
{
  char line[512];
  for (const char *at = lines; *at; at += strcspn(at, "\n") + 1) {
    bool known;
    struct tny_error error = {0};
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    if (doctor_facts_read(facts, line, &known, &error) != TNY_OK)
      fail_msg("%s", error.text);
    assert_true(known);
  }
}

static void judge(struct judged *judged, const struct fault *fault)
{
  struct tny_text text = {0};
  tny_text_add(&text, "facts 1\nranks 6\n%s", fault->before);
  for (unsigned h = 0; h < 6; h++)
    add_host(&text, h);
  tny_text_add(&text, "%s%s", measured, fault->after);
  assert_int_equal(
      tny_cluster_generate(fault->cluster ? fault->cluster : CLUSTER, &judged->cluster, NULL),
      TNY_OK);
  assert_int_equal(doctor_facts_init(&judged->facts, judged->cluster, NULL), TNY_OK);
  read_lines(&judged->facts, text.bytes);
  tny_text_release(&text);
  judged->findings = tny_new(doctor_rule_count, sizeof *judged->findings);
  assert_int_equal(doctor_judge(&judged->facts, judged->findings, NULL), TNY_OK);
}

static void release(struct judged *judged)
{
  doctor_findings_release(judged->findings);
  tny_free(judged->findings);
  doctor_facts_release(&judged->facts);
  tny_cluster_free(judged->cluster);
}

static const struct doctor_finding *find(const struct judged *judged, const char *id)
{
  for (uint32_t i = 0; i < doctor_rule_count; i++)
    if (!strcmp(judged->findings[i].rule->id, id))
      return &judged->findings[i];
  fail_msg("there is no rule %s", id);
  return NULL;
}

static void each_fault_is_found_with_its_evidence_and_command(void **state)
{
  (void)state;
  for (size_t i = 0; i < FAULT_COUNT; i++) {
    struct judged judged;
    char *shown = NULL;
    judge(&judged, &faults[i]);
    if (find(&judged, faults[i].id)->verdict != DOCTOR_FOUND)
      fail_msg("fault %zu: %s wasn't found", i, faults[i].id);
    assert_int_equal(doctor_show(&judged.facts, judged.findings, CLI_CSV, &shown, NULL), TNY_OK);
    if (!strstr(shown, faults[i].seen))
      fail_msg("fault %zu: '%s' isn't in:\n%s", i, faults[i].seen, shown);
    tny_text_free(shown);
    assert_int_equal(doctor_show(&judged.facts, judged.findings, CLI_TEXT, &shown, NULL), TNY_OK);
    if (!strstr(shown, faults[i].command))
      fail_msg("fault %zu: '%s' isn't in:\n%s", i, faults[i].command, shown);
    tny_text_free(shown);
    release(&judged);
  }
}

static void every_rule_has_a_fault_here(void **state)
{
  (void)state;
  for (uint32_t r = 0; r < doctor_rule_count; r++) {
    bool has = false;
    for (size_t i = 0; i < FAULT_COUNT; i++)
      has |= !strcmp(faults[i].id, doctor_rules[r].id);
    if (!has)
      fail_msg("no fault for the rule %s", doctor_rules[r].id);
  }
}

static void nothing_is_found_and_all_is_checked_where_all_is_well(void **state)
{
  (void)state;
  struct judged judged;
  judge(&judged, &(struct fault){.before = "", .after = ""});
  for (uint32_t i = 0; i < doctor_rule_count; i++)
    if (judged.findings[i].verdict != DOCTOR_ABSENT)
      fail_msg("%s: verdict %d, %s", doctor_rules[i].id, (int)judged.findings[i].verdict,
               judged.findings[i].seen_count ? judged.findings[i].seen[0].text
                                             : judged.findings[i].reason);
  release(&judged);
}

static void without_facts_nothing_is_found_and_each_rule_says_why(void **state)
{
  (void)state;
  struct judged judged = {0};
  assert_int_equal(doctor_facts_init(&judged.facts, NULL, NULL), TNY_OK);
  judged.findings = tny_new(doctor_rule_count, sizeof *judged.findings);
  assert_int_equal(doctor_judge(&judged.facts, judged.findings, NULL), TNY_OK);
  for (uint32_t i = 0; i < doctor_rule_count; i++) {
    assert_int_equal(judged.findings[i].verdict, DOCTOR_UNKNOWN);
    assert_non_null(judged.findings[i].reason);
  }
  release(&judged);
}

static enum doctor_verdict verdict_of(const struct fault *fault, const char *id)
{
  struct judged judged;
  judge(&judged, fault);
  const enum doctor_verdict verdict = find(&judged, id)->verdict;
  release(&judged);
  return verdict;
}

static void a_slow_port_isnt_blamed_on_the_trunk(void **state)
{
  (void)state;
  /* by the file, two ports of 100 Mbit/s fill a trunk of 30, and 18.9 Mbit/s came */
  const struct fault fault = {
      .before = "", .after = "", .cluster = "switches:3+3,link=100Mbit/s,trunk=20Mbit/s"};
  assert_int_equal(verdict_of(&fault, "port-rate"), DOCTOR_FOUND);
  assert_int_equal(verdict_of(&fault, "trunk-rate"), DOCTOR_ABSENT);
}

static void a_trunk_isnt_judged_where_hosts_are_misplaced(void **state)
{
  (void)state;
  const struct fault fault = {.before = "",
                              .after = "transfer inside - h3 h4 9000000\n",
                              .cluster = "switches:3+3,link=20Mbit/s,trunk=40Mbit/s"};
  assert_int_equal(verdict_of(&fault, "placement"), DOCTOR_FOUND);
  assert_int_equal(verdict_of(&fault, "trunk-rate"), DOCTOR_UNKNOWN);
}

static void rates_that_shared_processors_limit_are_not_held_against_the_file(void **state)
{
  (void)state;
  const struct fault fault = {
      .before = "host h0 kernel.boot_id x\nhost h1 kernel.boot_id x\nhost h2 kernel.boot_id x\n"
                "host h3 kernel.boot_id x\nhost h4 kernel.boot_id x\nhost h5 kernel.boot_id x\n"
                "buffer 0 h1 h0 36864 2000\n",
      .after = "",
      .cluster = "switches:3+3,link=10Gbit/s"};
  assert_int_equal(verdict_of(&fault, "port-rate"), DOCTOR_UNKNOWN);
  assert_int_equal(verdict_of(&fault, "trunk-rate"), DOCTOR_UNKNOWN);
  assert_int_equal(verdict_of(&fault, "placement"), DOCTOR_UNKNOWN);
  assert_int_equal(verdict_of(&fault, "port-buffer"), DOCTOR_UNKNOWN);
}

static void what_connections_use_counts_more_than_the_setting(void **state)
{
  (void)state;
  const struct fault fault = {.before = "host h1 net.ipv4.tcp_congestion_control bbr\n",
                              .after = ""};
  assert_int_equal(verdict_of(&fault, "congestion-control"), DOCTOR_ABSENT);
}

static void a_restart_costs_nothing_where_ten_segments_fill_the_path(void **state)
{
  (void)state;
  const struct fault fault = {.before = "host h1 net.ipv4.tcp_slow_start_after_idle 1\n",
                              .after = ""};
  assert_int_equal(verdict_of(&fault, "idle-restart"), DOCTOR_ABSENT);
}

static void a_chosen_network_is_clear(void **state)
{
  (void)state;
  const struct fault fault = {.before = "host h1 interface.docker0.address 172.17.0.1/16\n"
                                        "host h1 mpi.btl_tcp_if_include eth0\n",
                              .after = ""};
  assert_int_equal(verdict_of(&fault, "mpi-interfaces"), DOCTOR_ABSENT);
}

static void lines_that_are_no_facts_are_refused(void **state)
{
  (void)state;
  static const char *const lines[] = {
      "facts 2",
      "rank",
      "rank 0 h0 3-1",
      "host h0",
      "transfer solo - h0 h1",
      "transfer cut - h0 h1 5",
      "transfer solo 6 h0 h1 5",
      "transfer far - h0 h1 5",
      "transfer cut 1000 h0 h1 5",
      "buffer - h0 h1 5 5",
      "exchange sometimes 5 5 ring",
      "window planned h0 1 2 3",
      "port 1000 1 1",
      "latency h0 h1",
      "latency h0 h1 nan",
      "transfer solo - h0 h1 inf",
      "transfer solo - h0 h1 -5",
      "skipped",
  };
  struct judged judged = {0};
  assert_int_equal(tny_cluster_generate(CLUSTER, &judged.cluster, NULL), TNY_OK);
  assert_int_equal(doctor_facts_init(&judged.facts, judged.cluster, NULL), TNY_OK);
  bool known;
  assert_int_equal(doctor_facts_read(&judged.facts, "ranks 2", &known, NULL), TNY_BAD_INPUT);
  read_lines(&judged.facts, "facts 1\n");
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (doctor_facts_read(&judged.facts, lines[i], &known, NULL) != TNY_BAD_INPUT)
      fail_msg("taken for a fact: %s", lines[i]);
  assert_int_equal(doctor_facts_read(&judged.facts, "something else", &known, NULL), TNY_OK);
  assert_false(known);
  doctor_facts_release(&judged.facts);
  tny_cluster_free(judged.cluster);
}

static void a_failed_allocation_is_an_error_and_leaks_nothing(void **state)
{
  (void)state;
  const struct fault *fault = &faults[1];
  struct judged judged;
  judge(&judged, fault);
  struct doctor_finding *again = tny_new(doctor_rule_count, sizeof *again);
  char *shown = NULL;
  tny_alloc_fail_from(1);
  assert_int_equal(doctor_judge(&judged.facts, again, NULL), TNY_NO_MEMORY);
  assert_int_equal(doctor_show(&judged.facts, judged.findings, CLI_TEXT, &shown, NULL),
                   TNY_NO_MEMORY);
  tny_alloc_fail_from(0);
  assert_null(shown);
  doctor_findings_release(again);
  tny_free(again);
  release(&judged);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_fault_is_found_with_its_evidence_and_command),
      cmocka_unit_test(every_rule_has_a_fault_here),
      cmocka_unit_test(nothing_is_found_and_all_is_checked_where_all_is_well),
      cmocka_unit_test(without_facts_nothing_is_found_and_each_rule_says_why),
      cmocka_unit_test(a_slow_port_isnt_blamed_on_the_trunk),
      cmocka_unit_test(a_trunk_isnt_judged_where_hosts_are_misplaced),
      cmocka_unit_test(rates_that_shared_processors_limit_are_not_held_against_the_file),
      cmocka_unit_test(what_connections_use_counts_more_than_the_setting),
      cmocka_unit_test(a_restart_costs_nothing_where_ten_segments_fill_the_path),
      cmocka_unit_test(a_chosen_network_is_clear),
      cmocka_unit_test(lines_that_are_no_facts_are_refused),
      cmocka_unit_test(a_failed_allocation_is_an_error_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
