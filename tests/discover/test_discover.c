/* Discovery on made-up networks: switches, rates, buffers; small networks; what fails. */
#include "discover_support.h"
#include "support/memory.h"

enum { NETWORKS = 600 };

/* --- trees --- */

/* Rates within 10 %; one that streams can't fill is at least what they got. */
static bool fits_rate(const struct tny_found_cable *cable, double bps)
{
  return cable->bps < 1.1 * bps && (cable->is_least || cable->bps > bps / 1.1);
}

static bool fits_buffer(const struct tny_found_cable *cable, double bytes)
{
  return cable->buffer_bytes < 1.5 * bytes && cable->buffer_bytes > bytes / 1.5;
}

/* What was measured of a trunk. One that could be made to carry clearly more than it can is filled,
   unless most of that was reached: what streams can do is less than what is known of the cables. */
static bool trunk_fits(const struct made_network *visible, uint32_t t,
                       const struct tny_found_cable *found)
{
  const struct made_trunk *trunk = &visible->trunks[t];
  if (!fits_rate(found, trunk->bps))
    return false;
  if (found->is_least)
    return most_over(visible, t) < 1.5 * trunk->bps || found->bps > 0.75 * trunk->bps;
  return !found->is_measured || fits_buffer(found, trunk->buffer_bytes);
}

/* The port towards a host that is measured, or like one at its switch; it isn't at the end of a
   trunk that nobody sees. */
static bool host_fits(const struct made_network *network, const struct made_network *visible,
                      uint32_t host, const struct tny_found_cable *found)
{
  if (visible->host_count == 2) /* the slower one is all that is seen of the faster */
    return found->bps < 1.1 * visible->hosts[host].bps;
  if (fabs(found->bps / visible->hosts[host].bps - 1) > 0.1)
    return false;
  return count_hosts_at(network, network->hosts[host].at) < 4 ||
         fits_buffer(found, visible->hosts[host].buffer_bytes);
}

struct outcome {
  uint32_t networks, bad_networks, trunks, least_trunks, measured_buffers;
};

static void judge(const struct made_probes *made, const struct tny_discovery *found,
                  struct outcome *outcome)
{
  const struct made_network visible = visible_part(made->network);
  const double pairs = visible.host_count * (visible.host_count - 1) / 2.0;
  bool fits = true;
  assert_switches(made, &visible, &found->tree);
  if (found->tree.misfits > 0.05 * pairs)
    fail_msg("seed %llu: taken for a network with cycles", NETWORK(made));
  for (uint32_t t = 0; t < visible.trunk_count; t++) {
    const struct tny_found_cable *trunk =
        &found->trunks[found_trunk(made, &visible, t, &found->tree)];
    fits &= trunk_fits(&visible, t, trunk);
    outcome->trunks++;
    outcome->least_trunks += trunk->is_least;
    outcome->measured_buffers += trunk->is_measured;
  }
  for (uint32_t host = 0; host < visible.host_count; host++)
    fits &= host_fits(made->network, &visible, host, &found->hosts[host]);
  if (!fits)
    print_message("seed %llu: a rate or a buffer is wrong\n", NETWORK(made));
  outcome->networks++;
  outcome->bad_networks += !fits;
}

static struct outcome discover_many(const struct made_wishes *wishes,
                                    const struct made_noise *noise, uint32_t count)
{
  struct outcome outcome = {0};
  for (uint32_t seed = 1; seed <= count; seed++) {
    const struct made_network network = draw_network(seed, wishes);
    struct made_probes made = {.network = &network,
                               .noise = *noise,
                               .machines = seed % 3 ? network.host_count : seed % 5 + 1};
    struct tny_discovery found;
    discover_made(&made, &found);
    judge(&made, &found, &outcome);
    tny_discovery_release(&found);
  }
  return outcome;
}

static void trees_are_found_from_noisy_measurements(void **state)
{
  (void)state;
  const struct outcome outcome = discover_many(&usual_wishes, &usual_noise, NETWORKS);
  assert_true(outcome.bad_networks <= NETWORKS / 50);
  assert_true(outcome.least_trunks < outcome.trunks / 4);
  assert_true(outcome.measured_buffers > outcome.trunks / 2);
}

static void without_noise_nothing_is_wrong(void **state)
{
  (void)state;
  assert_true(discover_many(&usual_wishes, &no_noise, NETWORKS).bad_networks <= NETWORKS / 200);
}

/* Round trips vary by as much as a trunk takes, and many are too long by that. */
static void hosts_are_at_their_switches_however_noisy_round_trips_are(void **state)
{
  (void)state;
  const struct made_noise noise = {
      .ns = 400, .outlier_share = 0.2, .outlier_ns = 15e3, .rate_share = 0.02};
  discover_many(&usual_wishes, &noise, NETWORKS / 2);
}

/* The processors are faster for a while, by as much as a trunk takes: seldom, so that it isn't
   their usual speed, or often. From a tenth to two fifths of the time hosts may differ in which it
   is. */
static void hosts_are_at_their_switches_when_clocks_change(void **state)
{
  (void)state;
  const double shares[] = {0.03, 0.5, 0.65, 0.8, 0.95};
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
    struct made_noise noise = usual_noise;
    noise.fast_share = shares[i];
    discover_many(&usual_wishes, &noise, NETWORKS / 6);
  }
}

static void hosts_whose_speed_is_never_steady_are_found(void **state)
{
  (void)state;
  const uint32_t counts[] = {1, 5, MADE_HOSTS};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    struct made_noise noise = usual_noise;
    noise.unsteady_hosts = counts[i];
    discover_many(&usual_wishes, &noise, NETWORKS / 6);
  }
}

/* A leaf with one host is found as a host with a longer cable. */
static void switches_with_one_host_go_to_their_neighbours(void **state)
{
  (void)state;
  struct made_wishes wishes = usual_wishes;
  wishes.hosts_each_min = 1;
  wishes.hosts_max = 14;
  wishes.switches_min = 3;
  uint32_t hidden = 0;
  for (uint32_t seed = 1; seed <= NETWORKS / 2; seed++) {
    const struct made_network network = draw_network(seed, &wishes);
    const struct made_network visible = visible_part(&network);
    struct made_probes made = {
        .network = &network, .noise = usual_noise, .machines = network.host_count};
    struct tny_discovery found;
    discover_made(&made, &found);
    assert_switches(&made, &visible, &found.tree);
    hidden += visible.trunk_count < network.trunk_count;
    for (uint32_t t = 0; t < visible.trunk_count; t++) {
      const uint32_t at = found_trunk(&made, &visible, t, &found.tree);
      if (!fits_rate(&found.trunks[at], visible.trunks[t].bps))
        fail_msg("seed %u: the rate of trunk %u is %.3g Mbit/s", seed, t,
                 found.trunks[at].bps / 1e6);
    }
    tny_discovery_release(&found);
  }
  assert_true(hidden > NETWORKS / 8);
}

/* --- networks by hand --- */

static struct made_network make_network(uint32_t host_count, uint32_t switch_count)
{
  struct made_network network = {.host_count = host_count, .switch_count = switch_count};
  for (uint32_t host = 0; host < host_count; host++)
    network.hosts[host] = (struct made_host){
        .at = host % switch_count, .bps = 20e6, .buffer_bytes = 65536, .ns = 30e3};
  return network;
}

static void join_switches(struct made_network *network, uint32_t a, uint32_t b)
{
  network->trunks[network->trunk_count++] = (struct made_trunk){
      .a = a, .b = b, .bps = 30e6, .buffer_bytes = 65536, .ns = 2500, .cables = 1};
}

static void discover_network(const struct made_network *network, struct tny_discovery *found)
{
  struct made_probes made = {
      .network = network, .noise = usual_noise, .machines = network->host_count};
  discover_made(&made, found);
}

static void hosts_of_one_switch_have_no_trunk_between_them(void **state)
{
  (void)state;
  for (uint32_t host_count = 2; host_count <= 40; host_count++)
    for (uint32_t seed = 1; seed <= 5; seed++) {
      struct made_network network = make_network(host_count, 1);
      struct tny_discovery found;
      network.seed = seed;
      discover_network(&network, &found);
      assert_int_equal(found.tree.switch_count, 1);
      assert_int_equal(found.tree.trunk_count, 0);
      assert_int_equal(found.tree.misfits, 0);
      for (uint32_t host = 0; host < host_count; host++) {
        assert_int_equal(found.tree.switch_of[host], 0);
        assert_true(fits_rate(&found.hosts[host], 20e6));
        assert_true(host_count < 4 || fits_buffer(&found.hosts[host], 65536));
      }
      tny_discovery_release(&found);
    }
}

/* All turns that are always made are so noisy that a trunk is within that. */
static void a_trunk_that_noise_hides_is_found_when_it_is_quieter(void **state)
{
  (void)state;
  uint32_t missed = 0;
  for (uint32_t seed = 1; seed <= 100; seed++) {
    struct made_network network = make_network(8, 2);
    struct made_probes made = {.network = &network, .noise = usual_noise, .machines = 8};
    struct tny_discovery found;
    network.seed = seed;
    join_switches(&network, 0, 1);
    made.noise.early_ns = 3000;
    made.noise.early_probes = 16 * 7;
    discover_made(&made, &found);
    missed += found.tree.switch_count != 2;
    tny_discovery_release(&found);
  }
  assert_true(missed <= 2);
}

/* Trunks of 2 % of a round trip, while all round trips get longer and shorter from turn to turn,
   and calls whatever round trips do. */
static void short_trunks_are_found_while_the_machine_drifts(void **state)
{
  (void)state;
  uint32_t missed = 0;
  for (uint32_t seed = 1; seed <= 100; seed++) {
    struct made_network network = make_network(10, 5);
    struct made_probes made = {.network = &network,
                               .noise = {.ns = 150, .drift_share = 0.03, .calls_share = 0.1},
                               .machines = 10};
    struct tny_discovery found;
    network.seed = seed;
    for (uint32_t s = 1; s < 5; s++)
      join_switches(&network, s / 2, s);
    for (uint32_t t = 0; t < network.trunk_count; t++)
      network.trunks[t].ns = 1300;
    discover_made(&made, &found);
    missed += found.tree.switch_count != 5;
    tny_discovery_release(&found);
  }
  assert_true(missed <= 2);
}

/* Three leaves below a switch without hosts. */
static void a_switch_without_hosts_is_found_above_leaves(void **state)
{
  (void)state;
  struct made_network network = make_network(9, 3);
  struct tny_discovery found;
  network.switch_count = 4;
  for (uint32_t leaf = 0; leaf < 3; leaf++)
    join_switches(&network, leaf, 3);
  discover_network(&network, &found);
  assert_int_equal(found.tree.switch_count, 4);
  assert_int_equal(found.tree.trunk_count, 3);
  for (uint32_t t = 0; t < 3; t++) {
    assert_true((found.tree.trunks[t].a == 3) != (found.tree.trunks[t].b == 3));
    assert_true(fits_rate(&found.trunks[t], 30e6));
    assert_false(found.trunks[t].is_least);
  }
  tny_discovery_release(&found);
}

/* Two switches of one room, and one a kilometre away. */
static void a_short_trunk_is_found_beside_a_long_one(void **state)
{
  (void)state;
  for (uint32_t seed = 1; seed <= 20; seed++) {
    struct made_network network = make_network(9, 3);
    struct tny_discovery found;
    network.seed = seed;
    join_switches(&network, 0, 1);
    join_switches(&network, 1, 2);
    network.trunks[0].ns = 4000;
    network.trunks[1].ns = 40e3;
    discover_network(&network, &found);
    assert_int_equal(found.tree.switch_count, 3);
    assert_int_equal(found.tree.trunk_count, 2);
    tny_discovery_release(&found);
  }
}

/* A fast host that shares its switch with a slow one only is as fast as it is to others. */
static void a_host_isnt_taken_for_slow_where_its_neighbour_is(void **state)
{
  (void)state;
  struct made_network network = make_network(8, 4);
  struct tny_discovery found;
  for (uint32_t s = 0; s < 3; s++)
    join_switches(&network, s, s + 1);
  network.hosts[2].bps = 10e6;
  discover_network(&network, &found);
  for (uint32_t host = 0; host < 8; host++)
    assert_true(fits_rate(&found.hosts[host], network.hosts[host].bps));
  assert_true(found.hosts[6].bps > 18e6);
  tny_discovery_release(&found);
}

/* At one switch and at two; the others' ports have the buffers that they have. */
static void one_host_that_is_faster_than_all_others_is_found(void **state)
{
  (void)state;
  for (uint32_t host_count = 4; host_count <= 40; host_count += 3)
    for (uint32_t switch_count = 1; switch_count <= 2; switch_count++)
      for (uint32_t fast = 0; fast < host_count; fast += 3) {
        struct made_network network = make_network(host_count, switch_count);
        struct tny_discovery found;
        if (host_count / switch_count < 3)
          continue;
        if (switch_count > 1)
          join_switches(&network, 0, 1);
        network.hosts[fast].bps = 200e6;
        discover_network(&network, &found);
        /* Its own switch's others can take 20 Mbit/s each, those of the other one 30 together. */
        const uint32_t mates = count_hosts_at(&network, network.hosts[fast].at) - 1;
        const double most = mates * 20e6 + (switch_count > 1 ? 30e6 : 0);
        for (uint32_t host = 0; host < host_count; host++) {
          const struct tny_found_cable *cable = &found.hosts[host];
          assert_true(cable->is_least == (host == fast && most < 230e6) ||
                      (most > 190e6 && most < 260e6));
          assert_true(fits_rate(cable, host == fast ? 200e6 : 20e6));
          assert_true(host == fast || fits_buffer(cable, 65536));
        }
        assert_true(found.hosts[fast].bps > 0.9 * fmin(200e6, fmin(most, 16 * 20e6)));
        tny_discovery_release(&found);
      }
}

/* No tree has the round trips of a ring of switches; that many don't fit shows it. */
static void a_ring_of_switches_doesnt_fit_a_tree(void **state)
{
  (void)state;
  for (uint32_t switch_count = 4; switch_count <= 8; switch_count++)
    for (uint32_t each = 1; each <= 5; each++)
      for (uint32_t seed = 1; seed <= 5; seed++) {
        const uint32_t host_count = switch_count * each;
        struct made_network network = make_network(host_count, switch_count);
        struct tny_discovery found;
        network.seed = seed;
        for (uint32_t s = 0; s < switch_count; s++)
          join_switches(&network, s, (s + 1) % switch_count);
        discover_network(&network, &found);
        if (found.tree.misfits <= 0.05 * host_count * (host_count - 1) / 2)
          fail_msg("a ring of %u switches with %u hosts each has %u misfits", switch_count, each,
                   found.tree.misfits);
        tny_discovery_release(&found);
      }
}

/* --- what fails --- */

static void a_probe_that_fails_is_an_error_and_ends_it(void **state)
{
  (void)state;
  const struct made_network network = draw_network(7, &usual_wishes);
  struct made_probes whole = {.network = &network, .machines = network.host_count};
  struct tny_discovery found;
  discover_made(&whole, &found);
  tny_discovery_release(&found);
  assert_true(whole.asked > 20);
  for (uint32_t nth = 1; nth <= whole.asked; nth++) {
    struct made_probes made = {
        .network = &network, .machines = network.host_count, .fails_at = nth};
    const struct tny_probes probes = begin_probes(&made);
    struct tny_error error = {0};
    assert_int_equal(tny_discover(&probes, network.host_count, &found, &error), TNY_SYSTEM);
    assert_int_equal(error.status, TNY_SYSTEM);
    assert_non_null(strstr(error.text, "measure"));
    assert_int_equal(made.asked, nth);
    assert_null(found.hosts);
    assert_null(found.tree.switch_of);
  }
}

static enum tny_status discover_starved(const void *subject, struct tny_error *error)
{
  struct made_probes made = {.network = subject, .machines = 1};
  const struct tny_probes probes = begin_probes(&made);
  struct tny_discovery found;
  const enum tny_status status = tny_discover(&probes, made.network->host_count, &found, error);
  assert_true((found.hosts == NULL) == (status != TNY_OK));
  tny_discovery_release(&found);
  return status;
}

static void discovery_survives_every_failed_allocation(void **state)
{
  (void)state;
  struct made_network network = draw_network(7, &usual_wishes);
  assert_true(network.switch_count > 1);
  assert_true(starve(discover_starved, &network) > 20);
  network = make_network(2, 1);
  assert_true(starve(discover_starved, &network) > 10);
}

/* --- what is told before and meanwhile --- */

struct told {
  struct made_probes made;
  uint32_t count, last_done, last_count;
  char last[32];
};

static void take_told(void *state, const char *what, uint32_t done, uint32_t count)
{
  struct told *told = state;
  assert_true(done < count);
  if (!strcmp(told->last, what))
    assert_true(done > told->last_done && count == told->last_count);
  snprintf(told->last, sizeof told->last, "%s", what);
  told->last_done = done;
  told->last_count = count;
  told->count++;
}

static void progress_only_grows(void **state)
{
  (void)state;
  for (uint32_t seed = 1; seed <= 20; seed++) {
    const struct made_network network = draw_network(seed, &usual_wishes);
    struct told told = {
        .made = {.network = &network, .noise = usual_noise, .machines = network.host_count}};
    struct tny_probes probes = begin_probes(&told.made);
    struct tny_discovery found;
    probes.state = &told; /* which begins with the probes' own */
    probes.tell = take_told;
    assert_int_equal(tny_discover(&probes, network.host_count, &found, NULL), TNY_OK);
    assert_true(told.count >= 3);
    tny_discovery_release(&found);
  }
}

/* 16 hosts in a minute: what streams take of it, and what is said. */
static void sixteen_hosts_take_less_than_a_minute(void **state)
{
  (void)state;
  struct made_wishes wishes = usual_wishes;
  wishes.hosts_min = wishes.hosts_max = 16;
  for (uint32_t seed = 1; seed <= 100; seed++) {
    const struct made_network network = draw_network(seed, &wishes);
    struct made_probes made = {.network = &network, .noise = usual_noise, .machines = 1};
    struct tny_discovery found;
    discover_made(&made, &found);
    if (made.seconds > 45)
      fail_msg("seed %u: streams run for %.1f s", seed, made.seconds);
    tny_discovery_release(&found);
  }
  assert_true(tny_discover_seconds(16, 1) < 60);
  assert_true(tny_discover_seconds(16, 1) > 5);
  assert_true(tny_discover_seconds(16, 16) < tny_discover_seconds(16, 1));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trees_are_found_from_noisy_measurements),
      cmocka_unit_test(without_noise_nothing_is_wrong),
      cmocka_unit_test(hosts_are_at_their_switches_however_noisy_round_trips_are),
      cmocka_unit_test(hosts_are_at_their_switches_when_clocks_change),
      cmocka_unit_test(hosts_whose_speed_is_never_steady_are_found),
      cmocka_unit_test(switches_with_one_host_go_to_their_neighbours),
      cmocka_unit_test(hosts_of_one_switch_have_no_trunk_between_them),
      cmocka_unit_test(a_trunk_that_noise_hides_is_found_when_it_is_quieter),
      cmocka_unit_test(short_trunks_are_found_while_the_machine_drifts),
      cmocka_unit_test(a_switch_without_hosts_is_found_above_leaves),
      cmocka_unit_test(a_short_trunk_is_found_beside_a_long_one),
      cmocka_unit_test(a_host_isnt_taken_for_slow_where_its_neighbour_is),
      cmocka_unit_test(one_host_that_is_faster_than_all_others_is_found),
      cmocka_unit_test(a_ring_of_switches_doesnt_fit_a_tree),
      cmocka_unit_test(a_probe_that_fails_is_an_error_and_ends_it),
      cmocka_unit_test(discovery_survives_every_failed_allocation),
      cmocka_unit_test(progress_only_grows),
      cmocka_unit_test(sixteen_hosts_take_less_than_a_minute),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
