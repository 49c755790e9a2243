/* hwloc's XML of hosts: what their slots leave of a cable's rate, which hosts of a network they
   are, and what is refused. The files in tests/clusters/hwloc/good were written by lstopo, of what
   tests/import/write_hwloc.py made up. */
#include "import_cases.h"
#include "support/memory.h"

#include "core/text.h"

/* --- files that lstopo wrote --- */

#define FILE_COUNT_MAX 14

struct loaded {
  struct tny_import_file files[FILE_COUNT_MAX];
  char paths[FILE_COUNT_MAX][4096], *texts[FILE_COUNT_MAX];
  uint32_t count;
};

static void load(struct loaded *loaded, const char *path)
{
  struct tny_error error = {0};
  const uint32_t i = loaded->count++;
  snprintf(loaded->paths[i], sizeof loaded->paths[i], "%s/tests/clusters/%s",
           getenv("TOURNEY_SOURCE"), path);
  if (tny_file_read(loaded->paths[i], &loaded->texts[i], &error))
    fail_msg("%s: %s", loaded->paths[i], error.text);
  loaded->files[i] = (struct tny_import_file){.name = loaded->paths[i], .text = loaded->texts[i]};
}

static void unload(struct loaded *loaded)
{
  while (loaded->count)
    tny_text_free(loaded->texts[--loaded->count]);
}

static struct tny_cluster *import_loaded(const struct loaded *loaded, const char *interfaces)
{
  const struct tny_import_request import = {.files = loaded->files,
                                            .file_count = loaded->count,
                                            .link_bps = 100 * GBIT,
                                            .interfaces = interfaces};
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  const char *format;
  if (tny_cluster_import(&import, &cluster, &format, &error))
    fail_msg("%s:%u: %s", error.file, error.line, error.text);
  return cluster;
}

/* What the code leaves of a lane's signal, by the PCI Express specification, times lanes, down to a
   Mbit/s: generation 3 has 8 GT/s and 128b/130b, generation 2 5 GT/s and 8b/10b. The cables have
   100 Gbit/s. */
static const struct {
  const char *name; /* of the host, and of its file */
  uint64_t bps;
} hosts[] = {
    {"wide", 100000000000},  /* 16 lanes of generation 3 */
    {"narrow", 63015000000}, /* 8 of them: 8 * 8 Gbit/s * 128 / 130 */
    {"old", 63015000000},    /* in hwloc 1's form */
    {"two-cards", 100000000000},
    {"two-ports", 63015000000}, /* which share a slot */
    {"functions", 63015000000}, /* a virtual function has no slot of its own */
    {"chipset", 100000000000},  /* one device's link isn't known */
    {"virtual", 100000000000},
    {"no-devices", 100000000000},
    {"far.example.org", 32000000000}, /* 8 of generation 2: 8 * 5 * 8 / 10 */
    {"ib", 16000000000},              /* 4 of them */
    {"synthetic", 100000000000},      /* has no HostName */
};
#define HOSTS (sizeof hosts / sizeof *hosts)

static void hosts_alone_are_on_one_switch_at_what_their_slots_pass_on(void **state)
{
  (void)state;
  struct loaded loaded = {0};
  for (size_t i = 0; i < HOSTS; i++) {
    char path[256];
    snprintf(path, sizeof path, "hwloc/good/%s.xml", hosts[i].name);
    load(&loaded, path);
  }
  struct tny_cluster *cluster = import_loaded(&loaded, NULL);
  assert_int_equal(cluster->host_count, HOSTS);
  assert_int_equal(cluster->switch_count, 1);
  for (size_t i = 0; i < HOSTS; i++)
    if (rate_between(cluster, hosts[i].name, "switch") != hosts[i].bps)
      fail_msg("%s has %llu bit/s", hosts[i].name,
               (unsigned long long)rate_between(cluster, hosts[i].name, "switch"));
  assert_non_null(strstr(cluster->note, "hwloc tells of no switches"));
  assert_non_null(strstr(cluster->note, "slots of 6 hosts pass on less"));
  tny_cluster_free(cluster);
  unload(&loaded);
}

static void interfaces_that_are_named_are_those_that_count(void **state)
{
  (void)state;
  struct loaded loaded = {0};
  load(&loaded, "hwloc/good/chipset.xml");
  load(&loaded, "hwloc/good/two-cards.xml");
  load(&loaded, "hwloc/good/ib.xml");
  struct tny_cluster *cluster = import_loaded(&loaded, "eth0,eno7");
  assert_int_equal(rate_between(cluster, "chipset", "switch"), 31507000000);
  assert_int_equal(rate_between(cluster, "two-cards", "switch"), 63015000000);
  assert_int_equal(rate_between(cluster, "ib", "switch"), 16000000000); /* has none of these */
  tny_cluster_free(cluster);
  cluster = import_loaded(&loaded, "eno*");
  assert_int_equal(rate_between(cluster, "chipset", "switch"), 100 * GBIT);
  tny_cluster_free(cluster);
  unload(&loaded);
}

/* ibnetdiscover calls one host by its adapter's GUID, for its description is the maker's. */
static void an_adapter_tells_which_host_it_is(void **state)
{
  (void)state;
  struct loaded loaded = {0};
  load(&loaded, "hwloc/good/ib.xml");
  load(&loaded, "infiniband/good/names.topo");
  struct tny_cluster *cluster = import_loaded(&loaded, NULL);
  const uint32_t host = tny_cluster_find_host(cluster, "H-0002c90300100900");
  assert_int_not_equal(host, TNY_NONE);
  assert_int_equal(tny_cluster_find_host(cluster, "ib"), host);
  const uint32_t link = cluster->out_links[cluster->first_out[host]];
  assert_int_equal(cluster->links[link].bandwidth_bps, 16000000000);
  assert_int_equal(cluster->links[link ^ 1].bandwidth_bps, 16000000000);
  assert_non_null(strstr(cluster->note,
                         "(H-0002c90300100900: 16Gbit/s instead of 32Gbit/s), and the cable has"));
  assert_true(strncmp(cluster->note, "the network cards", strlen("the network cards")) != 0);
  tny_cluster_free(cluster);
  unload(&loaded);
}

/* --- texts --- */

#define TOP "<?xml version='1.0' encoding='UTF-8'?>\n<topology version='2.0'>\n"
#define CARD(ADDRESS, GBYTES)                                                                      \
  "<object type='PCIDev' pci_busid='0000:" ADDRESS ".0' pci_type='0200 [1:2] [3:4] 00' "           \
  "pci_link_speed='" GBYTES "'>\n<object type='OSDev' name='eth' osdev_type='2'>\n"                \
  "<info name='Address' value='02:AB:00:00:00:01'/></object></object>\n"
#define HOST(NAME, INSIDE)                                                                         \
  TOP "<object type='Machine'>\n<info name='HostName' value='" NAME "'/>\n" INSIDE                 \
      "</object></topology>\n"
#define CONF "SwitchName=s1 Nodes=n[1-2]\nSwitchName=s2 Nodes=n3\nSwitchName=top Switches=s[1-2]\n"
#define CAN(TYPE) "'capability':[{'type':'" TYPE "','enabled':true}]"
#define SEEN(END) "'id':{'type':'mac','value':'02:ab:00:00:00:0" END "'}," CAN("Station")
#define LLDP                                                                                       \
  "{'local-chassis':{'chassis':{'leaf':{'id':{'type':'mac','value':'x'}," CAN(                     \
      "Bridge") "}}}}\n"                                                                           \
                "{'lldp':{'interface':[{'p1':{'chassis':{" SEEN(                                   \
                    "1") "}}},"                                                                    \
                         "{'p2':{'chassis':{'n2':{" SEEN("2") "}}}}]}}"

#define PORTS2                                                                                     \
  "graph G { 'leaf':'swp1' -- 'n1':'eth0'; 'leaf':'swp2' -- 'n1':'eth1'; 'leaf':'swp3' -- "        \
  "'n2':'eth0' }"

static const struct good good[] = {
    /* 0: Slurm's tree; the third host has no file */
    {{.files = {{"a.xml", HOST("n1", CARD("1:00", "1.5"))},
                {"topology.conf", CONF},
                {"b.xml", HOST("n2", CARD("1:00", "2.5"))}},
      .link_bps = 10 * GBIT},
     3,
     3,
     5,
     {{"n1", "s1", 10}, {"n2", "s1", 10}, {"n3", "s2", 10}, {"s1", "top", 10}}},
    /* 1: slots that pass on less, of names with a domain */
    {{.files = {{"topology.conf", CONF},
                {"a.xml", HOST("n1.example.org", CARD("1:00", "0.500000"))},
                {"b.xml", HOST("n3.example.org", CARD("1:00", "1") CARD("2:00", "0.875"))}},
      .link_bps = 25 * GBIT},
     3,
     3,
     5,
     {{"n1", "s1", 4}, {"n2", "s1", 25}, {"n3", "s2", 15}, {"s2", "top", 25}}},
    /* 2: what hwloc says by version 3, whose machine's infos are the topology's, and whose kinds
       have other numbers */
    {{.files = {{"topology.conf", CONF},
                {"a.xml", "<topology version='3.0'>\n<info name='HostName' value='n2'/>\n"
                          "<object type='Machine'><object type='PCIDev' pci_busid='0000:01:00.0' "
                          "pci_type='0200 [1:2] [3:4] 00' pci_link_speed='1.0'><object "
                          "type='OSDev' name='eth0' osdev_type='16'/></object></object>"
                          "</topology>"}},
      .link_bps = 25 * GBIT},
     3,
     3,
     5,
     {{"n2", "s1", 8}}},
    /* 3: a port that isn't on a PCI bus may have any rate */
    {{.files = {{"a.xml", HOST("n1", CARD("1:00", "0.5") "<object type='OSDev' name='soc0'><info "
                                                         "name='Address' value='x'/></object>")}},
      .link_bps = 25 * GBIT},
     1,
     1,
     1,
     {{"n1", "switch", 25}}},
    /* 4: other devices aren't the network's */
    {{.files = {{"a.xml", HOST("n1", "<object type='PCIDev' pci_busid='0000:05:00.0' "
                                     "pci_type='0108 [1:2] [3:4] 00' pci_link_speed='0.5'/>" CARD(
                                         "1:00", "2"))}},
      .link_bps = 25 * GBIT},
     1,
     1,
     1,
     {{"n1", "switch", 16}}},
    /* 5: a host without a name, which its switch knows by its address */
    {{.files = {{"n1.xml", HOST("n1", CARD("1:00", "0.5"))}, {"leaf.json", LLDP}},
      .link_bps = 25 * GBIT},
     2,
     1,
     2,
     {{"02:ab:00:00:00:01", "leaf", 4}, {"n2", "leaf", 25}}},
    /* 6: hosts that are left out, of LLDP's network and with their files */
    {{.files = {{"n9.xml", HOST("n9", "")},
                {"n2.xml", HOST("n2", CARD("1:00", "1"))},
                {"leaf.json", LLDP}},
      .link_bps = 25 * GBIT,
      .without = "n9"},
     2,
     1,
     2,
     {{"n2", "leaf", 8}}},
    /* 7: by the name of the format; a file's name counts where no other is told */
    {{.files = {{"far/n7.xml", TOP "<object type='Machine'/></topology>"}},
      .format = "hwloc",
      .link_bps = 10 * GBIT},
     1,
     1,
     1,
     {{"n7", "switch", 10}}},
    /* 8: two ports by flow, of which the slot passes on one and a half: both are counted */
    {{.files = {{"t.dot", PORTS2}, {"n1.xml", HOST("n1", CARD("1:00", "2"))}},
      .link_bps = 10 * GBIT},
     2,
     1,
     2,
     {{"n1", "leaf", 20}}},
    /* 9: ... and not even that */
    {{.files = {{"t.dot", PORTS2}, {"n1.xml", HOST("n1", CARD("1:00", "1"))}},
      .link_bps = 10 * GBIT},
     2,
     1,
     2,
     {{"n1", "leaf", 8}}},
};

static void hosts_are_found_in_networks(void **state)
{
  (void)state;
  check_good(good, sizeof good / sizeof *good);
}

#define ONE(TEXT)                                                                                  \
  {                                                                                                \
    .files = {{"a.xml", TEXT}}, .format = "hwloc", .link_bps = GBIT                                \
  }

static const struct fault faults[] = {
    {ONE(""), "a.xml", 1, "this isn't XML as it should be"},
    {ONE("<topologydiff/>"), "a.xml", 1,
     "<topologydiff> isn't a host's: give what lstopo --of xml"},
    {ONE(CONF), "a.xml", 1, "this isn't XML as it should be"},
    {ONE(TOP "</topology>"), "a.xml", 0, "there is no machine in it: give what lstopo --of xml"},
    {ONE(TOP "<object/>\n</topology>"), "a.xml", 3, "<object> has no type: add type="},
    {ONE(TOP "<object type='Machine'>\n"), "a.xml", 4, "this isn't XML as it should be"},
    {ONE(HOST("n1", CARD("1:00", "8 GT/s"))), "a.xml", 5, "\"8 GT/s\" isn't a rate in GB/s"},
    {ONE(HOST("n1", CARD("1:00", "-1"))), "a.xml", 5, "\"-1\" isn't a rate in GB/s"},
    {ONE(HOST("n1", CARD("1:00", "99999999999999999999"))), "a.xml", 5, "isn't a rate in GB/s"},
    {ONE(HOST("n1", "<object type='PCIDev' pci_type='0200'/>")), "a.xml", 5,
     "<object> has no pci_busid"},
    {ONE(HOST("n1", "<object type='PCIDev' pci_type='0200' pci_busid='7'/>")), "a.xml", 5,
     "pci_busid=\"7\" isn't a device's, as in 0000:01:00.0"},
    {ONE(HOST("n 1", "")), "a.xml", 4, "n 1"},
    {{.files = {{"a.xml", HOST("n1", "")}}}, "a.xml", 0, "hwloc's XML of hosts says no rates"},
    {{.files = {{"a.xml", HOST("n1", "")}, {"b.xml", HOST("n1", "")}}, .link_bps = GBIT},
     "b.xml",
     4,
     "a.xml tells of host n1 already: give one file for each host"},
    {{.files = {{"t.conf", CONF}, {"b.xml", HOST("n1.x", "")}, {"a.xml", HOST("n1.y", "")}},
      .link_bps = GBIT},
     "a.xml",
     4,
     "b.xml tells of host n1 already"},
    {{.files = {{"a.xml", HOST("login", CARD("1:00", "1"))}, {"t.conf", CONF}}, .link_bps = GBIT},
     "a.xml",
     4,
     "the network has no host login, nor one that is called like a port of its: leave this file"},
    {{.files = {{"t.conf", "SwitchName=s Nodes=02:ab:00:00:00:01,H-0002\n"},
                {"a.xml", HOST("n1", CARD("1:00", "1") "<info name='NodeGUID' value='00:02'/>")}},
      .link_bps = GBIT},
     "a.xml",
     4,
     "the network calls 2 hosts by ports of n1, one of them H-0002: let its ports tell its name"},
    {{.files = {{"a.xml", HOST("s1", "")}, {"t.conf", CONF}}, .link_bps = GBIT},
     "a.xml",
     4,
     "the network has no host s1"},
    {{.files = {{"a.xml", HOST("n1", "")}, {"t.conf", CONF}}, .link_bps = GBIT, .without = "n2"},
     "t.conf",
     0,
     "tells of no ports: there is nothing to choose by --interface or --without"},
};

static void faults_are_told_by_line_and_remedy(void **state)
{
  (void)state;
  check_faults(faults, sizeof faults / sizeof *faults);
}

static void importing_survives_every_failed_allocation(void **state)
{
  (void)state;
  starve(import_and_free, &good[1].input);
  starve(import_and_free, &good[4].input);
  starve(import_and_free, &good[5].input);
}

static void a_part_keeps_its_hosts_aliases_and_what_was_noted(void **state)
{
  (void)state;
  const struct tny_import_file files[] = {
      {.name = "t.conf", .text = "SwitchName=s Nodes=H-0002,n2,n3\n"},
      {.name = "a.xml",
       .text = "<topology version=\"2.0\"><object type=\"Machine\">"
               "<info name=\"HostName\" value=\"n1\"/>"
               "<object type=\"PCIDev\" pci_type=\"0207\" pci_busid=\"0000:01:00.0\" "
               "pci_link_speed=\"1.0\"><object type=\"OSDev\" name=\"mlx5_0\" osdev_type=\"3\">"
               "<info name=\"NodeGUID\" value=\"00:02\"/></object></object></object></topology>"}};
  const struct tny_import_request import = {
      .files = files, .file_count = 2, .link_bps = 100 * GBIT, .hosts = "H-0002,n2"};
  struct tny_cluster *cluster;
  const char *format;
  struct tny_error error = {0};
  if (tny_cluster_import(&import, &cluster, &format, &error))
    fail_msg("%s:%u: %s", error.file, error.line, error.text);
  assert_int_equal(cluster->host_count, 2);
  assert_string_equal(cluster->node_names[tny_cluster_find_host(cluster, "n1")], "H-0002");
  assert_non_null(cluster->note);
  assert_non_null(strstr(cluster->note, "H-0002: 8Gbit/s instead of 100Gbit/s"));
  tny_cluster_free(cluster);
}

/* 5,000 hosts, each with a file, of names that differ from the network's by a domain. */
static void five_thousand_hosts_are_joined(void **state)
{
  (void)state;
  enum { COUNT = 5000 };
  struct tny_import_file *files = test_calloc(COUNT + 1, sizeof *files);
  static const char conf[] = "SwitchName=s Nodes=n[0-4999]\n";
  struct tny_text texts[COUNT] = {0};
  files[0] = (struct tny_import_file){.name = "topology.conf", .text = conf};
  for (unsigned i = 0; i < COUNT; i++) {
    tny_text_add(&texts[i],
                 "<topology version=\"2.0\"><object type=\"Machine\"><info name=\"HostName\" "
                 "value=\"n%u.x\"/></object></topology>",
                 i);
    files[i + 1] = (struct tny_import_file){.name = "host.xml", .text = texts[i].bytes};
  }
  const struct tny_import_request import = {
      .files = files, .file_count = COUNT + 1, .link_bps = GBIT};
  struct tny_cluster *cluster;
  const char *format;
  struct tny_error error = {0};
  if (tny_cluster_import(&import, &cluster, &format, &error))
    fail_msg("%s:%u: %s", error.file, error.line, error.text);
  assert_string_equal(format, "slurm-conf");
  assert_int_equal(cluster->host_count, COUNT);
  tny_cluster_free(cluster);
  for (unsigned i = 0; i < COUNT; i++)
    tny_text_release(&texts[i]);
  test_free(files);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hosts_alone_are_on_one_switch_at_what_their_slots_pass_on),
      cmocka_unit_test(interfaces_that_are_named_are_those_that_count),
      cmocka_unit_test(an_adapter_tells_which_host_it_is),
      cmocka_unit_test(hosts_are_found_in_networks),
      cmocka_unit_test(faults_are_told_by_line_and_remedy),
      cmocka_unit_test(importing_survives_every_failed_allocation),
      cmocka_unit_test(a_part_keeps_its_hosts_aliases_and_what_was_noted),
      cmocka_unit_test(five_thousand_hosts_are_joined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
