/* What was found as a cluster: its nodes, cables and names; and as a file that is read back. */
#include "discover_support.h"

#include <stdlib.h>
#include <unistd.h>

#include "discover/describe.h"
#include "support/memory.h"

struct described {
  struct made_network network;
  struct tny_discovery found;
  char room[MADE_HOSTS][16];
  const char *names[MADE_HOSTS];
  struct tny_discovered discovered;
};

static void begin_described(struct described *described, uint64_t seed, const char *prefix)
{
  described->network = draw_network(seed, &usual_wishes);
  struct made_probes made = {.network = &described->network,
                             .noise = usual_noise,
                             .machines = described->network.host_count};
  discover_made(&made, &described->found);
  for (uint32_t host = 0; host < described->network.host_count; host++) {
    snprintf(described->room[host], sizeof *described->room, "%s%u", prefix, host);
    described->names[host] = described->room[host];
  }
  described->discovered = (struct tny_discovered){&described->found, described->names};
}

static uint32_t node_called(const struct tny_cluster *cluster, const char *name)
{
  for (uint32_t node = 0; node < count_nodes(cluster); node++)
    if (!strcmp(cluster->node_names[node], name))
      return node;
  fail_msg("there is no %s", name);
  return TNY_NONE;
}

/* To three digits. */
static bool is_about(uint64_t number, double wanted)
{
  return fabs((double)number - wanted) <= fmax(1, 0.006 * wanted);
}

/* The link from one node to another. */
static const struct tny_link *link_between(const struct tny_cluster *cluster, uint32_t from,
                                           uint32_t to)
{
  for (uint32_t i = cluster->first_out[from]; i < cluster->first_out[from + 1]; i++)
    if (cluster->links[cluster->out_links[i]].to == to)
      return &cluster->links[cluster->out_links[i]];
  fail_msg("no cable leads from %s to %s", cluster->node_names[from], cluster->node_names[to]);
  return NULL;
}

static void assert_described(const struct described *described, const struct tny_cluster *cluster)
{
  const struct tny_discovery *found = &described->found;
  const struct tny_tree *tree = &found->tree;
  char a[32], b[32];
  assert_int_equal(cluster->host_count, tree->host_count);
  assert_int_equal(cluster->switch_count, tree->switch_count);
  assert_int_equal(cluster->link_count, 2 * (tree->host_count + tree->trunk_count));
  for (uint32_t host = 0; host < tree->host_count; host++) {
    const uint32_t node = node_called(cluster, described->names[host]);
    const uint32_t at = tny_cluster_switch_of(cluster, node);
    tny_discovered_switch(&described->discovered, tree->switch_of[host], a);
    assert_string_equal(cluster->node_names[at], a);
    assert_true(is_about(link_between(cluster, node, at)->bandwidth_bps, found->hosts[host].bps));
    if (found->hosts[host].buffer_bytes > 0)
      assert_true(
          is_about(link_between(cluster, at, node)->buffer_bytes, found->hosts[host].buffer_bytes));
  }
  for (uint32_t t = 0; t < tree->trunk_count; t++) {
    tny_discovered_switch(&described->discovered, tree->trunks[t].a, a);
    tny_discovered_switch(&described->discovered, tree->trunks[t].b, b);
    const struct tny_link *link =
        link_between(cluster, node_called(cluster, a), node_called(cluster, b));
    assert_true(is_about(link->bandwidth_bps, found->trunks[t].bps));
    assert_true(fabs(2 * (double)link->latency_ns - tree->trunks[t].ns) <= 200);
  }
}

/* Writes the cluster as a graph and reads it back. */
static struct tny_cluster *reread(const struct tny_cluster *cluster)
{
  char path[] = "/tmp/test_describe_XXXXXX", *dot;
  struct tny_cluster *again;
  assert_int_equal(tny_cluster_write_dot(cluster, &dot, NULL), TNY_OK);
  const int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, dot, strlen(dot)), (int)strlen(dot));
  close(file);
  tny_text_free(dot);
  again = open_cluster(path);
  unlink(path);
  return again;
}

static void what_was_found_is_a_cluster_and_a_file(void **state)
{
  (void)state;
  for (uint32_t seed = 1; seed <= 50; seed++) {
    struct described described;
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    begin_described(&described, seed, "node");
    if (tny_discovered_cluster(&described.discovered, &cluster, &error))
      fail_msg("seed %u: %s", seed, error.text);
    assert_described(&described, cluster);
    struct tny_cluster *again = reread(cluster);
    assert_described(&described, again);
    struct tny_faults faults;
    assert_int_equal(tny_discovered_check(&described.discovered, again, &faults, NULL), TNY_OK);
    if (faults.count)
      fail_msg("seed %u: beside its own file: %s", seed, faults.at[0].text);
    tny_faults_release(&faults);
    tny_cluster_free(again);
    tny_cluster_free(cluster);
    tny_discovery_release(&described.found);
  }
}

static void hosts_that_are_called_like_switches_keep_their_names(void **state)
{
  (void)state;
  struct described described;
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  begin_described(&described, 7, "switch");
  assert_true(described.found.tree.switch_count > 1);
  if (tny_discovered_cluster(&described.discovered, &cluster, &error))
    fail_msg("%s", error.text);
  assert_described(&described, cluster);
  tny_cluster_free(cluster);
  tny_discovery_release(&described.found);
}

static enum tny_status describe_starved(const void *subject, struct tny_error *error)
{
  struct tny_cluster *cluster = NULL;
  const enum tny_status status = tny_discovered_cluster(subject, &cluster, error);
  assert_true((cluster == NULL) == (status != TNY_OK));
  tny_cluster_free(cluster);
  return status;
}

static void describing_survives_every_failed_allocation(void **state)
{
  (void)state;
  struct described described;
  begin_described(&described, 7, "node");
  assert_true(starve(describe_starved, &described.discovered) > 3);
  tny_discovery_release(&described.found);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_found_is_a_cluster_and_a_file),
      cmocka_unit_test(hosts_that_are_called_like_switches_keep_their_names),
      cmocka_unit_test(describing_survives_every_failed_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
