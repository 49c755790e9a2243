/* What is refused: each fault with its line and a part of the text that says what is wrong. */
#include "import_support.h"

struct fault {
  const char *text;
  unsigned line;
  const char *says;
};

#define LEAF "SwitchName=s0 Nodes=n[0-3]\n"

static const struct fault conf[] = {
    {"", 0, "no switch and no block"},
    {"# SwitchName=s0\n", 0, "no switch and no block"},
    {"BlockSizes=4\n", 0, "no switch and no block"},
    {"s0\n", 1, "\"s0\" isn't known here"},
    {LEAF "SwitchName=s1 Hosts=n4\n", 2, "\"Hosts\" isn't known here"},
    {LEAF "RingName=r Nodes=n[4-7]\n", 2, "\"RingName\" isn't known here"},
    {LEAF "\n=s1\n", 3, "KEY=VALUE belongs here, not \"=s1\""},
    {LEAF "SwitchName s1\n", 2, "a = belongs behind SwitchName"},
    {LEAF "SwitchName=\n", 2, "SwitchName= has no value"},
    {LEAF "SwitchName=\"s1\n", 2, "a quote that isn't closed"},
    {LEAF "SwitchName=\"s1\"Nodes=n4\n", 2, "a quote that isn't closed"},
    {LEAF "SwitchName=s1 Nodes=\"\"\n", 2, "Nodes= has no value"},
    {LEAF "Include more.conf\n", 2, "give the file that it names beside this one"},
    {LEAF "SwitchName=s1 SwitchName=s2\n", 2, "SwitchName is twice on the line"},
    {LEAF "Nodes=n4\n", 2, "Begin the line with SwitchName="},
    {LEAF "LinkSpeed=4\n", 2, "Begin the line with SwitchName="},
    {LEAF "SwitchName=s1 BlockIndex=1\n", 2, "SwitchName= and BlockIndex= don't belong"},
    {"BlockName=b Level=0 Nodes=n4\n", 1, "BlockName= and Level= don't belong on one line"},
    {"BlockName=b Nodes=n4\nBlockSizes=4 Nodes=n5\n", 2, "BlockSizes= and Nodes= don't belong"},
    {"AggregatedBlock=a Nodes=n[0-3]\n", 0, "no switch and no block"},
    {LEAF "SwitchName=s1 Level=1 Nodes=n[0-3],n9\n", 2, "host n0 is on switch s0 (line 1) and"},
    {LEAF "SwitchName=s1 BlockName=b\n", 2, "SwitchName= and BlockName= don't belong on one line"},
    {LEAF "BlockName=b Nodes=n4\n", 2, "switches and blocks are in one file"},
    {"BlockName=b Nodes=n4\n" LEAF, 2, "switches and blocks are in one file"},
    {"BlockSizes=2\n" LEAF, 2, "switches and blocks are in one file"},
    {"BlockName=b Switches=n4\n", 1, "BlockName= and Switches= don't belong on one line"},
    {"BlockName=b Nodes=n4 LinkSpeed=4\n", 1, "BlockName= and LinkSpeed= don't belong on one line"},
    {"BlockName=b Nodes=n4\nBlockName=b Nodes=n5\n", 2, "switch b is there already (line 1)"},
    {LEAF LEAF, 2, "switch s0 is there already (line 1)"},
    {LEAF "SwitchName=n3 Nodes=n7\n", 2, "switch n3 has the name of a host (line 1)"},
    {LEAF "SwitchName=s1 Nodes=s0\n", 2, "host s0 has the name of a switch (line 1)"},
    {LEAF "SwitchName=s1 Nodes=s1\n", 2, "host s1 has the name of a switch (line 2)"},
    {"SwitchName=s0 Nodes=n[0-3],n2\n", 1, "host n2 is named twice on switch s0"},
    {LEAF "SwitchName=s1 \\\n Nodes=n[3-5]\n", 2,
     "host n3 is on switch s0 (line 1) and on switch s1"},
    {"SwitchName=s0 Nodes=n0 Switches=s1\n", 1, "which Slurm refuses too"},
    {LEAF "SwitchName=s1 Switches=s0,s2\n", 2,
     "switch s1 has switch s2 below it, which is nowhere"},
    {LEAF "SwitchName=s1 Switches=n0\n", 2, "but that is a host (line 1)"},
    {LEAF "SwitchName=s1 Switches=s[0-1]\n", 2, "switch s1 has itself below it"},
    {LEAF "SwitchName=s1 Switches=s0,s0\n", 2, "switch s1 has switch s0 below it twice"},
    {LEAF "SwitchName=s1 Switches=s2\nSwitchName=s2 Switches=s1,s0\n", 2,
     "s1 is below s2 is below"},
    {LEAF "SwitchName=s7 Switches=s1\nSwitchName=s1 Switches=s2\nSwitchName=s2 Switches=s3\n"
          "SwitchName=s3 Switches=s4\nSwitchName=s4 Switches=s5\nSwitchName=s5 Switches=s6,s8\n"
          "SwitchName=s6 Switches=s1\nSwitchName=s8 Switches=s0\n",
     3,
     "s1 is below s6 is below s5 is below s4 is below s3 is below s2 and so on, around 6 switches"},
    {LEAF "SwitchName=s1 Nodes=n[4-7]\n", 0, "2 parts that nothing joins, under s0, s1:"},
    {LEAF "SwitchName=s1\nSwitchName=s2 Switches=s0\n", 0,
     "2 parts that nothing joins, under s1, s2"},
    {"SwitchName=s0\nSwitchName=s1 Switches=s0\n", 0, "there are no hosts: no switch"},
    {"BlockName=b\n", 0, "there are no hosts"},
    {"SwitchName=s0 Nodes=n[0-3\n", 1, "has a [ without a ]"},
    {"SwitchName=s0 Nodes=n[3-0]\n", 1, "counts downwards"},
    {"SwitchName=s0 Nodes=,\n", 1, "an empty name"},
    {"SwitchName=s[0-3] Nodes=n\n", 1, "a character that names can't have"},
    {LEAF "SwitchName=s1 Nodes=n4\\\\\nSwitchName=s2 Switches=s[0-1]\n", 2,
     "a character that names can't have"},
    {LEAF "SwitchName=s1 Switches=s[0\n", 2, "has a [ without a ]"},
    {LEAF "SwitchName=s1 Nodes=n[4-99999999999]\n", 2, "more than 1000000 hosts"},
    {LEAF "SwitchName=s1 Nodes=m[0-999999]\n", 2, "more than 1000000 hosts"},
};

#define TREE "- topology: t\n  tree:\n    switches:\n"

static const struct fault yaml[] = {
    {"", 0, "nothing is in it"},
    {"# nothing\n", 0, "nothing is in it"},
    {"topology: t\n", 1, "a list of topologies belongs here"},
    {"[]\n", 1, "a list of topologies belongs here"},
    {"- t\n", 1, "a topology belongs here"},
    {"- tree: t\n", 1, "a topology without a name"},
    {"- topology: [t]\n", 1, "topology is one text"},
    {"- topology: t\n", 1, "has one of tree, block and flat; this has none"},
    {"- topology: t\n  flat: true\n  tree: {switches: []}\n", 1, "this has several"},
    {"- topology: t\n  flat: true\n", 1, "a flat topology names no hosts"},
    {"- topology: t\n  ring: r\n", 2, "a topology has no \"ring\": there are topology, cluster_d"},
    {"- topology: t\n  topology: u\n", 2, "a topology has topology twice"},
    {"- topology: t\n  cluster_default: perhaps\n", 1, "is true or false, not \"perhaps\""},
    {"- topology: t\n  tree: s\n", 2, "a tree belongs here"},
    {"- topology: t\n  tree: {}\n", 2, "a tree has a list of switches"},
    {"- topology: t\n  tree:\n    switches: s\n", 3, "a tree has a list of switches"},
    {"- topology: t\n  tree:\n    switches: []\n", 3, "a tree has a list of switches"},
    {"- topology: t\n  tree:\n    blocks: []\n", 3, "a tree has no \"blocks\""},
    {"- topology: t\n  block:\n    switches: []\n", 3, "a block topology has no \"switches\""},
    {"- topology: t\n  block:\n    block_sizes: [4]\n", 3, "a block topology has a list of blocks"},
    {TREE "    - s0\n", 4, "a switch belongs here"},
    {TREE "    - nodes: n\n", 4, "a switch without a name"},
    {TREE "    - switch: s0\n      hosts: n\n", 5, "a switch has no \"hosts\""},
    {TREE "    - switch: s0\n      nodes: [n0, n1]\n", 5, "nodes is one text"},
    {TREE "    - switch: s0\n      nodes: \"a\\0b\"\n", 5, "nodes is one text"},
    {TREE "    - switch: s0\n      nodes: n0\n      children: s1\n", 4, "which Slurm refuses too"},
    {TREE "    - switch: s0\n      children: s1\n", 0, "there are no hosts"},
    {TREE "    - switch: s0\n      nodes: n\n    - switch: s2\n      children: s[0-1]\n", 6,
     "switch s2 has switch s1 below it, which is nowhere"},
    {TREE "    - switch: s0\n      nodes: n\n    - switch: s1\n      nodes: n\n", 6,
     "host n is on switch s0 (line 4) and on switch s1"},
    {"- topology: t\n  block:\n    blocks:\n    - block: b\n      children: n\n", 5,
     "a block has no \"children\""},
    {"- topology: t\n  tree: [\n", 3, "not YAML: "},
    {"- topology: t\n  tree: \"\n", 3, "not YAML: "},
    {"- topology: t\n\ttree: x\n", 2, "not YAML: "},
    {"- topology: *t\n", 1, "not YAML: "},
    {"- topology: t\n  tree: \xff\n", 2, "not YAML: "},
    {"- topology: t\n  flat: true\n---\n- topology: u\n", 4, "a second document begins here"},
    {"- topology: t\n  flat: true\n---\n\"\n", 5, "not YAML: "},
    {"- topology: t\n  flat: true\n- topology: u\n  flat: true\n", 0, "--topology which of t, u"},
};

static void check(const struct fault *faults, size_t count, const char *format)
{
  for (size_t i = 0; i < count; i++) {
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    if (import_text(faults[i].text, format, NULL, &cluster, &error) != TNY_BAD_INPUT)
      fail_msg("this isn't refused: %s", faults[i].text);
    if (error.line != faults[i].line || !strstr(error.text, faults[i].says) ||
        strcmp(error.file, "test"))
      fail_msg("%s:%u: %s (expected %u: %s)\n%s", error.file, error.line, error.text,
               faults[i].line, faults[i].says, faults[i].text);
    assert_null(strchr(error.text, '\n'));
  }
}

static void faults_of_topology_conf_are_told_by_line_and_reason(void **state)
{
  (void)state;
  check(conf, sizeof conf / sizeof *conf, "slurm-conf");
}

static void faults_of_topology_yaml_are_told_by_line_and_reason(void **state)
{
  (void)state;
  check(yaml, sizeof yaml / sizeof *yaml, "slurm-yaml");
}

static void bad_files_are_told_by_line_and_reason(void **state)
{
  (void)state;
  static const struct {
    const char *file;
    unsigned line;
    const char *says;
  } bad[] = {
      {"bad/missing_switch.conf", 4, "switch core has switch rack3 below it, which is nowhere"},
      {"bad/two_leaves.conf", 2, "host n4 is on switch rack1 (line 1) and on switch rack2"},
      {"bad/circle.conf", 2, "in a circle: a is below c is below b is below a; leave"},
      {"bad/apart.conf", 0, "2 parts that nothing joins, under spine, old: add a switch above"},
      {"bad/hosts_and_switches.conf", 1, "switch rack1 has hosts and switches below it"},
      {"bad/too_many.conf", 2, "more than 1000000 hosts"},
      {"bad/no_default.yaml", 0, "none of the topologies has cluster_default"},
      {"bad/unclosed.yaml", 5, "not YAML: "},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char *text = slurm_file(bad[i].file);
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    if (import_text(text, NULL, NULL, &cluster, &error) != TNY_BAD_INPUT)
      fail_msg("%s isn't refused", bad[i].file);
    if (error.line != bad[i].line || !strstr(error.text, bad[i].says))
      fail_msg("%s:%u: %s", bad[i].file, error.line, error.text);
    tny_text_free(text);
  }
}

static void a_fault_in_a_second_file_is_told_by_its_name(void **state)
{
  (void)state;
  const struct tny_import_file files[] = {{.name = "a.conf", .text = "\n" LEAF},
                                          {.name = "b.conf", .text = "SwitchName=t Nodes=n3\n"}};
  const struct tny_import_request import = {.files = files, .file_count = 2, .link_bps = 1};
  struct tny_cluster *cluster;
  const char *format;
  struct tny_error error = {0};
  assert_int_equal(tny_cluster_import(&import, &cluster, &format, &error), TNY_BAD_INPUT);
  assert_string_equal(error.file, "b.conf");
  assert_int_equal(error.line, 1);
  assert_non_null(strstr(error.text, "on switch s0 (line 2 of a.conf) and on switch t"));
}

/* What is asked for, and a part of what is answered. */
static void questions_that_do_not_fit_are_refused(void **state)
{
  (void)state;
  static const struct tny_import_file conf_file = {.name = "c", .text = LEAF},
                                      dot_file = {.name = "d", .text = "graph { s0 -- n0 }"};
  static const struct tny_import_file yaml_files[] = {
      {.name = "y", .text = TREE "    - switch: s0\n      nodes: n\n"}, {.name = "z", .text = ""}};
  const struct {
    struct tny_import_request import;
    const char *file, *says;
  } questions[] = {
      {{.files = &conf_file}, "c", "Slurm's topology.conf says no rates"},
      {{.files = yaml_files, .trunk_bps = 1}, "y", "as in --link 25Gbit/s"},
      {{.files = &dot_file, .link_bps = 1}, "d", "that are read: slurm-conf, slurm-yaml"},
      {{.files = &dot_file, .link_bps = 1, .format = "slurm-conf"}, "d", "\"graph\" isn't known"},
      {{.files = &conf_file, .link_bps = 1, .format = "slurm"},
       "",
       "no format is called \"slurm\""},
      {{.files = &conf_file, .link_bps = 1, .topology = "t"}, "c", "none to choose by --topology"},
      {{.files = yaml_files, .link_bps = 1, .topology = "u"}, "y", "no topology is called u: "},
      {{.files = yaml_files, .file_count = 2, .link_bps = 1}, "z", "is one file"},
      {{.files = &conf_file, .link_bps = UINT64_MAX}, "c", "at most 1000Tbit/s"},
  };
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
    struct tny_import_request import = questions[i].import;
    struct tny_cluster *cluster;
    const char *format;
    struct tny_error error = {0};
    import.file_count = import.file_count ? import.file_count : 1;
    assert_int_equal(tny_cluster_import(&import, &cluster, &format, &error), TNY_BAD_INPUT);
    assert_null(cluster);
    assert_null(format);
    if (strcmp(error.file, questions[i].file) || !strstr(error.text, questions[i].says))
      fail_msg("%s: %s (expected %s)", error.file, error.text, questions[i].says);
  }
}

static void formats_are_told_apart_by_how_a_file_begins(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    bool is_known;
  } beginnings[] = {
      {"# c\n\n  switchNAME = s0 Nodes=n\n", true},
      {"BlockSizes=1\nBlockName=b Nodes=n\n", true},
      {"%YAML 1.1\n---\n# c\n- topology: t\n  tree: {switches: [{switch: s, nodes: n}]}\n", true},
      {"- 'topology' : t\n  tree: {switches: [{switch: s, nodes: n}]}\n", true},
      {"SwitchNames=s0\n", false},
      {"- topologies: t\n", false},
      {"cluster 1 x\n", false},
      {"{}", false},
      {"", false},
  };
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    const enum tny_status status = import_text(beginnings[i].text, NULL, NULL, &cluster, &error);
    if ((status == TNY_OK) != beginnings[i].is_known)
      fail_msg("%s: %s", beginnings[i].text, error.text);
    if (status)
      assert_non_null(strstr(error.text, "begins like none of the formats"));
    tny_cluster_free(cluster);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(faults_of_topology_conf_are_told_by_line_and_reason),
      cmocka_unit_test(faults_of_topology_yaml_are_told_by_line_and_reason),
      cmocka_unit_test(bad_files_are_told_by_line_and_reason),
      cmocka_unit_test(a_fault_in_a_second_file_is_told_by_its_name),
      cmocka_unit_test(questions_that_do_not_fit_are_refused),
      cmocka_unit_test(formats_are_told_apart_by_how_a_file_begins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
