/* Slurm's topology.conf and topology.yaml. What is in the files was counted by hand; random
   networks are written in both forms, and every cable that they say must be there. */
#include "import_support.h"

struct good {
  const char *files[2], *format, *topology;
  uint32_t hosts, switches, cables;
  const char *joined[3][2]; /* some pairs that a cable joins */
};

static const struct good good[] = {
    {{"two_levels.conf"},
     "slurm-conf",
     NULL,
     16,
     5,
     20,
     {{"tux0", "rack1"}, {"tux15", "rack4"}, {"core", "rack3"}}},
    {{"fat_tree.conf"},
     "slurm-conf",
     NULL,
     16,
     8,
     32,
     {{"tux7", "s1"}, {"s4", "s0"}, {"s7", "s3"}}},
    {{"three_levels.conf"},
     "slurm-conf",
     NULL,
     8,
     7,
     14,
     {{"n6", "leaf3"}, {"row2", "leaf3"}, {"top", "row2"}}},
    {{"continued.conf"},
     "slurm-conf",
     NULL,
     20,
     4,
     23,
     {{"gpu14", "leaf01"}, {"gpu15", "leaf02"}, {"gpu20", "leaf03"}}},
    {{"lists.conf"},
     "slurm-conf",
     NULL,
     142,
     4,
     145,
     {{"n130", "edge0"}, {"a1b3", "edge1"}, {"aggregate", "edge2"}}},
    {{"one_switch.conf"}, "slurm-conf", NULL, 9, 1, 9, {{"node-9.cluster.example", "tor"}}},
    {{"infiniband.conf"},
     "slurm-conf",
     NULL,
     50,
     5,
     56,
     {{"cn018", "ibsw1"}, {"fat02", "ibsw3"}, {"ibcore2", "ibsw1"}}},
    {{"dragonfly.conf"},
     "slurm-conf",
     NULL,
     24,
     10,
     33,
     {{"nid000023", "g2r1"}, {"g1", "g1r0"}, {"all", "g2"}}},
    {{"blocks.conf"},
     "slurm-conf",
     NULL,
     128,
     5,
     132,
     {{"node32", "block1"}, {"node128", "block4"}, {"top", "block2"}}},
    {{"one_block.conf"}, "slurm-conf", NULL, 18, 1, 18, {{"gb200-18", "nvl72"}}},
    {{"scontrol_tree.txt"},
     "slurm-conf",
     NULL,
     8,
     4,
     12,
     {{"n3", "leaf0"}, {"spine0", "leaf1"}, {"spine1", "leaf0"}}},
    {{"scontrol_blocks.txt"},
     "slurm-conf",
     NULL,
     16,
     5,
     20,
     {{"n04", "b1"}, {"n16", "b4"}, {"top", "b3"}}},
    {{"part_leaves.conf", "part_spines.conf"},
     "slurm-conf",
     NULL,
     8,
     3,
     10,
     {{"n7", "leaf1"}, {"spine", "leaf0"}}},
    {{"part_spines.conf", "part_leaves.conf"},
     "slurm-conf",
     NULL,
     8,
     3,
     10,
     {{"n7", "leaf1"}, {"spine", "leaf0"}}},
    {{"tree.yaml"}, "slurm-yaml", NULL, 4, 3, 6, {{"node04", "s2"}, {"sw_root", "s1"}}},
    {{"several.yaml"}, "slurm-yaml", NULL, 16, 1, 16, {{"node16", "sw_root"}}},
    {{"several.yaml"},
     "slurm-yaml",
     "topo-block",
     16,
     5,
     20,
     {{"node16", "b4"}, {"node01", "top"}, {"top1", "top"}}},
    {{"flow.yaml"},
     "slurm-yaml",
     NULL,
     7,
     4,
     11,
     {{"n6", "leaf1"}, {"spine0", "leaf1"}, {"spine1", "leaf0"}}},
};

static struct tny_cluster *import_good(const struct good *file)
{
  char *texts[2] = {0}, path[80];
  struct tny_import_file files[2];
  struct tny_import_request import = {.files = files,
                                      .topology = file->topology,
                                      .link_bps = 25000000000,
                                      .trunk_bps = 100000000000};
  for (; import.file_count < 2 && file->files[import.file_count]; import.file_count++) {
    const uint32_t i = import.file_count;
    snprintf(path, sizeof path, "good/%s", file->files[i]);
    texts[i] = slurm_file(path);
    files[i] = (struct tny_import_file){.name = file->files[i], .text = texts[i]};
  }
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  const char *format;
  if (tny_cluster_import(&import, &cluster, &format, &error))
    fail_msg("%s:%u: %s", error.file, error.line, error.text);
  assert_string_equal(format, file->format);
  assert_string_equal(cluster->name, file->files[0]);
  tny_text_free(texts[0]);
  tny_text_free(texts[1]);
  return cluster;
}

static void check_rates(const struct tny_cluster *cluster)
{
  for (uint32_t i = 0; i < cluster->link_count; i++) {
    const struct tny_link *link = &cluster->links[i];
    const bool is_trunk = link->from >= cluster->host_count && link->to >= cluster->host_count;
    assert_true(link->bandwidth_bps == (is_trunk ? 100000000000 : 25000000000));
    assert_true(link->latency_ns == tny_build_default_cable.latency_ns);
  }
}

static void files_become_the_networks_that_they_say(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    struct tny_cluster *cluster = import_good(&good[i]);
    if (cluster->host_count != good[i].hosts || cluster->switch_count != good[i].switches ||
        cluster->link_count != 2 * good[i].cables)
      fail_msg("%s: %u hosts, %u switches, %u cables", good[i].files[0], cluster->host_count,
               cluster->switch_count, cluster->link_count / 2);
    for (unsigned k = 0; k < 3 && good[i].joined[k][0]; k++)
      if (cables_between(cluster, node_called(cluster, good[i].joined[k][0]),
                         node_called(cluster, good[i].joined[k][1])) != 1)
        fail_msg("%s: %s and %s aren't joined", good[i].files[0], good[i].joined[k][0],
                 good[i].joined[k][1]);
    check_rates(cluster);
    tny_cluster_free(cluster);
  }
}

static void what_is_imported_is_written_and_read_back(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    struct tny_cluster *cluster = import_good(&good[i]), *again;
    struct tny_error error = {0};
    char *dot;
    assert_int_equal(tny_cluster_write_dot(cluster, &dot, &error), TNY_OK);
    if (tny_graphviz_read(dot, cluster->name, &again, &error))
      fail_msg("%s: %s", cluster->name, error.text);
    char *flat = flat_of(cluster), *flat_again = flat_of(again);
    assert_string_equal(flat_again, flat);
    tny_text_free(flat);
    tny_text_free(flat_again);
    tny_text_free(dot);
    tny_cluster_free(again);
    tny_cluster_free(cluster);
  }
}

static void blocks_are_noted_to_be_joined_by_a_guess(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    struct tny_cluster *cluster = import_good(&good[i]);
    const bool guessed = strstr(good[i].files[0], "blocks") || good[i].topology;
    assert_true((cluster->note != NULL) == guessed);
    if (guessed)
      assert_non_null(strstr(cluster->note, "one switch above them all"));
    tny_cluster_free(cluster);
  }
}

static void lines_may_end_as_windows_has_it(void **state)
{
  (void)state;
  static const char *const texts[] = {
      "SwitchName=s0 Nodes=n[0-1]\r\nSwitchName=s1 \\\r\nNodes=n2\r\nSwitchName=s2 "
      "Switches=s0,s1\r\n",
      "- topology: t\r\n  tree:\r\n    switches:\r\n    - {switch: s0, nodes: 'n[0-1]'}\r\n"
      "    - {switch: s1, nodes: n2}\r\n    - {switch: s2, children: 's0,s1'}\r\n"};
  for (unsigned i = 0; i < 2; i++) {
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    if (import_text(texts[i], NULL, NULL, &cluster, &error))
      fail_msg("%u: %s", error.line, error.text);
    assert_int_equal(cluster->host_count, 3);
    assert_int_equal(
        cables_between(cluster, node_called(cluster, "s2"), node_called(cluster, "s1")), 1);
    tny_cluster_free(cluster);
  }
}

static void backslashes_take_away_what_a_character_means(void **state)
{
  (void)state;
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  if (import_text("SwitchName=s0 Nodes=n\\#1,\\n2 # n3\\\nSwitchName=s1 Switches=s0\n", NULL, NULL,
                  &cluster, &error))
    fail_msg("%u: %s", error.line, error.text);
  assert_int_equal(cluster->host_count, 2);
  assert_string_equal(cluster->node_names[0], "n#1");
  assert_string_equal(cluster->node_names[1], "n2");
  assert_int_equal(cluster->switch_count, 2);
  tny_cluster_free(cluster);
}

static void without_a_rate_for_trunks_they_have_that_of_hosts(void **state)
{
  (void)state;
  const struct tny_import_file file = {
      .name = "test", .text = "SwitchName=s0 Nodes=n\nSwitchName=s1 Switches=s0\n"};
  const struct tny_import_request import = {.files = &file, .file_count = 1, .link_bps = 7000};
  struct tny_cluster *cluster;
  const char *format;
  assert_int_equal(tny_cluster_import(&import, &cluster, &format, NULL), TNY_OK);
  assert_int_equal(cluster->link_count, 4);
  for (uint32_t i = 0; i < 4; i++)
    assert_true(cluster->links[i].bandwidth_bps == 7000);
  tny_cluster_free(cluster);
}

/* --- random networks, in both forms --- */

enum { SWITCHES_MAX = 24 };

/* Switch i has hosts, or switches of lower numbers; the last one has all that are below none. */
struct random_net {
  uint32_t count;
  uint32_t hosts[SWITCHES_MAX];
  bool below[SWITCHES_MAX][SWITCHES_MAX]; /* [i][k]: k is below i */
  uint32_t order[SWITCHES_MAX];           /* of the lines */
};

static struct random_net make_net(uint64_t *seed)
{
  struct random_net net = {.count = 2 + draw(seed, SWITCHES_MAX - 2)};
  bool has_parent[SWITCHES_MAX] = {0};
  const uint32_t top = net.count - 1;
  for (uint32_t i = 0; i < top; i++) {
    const bool is_leaf = i == 0 || draw(seed, 2);
    net.hosts[i] = is_leaf ? 1 + draw(seed, 3) : 0;
    for (uint32_t k = 0; !is_leaf && k < i; k++) {
      net.below[i][k] = draw(seed, 3) == 0;
      has_parent[k] |= net.below[i][k];
    }
  }
  for (uint32_t k = 0; k < top; k++)
    net.below[top][k] = !has_parent[k] || draw(seed, 5) == 0;
  for (uint32_t i = 0; i < net.count; i++) {
    const uint32_t other = draw(seed, i + 1);
    net.order[i] = net.order[other];
    net.order[other] = i;
  }
  return net;
}

/* What stands before a switch's name, its list of hosts, and its list of switches. */
static char *write_net(const struct random_net *net, const char *heading,
                       const char *const words[4])
{
  struct tny_text text = {0};
  char *taken;
  tny_text_add(&text, "%s", heading);
  for (uint32_t at = 0; at < net->count; at++) {
    const uint32_t i = net->order[at];
    bool any = false;
    tny_text_add(&text, "%s%u", words[0], i);
    for (uint32_t k = 0; k < net->hosts[i]; k++, any = true)
      tny_text_add(&text, "%sh%ux%u", any ? "," : words[1], i, k);
    for (uint32_t k = 0; k < i; k++)
      if (net->below[i][k]) {
        tny_text_add(&text, "%ss%u", any ? "," : words[2], k);
        any = true;
      }
    tny_text_add(&text, "%s", words[3]);
  }
  assert_int_equal(tny_text_take(&text, &taken, NULL), TNY_OK);
  return taken;
}

static void check_net(const struct tny_cluster *cluster, const struct random_net *net)
{
  uint32_t cables = 0, hosts = 0;
  char names[2][24];
  for (uint32_t i = 0; i < net->count; i++) {
    snprintf(names[0], sizeof names[0], "s%u", i);
    const uint32_t node = node_called(cluster, names[0]);
    for (uint32_t k = 0; k < net->hosts[i]; k++, hosts++) {
      snprintf(names[1], sizeof names[1], "h%ux%u", i, k);
      assert_int_equal(cables_between(cluster, node, node_called(cluster, names[1])), 1);
    }
    for (uint32_t k = 0; k < i; k++) {
      snprintf(names[1], sizeof names[1], "s%u", k);
      const uint32_t wanted = net->below[i][k];
      assert_int_equal(cables_between(cluster, node, node_called(cluster, names[1])), wanted);
      cables += wanted;
    }
  }
  assert_int_equal(cluster->host_count, hosts);
  assert_int_equal(cluster->switch_count, net->count);
  assert_int_equal(cluster->link_count, 2 * (cables + hosts));
}

static void both_forms_of_a_network_give_just_its_cables(void **state)
{
  (void)state;
  static const char *const conf[] = {"SwitchName=s", " Nodes=", " Switches=", "\n"};
  static const char *const yaml[] = {"    - switch: s",
                                     "\n      nodes: ", "\n      children: ", "\n"};
  uint64_t seed = 7;
  for (unsigned round = 0; round < 300; round++) {
    const struct random_net net = make_net(&seed);
    char *texts[2] = {write_net(&net, "", conf),
                      write_net(&net, "- topology: t\n  tree:\n    switches:\n", yaml)};
    char *flats[2];
    for (unsigned i = 0; i < 2; i++) {
      struct tny_cluster *cluster;
      struct tny_error error = {0};
      if (import_text(texts[i], NULL, NULL, &cluster, &error))
        fail_msg("%u: %s\n%s", error.line, error.text, texts[i]);
      check_net(cluster, &net);
      flats[i] = flat_of(cluster);
      tny_cluster_free(cluster);
    }
    assert_string_equal(flats[0], flats[1]);
    for (unsigned i = 0; i < 2; i++) {
      tny_text_free(flats[i]);
      tny_text_free(texts[i]);
    }
  }
}

static struct tny_cluster *import_part(const char *text, const char *hosts)
{
  const struct tny_import_file file = {.name = "test", .text = text};
  const struct tny_import_request import = {
      .files = &file, .file_count = 1, .hosts = hosts, .link_bps = 1000000000};
  struct tny_cluster *cluster;
  const char *format;
  struct tny_error error = {0};
  if (tny_cluster_import(&import, &cluster, &format, &error))
    fail_msg("%s: %s", hosts, error.text);
  return cluster;
}

/* A fat tree of three tiers with two switches above each, and a part that nothing joins to it. */
static const char fat_tree[] =
    "SwitchName=t0 Switches=m[0-3]\nSwitchName=t1 Switches=m[0-3]\n"
    "SwitchName=m0 Switches=l[0-1]\nSwitchName=m1 Switches=l[0-1]\n"
    "SwitchName=m2 Switches=l[2-3]\nSwitchName=m3 Switches=l[2-3]\n"
    "SwitchName=l0 Nodes=a[0-3]\nSwitchName=l1 Nodes=b[0-3]\n"
    "SwitchName=l2 Nodes=c[0-3]\nSwitchName=l3 Nodes=d[0-3]\nSwitchName=x Nodes=x[1-4]\n";

static const struct {
  const char *hosts;
  uint32_t host_count, switch_count, cable_count;
} parts[] = {
    {"a[0-3],b0,d[1-2]", 7, 3 + 4 + 2, 7 + 2 + 2 + 2 + 8},
    {"a1,b[0-3]", 5, 6, 5 + 4 + 4},
    {"c[0-1]", 2, 5, 2 + 2 + 4},
    {"d3", 1, 5, 1 + 2 + 4},
    {"x[2-3]", 2, 1, 2},
};

static void the_part_that_a_job_has_keeps_the_switches_above_its_hosts(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    struct tny_cluster *cluster = import_part(fat_tree, parts[i].hosts);
    assert_int_equal(cluster->host_count, parts[i].host_count);
    assert_int_equal(cluster->switch_count, parts[i].switch_count);
    assert_int_equal(cluster->link_count, 2 * parts[i].cable_count);
    tny_cluster_free(cluster);
  }
}

static void a_host_that_is_asked_for_and_isnt_there_is_named(void **state)
{
  (void)state;
  const struct tny_import_file file = {.name = "test", .text = fat_tree};
  const struct tny_import_request import = {
      .files = &file, .file_count = 1, .hosts = "a[3-4]", .link_bps = 1000000000};
  struct tny_cluster *cluster;
  const char *format;
  struct tny_error error = {0};
  assert_int_equal(tny_cluster_import(&import, &cluster, &format, &error), TNY_BAD_INPUT);
  assert_null(cluster);
  assert_string_equal(error.text, "it has no host a4, which is asked for");
}

/* Where each switch is below one other, none is kept above the lowest that joins all hosts. */
static void the_part_of_a_tree_has_no_switch_above_the_one_that_joins_its_hosts(void **state)
{
  (void)state;
  static const char tree[] = "SwitchName=t Switches=m[0-1]\nSwitchName=m0 Switches=l[0-1]\n"
                             "SwitchName=m1 Switches=l[2-3]\nSwitchName=l0 Nodes=a[0-3]\n"
                             "SwitchName=l1 Nodes=b[0-3]\nSwitchName=l2 Nodes=c[0-3]\n"
                             "SwitchName=l3 Nodes=d[0-3]\n";
  static const struct {
    const char *hosts;
    uint32_t switches;
  } cases[] = {{"a[0-1]", 1}, {"a0,b[0-3]", 3}, {"a0,d3", 5}, {"d3", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tny_cluster *cluster = import_part(tree, cases[i].hosts);
    assert_int_equal(cluster->switch_count, cases[i].switches);
    assert_true(tny_cluster_is_tree(cluster));
    tny_cluster_free(cluster);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_become_the_networks_that_they_say),
      cmocka_unit_test(what_is_imported_is_written_and_read_back),
      cmocka_unit_test(blocks_are_noted_to_be_joined_by_a_guess),
      cmocka_unit_test(lines_may_end_as_windows_has_it),
      cmocka_unit_test(backslashes_take_away_what_a_character_means),
      cmocka_unit_test(without_a_rate_for_trunks_they_have_that_of_hosts),
      cmocka_unit_test(the_part_that_a_job_has_keeps_the_switches_above_its_hosts),
      cmocka_unit_test(the_part_of_a_tree_has_no_switch_above_the_one_that_joins_its_hosts),
      cmocka_unit_test(a_host_that_is_asked_for_and_isnt_there_is_named),
      cmocka_unit_test(both_forms_of_a_network_give_just_its_cables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
