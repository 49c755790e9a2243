/* Plans of cables for Cumulus Linux's PTM, in the shapes of its documentation and of the networks
   that are made of such files. */
#include "import_cases.h"
#include "support/memory.h"

#include "core/text.h"

#define LEAF_SPINE                                                                                 \
  " 'leaf01':'swp51' -- 'spine01':'swp1'\n 'leaf02':'swp51' -- 'spine01':'swp2'\n"                 \
  " 'leaf01':'swp52' -- 'spine02':'swp1'\n 'leaf02':'swp52' -- 'spine02':'swp2'\n"
#define DUAL_HOMED                                                                                 \
  " 'server01':'eth1' -- 'leaf01':'swp1' [left_mac='00:03:00:11:11:01']\n"                         \
  " 'server01':'eth2' -- 'leaf02':'swp1' [left_mac='00:03:00:11:11:02']\n"                         \
  " 'server02':'eth1' -- 'leaf01':'swp2'\n 'server02':'eth2' -- 'leaf02':'swp2'\n"
#define MANAGED                                                                                    \
  " 'server01':'eth0' -- 'oob-mgmt-switch':'swp2'\n 'leaf01':'eth0' -- 'oob-mgmt-switch':'swp6'\n" \
  " 'spine01':'eth0' -- 'oob-mgmt-switch':'swp10'\n"                                               \
  " 'oob-mgmt-server':'eth1' -- 'oob-mgmt-switch':'swp1'\n"

static const struct good good[] = {
    /* 0: three hosts of one switch */
    {{.files = {{"topology.dot", "graph G {\n 'server1':'eth0' -- 'switch1':'swp1'\n"
                                 " 'server2':'eth0' -- 'switch1':'swp2'\n"
                                 " 'switch1':'swp3' -- 'server3':'eth0'\n}\n"}},
      .link_bps = 10 * GBIT},
     3,
     1,
     3,
     {{"server1", "switch1", 10}, {"server3", "switch1", 10}}},
    /* 1: settings for all, templates, settings of a port */
    {{.files = {{"topology.dot",
                 "#####\n# cables\n#####\ngraph G {\n## defaults\nLLDP=''\nBFD=''\n"
                 "B1='upMinTx=250, detectMult=4'\nL1='match_type=portdescr'\n"
                 "'h1':'eth0' -- 's1':'swp1' [LLDP='match_type=portdescr', BFD='upMinTx=400']\n"
                 "'h2':'eth0' -- 's2':'swp1' [LLDP='lldptmpl=L1', BFD='bfdtmpl=B1']\n"
                 "'s1':'swp41' -- 's2':'swp41'\n's1':'swp42' -- 's2':'swp42'\n}\n"}},
      .link_bps = 25 * GBIT,
      .trunk_bps = 100 * GBIT},
     2,
     2,
     4,
     {{"h1", "s1", 25}, {"s1", "s2", 200}}},
    /* 2: functions of nodes, one interface of servers on two switches, cables to itself */
    {{.files = {{"topology.dot",
                 "graph vx {\n 'leaf01' [function='leaf' os='vx' memory='768']\n"
                 " 'leaf02' [function='leaf']\n 'spine01' [function='spine']\n"
                 " 'spine02' [function='spine']\n 'server01' [function='host']\n"
                 " 'server02' [function='host']\n" LEAF_SPINE DUAL_HOMED
                 " 'leaf01':'swp49' -- 'leaf02':'swp49'\n 'leaf01':'swp50' -- 'leaf02':'swp50'\n"
                 " 'leaf01':'swp45' -- 'leaf01':'swp46'\n}\n"}},
      .link_bps = 25 * GBIT,
      .interfaces = "eth1"},
     2,
     4,
     8,
     {{"server01", "leaf01", 25}, {"leaf01", "leaf02", 50}, {"server01", "leaf02", 0}}},
    /* 3: the same with its management network, which is left out */
    {{.files = {{"topology.dot",
                 "graph vx {\n 'oob-mgmt-switch' [function='oob-switch']\n"
                 " 'oob-mgmt-server' [function='oob-server']\n 'server01' [function='host']\n"
                 " 'server02' [function='host']\n" LEAF_SPINE DUAL_HOMED MANAGED "}\n"}},
      .link_bps = 25 * GBIT,
      .interfaces = "eth2",
      .without = "oob-*,internet"},
     2,
     4,
     6,
     {{"server02", "leaf02", 25}, {"leaf01", "spine02", 25}}},
    /* 4: the same where switches' ports are chosen too */
    {{.files = {{"topology.dot",
                 "graph vx {\n 'server01' [function='host']\n 'server02' [function='host']\n"
                 " 'leaf01' [kind='switch']\n" LEAF_SPINE DUAL_HOMED MANAGED "}\n"}},
      .link_bps = 25 * GBIT,
      .interfaces = "eth1,swp*",
      .without = "oob-mgmt-*"},
     2,
     4,
     6,
     {{"server02", "leaf01", 25}, {"leaf01", "spine02", 25}}},
    /* 5: several cables of a host to one switch */
    {{.files = {{"topology.dot", "graph { h1:eth0 -- s:1; h1:eth1 -- s:2; h2:eth0 -- s:3 }"}},
      .link_bps = 10 * GBIT},
     2,
     1,
     2,
     {{"h1", "s", 20}, {"h2", "s", 10}}},
    /* 6: a strict graph, cables told from both ends */
    {{.files = {{"topology.dot", "/* plan */ graph G { 'h1':'e' -- 's':'1'; 'h2':'e' -- 's':'2';\n"
                                 " 's':'1' -- 'h1':'e'; }"}},
      .link_bps = GBIT},
     2,
     1,
     2,
     {{"h1", "s", 1}}},
    /* 7: three tiers, hosts not told apart but by their one cable */
    {{.files = {{"topology.dot",
                 "graph G {\n'tor1':'swp1' -- 'agg1':'swp1'\n'tor2':'swp1' -- 'agg1':'swp2'\n"
                 "'agg1':'swp9' -- 'core1':'swp1'\n'agg2':'swp9' -- 'core1':'swp2'\n"
                 "'tor3':'swp1' -- 'agg2':'swp1'\n'tor4':'swp1' -- 'agg2':'swp2'\n"
                 "'n1':'p1' -- 'tor1':'swp2'\n'n2':'p1' -- 'tor2':'swp2'\n"
                 "'n3':'p1' -- 'tor3':'swp2'\n'n4':'p1' -- 'tor4':'swp2'\n}\n"}},
      .link_bps = 100 * GBIT,
      .trunk_bps = 400 * GBIT},
     4,
     7,
     10,
     {{"n4", "tor4", 100}, {"agg2", "core1", 400}}},
    /* 8: in subgraphs, with attributes for drawing */
    {{.files = {{"topology.dot",
                 "graph dc { node [shape=record]; edge [color=grey];\n"
                 "subgraph cluster_rack1 { label='rack 1'; 'n1':'ens1' -- 'leaf1':'swp1';\n"
                 "'n2':'ens1' -- 'leaf1':'swp2' }\nsubgraph cluster_rack2 { 'n3':'ens1' -- "
                 "'leaf2':'swp1' }\n'leaf1':'swp48' -- 'leaf2':'swp48' }"}},
      .link_bps = 10 * GBIT},
     3,
     2,
     4,
     {{"n3", "leaf2", 10}}},
    /* 9: names with dots, and ports with slashes */
    {{.files = {{"topology.dot",
                 "graph {\n'a.example.com':'eth0' -- 'sw.example.com':'Ethernet1/1'\n"
                 "'b.example.com':'eth0' -- 'sw.example.com':'Ethernet1/2'\n}"}},
      .link_bps = GBIT},
     2,
     1,
     2,
     {{"a.example.com", "sw.example.com", 1}}},
    /* 10: a switch of two cables that says what it is */
    {{.files = {{"topology.dot",
                 "graph G { 'x' [function='spine'] 'n1':'p' -- 'l1':'1' 'n2':'p' -- 'l2':'1'\n"
                 "'l1':'2' -- 'x':'1' 'l2':'2' -- 'x':'2' }"}},
      .link_bps = GBIT},
     2,
     3,
     4,
     {{"l1", "x", 1}}},
    /* 11: edges that say the same once more, one of them the other way round */
    {{.files = {{"topology.dot",
                 "graph G {\n 'n1':'e' -- 's':'1'\n 'n2':'e' -- 's':'2'\n 'n1':'e' -- 's':'1'\n"
                 " 's':'2' -- 'n2':'e'\n}"}},
      .link_bps = GBIT},
     2,
     1,
     2,
     {{"n1", "s", 1}, {"n2", "s", 1}}},
};

static void plans_become_clusters(void **state)
{
  (void)state;
  check_good(good, sizeof good / sizeof *good);
}

#define FILE_OF(TEXT) .files = {{"t.dot", TEXT}}, .format = "ptm"
#define ONE(TEXT)                                                                                  \
  {                                                                                                \
    FILE_OF(TEXT), .link_bps = GBIT                                                                \
  }

static const struct fault faults[] = {
    {ONE(""), "t.dot", 0, "no Graphviz graph"},
    {ONE("graph G {\n 'a':'1' --- 'b':'2'\n}"), "t.dot", 2, "no Graphviz graph: syntax error"},
    {ONE("digraph G { 'a':'1' -> 'b':'2' }"), "t.dot", 0, "cables go both ways"},
    {ONE("graph G {}\n"), "t.dot", 0, "there are no hosts"},
    {ONE("graph G { 'n1':'e' -- 's':'1' 'n2' -- 's':'2' }"), "t.dot", 0,
     "the cable n2 -- s doesn't name both ports: write \"n2\":\"swp1\""},
    {ONE("graph G {\n 'n1':'e' -- 's':'1'\n 'n2':'e' -- 's':'1'\n}"), "t.dot", 3,
     "1 of s sees two systems, n1 and n2"},
    {ONE("graph G {\n 'n1':'e' -- 'leaf1':'swp1'\n 'leaf1':'swp49' -- 'spine1':'swp1'\n"
         " 'leaf1':'swp49' -- 'spine1':'swp2'\n}"),
     "t.dot", 4,
     "swp49 of leaf1 has two cables, to swp1 (line 3) and to swp2 of spine1: leave one out"},
    {ONE("graph G {\n 'leaf1':'a' -- 'spine1':'swp1'\n\n 'spine1':'swp1' -- 'leaf1':'b'\n}"),
     "t.dot", 4, "swp1 of spine1 has two cables, to a (line 2) and to b of leaf1"},
    {ONE("graph G {\n 'n1' [function='host']\n 'n2':'e' -- 'a':'2'\n 'a':'9' -- 'b':'9'\n"
         " 'n1':'e' -- 'a':'1'\n 'n1':'f' -- 'b':'1'\n}"),
     "t.dot", 6, "host n1 has cables to a (e) and to b (f), and a host has one here: say which"},
    {ONE("graph G {\n 'n1':'e' -- 'a':'1'\n 'n2':'e' -- 'b':'1'\n}"), "t.dot", 0,
     "the cluster falls apart"},
    {ONE("graph G {\n 'n 1':'e' -- 'a':'1'\n}"), "t.dot", 0, "a character that names can't have"},
    {ONE("graph G {\n 'n1':'e' -- 'a':'1'; 'n1':'f' -- 'b':'1'; 'a':'2' -- 'b':'2'\n}"), "t.dot", 0,
     "there are no hosts: no node has one neighbour only; say which are hosts by \"n1\""},
    {{FILE_OF("graph G {\n 'n1':'e' -- 'a':'1'\n}"), .link_bps = GBIT, .interfaces = "eth*"},
     "t.dot",
     0,
     "no port matches \"eth*\""},
    {{FILE_OF("graph G {\n 'n1':'e' -- 'a':'1'\n}")}, "t.dot", 0, "says no rates: give that of"},
    {{.files = {{"t.dot", "graph G { 'n1':'e' -- 'a':'1' }"}, {"u.dot", "graph G {}"}},
      .link_bps = GBIT},
     "u.dot",
     0,
     "a topology.dot is one file, and this is a second one"},
};

static void faults_are_told_by_line_and_remedy(void **state)
{
  (void)state;
  check_faults(faults, sizeof faults / sizeof *faults);
}

static void our_own_cluster_files_are_not_taken_for_plans(void **state)
{
  (void)state;
  static const char *const texts[] = {
      "graph cluster {\n  edge [latency=\"5us\"];\n  \"s0\" -- \"n0\";\n}\n",
      "graph { /* a:b */ s0 -- n0 }",
      "graph { x=\"a:b\"; s0 -- n0 }",
      "graph { \"a\":\"b",
      "graph",
      "#\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    assert_int_equal(import_text(texts[i], NULL, NULL, &cluster, &error), TNY_BAD_INPUT);
    if (!strstr(error.text, "it begins like none of the formats"))
      fail_msg("%s: %s", texts[i], error.text);
  }
}

static void importing_survives_every_failed_allocation(void **state)
{
  (void)state;
  starve(import_and_free, &good[3].input);
}

/* 5,000 hosts on 125 leaves with four cables to each of four spines. */
static void five_thousand_hosts_are_read(void **state)
{
  (void)state;
  enum { HOSTS = 5000, EACH = 40, LEAVES = HOSTS / EACH, SPINES = 4 };
  struct tny_text text = {0};
  tny_text_add(&text, "graph G {\n");
  for (unsigned i = 0; i < HOSTS; i++)
    tny_text_add(&text, "\"n%u\":\"eth0\" -- \"leaf%u\":\"swp%u\"\n", i, i / EACH, i % EACH);
  for (unsigned i = 0; i < LEAVES * SPINES * 4; i++)
    tny_text_add(&text, "\"leaf%u\":\"up%u\" -- \"spine%u\":\"swp%u\"\n", i / 16, i % 16,
                 i % SPINES, i);
  tny_text_add(&text, "}\n");
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  if (import_text(text.bytes, NULL, NULL, &cluster, &error))
    fail_msg("%u: %s", error.line, error.text);
  assert_int_equal(cluster->host_count, HOSTS);
  assert_int_equal(cluster->switch_count, LEAVES + SPINES);
  assert_int_equal(cluster->link_count / 2, HOSTS + LEAVES * SPINES * 4);
  tny_cluster_free(cluster);
  tny_text_release(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plans_become_clusters),
      cmocka_unit_test(faults_are_told_by_line_and_remedy),
      cmocka_unit_test(our_own_cluster_files_are_not_taken_for_plans),
      cmocka_unit_test(importing_survives_every_failed_allocation),
      cmocka_unit_test(five_thousand_hosts_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
