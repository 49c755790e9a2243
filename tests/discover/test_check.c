/* What was found beside a file: nothing where nothing differs, and each planted fault by name. */
#include "planted_support.h"

#include "core/alloc.h"
#include "support/memory.h"

/* --- what the file doesn't have --- */

static uint32_t add_switch(struct made_network *network)
{
  return network->switch_count++;
}

/* A trunk as others are. */
static struct made_trunk *add_trunk(struct made_network *network, uint32_t a, uint32_t b)
{
  struct made_trunk *trunk = &network->trunks[network->trunk_count++];
  *trunk = (struct made_trunk){
      .a = a, .b = b, .bps = network->hosts[0].bps, .buffer_bytes = 65536, .ns = 3e3, .cables = 1};
  return trunk;
}

static void add_host(struct made_network *network, uint32_t at)
{
  struct made_host *host = &network->hosts[network->host_count++];
  *host = network->hosts[0];
  host->at = at;
}

static void add_strangers(struct planted *planted, uint32_t at, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    expect_host(planted, TNY_FAULT_STRANGER, planted->real.host_count, "isn't in the file");
    add_host(&planted->real, at);
  }
}

static void only_hosts_are_new_in_a_new_rack(void **state)
{
  (void)state;
  for (uint32_t seed = 1; seed <= PLANTED; seed++) {
    struct planted planted;
    begin_planted(&planted, seed, &wishes);
    const uint32_t rack = add_switch(&planted.real);
    add_trunk(&planted.real, seed % rack, rack);
    add_strangers(&planted, rack, 2 + seed % 2);
    check_planted(&planted);
  }
}

/* With the first of its hosts the file has the switch and its trunk, which only the others show. */
static void only_hosts_are_new_at_a_switch_that_had_one(void **state)
{
  (void)state;
  for (uint32_t seed = 1; seed <= PLANTED; seed++) {
    struct planted planted;
    begin_planted(&planted, seed, &wishes);
    const uint32_t leaf = add_switch(&planted.real);
    add_trunk(&planted.real, seed % leaf, leaf)->bps *= 2;
    add_host(&planted.real, leaf);
    planted.said = planted.real;
    add_strangers(&planted, leaf, 3);
    check_planted(&planted);
  }
}

/* Two hosts of the file at the end of a new trunk; or of two, with a stranger between. */
static void trunks_that_the_file_lacks_are_named(void **state)
{
  (void)state;
  for (uint32_t seed = 1; seed <= PLANTED; seed++) {
    struct planted planted;
    begin_planted(&planted, seed, &wishes);
    const uint32_t at = planted.said.hosts[0].at, leaf = add_switch(&planted.real);
    const uint32_t between = seed % 2 ? at : add_switch(&planted.real);
    for (uint32_t i = 0; i < 2; i++) {
      add_host(&planted.said, at);
      add_host(&planted.real, leaf);
    }
    add_trunk(&planted.real, between, leaf);
    if (between != at) {
      add_trunk(&planted.real, at, between);
      add_strangers(&planted, between, 1);
    }
    expect(&planted, TNY_FAULT_NEW_TRUNK, "", "leads over a trunk that the file doesn't have");
    check_planted(&planted);
  }
}

/* Puts a switch without hosts into a trunk, whose other part is three times as fast, one of the two
   first. Returns which the narrower one is. */
static uint32_t split_trunk(struct made_network *network, uint32_t t, bool is_narrow_first)
{
  const uint32_t spine = add_switch(network);
  struct made_trunk *first = &network->trunks[t];
  struct made_trunk *second = add_trunk(network, spine, first->b);
  first->b = spine;
  second->bps = first->bps;
  (is_narrow_first ? second : first)->bps *= 3;
  return is_narrow_first ? t : network->trunk_count - 1;
}

/* --- nothing differs --- */

static void nothing_differs_from_a_right_file(void **state)
{
  (void)state;
  struct planted planted;
  for (uint32_t seed = 1; seed <= RIGHT; seed++) {
    begin_planted(&planted, seed, &usual_wishes);
    check_planted(&planted);
    begin_planted(&planted, seed, &wishes);
    check_planted(&planted);
  }
}

/* A switch with one host at the end of a way is seen as part of its neighbour, in the file too. */
static void nothing_differs_where_switches_have_one_host(void **state)
{
  (void)state;
  struct made_wishes sparse = usual_wishes;
  sparse.hosts_each_min = 1;
  sparse.hosts_min = 4;
  sparse.switches_min = 3;
  sparse.hosts_max = 14;
  sparse.slow_share = 0;
  for (uint32_t seed = 1; seed <= RIGHT; seed++) {
    struct planted planted;
    begin_planted(&planted, seed, &sparse);
    check_planted(&planted);
  }
}

/* --- hosts --- */

static void hosts_of_one_side_only_are_named(void **state)
{
  (void)state;
  for (uint32_t seed = 1; seed <= PLANTED; seed++) {
    struct planted planted;
    begin_planted(&planted, seed, &wishes);
    planted.has_ghost = true;
    expect(&planted, TNY_FAULT_MISSING, "ghost", "ghost");
    planted.left_out = seed % planted.real.host_count;
    expect_host(&planted, TNY_FAULT_STRANGER, planted.left_out, "isn't in the file");
    check_planted(&planted);
  }
}

static void slow_hosts_are_named(void **state)
{
  (void)state;
  for (uint32_t seed = 1; seed <= PLANTED; seed++) {
    struct planted planted;
    begin_planted(&planted, seed, &wishes);
    const uint32_t host = (seed - 1) % planted.real.host_count;
    planted.real.hosts[host].bps /= 2;
    expect_host(&planted, TNY_FAULT_HOST_RATE, host, "the file says");
    check_planted(&planted);
  }
}

/* A host whose switch isn't that of another. */
static uint32_t host_elsewhere(const struct made_network *network, uint32_t host, uint32_t first)
{
  for (uint32_t i = 0; i < network->host_count; i++) {
    const uint32_t other = (first + i) % network->host_count;
    if (network->hosts[other].at != network->hosts[host].at)
      return other;
  }
  fail_msg("all hosts are at one switch");
  return TNY_NONE;
}

static void hosts_at_other_switches_are_named(void **state)
{
  (void)state;
  for (uint32_t seed = 1; seed <= 2 * PLANTED; seed++) {
    struct planted planted;
    char place[64];
    begin_planted(&planted, seed, &wishes);
    const uint32_t host = (seed / 2) % planted.real.host_count;
    const uint32_t other = host_elsewhere(&planted.real, host, 5 * seed);
    planted.real.hosts[host].at = planted.real.hosts[other].at;
    snprintf(place, sizeof place, "is at s%u; the file says s%u", planted.real.hosts[host].at,
             planted.said.hosts[host].at);
    expect_host(&planted, TNY_FAULT_MISCABLED, host, place);
    check_planted(&planted);
  }
}

static void swapped_hosts_are_two_at_other_switches(void **state)
{
  (void)state;
  for (uint32_t seed = 1; seed <= PLANTED; seed++) {
    struct planted planted;
    begin_planted(&planted, seed, &wishes);
    const uint32_t host = (seed / 2) % planted.real.host_count;
    const uint32_t other = host_elsewhere(&planted.real, host, 5 * seed);
    planted.real.hosts[host].at = planted.said.hosts[other].at;
    planted.real.hosts[other].at = planted.said.hosts[host].at;
    expect_host(&planted, TNY_FAULT_MISCABLED, host, "is at s");
    expect_host(&planted, TNY_FAULT_MISCABLED, other, "is at s");
    check_planted(&planted);
  }
}

/* --- trunks --- */

/* A trunk that streams fill easily, and that is seen by itself; TNY_NONE: there is none. */
static uint32_t filled_trunk(const struct made_network *network)
{
  const struct made_network visible = visible_part(network);
  if (visible.trunk_count != network->trunk_count)
    return TNY_NONE;
  for (uint32_t t = 0; t < network->trunk_count; t++)
    if (most_over(network, t) > 2 * network->trunks[t].bps)
      return t;
  return TNY_NONE;
}

/* The next network that has a trunk which its hosts fill; returns that. */
static uint32_t begin_filled(struct planted *planted, uint64_t *seed)
{
  uint32_t t;
  do {
    begin_planted(planted, ++*seed, &wishes);
    t = filled_trunk(&planted->real);
  } while (t == TNY_NONE);
  return t;
}

static void expect_trunk(struct planted *planted, uint32_t t, const char *text)
{
  char name[64];
  snprintf(name, sizeof name, "s%u -- s%u", planted->said.trunks[t].a, planted->said.trunks[t].b);
  expect(planted, TNY_FAULT_TRUNK_RATE, name, text);
}

static void trunks_of_another_rate_are_named(void **state)
{
  (void)state;
  uint64_t seed = 0;
  for (uint32_t checked = 0; checked < PLANTED; checked++) {
    struct planted planted;
    const uint32_t t = begin_filled(&planted, &seed);
    planted.said.trunks[t].bps *= checked % 2 ? 1.5 : 0.6;
    expect_trunk(&planted, t, "the file says");
    check_planted(&planted);
  }
}

/* A new host at a switch that had none shows two trunks where hosts of the file saw one. */
static void a_way_is_judged_by_its_narrower_trunk(void **state)
{
  (void)state;
  uint64_t seed = 0;
  for (uint32_t checked = 0; checked < PLANTED; checked++) {
    struct planted planted;
    const uint32_t t = begin_filled(&planted, &seed);
    const uint32_t narrower = split_trunk(&planted.real, t, checked % 2);
    planted.said = planted.real;
    add_strangers(&planted, planted.real.switch_count - 1, 1);
    if (checked / 2 % 3 > 0) {
      planted.real.trunks[narrower].bps *= checked / 2 % 3 == 1 ? 0.6 : 1.5;
      expect_trunk(&planted, narrower, "the file says");
    }
    check_planted(&planted);
  }
}

static void trunks_with_fewer_cables_are_named(void **state)
{
  (void)state;
  uint64_t seed = 0;
  for (uint32_t checked = 0; checked < PLANTED; checked++) {
    struct planted planted;
    const uint32_t t = begin_filled(&planted, &seed);
    planted.said.trunks[t].cables = 4;
    planted.real.trunks[t].bps *= 0.75;
    expect_trunk(&planted, t, "in 4 cables: as if 3 of them were there");
    check_planted(&planted);
  }
}

/* Four cables, or these and two of nearly twice their rate in a row: then what can be relied on is
   the former's, and what there is at best the latter's. */
static void check_bundles(bool in_a_row)
{
  uint64_t seed = 0;
  for (uint32_t checked = 0; checked < PLANTED; checked++) {
    struct planted planted;
    const uint32_t t = begin_filled(&planted, &seed);
    char what[32];
    planted.has_bundles = true;
    planted.in_a_row = in_a_row ? t + 1 : 0;
    planted.said.trunks[t].cables = 4;
    planted.real.trunks[t].bps *= (double[]){0.95, 0.4, 0.26, 0.18}[checked % 4];
    snprintf(what, sizeof what, "mid -- s%u", planted.said.trunks[t].b);
    if (checked % 4 == 3 && in_a_row)
      expect(&planted, TNY_FAULT_TRUNK_RATE, what, "the file says");
    else if (checked % 4 == 3)
      expect_trunk(&planted, t, "the file says");
    check_planted(&planted);
  }
}

/* Which flows share a cable isn't known: anything between one cable's rate and all of them may come
   to be had. */
static void bundles_carry_between_one_cable_and_all(void **state)
{
  (void)state;
  check_bundles(false);
}

static void bundles_in_a_row_carry_what_each_of_them_does(void **state)
{
  (void)state;
  check_bundles(true);
}

/* --- what is refused, and memory --- */

static void files_with_cycles_are_refused(void **state)
{
  (void)state;
  const struct made_network network = draw_network(7, &wishes);
  struct made_probes made = {.network = &network, .machines = network.host_count};
  struct tny_cluster *cluster = open_cluster("torus:4x4");
  struct tny_discovery found;
  struct tny_faults faults;
  struct tny_error error = {0};
  discover_made(&made, &found);
  const struct tny_discovered discovered = {&found, host_names()};
  assert_int_equal(tny_discovered_check(&discovered, cluster, &faults, &error), TNY_REFUSED);
  assert_non_null(strstr(error.text, "torus:4x4 is no tree"));
  assert_null(strstr(error.text, "multipath"));
  tny_faults_release(&faults);
  tny_cluster_free(cluster);
  tny_discovery_release(&found);
}

static const char two_spines[] = "cluster 1 file\nhost a\nhost b\nswitch leaf0\nswitch leaf1\n"
                                 "switch spine0\nswitch spine1\n"
                                 "cable a leaf0 1000 1 1\ncable b leaf1 1000 1 1\n"
                                 "cable leaf0 spine0 1000 1 1\ncable leaf1 spine0 1000 1 1\n"
                                 "cable leaf0 spine1 1000 1 1\n";

static enum tny_status require_tree(const char *flat, struct tny_error *error)
{
  struct tny_cluster *cluster;
  assert_int_equal(tny_cluster_read_flat(flat, &cluster, error), TNY_OK);
  const enum tny_status status = tny_discovered_require_tree(cluster, error);
  tny_cluster_free(cluster);
  return status;
}

/* Until the second spine has its second trunk it is a tree; parallel cables make no cycle. */
static void parallel_spines_are_said_to_be_multipath(void **state)
{
  (void)state;
  char flat[1024];
  struct tny_error error = {0};
  assert_int_equal(require_tree(two_spines, &error), TNY_OK);
  snprintf(flat, sizeof flat, "%scable leaf0 spine1 1000 1 1\n", two_spines);
  assert_int_equal(require_tree(flat, &error), TNY_OK);
  snprintf(flat, sizeof flat, "%scable leaf1 spine1 1000 1 1\n", two_spines);
  assert_int_equal(require_tree(flat, &error), TNY_REFUSED);
  assert_non_null(strstr(error.text, "spine0 and spine1 both lead from leaf0 to leaf1"));
  assert_non_null(strstr(error.text, "multipath=flow"));
}

struct starved {
  const struct tny_discovered *network;
  const struct tny_cluster *cluster;
};

static enum tny_status check_starved(const void *subject, struct tny_error *error)
{
  const struct starved *starved = subject;
  struct tny_faults faults;
  const enum tny_status status =
      tny_discovered_check(starved->network, starved->cluster, &faults, error);
  tny_faults_release(&faults);
  return status;
}

static void checking_survives_every_failed_allocation(void **state)
{
  (void)state;
  struct planted planted;
  struct tny_discovery found;
  begin_planted(&planted, 7, &wishes);
  planted.has_ghost = true;
  planted.real.hosts[1].bps /= 2;
  struct made_probes made = {.network = &planted.real, .machines = planted.real.host_count};
  struct tny_cluster *cluster = make_file(&planted);
  discover_made(&made, &found);
  const struct tny_discovered network = {&found, host_names()};
  assert_true(starve(check_starved, &(struct starved){&network, cluster}) > 10);
  tny_discovery_release(&found);
  tny_cluster_free(cluster);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_differs_from_a_right_file),
      cmocka_unit_test(nothing_differs_where_switches_have_one_host),
      cmocka_unit_test(hosts_of_one_side_only_are_named),
      cmocka_unit_test(only_hosts_are_new_in_a_new_rack),
      cmocka_unit_test(only_hosts_are_new_at_a_switch_that_had_one),
      cmocka_unit_test(trunks_that_the_file_lacks_are_named),
      cmocka_unit_test(slow_hosts_are_named),
      cmocka_unit_test(hosts_at_other_switches_are_named),
      cmocka_unit_test(swapped_hosts_are_two_at_other_switches),
      cmocka_unit_test(trunks_of_another_rate_are_named),
      cmocka_unit_test(a_way_is_judged_by_its_narrower_trunk),
      cmocka_unit_test(trunks_with_fewer_cables_are_named),
      cmocka_unit_test(bundles_carry_between_one_cable_and_all),
      cmocka_unit_test(bundles_in_a_row_carry_what_each_of_them_does),
      cmocka_unit_test(files_with_cycles_are_refused),
      cmocka_unit_test(parallel_spines_are_said_to_be_multipath),
      cmocka_unit_test(checking_survives_every_failed_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
