/* What lldpcli prints as JSON. The texts have the shapes of its forms json0 and json, with and
   without details; real ones are in tests/clusters/lldp. */
#include "import_cases.h"

#include "core/alloc.h"
#include "core/text.h"
#include "support/memory.h"

/* json0 puts all into lists. */
#define ID(TYPE, VALUE) "'id':[{'type':'" TYPE "','value':'" VALUE "'}]"
#define CAN(BRIDGE, ROUTER)                                                                        \
  "'capability':[{'type':'Bridge','enabled':" BRIDGE "},{'type':'Router','enabled':" ROUTER "},"   \
  "{'type':'Station','enabled':false}]"
#define SWITCH(NAME, MAC)                                                                          \
  "'chassis':[{" ID("mac", MAC) ",'name':[{'value':'" NAME "'}],'descr':[{'value':'Cumulus "       \
                                "Linux version 5.9'}]," CAN("true", "true") "}]"
#define HOST(NAME, MAC)                                                                            \
  "'chassis':[{" ID("mac", MAC) ",'name':[{'value':'" NAME "'}]," CAN("false", "false") "}]"
#define PORT(NAME) "'port':[{" ID("ifname", NAME) ",'descr':[{'value':'" NAME "'}]}]"
#define FAST(NAME, TYPE)                                                                           \
  "'port':[{" ID("ifname", NAME) ",'auto-negotiation':[{'supported':true,'enabled':false,"         \
                                 "'current':[{'value':'" TYPE "'}]}]}]"
#define SEES(PORT_NAME, CHASSIS, PORT)                                                             \
  "{'name':'" PORT_NAME "','via':'LLDP','rid':'1','age':'0 day, 01:00:00',\n" CHASSIS "," PORT "}"
#define JSON0(ENTRIES) "{'lldp':[{'interface':[\n" ENTRIES "\n]}]}\n"
#define LOCAL(CHASSIS) "{'local-chassis':[{" CHASSIS "}]}\n"

#define CLONE(NAME)                                                                                \
  "'chassis':[{" ID("local", "golden") ",'name':[{'value':'" NAME "'}]," CAN("false", "false") "}" \
                                                                                               "]"

#define LEAF1 SWITCH("leaf1", "aa:00:00:00:00:01")
#define LEAF2 SWITCH("leaf2", "aa:00:00:00:00:02")
#define SPINE SWITCH("spine", "aa:00:00:00:00:10")
#define MGMT SWITCH("mgmt", "aa:00:00:00:00:20")
#define N1 HOST("n1", "bb:00:00:00:00:01")
#define N2 HOST("n2", "bb:00:00:00:00:02")

#define ON_LEAF1 JSON0(SEES("eth0", LEAF1, PORT("swp1")))
#define ON_LEAF2 JSON0(SEES("eth0", LEAF2, PORT("swp1")))
#define R25 "25GbaseCR - 25GBASE-R PCS/PMA over shielded balanced copper cable"
#define R100 "100GbaseCR4 - 100GBASE-R PCS/PMA over 4 lane shielded copper balanced cable"

static const struct good good[] = {
    /* 0: hosts of one switch, no details */
    {{.files = {{"a/n1.json", ON_LEAF1}, {"a/n2.json", ON_LEAF1}}, .link_bps = 25 * GBIT},
     2,
     1,
     2,
     {{"n1", "leaf1", 25}}},
    /* 1: with details, names of files without ending and with a domain */
    {{.files = {{"n1", JSON0(SEES("eth0", LEAF1, FAST("swp1", R25)))},
                {"n2.example.com.json",
                 JSON0(SEES("eth0", LEAF1, FAST("swp2", "10GigBaseSR - R fiber")))},
                {"n3.json", JSON0(SEES("eth0", LEAF1, FAST("swp3", "2p5GbaseX - 2.5GBASE-X")))}}},
     3,
     1,
     3,
     {{"n1", "leaf1", 25}, {"n2.example.com", "leaf1", 10}}},
    /* 2: two leaves and a spine that all tell; two trunks each */
    {{.files =
          {{"n1.json", ON_LEAF1},
           {"n2.json", ON_LEAF2},
           {"leaf1.json",
            JSON0(SEES("swp1", N1, PORT("eth0")) "," SEES(
                "swp51", SPINE, FAST("swp1", R100)) "," SEES("swp52", SPINE, FAST("swp2", R100)))},
           {"leaf2.json",
            JSON0(SEES("swp1", N2, PORT("eth0")) "," SEES("swp51", SPINE, PORT("swp3")) "," SEES(
                "swp52", SPINE, PORT("swp4")))},
           {"spine.json",
            JSON0(
                SEES("swp1", LEAF1, PORT("swp51")) "," SEES("swp2", LEAF1, PORT("swp52")) "," SEES(
                    "swp3", LEAF2, FAST("swp51", R100)) "," SEES("swp4", LEAF2,
                                                                 FAST("swp52", R100)))}},
      .link_bps = 25 * GBIT},
     2,
     3,
     6,
     {{"n1", "leaf1", 25}, {"n2", "leaf2", 25}, {"leaf1", "spine", 200}, {"leaf2", "spine", 200}}},
    /* 3: the spine alone tells of the trunks; those without a rate have that of --trunk */
    {{.files = {{"n1.json", ON_LEAF1},
                {"n2.json", ON_LEAF2},
                {"spine.json",
                 JSON0(SEES("swp1", LEAF1, PORT("swp51")) "," SEES("swp3", LEAF2, PORT("swp51")))}},
      .link_bps = 25 * GBIT,
      .trunk_bps = 400 * GBIT},
     2,
     3,
     4,
     {{"leaf1", "spine", 400}}},
    /* 4: only the switch's file; it is called by its chassis, hosts are stations */
    {{.files = {{"output.json", LOCAL(LEAF1) JSON0(SEES("swp1", N1, FAST("eth0", R25)) "," SEES(
                                    "swp2", N2, FAST("eth0", R25)))}}},
     2,
     1,
     2,
     {{"n1", "leaf1", 25}, {"n2", "leaf1", 25}}},
    /* 5: the same alone, called by the file */
    {{.files = {{"leaf1.json0",
                 JSON0(SEES("swp1", N1, PORT("eth0")) "," SEES("swp2", N2, PORT("eth0")))}},
      .link_bps = 10 * GBIT},
     2,
     1,
     2,
     {{"n2", "leaf1", 10}}},
    /* 6: two interfaces on one switch are a bundle */
    {{.files = {{"n1.json", JSON0(SEES("ens1f0", LEAF1, FAST("swp1", R25)) "," SEES(
                                "ens1f1", LEAF1, FAST("swp2", R25)))},
                {"n2.json", JSON0(SEES("ens1f0", LEAF1, FAST("swp3", R25)))}}},
     2,
     1,
     2,
     {{"n1", "leaf1", 50}, {"n2", "leaf1", 25}}},
    /* 7: a management network beside; hosts that forward for their containers */
    {{.files =
          {{"n1.json", JSON0(SEES("eno1", MGMT, PORT("1")) "," SEES("ib0", LEAF1, PORT("swp1")))},
           {"n2.json", JSON0(SEES("eno1", MGMT, PORT("2")) "," SEES("ib0", LEAF1, PORT("swp2")))},
           {"leaf1.json",
            JSON0(SEES("eth0", MGMT, PORT("48")) "," SEES(
                "swp1", SWITCH("n1.example.com", "bb:00:00:00:00:01"),
                PORT("ib0")) "," SEES("swp2", SWITCH("n2.example.com", "bb:00:00:00:00:02"),
                                      PORT("ib0")))}},
      .link_bps = 100 * GBIT,
      .interfaces = "ib*",
      .without = "mgmt"},
     2,
     1,
     2,
     {{"n1", "leaf1", 100}}},
    /* 8: the agent of a network card beside the host's own, and CDP beside LLDP */
    {{.files = {{"n1.json",
                 JSON0(SEES("eth0", LEAF1, FAST("swp1", R25)) "," SEES(
                     "eth0", "'chassis':[{" ID("local", "leaf1") ",'name':[{'value':'leaf1'}]}]",
                     PORT("swp1")))},
                {"leaf1.json",
                 JSON0(SEES("swp1", "'chassis':[{" ID("mac", "cc:00:00:00:00:01") "}]",
                            PORT("cc:01")) "," SEES("swp1", N1,
                                                    PORT("eth0")) "," SEES("swp2", N2,
                                                                           FAST("eth0", R25)))}}},
     2,
     1,
     2,
     {{"n1", "leaf1", 25}, {"n2", "leaf1", 25}}},
    /* 9: a switch without a name is called by the id of its chassis */
    {{.files = {{"n1.json", JSON0(SEES("eth0", "'chassis':[{" ID("mac", "aa:00:00:00:00:07") "}]",
                                       PORT("1")))},
                {"n2.json", JSON0(SEES("eth0", "'chassis':[{" ID("mac", "aa:00:00:00:00:07") "}]",
                                       PORT("2")))}},
      .link_bps = GBIT},
     2,
     1,
     2,
     {{"n1", "aa:00:00:00:00:07", 1}}},
    /* 10: the form json, an object for one interface and a list for several */
    {{.files =
          {{"n1.json",
            "{'lldp':{'interface':{'eth0':{'via':'LLDP','chassis':{'leaf1':{'id':{'type':'mac',"
            "'value':'aa:01'},'capability':{'type':'Bridge','enabled':true}}},'port':{'id':{'type':"
            "'ifname','value':'swp1'},'auto-negotiation':{'current':'1000BaseTFD - "
            "Four-pair'}}}}}}"},
           {"n2.json",
            "{'lldp':{'interface':[{'eth0':{'via':'LLDP','chassis':{'leaf1':{'id':{'type':'mac',"
            "'value':'aa:01'}}},'port':{}}},{'eth1':{'via':'LLDP','chassis':{'leaf1':{'id':{'type':"
            "'mac','value':'aa:01'}}}}}]}}"}},
      .link_bps = 10 * GBIT},
     2,
     1,
     2,
     {{"n1", "leaf1", 1}, {"n2", "leaf1", 20}}},
    /* 11: the form json: several neighbours of an interface, a chassis without a name */
    {{.files =
          {{"n1.json",
            "{'lldp':{'interface':{'eth0':[{'chassis':{'id':{'type':'mac','value':'cc:01'}}},"
            "{'chassis':{'leaf1':{'id':{'type':'mac','value':'aa:01'}}}}]}}}"},
           {"n2.json",
            "{'lldp':{'interface':{'eth0':{'chassis':{'id':{'type':'mac','value':'aa:01'}}}}}}"}},
      .link_bps = 10 * GBIT},
     2,
     1,
     2,
     {{"n1", "leaf1", 10}, {"n2", "leaf1", 10}}},
    /* 12: both leaves know each other; a port that is plugged into its own switch */
    {{.files = {{"n1.json", ON_LEAF1},
                {"n2.json", ON_LEAF2},
                {"leaf1.json",
                 JSON0(SEES("swp9", LEAF1, PORT("swp10")) "," SEES(
                     "swp1", N1, PORT("eth0")) "," SEES("swp49", LEAF2, FAST("swp49", R100)))}},
      .link_bps = 25 * GBIT},
     2,
     2,
     3,
     {{"leaf1", "leaf2", 100}}},
};

static void what_interfaces_see_becomes_cables(void **state)
{
  (void)state;
  check_good(good, sizeof good / sizeof *good);
}

#define ONE(TEXT)                                                                                  \
  {                                                                                                \
    {{"n1.json", TEXT}}, .format = "lldp", .link_bps = GBIT                                        \
  }

static const struct fault faults[] = {
    {{.files = {{"n1.json", JSON0(SEES("ens1f0", LEAF1, FAST("swp1", R25)) ",\n" SEES(
                                "eno1", LEAF1, FAST("swp2", "1000BaseTFD")))},
                {"n2.json", ON_LEAF1}},
      .link_bps = GBIT},
     "n1.json",
     2,
     "the cables between n1 and leaf1 are used as one, and have several rates, of which a bundle "
     "has one: say which of the host's interfaces count, as in --interface"},
    {ONE(""), "n1.json", 1, "not JSON: "},
    {ONE("{'lldp':\n[{'interface':[{]}\n"), "n1.json", 2, "give what lldpcli -f json0 show neigh"},
    {ONE("{'lldp':{'interface':{'eth0':{},\n'eth0':{}}}}"), "n1.json", 2, "not JSON: duplicate"},
    {ONE(LOCAL(N1) "\n{'lldp'\n"), "n1.json", 4, "not JSON: "},
    {ONE("{'interfaces':[]}"), "n1.json", 0, "there is no \"lldp\" in it"},
    {ONE("[]"), "n1.json", 0, "there is no \"lldp\" in it"},
    {ONE(ON_LEAF1 ON_LEAF1), "n1.json", 0, "neighbours are in it twice"},
    {ONE("{'lldp':{'interface':[7]}}"), "n1.json", 1, "an interface with its \"chassis\" belongs"},
    {ONE("{'lldp':{'interface':{'eth0':\n{'port':{}}}}}"), "n1.json", 1, "with its \"chassis\""},
    {ONE(JSON0(SEES("eth3", "'chassis':[{'descr':[{'value':'x'}]}]", PORT("1")))), "n1.json", 2,
     "what eth3 sees has neither a name nor an id"},
    {ONE(JSON0(SEES("eth0", SWITCH("my switch", "aa:01"), PORT("1")))), "n1.json", 2,
     "a character that names can't have"},
    {ONE("{'lldp':[{}]}"), "n1.json", 0, "n1 sees no other system, and none sees it: leave the"},
    {{.files = {{"n1.json", ON_LEAF1}, {"n2.json", "{'lldp':[{}]}"}}, .link_bps = GBIT},
     "n2.json",
     0,
     "n2 sees no other system"},
    {{.files = {{"n1.json", ON_LEAF1}}},
     "n1.json",
     2,
     "no rate is told of the cable between n1 (eth0) and leaf1: give that of the hosts' cables, as "
     "in --link 100Gbit/s, or what lldpcli show neighbors details"},
    {{.files = {{"n1.json", ON_LEAF1},
                {"n2.json", ON_LEAF2},
                {"leaf1.json", JSON0(SEES("swp49", LEAF2, PORT("swp49")))}},
      .trunk_bps = GBIT},
     "n1.json",
     2,
     "give that of the hosts' cables"},
    {{.files = {{"n1.json", JSON0(SEES("eth0", LEAF1, FAST("swp1", R25)))},
                {"n2.json", JSON0(SEES("eth0", LEAF2, FAST("swp1", R25)))},
                {"leaf1.json",
                 JSON0(SEES("swp1", N1, PORT("eth0")) ",\n" SEES("swp49", LEAF2, PORT("swp49")))}}},
     "leaf1.json",
     4,
     "cable between leaf1 (swp49) and leaf2: give that of the cables between switches, as in "
     "--trunk"},
    {{.files = {{"n1.json", ON_LEAF1}, {"n2.json", ON_LEAF2}}, .link_bps = GBIT},
     "n1.json",
     0,
     "no file tells of cables from n1 to n2: give also what lldpcli prints on the switches, of "
     "which there is no file yet: leaf1, leaf2"},
    {{.files = {{"n1.json", ON_LEAF1},
                {"n2.json", ON_LEAF2},
                {"leaf1.json", JSON0(SEES("swp1", N1, PORT("eth0")))},
                {"leaf2.json", JSON0(SEES("swp1", N2, PORT("eth0")))}},
      .link_bps = GBIT},
     "n1.json",
     0,
     "from n1 to n2: a switch is missing, or one that is in between doesn't speak LLDP"},
    {{.files = {{"n1.json",
                 JSON0(SEES("eth0", LEAF1, PORT("swp1")) ",\n" SEES("eth1", LEAF2, PORT("swp1")))}},
      .link_bps = GBIT},
     "n1.json",
     4,
     "host n1 has cables to leaf1 (eth0) and to leaf2 (eth1), and a host has one here: say which"},
    {{.files = {{"n1.json", ON_LEAF1}}, .link_bps = GBIT, .interfaces = "ib*"},
     "n1.json",
     0,
     "no port matches \"ib*\", as --interface wants it"},
    {{.files = {{"n1.json",
                 JSON0(SEES("eth0", LEAF1, PORT("1")) ",\n" SEES("eth0", LEAF2, PORT("2")))}},
      .link_bps = GBIT},
     "n1.json",
     4,
     "eth0 of n1 sees two systems, leaf1 and leaf2: what is plugged into it?"},
    {{.files = {{"a/n1.json", ON_LEAF1}, {"b/n1.json", ON_LEAF1}}, .link_bps = GBIT},
     "b/n1.json",
     0,
     "n1 is told of already, by a/n1.json"},
    {{.files = {{"n1.json", ON_LEAF1},
                {"n2.json", JSON0(SEES("eth0", SWITCH("leaf1", "aa:99"), PORT("swp1")))}},
      .link_bps = GBIT},
     "n2.json",
     2,
     "two chassis are called leaf1, of the ids aa:00:00:00:00:01 and aa:99"},
    /* cloned machines, of which a switch tells, or they themselves */
    {{.files = {{"leaf1.json", JSON0(SEES("swp1", CLONE("n1"), PORT("eth0")) "," SEES(
                                   "swp2", CLONE("n2"), PORT("eth0")))}},
      .link_bps = GBIT},
     "leaf1.json",
     3,
     "n1 and n2 tell the same chassis id, golden, as cloned machines do: are they one system? Give "
     "one an id of its own (lldpcli configure system chassisid ID), or leave it out by --without"},
    {{.files = {{"a.json", LOCAL(CLONE("n1")) ON_LEAF1}, {"b.json", LOCAL(CLONE("n2")) ON_LEAF1}},
      .link_bps = GBIT},
     "b.json",
     0,
     "n1 and n2 tell the same chassis id, golden"},
};

/* A port in the link aggregation NUMBER. */
#define MEMBER(NAME, NUMBER, TYPE)                                                                 \
  "'port':[{" ID("ifname", NAME) ",'aggregation':[{'value':'" NUMBER "'}],'auto-negotiation':"     \
                                 "[{'current':[{'value':'" TYPE "'}]}]}]"

static void check_aggregated(const char *leaf1, const char *spine, const char *wanted)
{
  const struct input input = {
      .files = {{"n1.json", JSON0(SEES("e0", LEAF1, FAST("swp1", R25)) "," SEES(
                                "e1", LEAF1, FAST("swp2", R25)))},
                {"n2.json", JSON0(SEES("e0", LEAF2, FAST("swp1", R25)))},
                {"leaf1.json", leaf1},
                {"leaf2.json", JSON0(SEES("swp9", SPINE, FAST("swp9", R100)))},
                {"spine.json", spine}}};
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  if (import_input(&input, &cluster, &error))
    fail_msg("%s:%u: %s", error.file, error.line, error.text);
  char *flat = flat_of(cluster);
  if (!strstr(flat, "bundle leaf1 n1 2 flow 25000000000 ") || !strstr(flat, wanted))
    fail_msg("%s isn't in\n%s", wanted, flat);
  assert_non_null(strstr(cluster->note, "taken for a bundle, spread by flow"));
  tny_text_free(flat);
  tny_cluster_free(cluster);
}

/* Of three cables two are in one aggregation: what is told by one end is enough. */
static void aggregated_cables_are_a_bundle_and_others_are_not(void **state)
{
  (void)state;
  const char *const two = JSON0(SEES("swp5", SPINE, MEMBER("swp1", "7", R100)) "," SEES(
      "swp6", SPINE, MEMBER("swp2", "0", R100)) "," SEES("swp7", SPINE, MEMBER("swp3", "7", R100)));
  const char *const none = JSON0(SEES("swp5", SPINE, FAST("swp1", R100)) "," SEES(
      "swp6", SPINE, FAST("swp2", R100)) "," SEES("swp7", SPINE, MEMBER("swp3", "-", R100)));
  const char *const back = JSON0(SEES("swp1", LEAF1, MEMBER("swp5", "12", R100)) "," SEES(
      "swp2", LEAF1, FAST("swp6", R100)) "," SEES("swp3", LEAF1, MEMBER("swp7", "12", R100)));
  const char *const silent = JSON0(SEES("swp9", LEAF2, FAST("swp9", R100)));
  const char *const bundle = "bundle leaf1 spine 2 flow 100000000000 5000 8388608\n"
                             "cable leaf1 spine 100000000000 5000 8388608\n";
  check_aggregated(two, silent, bundle);
  check_aggregated(none, back,
                   "bundle spine leaf1 2 flow 100000000000 5000 8388608\n"
                   "cable spine leaf1 100000000000 5000 8388608\n");
  check_aggregated(none, silent,
                   "cable leaf1 spine 100000000000 5000 8388608\n"
                   "cable leaf1 spine 100000000000 5000 8388608\n"
                   "cable leaf1 spine 100000000000 5000 8388608\n");
}

static void faults_are_told_by_file_line_and_remedy(void **state)
{
  (void)state;
  check_faults(faults, sizeof faults / sizeof *faults);
}

static void importing_survives_every_failed_allocation(void **state)
{
  (void)state;
  starve(import_and_free, &good[2].input);
  starve(import_and_free, &good[7].input);
}

/* A file for each host, on leaves of 40, under a spine that tells of them. */
static void five_thousand_hosts_are_read(void **state)
{
  (void)state;
  enum { HOSTS = 5000, EACH = 40, LEAVES = HOSTS / EACH };
  static struct tny_import_file files[HOSTS + 1];
  static char names[HOSTS][16];
  struct tny_text spine = {0};
  tny_text_add(&spine, "{\"lldp\":[{\"interface\":[");
  for (unsigned i = 0; i < HOSTS; i++) {
    struct tny_text text = {0};
    snprintf(names[i], sizeof names[i], "n%04u.json", i);
    tny_text_add(&text,
                 "{\"lldp\":[{\"interface\":[{\"name\":\"eth0\",\"chassis\":[{\"id\":[{\"type\":"
                 "\"mac\",\"value\":\"aa:%u\"}],\"name\":[{\"value\":\"leaf%u\"}]}]}]}]}",
                 i / EACH, i / EACH);
    files[i] = (struct tny_import_file){.name = names[i], .text = text.bytes};
  }
  for (unsigned i = 0; i < LEAVES; i++)
    tny_text_add(&spine,
                 "%s{\"name\":\"swp%u\",\"chassis\":[{\"id\":[{\"type\":\"mac\",\"value\":"
                 "\"aa:%u\"}],\"name\":[{\"value\":\"leaf%u\"}]}]}",
                 i ? "," : "", i, i, i);
  tny_text_add(&spine, "]}]}");
  files[HOSTS] = (struct tny_import_file){.name = "spine.json", .text = spine.bytes};
  const struct tny_import_request import = {
      .files = files, .file_count = HOSTS + 1, .link_bps = GBIT};
  struct tny_cluster *cluster;
  const char *format;
  struct tny_error error = {0};
  if (tny_cluster_import(&import, &cluster, &format, &error))
    fail_msg("%s:%u: %s", error.file, error.line, error.text);
  assert_string_equal(format, "lldp");
  assert_int_equal(cluster->host_count, HOSTS);
  assert_int_equal(cluster->switch_count, LEAVES + 1);
  assert_int_equal(cluster->link_count / 2, HOSTS + LEAVES);
  tny_cluster_free(cluster);
  for (unsigned i = 0; i <= HOSTS; i++)
    tny_text_free((char *)files[i].text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_interfaces_see_becomes_cables),
      cmocka_unit_test(aggregated_cables_are_a_bundle_and_others_are_not),
      cmocka_unit_test(faults_are_told_by_file_line_and_remedy),
      cmocka_unit_test(importing_survives_every_failed_allocation),
      cmocka_unit_test(five_thousand_hosts_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
