/* What is refused of InfiniBand's files: each fault with its line and a part of the text that says
   what is wrong; and what runs short of memory. */
#include "infiniband_support.h"
#include "support/memory.h"

/* A switch and a host, on lines 1 to 6. */
#define SWITCH "Switch 36 \"S-0000000000000001\" # \"leaf\" base port 0 lid 1 lmc 0\n"
#define PORT "[1] \"H-0000000000000002\"[1](a) # \"n0 HCA-1\" lid 2 4xQDR\n"
#define OTHER "[2] \"H-0000000000000003\"[1](b) # \"n1 HCA-1\" lid 3 4xQDR\n"
#define HOST "Ca 1 \"H-0000000000000002\" # \"n0 HCA-1\"\n"
#define HOST_PORT "[1](a) \"S-0000000000000001\"[1] # lid 2 lmc 0 \"leaf\" lid 1 4xQDR\n"
#define SECOND                                                                                     \
  "Ca 1 \"H-0000000000000003\" # \"n1 HCA-1\"\n"                                                   \
  "[1](b) \"S-0000000000000001\"[2] # lid 3 lmc 0 \"leaf\" lid 1 4xQDR\n"
#define NET SWITCH PORT OTHER HOST HOST_PORT SECOND
/* Two hosts of one description, as makers set it. */
#define MAKERS                                                                                     \
  "Ca 1 \"H-0000000000000002\" # \"MT4119 ConnectX-5 Mellanox\"\n" HOST_PORT                       \
  "Ca 1 \"H-0000000000000003\" # \"MT4119 ConnectX-5 Mellanox\"\n"                                 \
  "[1](b) \"S-0000000000000001\"[2] # lid 3 lmc 0 \"leaf\" lid 1 4xQDR\n"
#define NAMELESS SWITCH PORT OTHER MAKERS
#define TABLE "Unicast lids [0x0-0x3] of switch Lid 1 guid 0x0000000000000001 (leaf):\n"

static const struct fault {
  const char *net, *tables; /* tables NULL: none */
  const char *file;         /* in which the fault is */
  unsigned line;
  const char *says;
} faults[] = {
    {"vendid=0x2c9\n", NULL, "net", 0, "no Switch and no Ca is in it"},
    {SWITCH PORT HOST HOST_PORT "Node 5\n", NULL, "net", 5, "a block of a Switch or Ca belongs"},
    {"vendid=0x2c9\n" PORT, NULL, "net", 2, "whose port is it?"},
    {SWITCH PORT "\n" PORT, NULL, "net", 4, "whose port is it?"},
    {SWITCH "[1]\n", NULL, "net", 2, "a port belongs here"},
    {SWITCH "[0] \"H-2\"[1]\n", NULL, "net", 2, "a port belongs here"},
    {SWITCH "[255] \"H-2\"[1]\n", NULL, "net", 2, "a port belongs here"},
    {SWITCH "[1] \"H-2\"[1](q)\n", NULL, "net", 2, "a port belongs here"},
    {SWITCH "[1] \"X-2\"[1]\n", NULL, "net", 2, "a port belongs here"},
    {SWITCH "[1] \"H-00000000000000002\"[1]\n", NULL, "net", 2, "a port belongs here"},
    {SWITCH "[1] \"H-2\"[1] lid 2\n", NULL, "net", 2, "a port belongs here"},
    {SWITCH PORT PORT, NULL, "net", 3, "port 1 of \"leaf\" is there already (line 2)"},
    {"Switch 36 \"H-2\"\n", NULL, "net", 1, "a node belongs here"},
    {"Ca 1 : 0x2 ports 1\n", NULL, "net", 1, "a node belongs here"},
    {SWITCH "[1] \"H-2\"[1] # \"n0\" lid 2 3xQDR\n", NULL, "net", 2, "\"3xQDR\" is no rate that"},
    {SWITCH "[1] \"H-2\"[1] # \"n0\" lid 2 4x\n", NULL, "net", 2, "\"4x\" is no rate that"},
    {SWITCH PORT, NULL, "net", 2, "leads to H-0000000000000002, which has no block"},
    {SWITCH PORT HOST, NULL, "net", 2, "which isn't listed there (line 3)"},
    {SWITCH PORT HOST "[1] \"S-1\"[2] # lid 2 lmc 0 \"leaf\" lid 1 4xQDR\n", NULL, "net", 2,
     "but that one (line 4) leads to port 2 of S-0000000000000001"},
    {SWITCH PORT HOST HOST_PORT HOST HOST_PORT, NULL, "net", 5, "has a block already (line 3"},
    {SWITCH PORT HOST "[1] \"S-1\"[1] # lid 2 lmc 0 \"leaf\" lid 1 4xDDR\n", NULL, "net", 2,
     "another rate than the far end of its cable (line 4)"},
    {SWITCH PORT HOST HOST_PORT HOST, NULL, "net", 5, "has a block already"},
    {SWITCH PORT HOST HOST_PORT "Ca 1 \"H-9\" # \"n9 HCA-1\"\n", NULL, "net", 5,
     "host n9 has no cable to a switch"},
    {SWITCH PORT OTHER HOST HOST_PORT "Ca 1 \"H-3\" # \"n0 HCA-1\"\n"
                                      "[1](b) \"S-1\"[2]\n",
     NULL, "net", 6, "\"n0 HCA-1\" is that of another adapter too (line 4)"},
    {SWITCH "[1] \"S-1\"[2]\n[2] \"S-1\"[1]\n", NULL, "net", 2, "tells its rate: give one"},
    {SWITCH "[1] \"S-1\"[2] # \"leaf\" lid 1 4xQDR\n[2] \"S-1\"[1]\n", NULL, "net", 2,
     "joins leaf to itself"},
    {SWITCH, NULL, "net", 0, "the cluster has no hosts"},
    {NET "Switch 36 \"S-9\" # \"far\"\n", NULL, "net", 0, "the cluster falls apart"},
    {TABLE, NULL, "net", 0, "give what ibnetdiscover prints beside the forwarding tables"},

    {NET, "Unicast lids [0x0-0x3] of switch Lid 1 (leaf):\n", "tables", 1, "without the guid"},
    {NET, "Unicast lids [0x0-0x3] of switch Lid 1 guid 0x7 (x):\n", "tables", 1,
     "the switch of this table isn't in the network"},
    {NET, TABLE "0x0002 001\n0x0003 002\n" TABLE, "tables", 4, "leaf has a table already (line 1"},
    {NET, TABLE "leaf 1\n", "tables", 2, "no line of a forwarding table"},
    {NET, TABLE "0x 001\n", "tables", 2, "a LID and a port belong here"},
    {NET, TABLE "0x10000 001\n", "tables", 2, "a LID and a port belong here"},
    {NET, TABLE "0x0002\n", "tables", 2, "a LID and a port belong here"},
    {NET, TABLE "0x0002 256\n", "tables", 2, "a LID and a port belong here"},
    {NET, "Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x1 (leaf):\n", "tables", 1,
     "without -M"},
    {NET, TABLE "0x0002 005\n", "tables", 2, "port 5 of switch leaf has no cable"},
    {NET, TABLE "0x0002 000\n", "tables", 2, "port 0 of switch leaf has no cable"},
    {NET, TABLE "0x0002 002\n", "tables", 2,
     "what is for host n0 goes out by port 2 of switch leaf, to host n1"},
    {NET, TABLE "0x0002 001\n0x0002 001\n", "tables", 3, "is given twice, first in line 2"},
    {NET, TABLE "0x0002 001\n", "tables", 1, "no line for host n1 (LID 3)"},
    {NET, TABLE "0x0003 255 : (illegal port)\n0x0002 001\n", "tables", 1, "no line for host n1"},
    {NET, TABLE "0x0009 001 : (Channel Adapter portguid 0x9: 'n9')\n", "tables", 2,
     "this destination isn't in the network"},
    {NET, "# Unicast\n\nUnicast lids [\n", "tables", 3, "without the guid"},

    {"0x0002\tn0 HCA-1\n", NULL, "net", 0,
     "give what ibnetdiscover prints beside OpenSM's order of the hosts"},
    {NET, "0x0002\tn0 HCA-1\n0xFFFF\tDUMMY\n0x0009\tn9 HCA-1\n", "tables", 3,
     "no host of the network is called \"n9 HCA-1\": let OpenSM route once more"},
    {NET, "0x0002\tn0 HCA-1\n\n0x0003\tn1 HCA-1\n0x0012\tn0 HCA-1\n", "tables", 4,
     "\"n0 HCA-1\" is in the order already (line 1 of tables), and has 1 cable: leave one line "
     "out"},
    {NET, "0x0002\tn0 HCA-1\n0x0003 n1 HCA-1\n", "tables", 2,
     "a LID, a tab and an adapter's description belong here, as in 0x0007 node01 HCA-1, not "
     "\"0x0003 n1 HCA-1\""},
    {NET, "0x0002\tn0 HCA-1\n0x10003\tn1 HCA-1\n", "tables", 2, "a LID, a tab and"},
    {NET, "0x0002\tn0 HCA-1\n0x0003\t \n", "tables", 2, "a LID, a tab and"},
    {NET, "0x0002\tn0 HCA-1\nn1 HCA-1\n", "tables", 2, "a LID, a tab and"},
    {NET, "0x0002\tn0 HCA-1\n" TABLE, "tables", 2, "a LID, a tab and"},
    {NET, "0x0002\tDUMMY\n", "tables", 1, "no host of the network is called \"DUMMY\""},
    {NAMELESS, "0x0002\tMT4119 ConnectX-5 Mellanox\n", "tables", 1,
     "2 adapters are called \"MT4119 ConnectX-5 Mellanox\", so which one is it? Set the nodes'"},
};

static void check(const char *name, const struct fault *fault)
{
  struct imported imported;
  struct tny_error error = {0};
  const struct tny_import_file files[] = {{.name = "net", .text = fault->net},
                                          {.name = "tables", .text = fault->tables}};
  const struct tny_import_request import = {
      .files = files, .file_count = fault->tables ? 2 : 1, .routes = &imported.routes};
  const char *format;
  if (tny_cluster_import(&import, &imported.cluster, &format, &error) != TNY_BAD_INPUT)
    fail_msg("this isn't refused: %s\n%s", name, fault->tables ? fault->tables : fault->net);
  if (error.line != fault->line || !strstr(error.text, fault->says) ||
      strcmp(error.file, fault->file))
    fail_msg("%s: %s:%u: %s (expected %u: %s)\n%s", name, error.file, error.line, error.text,
             fault->line, fault->says, fault->net);
  assert_null(imported.cluster);
  assert_null(imported.routes);
}

static void faults_are_told_by_line_and_reason(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    check("text", &faults[i]);
}

/* Files of tests/clusters/infiniband, most of them parallel_cables broken in one place. */
static void bad_files_are_told_by_line_and_reason(void **state)
{
  (void)state;
  static const struct {
    const char *net, *tables, *file;
    unsigned line;
    const char *says;
  } bad[] = {
      {"../bad/ends_contradict.topo", NULL, "net", 11,
       "port 1 of \"leaf02\" leads to port 1 of \"leaf01\", but that one (line 24) leads to port "
       "2"},
      {"../bad/cut_short.topo", NULL, "net", 14, "which has no block: is the file whole?"},
      {"../bad/same_description.topo", NULL, "net", 36,
       "\"localhost mlx4_0\" is that of another adapter too"},
      {"../bad/rates_differ.topo", NULL, "net", 11, "another rate than the far end"},
      {"../bad/unknown_speed.topo", NULL, "net", 37, "\"4xZDR\" is no rate that is known here"},
      {"../bad/list_of_switches.topo", NULL, "net", 1, "give what ibnetdiscover prints, as it is"},
      {"parallel_cables.topo", "../bad/host_missing.lft", "tables", 15,
       "the table of switch leaf01 has no line for host node05 (LID 7)"},
      {"parallel_cables.topo", "../bad/to_another_host.lft", "tables", 24,
       "what is for host node05 goes out by port 4 of switch leaf01, to host node01"},
      {"parallel_cables.topo", "../bad/home_sends_away.lft", "tables", 10,
       "host node05 is plugged into port 4 of switch leaf02, but what is for it goes out by port "
       "1"},
      {"parallel_cables.topo", "../bad/table_missing.lft", "tables", 0,
       "switch leaf01 (line 23 of net) has no table"},
      {"parallel_cables.topo", "../bad/another_network.lft", "tables", 13,
       "this destination isn't in the network"},
      {"ring.topo", "../bad/loop.lft", "tables", 54,
       "what is for host node00 goes around in a loop, by switches sw2 and sw1"},
      {"ring.topo", "torus.lft", "tables", 1, "the switch of this table isn't in the network"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char *net = infiniband_file(bad[i].net);
    char *tables = bad[i].tables ? infiniband_file(bad[i].tables) : NULL;
    const struct fault fault = {net, tables, bad[i].file, bad[i].line, bad[i].says};
    check(bad[i].tables ? bad[i].tables : bad[i].net, &fault);
    tny_text_free(net);
    tny_text_free(tables);
  }
}

struct texts {
  char *net, *tables;
};

static enum tny_status import(const void *of, struct tny_error *error)
{
  const struct texts *texts = of;
  struct imported imported;
  const enum tny_status status = import_texts(texts->net, texts->tables, &imported, error);
  release_imported(&imported);
  return status;
}

static void importing_survives_every_failed_allocation(void **state)
{
  (void)state;
  const struct texts texts = {infiniband_file("rails.topo"), infiniband_file("rails.lft")};
  starve(import, &texts);
  tny_text_free(texts.net);
  tny_text_free(texts.tables);
}

/* 20,000 hosts on 1,000 switches under 20, each of which has a cable to all. What takes time in
   proportion to the square of the hosts wouldn't end within the test's time. */
static void a_large_network_takes_time_in_proportion_to_its_hosts(void **state)
{
  (void)state;
  enum { LEAVES = 1000, EACH = 20, SPINES = 20 };
  struct tny_text text = {0};
  for (unsigned s = 0; s < SPINES; s++) {
    tny_text_add(&text, "\nSwitch 36 \"S-%x\" # \"spine%u\" base port 0 lid 1 lmc 0\n", s, s);
    for (unsigned l = 0; l < 254 && l + 50 * s < LEAVES; l++)
      tny_text_add(&text, "[%u] \"S-1%04x\"[%u] # \"leaf\" lid 2 4xHDR\n", l + 1, l + 50 * s,
                   s + 1);
  }
  for (unsigned l = 0; l < LEAVES; l++) {
    tny_text_add(&text, "\nSwitch 40 \"S-1%04x\" # \"leaf%u\" base port 0 lid 2 lmc 0\n", l, l);
    for (unsigned s = 0; s < SPINES; s++)
      if (l >= 50 * s && l < 50 * s + 254)
        tny_text_add(&text, "[%u] \"S-%x\"[%u] # \"spine\" lid 1 4xHDR\n", s + 1, s,
                     l - 50 * s + 1);
    for (unsigned h = 0; h < EACH; h++)
      tny_text_add(&text, "[%u] \"H-%x\"[1](%x) # \"n HCA-1\" lid 3 4xHDR\n", 100 + h, l * EACH + h,
                   l * EACH + h);
  }
  for (unsigned h = 0; h < LEAVES * EACH; h++)
    tny_text_add(&text,
                 "\nCa 1 \"H-%x\" # \"n%u HCA-1\"\n[1](%x) \"S-1%04x\"[%u] # lid 3 lmc 0 \"leaf\" "
                 "lid 2 4xHDR\n",
                 h, h, h, h / EACH, 100 + h % EACH);
  struct imported imported;
  struct tny_error error = {0};
  assert_false(text.failed);
  if (import_texts(text.bytes, NULL, &imported, &error))
    fail_msg("%u: %s", error.line, error.text);
  assert_int_equal(imported.cluster->host_count, LEAVES * EACH);
  assert_int_equal(imported.cluster->switch_count, LEAVES + SPINES);
  release_imported(&imported);
  tny_text_release(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(faults_are_told_by_line_and_reason),
      cmocka_unit_test(bad_files_are_told_by_line_and_reason),
      cmocka_unit_test(importing_survives_every_failed_allocation),
      cmocka_unit_test(a_large_network_takes_time_in_proportion_to_its_hosts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
