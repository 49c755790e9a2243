/* NVIDIA topograph's models, in the three forms that its versions had, and the graph that it
   writes: in the shapes of its documentation. */
#include "import_cases.h"
#include "support/memory.h"

#include "core/text.h"

#define MAPS                                                                                       \
  "switches:\n  core:\n    metadata: {region: us-west}\n    switches: [spine]\n  spine:\n"         \
  "    switches: [leaf1, leaf2]\n"

static const struct good good[] = {
    /* 0: switches as a list, with capacity blocks */
    {{.files = {{"m.yaml",
                 "# sw3\nswitches:\n- name: sw3\n  metadata:\n    region: us-west\n"
                 "  switches: [sw21,sw22]\n- name: sw21\n  switches: [sw11,sw12]\n- name: sw22\n"
                 "  switches: [sw13]\n- name: sw11\n  capacity_blocks: [cb11]\n- name: sw12\n"
                 "  capacity_blocks: [cb12]\n- name: sw13\n  capacity_blocks: [cb13]\n"
                 "capacity_blocks:\n- name: cb11\n  type: GB200\n  nvlink: nvl1\n"
                 "  nodes: [n11-1,n11-2]\n- name: cb12\n  type: GB200\n  nodes: [n12-1]\n"
                 "- name: cb13\n  type: H100\n  nodes: [n13-1,n13-2,n13-3]\n"}},
      .link_bps = 400 * GBIT},
     6,
     6,
     11,
     {{"n11-2", "sw11", 400}, {"sw21", "sw12", 400}, {"sw3", "sw22", 400}}},
    /* 1: switches as a mapping, with their nodes */
    {{.files = {{"m.yaml", MAPS "  leaf1:\n    metadata:\n      group: cb1\n    nodes: ['n[1-2]']\n"
                                "  leaf2:\n    nodes: [n3]\n"}},
      .link_bps = 100 * GBIT,
      .trunk_bps = 400 * GBIT},
     3,
     4,
     6,
     {{"n2", "leaf1", 100}, {"spine", "leaf2", 400}}},
    /* 2: the same with nodes and capacity blocks of their own */
    {{.files = {{"m.yaml",
                 MAPS "  leaf1:\n    nodes: ['n[1-2]']\n  leaf2:\n    nodes: [n3]\nnodes:\n  n1:\n"
                      "    capacity_block: cb1\n    attributes:\n      nvlink: nvl1\n  n2: {}\n"
                      "  n3: {}\ncapacity_blocks:\n  cb1:\n    nodes: ['n[1-2]']\n    attributes:\n"
                      "      nvlink: nvl1\n  cb2: {}\n"}},
      .link_bps = 100 * GBIT},
     3,
     4,
     6,
     {{"n1", "leaf1", 100}}},
    /* 3: blocks that say which switch they are on; leaves without entries of their own */
    {{.files = {{"m.yaml",
                 "switches:\n  core:\n    labels:\n      topology.kubernetes.io/region: us-east\n"
                 "    switches:\n    - spine-1\n    - spine-2\n  spine-1:\n    switches:\n"
                 "    - leaf-1-1\n    - leaf-1-2\n  spine-2:\n    switches: [leaf-2-1]\nblocks:\n"
                 "- switch: leaf-1-1\n  nodes:\n  - node[1101-1118]\n  labels:\n"
                 "    accelerated.topology.nvidia.com/level-0: nvl-1-1\n- switch: leaf-1-2\n"
                 "  nodes:\n  - node[1201-1209]\n  - node1211\n- switch: leaf-2-1\n"
                 "  nodes: [node2101]\n  annotations:\n    domain: d\n"}},
      .link_bps = 400 * GBIT},
     29,
     6,
     34,
     {{"node1118", "leaf-1-1", 400}, {"node1211", "leaf-1-2", 400}, {"spine-2", "leaf-2-1", 400}}},
    /* 4: two blocks on one switch, in numbers alone */
    {{.files = {{"m.yaml", "blocks:\n- switch: leaf\n  nodes: ['[1101-1108]']\n- switch: leaf\n"
                           "  nodes: ['[1201-1208]']\n"}},
      .link_bps = 400 * GBIT},
     16,
     1,
     16,
     {{"1208", "leaf", 400}}},
    /* 5: capacity blocks without switches */
    {{.files = {{"m.yaml", "capacity_blocks:\n  cb1:\n    nodes: ['n[1-18]']\n  cb2:\n"
                           "    nodes: ['n[19-36]']\n    attributes: {nvlink: nvl2}\n"}},
      .link_bps = 400 * GBIT},
     36,
     3,
     38,
     {{"n36", "cb2", 400}, {"top", "cb1", 400}}},
    /* 6: a switch with nodes and switches below it */
    {{.files = {{"m.yaml", "switches:\n  top: {switches: [leaf], nodes: [login]}\n"
                           "  leaf: {nodes: [n1, n2]}\n"}},
      .link_bps = 10 * GBIT},
     3,
     2,
     4,
     {{"login", "top", 10}, {"top", "leaf", 10}}},
    /* 7: a graph */
    {{.files = {{"graph.json",
                 "{'instances':[{'id':'I21','type':'H100','network_layers':['leaf-a','spine-a'],"
                 "'attributes':{'nvlink':'nvl-1'}},{'id':'I22','network_layers':['leaf-a',"
                 "'spine-a']},{'id':'I31','network_layers':['leaf-b','spine-a']}]}\n"}},
      .link_bps = 200 * GBIT},
     3,
     3,
     5,
     {{"I21", "leaf-a", 200}, {"spine-a", "leaf-b", 200}}},
    /* 8: a graph of three layers, spread over lines */
    {{.files = {{"graph.json",
                 "{\n  'instances': [\n    {'id': 'a', 'network_layers': ['l1', 's1', 'core']},\n"
                 "    {'id': 'b', 'network_layers': ['l2', 's2', 'core'], 'labels': {'x': 'y'}}\n"
                 "  ]\n}\n"}},
      .link_bps = 200 * GBIT},
     2,
     5,
     6,
     {{"a", "l1", 200}, {"core", "s2", 200}}},
    /* 9: one leaf of a graph */
    {{.files = {{"graph.yaml", "instances:\n- id: a\n  network_layers: [leaf]\n- id: b\n"
                               "  network_layers: [leaf]\n"}},
      .link_bps = 100 * GBIT},
     2,
     1,
     2,
     {{"b", "leaf", 100}}},
    /* 10: a switch that has no nodes yet */
    {{.files = {{"m.yaml", MAPS "  leaf1: {nodes: ['gpu[001-004]']}\n  leaf2:\n    nodes:\n"}},
      .link_bps = 100 * GBIT},
     4,
     4,
     7,
     {{"gpu004", "leaf1", 100}, {"spine", "leaf2", 100}}},
};

static void models_and_graphs_become_clusters(void **state)
{
  (void)state;
  check_good(good, sizeof good / sizeof *good);
}

#define ONE(TEXT)                                                                                  \
  {                                                                                                \
    .files = {{"m.yaml", TEXT}}, .format = "topograph", .link_bps = GBIT                           \
  }

static const struct fault faults[] = {
    {ONE(""), "m.yaml", 0, "nothing is in it"},
    {ONE("- a\n"), "m.yaml", 1, "a model belongs here"},
    {ONE("switches:\n  a: [\n"), "m.yaml", 3, "not YAML: "},
    {ONE("swiches: {}\n"), "m.yaml", 1, "a model has no \"swiches\": there are switches, nodes,"},
    {ONE("switches: {}\n"), "m.yaml", 1, "there is no switch: a model has switches: with their"},
    {ONE("switches: 7\n"), "m.yaml", 1, "switches is a list or a mapping of names"},
    {ONE("switches:\n- switches: [a]\n"), "m.yaml", 2, "a switch without a name"},
    {ONE("switches:\n  a:\n    node: [n]\n"), "m.yaml", 3, "a switch has no \"node\": there are"},
    {ONE("switches:\n  a:\n    nodes: n1\n"), "m.yaml", 3,
     "nodes is a list, as in nodes: [n1, n2]"},
    {ONE("switches:\n  a:\n    nodes: [[n1]]\n"), "m.yaml", 3, "a name belongs here, one of nodes"},
    {ONE("switches:\n- name: a\n  nodes: [n1]\n- name: a\n"), "m.yaml", 4,
     "switch a is there already (line 2)"},
    {ONE("switches:\n  a: {nodes: [n1]}\n  b: {nodes: [n1]}\n"), "m.yaml", 3,
     "host n1 is on switch a (line 2) and on switch b"},
    {ONE("switches:\n  a: {nodes: [n1]}\n  b: {nodes: [n2]}\n"), "m.yaml", 0,
     "2 parts that nothing joins, under a, b"},
    {ONE("switches:\n  a: {switches: [b]}\n  b: {switches: [a], nodes: [n]}\n"), "m.yaml", 2,
     "switches are below each other in a circle"},
    {ONE("switches:\n- name: a\n  capacity_blocks: [x]\n- name: b\n  capacity_blocks: [x]\n"),
     "m.yaml", 5, "capacity block x is on switch a already: leave it on one"},
    {ONE("switches:\n- name: a\n  capacity_blocks: [x]\n"), "m.yaml", 2,
     "switch a has capacity block x, which is nowhere else"},
    {ONE("switches:\n  a: {nodes: [n1]}\nnodes:\n  n1: {}\n  n2: {}\n"), "m.yaml", 5,
     "node n2 is on no switch: name it among the nodes of one"},
    {ONE("switches:\n  a: {nodes: [n1]}\ncapacity_blocks:\n  c:\n    nodes: ['n[1-3]']\n"),
     "m.yaml", 5, "node n2 is on no switch"},
    {ONE("blocks:\n- nodes: [n1]\n"), "m.yaml", 2, "which switch is this block on?"},
    {ONE("switches:\n  a: {nodes: ['n[1']}\n"), "m.yaml", 2, "has a [ without a ]"},
    {ONE("{'instances': [{'id': 'a'}]}\n"), "m.yaml", 1, "which switch is instance a on?"},
    {ONE("instances:\n- network_layers: [l]\n"), "m.yaml", 2, "an instance without an id"},
    {ONE("instances:\n- id: a\n  network_layers: [l, s]\n- id: b\n  network_layers: [l, t]\n"),
     "m.yaml", 5, "switch l is below t here, and below s elsewhere"},
    {{.files = {{"m.yaml", "switches: {}\n"}, {"n.yaml", ""}}, .link_bps = GBIT},
     "n.yaml",
     0,
     "a model is one file, and this is a second one"},
};

static void faults_are_told_by_line_and_remedy(void **state)
{
  (void)state;
  check_faults(faults, sizeof faults / sizeof *faults);
}

static void importing_survives_every_failed_allocation(void **state)
{
  (void)state;
  starve(import_and_free, &good[0].input);
  starve(import_and_free, &good[2].input);
  starve(import_and_free, &good[7].input);
}

static void domains_that_are_left_out_are_told(void **state)
{
  (void)state;
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  assert_int_equal(import_input(&good[3].input, &cluster, &error), TNY_OK);
  assert_non_null(cluster->note);
  assert_non_null(strstr(cluster->note, "NVLink domains were left out"));
  tny_cluster_free(cluster);
  assert_int_equal(import_input(&good[1].input, &cluster, &error), TNY_OK);
  assert_null(cluster->note);
  tny_cluster_free(cluster);
}

/* 5,000 nodes on 625 leaves, in a graph: each with its switches. */
static void five_thousand_instances_are_read(void **state)
{
  (void)state;
  enum { HOSTS = 5000, EACH = 8, LEAVES = HOSTS / EACH, PER_SPINE = 25 };
  struct tny_text text = {0};
  tny_text_add(&text, "{\"instances\":[");
  for (unsigned i = 0; i < HOSTS; i++)
    tny_text_add(&text, "%s{\"id\":\"i%u\",\"network_layers\":[\"leaf%u\",\"spine%u\",\"core\"]}",
                 i ? "," : "", i, i / EACH, i / EACH / PER_SPINE);
  tny_text_add(&text, "]}\n");
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  if (import_text(text.bytes, NULL, NULL, &cluster, &error))
    fail_msg("%u: %s", error.line, error.text);
  assert_int_equal(cluster->host_count, HOSTS);
  assert_int_equal(cluster->switch_count, LEAVES + LEAVES / PER_SPINE + 1);
  tny_cluster_free(cluster);
  tny_text_release(&text);
}

/* A list of 512 KiB that 300 switches have by its alias, as nodes or as switches below them; and an
   instance of such a name. */
static void lists_that_aliases_multiply_are_refused(void **state)
{
  (void)state;
  enum { LIST_BYTES = 512 << 10, SWITCHES = 300, REFUSED_LINE = 1 + 256 };
  char *name = test_malloc(LIST_BYTES + 1);
  memset(name, 'n', LIST_BYTES);
  name[LIST_BYTES] = '\0';
  static const struct {
    const char *first, *other;
  } forms[] = {
      {"switches:\n- {name: s0, nodes: &a [%s]}\n", "- {name: s%u, nodes: *a}\n"},
      {"switches:\n- {name: s0, switches: &a [%s]}\n", "- {name: s%u, switches: *a}\n"},
      {"instances:\n- {id: &a '%s', network_layers: [l0]}\n",
       "- {id: *a, network_layers: [l%u]}\n"},
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    struct tny_text text = {0};
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    tny_text_add(&text, forms[i].first, name);
    for (unsigned s = 1; s < SWITCHES; s++)
      tny_text_add(&text, forms[i].other, s);
    const uint64_t before = tny_alloc_bytes();
    assert_int_equal(import_text(text.bytes, "topograph", NULL, &cluster, &error), TNY_BAD_INPUT);
    if (error.line != REFUSED_LINE || !strstr(error.text, "longer than 128 MiB together"))
      fail_msg("form %zu: %u: %s", i, error.line, error.text);
    assert_true(tny_alloc_bytes() - before < 300u << 20);
    tny_text_release(&text);
  }
  test_free(name);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_and_graphs_become_clusters),
      cmocka_unit_test(faults_are_told_by_line_and_remedy),
      cmocka_unit_test(importing_survives_every_failed_allocation),
      cmocka_unit_test(domains_that_are_left_out_are_told),
      cmocka_unit_test(five_thousand_instances_are_read),
      cmocka_unit_test(lists_that_aliases_multiply_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
