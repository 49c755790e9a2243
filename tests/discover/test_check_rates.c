/* Rates of hosts beside a file, where trunks and partners let less be seen than the file says. */
#include "planted_support.h"

enum { LEAVES = 2, HOSTS_EACH = 4 };

static void add_host(struct made_network *network, uint32_t at, double bps)
{
  network->hosts[network->host_count++] =
      (struct made_host){.at = at, .bps = bps, .buffer_bytes = 65536, .ns = 30e3};
}

/* Host 0 alone at a core switch, and two leaves, each with a trunk to it. */
static void lay_core(struct planted *planted, double core_bps, const double trunks_bps[LEAVES])
{
  struct made_network *network = &planted->real;
  *planted = (struct planted){.left_out = TNY_NONE};
  network->seed = 1;
  add_host(network, 0, core_bps);
  network->switch_count = 1 + LEAVES;
  for (uint32_t leaf = 0; leaf < LEAVES; leaf++) {
    network->trunks[network->trunk_count++] = (struct made_trunk){.a = 0,
                                                                  .b = 1 + leaf,
                                                                  .bps = trunks_bps[leaf],
                                                                  .buffer_bytes = 65536,
                                                                  .ns = 3e3,
                                                                  .cables = 1};
    for (uint32_t i = 0; i < HOSTS_EACH; i++)
      add_host(network, 1 + leaf, 1e9);
  }
  planted->said = *network;
}

static void a_lone_host_may_have_one_trunk_or_all(void **state)
{
  (void)state;
  static const double rates[][LEAVES] = {
      {0.4e9, 0.4e9}, {0.1e9, 0.01e9}, {0.01e9, 0.1e9}, {0.3e9, 0.5e9}, {2e9, 2e9}};
  for (uint32_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    struct planted planted;
    lay_core(&planted, 1e9, rates[i]);
    check_planted(&planted);
  }
}

static void a_lone_host_that_fills_no_trunk_is_named(void **state)
{
  (void)state;
  struct planted planted;
  lay_core(&planted, 1e9, (double[]){0.4e9, 0.4e9});
  planted.real.hosts[0].bps = 0.3e9;
  expect_host(&planted, TNY_FAULT_HOST_RATE, 0, "; the file says 1Gbit/s");
  check_planted(&planted);
}

/* Host 0 and slower ones at one switch. */
static void lay_head(struct planted *planted, double head_bps, uint32_t others)
{
  *planted = (struct planted){.left_out = TNY_NONE};
  planted->real.seed = others;
  planted->real.switch_count = 1;
  add_host(&planted->real, 0, head_bps);
  for (uint32_t i = 0; i < others; i++)
    add_host(&planted->real, 0, 0.1e9);
  planted->said = planted->real;
}

static void a_head_is_seen_as_what_its_partners_send(void **state)
{
  (void)state;
  for (uint32_t others = 1; others <= 20; others++) {
    struct planted planted;
    lay_head(&planted, 1e9, others);
    check_planted(&planted);
    if (others == 1) /* it is all that is seen of its only partner, too */
      continue;
    planted.real.hosts[0].bps = 0.05e9;
    expect_host(&planted, TNY_FAULT_HOST_RATE, 0, "; the file says 1Gbit/s");
    check_planted(&planted);
  }
}

/* ... but not where it is faster than that already. */
static void what_is_known_to_be_the_least_is_not_too_slow(void **state)
{
  (void)state;
  for (uint32_t seed = 1; seed <= PLANTED; seed++) {
    struct planted planted;
    begin_planted(&planted, seed, &wishes);
    const uint32_t host = seed % planted.real.host_count;
    planted.is_least = host + 1;
    planted.real.hosts[host].bps /= 2;
    check_planted(&planted);
    planted.said.hosts[host].bps = planted.real.hosts[host].bps / 2;
    expect_host(&planted, TNY_FAULT_HOST_RATE, host, "has at least ");
    check_planted(&planted);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lone_host_may_have_one_trunk_or_all),
      cmocka_unit_test(a_lone_host_that_fills_no_trunk_is_named),
      cmocka_unit_test(a_head_is_seen_as_what_its_partners_send),
      cmocka_unit_test(what_is_known_to_be_the_least_is_not_too_slow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
