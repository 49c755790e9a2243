/* What ibnetdiscover prints, and forwarding tables. The files are what the real tools print of
   simulated networks (tests/tool/test_infiniband.sh); what is in them was counted by hand. Each way
   by the table of routes is held against a walk over the lines of the files, read here once more
   and apart from the reader. */
#include "infiniband_support.h"

struct good {
  const char *file, *tables; /* tables NULL: none */
  uint32_t hosts, switches, cables;
  const char *joined[3][2]; /* some pairs that a cable joins */
  uint64_t gbps[3];         /* at so many Gbit/s */
};

static const struct good good[] = {
    {"one_switch.topo", "one_switch.lft", 4, 1, 4, {{"node03", "leaf01"}}, {32}},
    {"parallel_cables.topo",
     "parallel_cables.lft",
     8,
     2,
     11,
     {{"node04", "leaf01"}, {"node05", "leaf02"}, {"leaf01", "leaf02"}},
     {32, 32, 32}},
    {"fat_tree.topo",
     "fat_tree.lft",
     16,
     6,
     32,
     {{"n003", "leaf0"}, {"n015", "leaf3"}, {"spine1", "leaf2"}},
     {32, 32, 32}},
    {"three_levels.topo",
     NULL,
     16,
     20,
     48,
     {{"node07", "edge1-1"}, {"agg2-0", "core1"}, {"agg2-1", "core3"}},
     {32, 32, 32}},
    {"ring.topo", "ring.lft", 12, 6, 18, {{"node11", "sw5"}, {"sw5", "sw0"}}, {32, 32}},
    {"torus.topo", "torus.lft", 9, 9, 27, {{"node21", "t21"}, {"t20", "t00"}}, {32, 32}},
    {"rails.topo",
     "rails.lft",
     5,
     7,
     17,
     {{"gpu2", "gpu2-ports"}, {"gpu2-ports", "rail1"}, {"login", "rail0"}},
     {64, 32, 32}},
    {"two_ports.topo",
     "two_ports.lft",
     5,
     6,
     14,
     {{"store", "store-ports"}, {"store-ports", "leaf1"}, {"single", "leaf0"}},
     {64, 32, 32}},
    {"rates.topo",
     "rates.lft",
     7,
     2,
     9,
     {{"node00", "leaf02"}, {"node03", "leaf01"}, {"node06", "leaf02"}},
     {8, 2, 96}},
    {"names.topo",
     "names.lft",
     5,
     5,
     10,
     {{"node03.cluster", "S-0002c90200400400"},
      {"H-0002c90300100900", "ib02"},
      {"ib01", "S-0002c90200400300"}},
     {32, 32, 32}},
    {"aggregation.topo", "aggregation.lft", 4, 2, 6, {{"node03", "leaf02"}}, {32}},
    {"lmc.topo", "lmc.lft", 9, 5, 15, {{"c8", "leaf2"}, {"leaf1", "spine0"}}, {32, 32}},
    {"lmc.topo", "lmc.opensm.lft", 9, 5, 15, {{"c8", "leaf2"}}, {32}},
    {"uneven_tree.topo",
     NULL,
     15,
     8,
     22,
     {{"w09", "rack3"}, {"mid1", "rack3"}, {"root", "mid0"}},
     {32, 32, 96}},
};
#define GOOD_COUNT (sizeof good / sizeof *good)

static void real_files_have_what_was_counted(void **state)
{
  (void)state;
  for (size_t i = 0; i < GOOD_COUNT; i++) {
    struct imported imported = import_files(good[i].file, good[i].tables);
    const struct tny_cluster *cluster = imported.cluster;
    if (cluster->host_count != good[i].hosts || cluster->switch_count != good[i].switches ||
        cluster->link_count / 2 != good[i].cables)
      fail_msg("%s: %u hosts, %u switches, %u cables", good[i].file, cluster->host_count,
               cluster->switch_count, cluster->link_count / 2);
    for (size_t j = 0; j < 3 && good[i].joined[j][0]; j++) {
      const uint32_t from = node_called(cluster, good[i].joined[j][0]);
      const uint32_t to = node_called(cluster, good[i].joined[j][1]);
      bool found = false;
      for (uint32_t link = 0; link < cluster->link_count; link++)
        found |= cluster->links[link].from == from && cluster->links[link].to == to &&
                 cluster->links[link].bandwidth_bps == good[i].gbps[j] * 1000000000;
      if (!found)
        fail_msg("%s: no such cable from %s to %s", good[i].file, good[i].joined[j][0],
                 good[i].joined[j][1]);
    }
    assert_true((imported.routes != NULL) == (good[i].tables != NULL));
    release_imported(&imported);
  }
}

/* --- each way, against the lines themselves --- */

enum { LISTED_MAX = 256 };

/* The files as plain lists: nodes by GUID, and the first words of their descriptions; cables by
   GUIDs and ports; what each table says. */
struct listed {
  struct {
    uint64_t guid;
    char name[64];
  } nodes[LISTED_MAX];
  struct {
    uint64_t from, to, guid; /* guid: of the port at `to`, of an adapter's; else 0 */
    unsigned from_port;
  } cables[LISTED_MAX];
  struct {
    uint64_t at, to;
    unsigned port;
  } entries[8 * LISTED_MAX];
  size_t node_count, cable_count, entry_count;
};

static void list_cable(struct listed *listed, uint64_t node, const char *line)
{
  const size_t cable = listed->cable_count++;
  const char *quote = strchr(line, '"');
  assert_true(cable < LISTED_MAX);
  listed->cables[cable].from = node;
  assert_non_null(quote);
  assert_int_equal(sscanf(line, "[%u]", &listed->cables[cable].from_port), 1);
  assert_int_equal(sscanf(quote, "\"%*c-%" SCNx64, &listed->cables[cable].to), 1);
  if (sscanf(quote, "\"%*c-%*x\"[%*u](%" SCNx64, &listed->cables[cable].guid) != 1)
    listed->cables[cable].guid = 0;
}

static void list_nodes(struct listed *listed, const char *text)
{
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const size_t node = listed->node_count;
    assert_true(node < LISTED_MAX);
    if (*line == '[')
      list_cable(listed, listed->nodes[node - 1].guid, line);
    else if (sscanf(line, "%*s %*u \"%*c-%" SCNx64 "\" # \"%63[^ \"]", &listed->nodes[node].guid,
                    listed->nodes[node].name) == 2)
      listed->node_count++;
  }
}

static void list_entries(struct listed *listed, const char *text)
{
  uint64_t at = 0;
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    char copy[300];
    snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n"), line);
    const size_t entry = listed->entry_count;
    const char *guid = strstr(copy, "guid 0x");
    assert_true(entry < 8 * LISTED_MAX);
    if (!strncmp(copy, "Unicast", 7)) {
      assert_int_equal(sscanf(guid, "guid 0x%" SCNx64, &at), 1);
    } else if (guid && !strstr(copy, "path #") &&
               sscanf(copy, "0x%*x %u", &listed->entries[entry].port) == 1) {
      assert_int_equal(sscanf(guid, "guid 0x%" SCNx64, &listed->entries[entry].to), 1);
      listed->entries[listed->entry_count++].at = at;
    }
  }
}

static const char *name_listed(const struct listed *listed, uint64_t guid)
{
  for (size_t i = 0; i < listed->node_count; i++)
    if (listed->nodes[i].guid == guid)
      return listed->nodes[i].name;
  fail_msg("no node");
  return NULL;
}

/* The first cable by which `at` sends to the adapter's port of that GUID. Of an adapter's LIDs, the
   first line is that of the base. */
static size_t next_listed(const struct listed *listed, uint64_t at, uint64_t to)
{
  for (size_t i = 0; i < listed->entry_count; i++)
    for (size_t c = 0;
         listed->entries[i].at == at && listed->entries[i].to == to && c < listed->cable_count; c++)
      if (listed->cables[c].from == at && listed->cables[c].from_port == listed->entries[i].port)
        return c;
  fail_msg("no entry");
  return 0;
}

/* Cable `a` leads to the source, cable `b` to the target, each from its switch. */
static void compare_way(const struct tny_routes *routes, const struct listed *listed, size_t a,
                        size_t b)
{
  const struct tny_cluster *cluster = routes->cluster;
  const uint32_t to = node_called(cluster, name_listed(listed, listed->cables[b].to));
  uint32_t node = node_called(cluster, name_listed(listed, listed->cables[a].to));
  uint64_t at = listed->cables[a].from;
  for (uint32_t links = 0; node != to; links++) {
    node = cluster->links[tny_routes_next(routes, node, to)].to;
    if (strcmp(cluster->node_names[node], name_listed(listed, at)))
      fail_msg("to %s: %s, not %s", cluster->node_names[to], cluster->node_names[node],
               name_listed(listed, at));
    if (at != listed->cables[b].to)
      at = listed->cables[next_listed(listed, at, listed->cables[b].guid)].to;
    assert_true(links < LISTED_MAX);
  }
}

static void compare_ways(const struct tny_routes *routes, const struct listed *listed)
{
  for (size_t a = 0; a < listed->cable_count; a++)
    for (size_t b = 0; b < listed->cable_count; b++)
      if (a != b && listed->cables[a].guid && listed->cables[b].guid &&
          strcmp(name_listed(listed, listed->cables[a].to), "Mellanox") &&
          strcmp(name_listed(listed, listed->cables[b].to), "Mellanox"))
        compare_way(routes, listed, a, b);
}

static void each_way_is_that_of_the_forwarding_tables(void **state)
{
  (void)state;
  for (size_t i = 0; i < GOOD_COUNT; i++) {
    /* Hosts with several cables, and switches without names, aren't called as in the lines. */
    if (!good[i].tables || strstr("rails.topo two_ports.topo names.topo", good[i].file))
      continue;
    struct imported imported = import_files(good[i].file, good[i].tables);
    char *text = infiniband_file(good[i].file), *tables = infiniband_file(good[i].tables);
    struct listed *listed = tny_new(1, sizeof *listed);
    struct tny_routes *routes;
    struct tny_error error = {0};
    assert_non_null(listed);
    if (tny_routes_read(imported.cluster, imported.routes, "routes", &routes, &error))
      fail_msg("%s: %u: %s", good[i].tables, error.line, error.text);
    list_nodes(listed, text);
    list_entries(listed, tables);
    compare_ways(routes, listed);
    tny_routes_free(routes);
    tny_free(listed);
    tny_text_free(text);
    tny_text_free(tables);
    release_imported(&imported);
  }
}

static void no_way_leads_through_a_hosts_adapters(void **state)
{
  (void)state;
  static const char *const names[] = {"rails", "two_ports"};
  for (size_t i = 0; i < 2; i++) {
    char topology[40], tables[40];
    snprintf(topology, sizeof topology, "%s.topo", names[i]);
    snprintf(tables, sizeof tables, "%s.lft", names[i]);
    struct imported imported = import_files(topology, tables);
    const struct tny_cluster *cluster = imported.cluster;
    struct tny_routes *routes;
    assert_int_equal(tny_routes_read(cluster, imported.routes, "routes", &routes, NULL), TNY_OK);
    for (uint32_t from = 0; from < cluster->host_count; from++)
      for (uint32_t to = 0; to < cluster->host_count; to++)
        for (uint32_t node = from, link; (link = tny_routes_next(routes, node, to)) != TNY_NONE;) {
          node = cluster->links[link].to;
          if (strstr(cluster->node_names[node], "-ports"))
            assert_true(node == tny_cluster_switch_of(cluster, from) ||
                        node == tny_cluster_switch_of(cluster, to));
        }
    tny_routes_free(routes);
    release_imported(&imported);
  }
}

/* --- short texts --- */

static void widths_and_speeds_become_data_rates(void **state)
{
  (void)state;
  static const struct {
    const char *rate;
    uint64_t bps;
  } rates[] = {
      {"1xSDR", 2000000000},    {"4xSDR", 8000000000},   {"12xSDR", 24000000000},
      {"4xDDR", 16000000000},   {"4xQDR", 32000000000},  {"8xQDR", 64000000000},
      {"4xFDR10", 40000000000}, {"1xFDR", 13636363636},  {"4xFDR", 54545454545},
      {"4xEDR", 100000000000},  {"2xHDR", 100000000000}, {"4xHDR", 200000000000},
      {"4xNDR", 400000000000},  {"8xNDR", 800000000000}, {"4xXDR", 800000000000},
  };
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    struct imported imported = import_pair(rates[i].rate, rates[i].rate, "n0 HCA-1", "n1 HCA-1");
    if (imported.cluster->links[0].bandwidth_bps != rates[i].bps)
      fail_msg("%s: %llu bit/s", rates[i].rate,
               (unsigned long long)imported.cluster->links[0].bandwidth_bps);
    release_imported(&imported);
  }
}

static void a_rate_that_one_end_knows_is_that_of_both(void **state)
{
  (void)state;
  struct imported imported = import_pair("4x???", "4xEDR", "n0 HCA-1", "n1 HCA-1");
  assert_int_equal(imported.cluster->links[0].bandwidth_bps, 100000000000);
  release_imported(&imported);
}

static void a_rate_that_no_end_knows_is_the_one_that_is_given(void **state)
{
  (void)state;
  struct imported imported = import_pair("??QDR", "4x???", "n0 HCA-1", "n1 HCA-1");
  assert_int_equal(imported.cluster->links[0].bandwidth_bps, 25000000000);
  release_imported(&imported);
}

static void hosts_are_called_as_their_adapters_descriptions_begin(void **state)
{
  (void)state;
  static const struct {
    const char *description, *name;
  } named[] = {
      {"node01 HCA-1", "node01"},
      {"node01.site.example mlx5_0", "node01.site.example"},
      {" node01  hfi1_0 ", "node01"},
      {"node01", "node01"},
      {"MT4123 ConnectX6   Mellanox Technologies", "H-0000000000000002"},
      {"", "H-0000000000000002"},
      {"(none) mlx5_0", "H-0000000000000002"},
  };
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    struct imported imported = import_pair("4xQDR", "4xQDR", named[i].description, "n1 HCA-1");
    node_called(imported.cluster, named[i].name);
    assert_true(!strncmp(named[i].name, "H-", 2) == (imported.cluster->note != NULL));
    release_imported(&imported);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(real_files_have_what_was_counted),
      cmocka_unit_test(each_way_is_that_of_the_forwarding_tables),
      cmocka_unit_test(no_way_leads_through_a_hosts_adapters),
      cmocka_unit_test(widths_and_speeds_become_data_rates),
      cmocka_unit_test(a_rate_that_one_end_knows_is_that_of_both),
      cmocka_unit_test(a_rate_that_no_end_knows_is_the_one_that_is_given),
      cmocka_unit_test(hosts_are_called_as_their_adapters_descriptions_begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
