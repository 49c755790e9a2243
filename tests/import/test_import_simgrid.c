/* SimGrid's platform files: what becomes of clusters, of zones and of routes; what is refused. The
   files are in tests/clusters/simgrid; tests/tool/test_simgrid.sh holds them against SimGrid
   itself. */
#include "import_cases.h"
#include "support/memory.h"

#include <time.h>

#include <tourney/routing.h>

#include "core/text.h"

#define MBIT 1000000ull

/* --- files --- */

static char *platform_file(const char *name)
{
  char path[4096], *text;
  struct tny_error error = {0};
  snprintf(path, sizeof path, "%s/tests/clusters/simgrid/%s", getenv("TOURNEY_SOURCE"), name);
  if (tny_file_read(path, &text, &error))
    fail_msg("%s: %s", path, error.text);
  return text;
}

/* Without any rate: the files have their own. */
static enum tny_status import_platform(const char *name, const char *text,
                                       struct tny_cluster **cluster, struct tny_error *error)
{
  const struct tny_import_file file = {.name = name, .text = text};
  const struct tny_import_request import = {.files = &file, .file_count = 1};
  const char *format;
  const enum tny_status status = tny_cluster_import(&import, cluster, &format, error);
  assert_true(status || !strcmp(format, "simgrid"));
  return status;
}

/* Counted by hand from the parameters. */
static const struct {
  const char *name;
  uint32_t hosts, switches, cables;
  struct {
    const char *from, *to;
    uint64_t bps; /* of all cables between them */
  } joined[3];
} platforms[] = {
    {"crossbar", 24, 1, 24, {{"node-24.rack.example", "node-rack_router.rack.example", 25 * GBIT}}},
    {"backbone", 16, 1, 16, {{"old14", "old-gw", 1 * GBIT}}},
    /* 24 cables in rows of 4 and of 3 each, 12 in those of 2, and the hosts' own */
    {"torus",
     24,
     24,
     24 + 24 + 24 + 12,
     {{"c0-ports", "c3-ports", 40 * GBIT},
      {"c0-ports", "c12-ports", 40 * GBIT},
      {"c8-ports", "c0-ports", 40 * GBIT}}},
    /* 8 leaves of 4 hosts; above 4 of them 1 x 2 switches; above the 2 pairs 1 x 2 x 3, by two
       cables each */
    {"fat_tree",
     32,
     8 + 4 + 6,
     32 + 8 * 2 + 4 * 3 * 2,
     {{"t-5.tree", "tree-level1-1", 100 * GBIT},
      {"tree-level1-7", "tree-level2-3", 100 * GBIT},
      {"tree-level2-3", "tree-level3-5", 200 * GBIT}}},
    /* 12 chassis of 5 blades, 3 groups of 4 chassis, and each group to each */
    {"dragonfly",
     120,
     60,
     120 + 12 * 10 + 3 * 6 * 5 + 3,
     {{"fly-router0", "fly-router4", 100 * GBIT},
      {"fly-router0", "fly-router15", 300 * GBIT},
      {"fly-router2", "fly-router40", 400 * GBIT}}},
    {"small_dragonfly", 50, 25, 50 + 5 * 10 + 10, {{"small-router0", "small-router1", 100 * GBIT}}},
    {"three_sites",
     16,
     3,
     18,
     {{"nnorth_router", "ssouth_router", 5 * GBIT}, {"wwest_router", "ssouth_router", 2 * GBIT}}},
    {"shared_backbone",
     10,
     4,
     13,
     {{"a-a_router", "switch0", 600 * MBIT}, {"b-b_router", "switch0", 500 * MBIT}}},
    {"routers",
     5,
     3,
     7,
     {{"login", "spine", 1 * GBIT}, {"leaf1", "spine", 40 * GBIT}, {"h4", "leaf2", 10 * GBIT}}},
    {"pairs",
     4,
     2,
     5,
     {{"Alba-ports", "switch0", 328 * MBIT},
      {"Alba-ports", "Bruno", 57600000},
      {"Dora", "switch0", 272 * MBIT}}},
    {"cabinets",
     14,
     1,
     14,
     {{"store", "room-switch", 40 * GBIT}, {"cab2-6.room", "room-switch", 10 * GBIT}}},
    {"nested", 3, 1, 3, {{"gamma", "left-gate", 100 * MBIT}, {"beta", "left-gate", 1 * GBIT}}},
    {"units",
     4,
     1,
     4,
     {{"bits", "hub", 800 * MBIT}, {"binary", "hub", 8589934592}, {"bare", "hub", 1 * GBIT}}},
};

static void platforms_become_clusters(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof platforms / sizeof *platforms; i++) {
    char name[80];
    snprintf(name, sizeof name, "good/%s.xml", platforms[i].name);
    char *text = platform_file(name);
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    if (import_platform(name, text, &cluster, &error))
      fail_msg("%s:%u: %s", error.file, error.line, error.text);
    if (cluster->host_count != platforms[i].hosts ||
        cluster->switch_count != platforms[i].switches ||
        cluster->link_count / 2 != platforms[i].cables)
      fail_msg("%s: %u hosts, %u switches, %u cables", name, cluster->host_count,
               cluster->switch_count, cluster->link_count / 2);
    for (size_t k = 0; k < 3 && platforms[i].joined[k].from; k++)
      assert_int_equal(
          rate_between(cluster, platforms[i].joined[k].from, platforms[i].joined[k].to),
          platforms[i].joined[k].bps);
    tny_cluster_free(cluster);
    tny_text_free(text);
  }
}

static void bad_files_are_told_by_line_and_remedy(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    unsigned line;
    const char *says;
  } bad[] = {
      {"no_such_link", 9, "there is no link cabel: define it before the route"},
      {"vivaldi", 4, "a zone of coordinates (Vivaldi) has no cables: give its network by links"},
      {"too_few_hosts", 4, "make a network of 16 hosts, and radical names 15: make them as many"},
      {"ambiguous", 22, "which end of link bus this route comes to doesn't follow from any route"},
      {"one_way", 8, "links up (line 7) and down are the two directions of a cable, and differ"},
      {"bypass", 8, "<bypassRoute> leads some transfers another way"},
      {"unclosed", 5, "<zone> is open, and </zon> ends something else: close it first"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char name[80];
    snprintf(name, sizeof name, "bad/%s.xml", bad[i].name);
    char *text = platform_file(name);
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    assert_int_equal(import_platform(name, text, &cluster, &error), TNY_BAD_INPUT);
    if (error.line != bad[i].line || !strstr(error.text, bad[i].says) || strcmp(error.file, name))
      fail_msg("%s:%u: %s", error.file, error.line, error.text);
    tny_text_free(text);
  }
}

/* --- texts --- */

#define PLATFORM(TEXT) "<?xml version='1.0'?>\n<platform version='4.1'>\n" TEXT "</platform>\n"
#define ZONE(TEXT) PLATFORM("<zone id='z' routing='Full'>\n" TEXT "</zone>\n")
#define HOSTS "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n"
#define LINK "<link id='l' bandwidth='1Gbps' latency='1us'/>\n"
#define CLUSTER(ATTRIBUTES)                                                                        \
  PLATFORM("<cluster id='c' prefix='n' suffix='' speed='1Gf' bw='1Gbps' lat='1us' " ATTRIBUTES     \
           "/>\n")

#define ONE(TEXT)                                                                                  \
  {                                                                                                \
    .files = {{"p.xml", TEXT}}, .format = "simgrid"                                                \
  }

static const struct good good[] = {
    /* 0: two hosts and their cable */
    {ONE(ZONE(HOSTS LINK "<route src='a' dst='b'><link_ctn id='l'/></route>\n")),
     2,
     0,
     1,
     {{"a", "b", 1}}},
    /* 1: a direction makes a link full duplex of which nothing is said */
    {ONE(ZONE(HOSTS LINK "<route src='a' dst='b'><link_ctn id='l' direction='DOWN'/></route>\n")),
     2,
     0,
     1,
     {{"a", "b", 1}}},
    /* 2: the same by a name that says the direction */
    {ONE(ZONE(HOSTS LINK "<route src='a' dst='b'><link_ctn id='l_UP'/></route>\n")),
     2,
     0,
     1,
     {{"a", "b", 1}}},
    /* 3: the two directions of a cable are links of their own */
    {ONE(ZONE(HOSTS LINK "<link id='m' bandwidth='1Gbps' latency='1us'/>\n"
                         "<route src='a' dst='b' symmetrical='NO'><link_ctn id='l'/></route>\n"
                         "<route src='b' dst='a' symmetrical='no'><link_ctn id='m'/></route>\n")),
     2,
     0,
     1,
     {{"a", "b", 1}}},
    /* 4: a route without links: the routers are one place, and so one switch */
    {ONE(ZONE(HOSTS LINK "<link id='m' bandwidth='1Gbps'/><router id='r'/><router id='s'/>\n"
                         "<route src='a' dst='r'><link_ctn id='l'/></route>\n"
                         "<route src='b' dst='s'><link_ctn id='m'/></route>\n"
                         "<route src='r' dst='s'/>\n")),
     2,
     1,
     2,
     {{"a", "r", 1}, {"b", "r", 1}}},
    /* 5: a link that all ways pass in the middle is the backbone of one switch */
    {ONE(ZONE(HOSTS "<host id='c' speed='1Gf'/>" LINK
                    "<link id='m' bandwidth='1Gbps'/><link id='n' bandwidth='1Gbps'/>\n"
                    "<link id='bus' bandwidth='9Gbps' latency='6us'/>\n"
                    "<route src='a' dst='b'><link_ctn id='l'/><link_ctn id='bus'/>"
                    "<link_ctn id='m'/></route>\n"
                    "<route src='a' dst='c'><link_ctn id='l'/><link_ctn id='bus'/>"
                    "<link_ctn id='n'/></route>\n"
                    "<route src='b' dst='c'><link_ctn id='m'/><link_ctn id='bus'/>"
                    "<link_ctn id='n'/></route>\n")),
     3,
     1,
     3,
     {{"a", "switch0", 1}, {"c", "switch0", 1}}},
    /* 6: a switch's name that a host has already */
    {ONE(ZONE("<host id='switch0' speed='1Gf'/><host id='b' speed='1Gf'/>\n" LINK
              "<link id='m' bandwidth='1Gbps'/>\n<route src='switch0' dst='b'><link_ctn id='l'/>"
              "<link_ctn id='m'/></route>\n")),
     2,
     1,
     2,
     {{"switch0", "switch0-2", 1}}},
    /* 7: hosts with two cables each, to two switches */
    {ONE(CLUSTER("radical='0-3' topology='FAT_TREE' topo_parameters='1;4;2;1'")),
     4,
     6,
     12,
     {{"n0", "n0-ports", 2}, {"n0-ports", "c-level1-0", 1}, {"n3-ports", "c-level1-1", 1}}},
    /* 8: a torus of one row of two, and a limiter slower than its links */
    {ONE(PLATFORM("<cluster id='c' prefix='n' suffix='' radical='0-1' speed='1Gf' bw='4Gbps' "
                  "lat='1us' topology='TORUS' topo_parameters='2' limiter_link='3Gbps'/>\n")),
     2,
     0,
     1,
     {{"n0", "n1", 3}}},
    /* 9: what isn't a network's is passed over */
    {ONE(PLATFORM("<config><prop id='a' value='b'/></config>\n<zone id='z' routing='Floyd'>\n"
                  "<prop id='x' value='y'/>\n<host id='a' speed='1Gf'><disk id='d' read_bw='1MBps' "
                  "write_bw='1MBps'/></host><host id='b' speed='1Gf'/>\n" LINK
                  "<route src='a' dst='a'><link_ctn id='l'/></route>\n"
                  "<route src='a' dst='b'><link_ctn id='l'/></route></zone>\n"
                  "<actor host='a' function='f'><argument value='1'/></actor>\n")),
     2,
     0,
     1,
     {{"a", "b", 1}}},
};

static void routes_say_where_links_meet(void **state)
{
  (void)state;
  check_good(good, sizeof good / sizeof *good);
}

static const struct fault faults[] = {
    {ONE(""), "p.xml", 1, "isn't XML"},
    {ONE("<topology/>\n"), "p.xml", 1, "a <platform> belongs here, not <topology>"},
    {ONE("<platform>\n</platform>\n"), "p.xml", 1, "<platform> has no version: add version="},
    {ONE("<platform version='3'>\n</platform>\n"), "p.xml", 1, "let simgrid_update_xml"},
    {ONE(PLATFORM("<zone id='z' routing='Best'/>\n")), "p.xml", 3, "routing=\"Best\" isn't known"},
    {ONE(PLATFORM("<hosts/>\n")), "p.xml", 3, "<hosts> isn't known: platform files have"},
    {ONE(PLATFORM("&nothing;\n")), "p.xml", 3, "isn't XML"},
    {ONE(ZONE("<host id='a' speed='1Gf'/>\n<router id='a'/>\n")), "p.xml", 5,
     "a is there already (line 4): call one of them otherwise"},
    {ONE(ZONE(HOSTS LINK)), "p.xml", 4, "no route leads to host a: give it one"},
    {ONE(ZONE(LINK LINK)), "p.xml", 5, "link l is there already (line 4)"},
    {ONE(ZONE("<link id='l' bandwidth='fast'/>\n")), "p.xml", 4,
     "bandwidth=\"fast\" isn't a rate: one is as 125MBps (bytes)"},
    {ONE(ZONE("<link id='l' bandwidth='9EBps'/>\n")), "p.xml", 4, "is more than 1000Tbit/s"},
    {ONE(ZONE("<link id='l' bandwidth='1Gbps' latency='2h'/>\n")), "p.xml", 4,
     "latency=\"2h\" is more than an hour"},
    {ONE(ZONE("<link id='l' bandwidth='1Gb'/>\n")), "p.xml", 4, "bandwidth=\"1Gb\" isn't a rate"},
    {ONE(ZONE("<link id='l' bandwidth='-1Gbps'/>\n")), "p.xml", 4, "isn't a rate"},
    {ONE(ZONE("<link id='l' bandwidth='1Gbps' latency='5 days'/>\n")), "p.xml", 4,
     "latency=\"5 days\" isn't a time"},
    {ONE(ZONE("<link id='l' bandwidth='1Gbps' sharing_policy='WIFI'/>\n")), "p.xml", 4,
     "a cell of a wireless network is no cable"},
    {ONE(ZONE("<link id='l' bandwidth='1Gbps' sharing_policy='HALF'/>\n")), "p.xml", 4,
     "there are SPLITDUPLEX, SHARED and FATPIPE"},
    {ONE(ZONE(HOSTS "<link id='l' bandwidth='1Gbps' sharing_policy='SHARED'/>\n<route\n src='a'\n"
                    " dst='b'><link_ctn id='l' direction='UP'/></route>\n")),
     "p.xml", 8, "link l has no directions: leave out direction"},
    {ONE(ZONE(HOSTS LINK "<route\n src='a'\n dst='x'><link_ctn id='l'/></route>\n")), "p.xml", 6,
     "dst=\"x\" is neither a host nor a router"},
    {ONE(ZONE(HOSTS LINK "<link_ctn id='l'/>\n")), "p.xml", 6, "<link_ctn> belongs into a route"},
    {ONE(ZONE(HOSTS LINK "<route src='a' dst='b'>\n<route src='b' dst='a'/></route>\n")), "p.xml",
     7, "a route in a route"},
    {ONE(ZONE(HOSTS LINK "<route src='a' dst='b' symmetrical='maybe'/>\n")), "p.xml", 6,
     "symmetrical=\"maybe\" is neither YES nor NO"},
    {ONE(ZONE(HOSTS LINK "<route src='a' dst='b' symmetrical='NO'><link_ctn id='l'/></route>\n")),
     "p.xml", 5, "routes pass link l in one direction alone"},
    {ONE(ZONE(HOSTS "<route src='a' dst='b'/>\n")), "p.xml", 4,
     "a route without links makes hosts a and b one: give it the link"},
    {ONE(ZONE("<router id='r'/><router id='s'/>\n<router id='t'/>\n" LINK
              "<route src='r' dst='s'><link_ctn id='l'/></route>\n"
              "<route src='s' dst='t'><link_ctn id='l'/></route>\n")),
     "p.xml", 5, "by the routes r and t are at one place, so a link is passed as if it had more"},
    {ONE(ZONE("<peer id='p'/>\n")), "p.xml", 4, "a <peer> has coordinates instead of cables"},
    {ONE(PLATFORM("<include file='other.xml'/>\n")), "p.xml", 3, "other files aren't read"},
    {ONE(ZONE("<backbone id='b' bandwidth='1Gbps'/>\n")), "p.xml", 4,
     "<backbone> belongs into a zone with routing=\"Cluster\""},
    {ONE(CLUSTER("radical='0-3;7'")), "p.xml", 3, "radical=\"0-3;7\" isn't a list of numbers"},
    {ONE(CLUSTER("radical='3-1'")), "p.xml", 3, "isn't a list of numbers"},
    {ONE(CLUSTER("radical='0-1,1'")), "p.xml", 3, "n1 is there already (line 3)"},
    {ONE(CLUSTER("radical='0-3' topology='RING'")), "p.xml", 3,
     "topology=\"RING\" isn't known: there are FLAT, TORUS, FAT_TREE and DRAGONFLY"},
    {ONE(CLUSTER("radical='0-3' topology='TORUS' topo_parameters='2;2'")), "p.xml", 3,
     "topo_parameters=\"2;2\" doesn't make a torus: it has the nodes of each side"},
    {ONE(CLUSTER("radical='0-3' topology='FAT_TREE' topo_parameters='2;2,2;1,1'")), "p.xml", 3,
     "doesn't make a fat tree: it has the levels"},
    {ONE(CLUSTER("radical='0-3' topology='FAT_TREE' topo_parameters='1;4;999999;999999'")), "p.xml",
     3, "more than 8000000 cables: make the network smaller"},
    {ONE(CLUSTER("radical='0-3' topology='FAT_TREE' topo_parameters='1;4;999999999;1'")), "p.xml",
     3, "doesn't make a fat tree"},
    {ONE(CLUSTER("radical='0-3' topology='DRAGONFLY' topo_parameters='4,1;1,1;1,1;1'")), "p.xml", 3,
     "there must be as many blades as groups"},
    {ONE(CLUSTER("radical='0-3' topology='DRAGONFLY'")), "p.xml", 3, "doesn't make a dragonfly"},
    {{.files = {{"p.xml", ZONE("")}, {"q.xml", ""}}},
     "q.xml",
     0,
     "a platform is one file, and this is a second one"},
};

static void faults_are_told_by_line_and_remedy(void **state)
{
  (void)state;
  check_faults(faults, sizeof faults / sizeof *faults);
}

static void what_a_cluster_cannot_express_is_told(void **state)
{
  (void)state;
  static const struct {
    const char *name, *says;
  } notes[] = {
      {"good/backbone.xml", "1 backbone may hold transfers up: left out, but for its latency. 16 "
                            "hosts have a limiter_link: left out"},
      {"good/torus.xml", "24 hosts have several links, and so a switch HOST-ports"},
      {"good/pairs.xml", "4 cables have one rate for both directions together (SHARED)"},
      {"good/cabinets.xml", NULL},
      {"good/crossbar.xml", NULL},
  };
  for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
    char *text = platform_file(notes[i].name);
    struct tny_cluster *cluster;
    assert_int_equal(import_platform("p.xml", text, &cluster, NULL), TNY_OK);
    if (!notes[i].says != !cluster->note ||
        (cluster->note && !strstr(cluster->note, notes[i].says)))
      fail_msg("%s: %s", notes[i].name, cluster->note ? cluster->note : "no note");
    tny_cluster_free(cluster);
    tny_text_free(text);
  }
}

/* --- there and back --- */

/* The cables of a cluster, with latencies and rates, by the names of their hosts alone. */
static void check_alike(const struct tny_cluster *a, const struct tny_cluster *b)
{
  assert_int_equal(a->host_count, b->host_count);
  assert_int_equal(a->switch_count, b->switch_count);
  assert_int_equal(a->link_count, b->link_count);
  struct tny_routes *of_a, *of_b;
  assert_int_equal(tny_routes_make(a, &of_a, NULL), TNY_OK);
  assert_int_equal(tny_routes_make(b, &of_b, NULL), TNY_OK);
  for (uint32_t from = 0; from < a->host_count; from++)
    for (uint32_t to = 0; to < a->host_count; to++) {
      uint32_t x = from, y = node_called(b, a->node_names[from]), left, right;
      const uint32_t end = node_called(b, a->node_names[to]);
      while ((left = tny_routes_next(of_a, x, to)) != TNY_NONE) {
        right = tny_routes_next(of_b, y, end);
        assert_int_not_equal(right, TNY_NONE);
        assert_int_equal(a->links[left].bandwidth_bps, b->links[right].bandwidth_bps);
        assert_int_equal(a->links[left].latency_ns, b->links[right].latency_ns);
        x = a->links[left].to;
        y = b->links[right].to;
      }
      assert_int_equal(y, end);
    }
  tny_routes_free(of_a);
  tny_routes_free(of_b);
}

/* Of trees each link is on some way, so that all are found again. */
static void what_is_written_for_simgrid_is_read_back(void **state)
{
  (void)state;
  static const char *const clusters[] = {
      "single:5",
      "single:2",
      "switches:3+4,link=2Gbit/s,trunk=3Gbit/s",
      "switches:1+2+5,latency=7us",
      "zones:2+3,delay=3ms,rate=20Mbit/s",
  };
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    struct tny_cluster *cluster, *again;
    struct tny_routes *routes;
    struct tny_error error = {0};
    char *xml;
    assert_int_equal(tny_cluster_generate(clusters[i], &cluster, NULL), TNY_OK);
    assert_int_equal(tny_routes_make(cluster, &routes, NULL), TNY_OK);
    assert_int_equal(tny_cluster_write_simgrid(routes, &xml, NULL), TNY_OK);
    if (import_platform("written.xml", xml, &again, &error))
      fail_msg("%s: %u: %s", clusters[i], error.line, error.text);
    check_alike(cluster, again);
    tny_text_free(xml);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
    tny_cluster_free(again);
  }
}

/* --- memory and time --- */

static enum tny_status import_again(const void *text, struct tny_error *error)
{
  struct tny_cluster *cluster;
  const enum tny_status status = import_platform("p.xml", text, &cluster, error);
  tny_cluster_free(cluster);
  return status;
}

static void importing_survives_every_failed_allocation(void **state)
{
  (void)state;
  static const char *const names[] = {"good/fat_tree.xml", "good/pairs.xml", "good/cabinets.xml",
                                      "good/small_dragonfly.xml"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *text = platform_file(names[i]);
    starve(import_again, text);
    tny_text_free(text);
  }
}

/* What is refused for its cables has hosts by then, and no more: a dragonfly of one chassis, whose
   6,000 blades have 18 million cables between them, one of 6,000 chassis, a fat tree, a torus. */
static void networks_of_too_many_cables_take_no_memory_for_them(void **state)
{
  (void)state;
  enum { BYTES_A_HOST = 1000 };
  static const struct {
    uint32_t hosts;
    const char *topology;
  } networks[] = {
      {6000, "'DRAGONFLY' topo_parameters='1,1;1,1;6000,1;1'"},
      {6000, "'DRAGONFLY' topo_parameters='1,1;6000,1;1,1;1'"},
      {6000, "'FAT_TREE' topo_parameters='1;6000;2000;1'"},
      {708588, "'TORUS' topo_parameters='3,3,3,3,3,3,3,3,3,3,3,4'"},
  };
  for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
    char text[400];
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    snprintf(text, sizeof text,
             "<platform version='4.1'>\n<cluster id='c' prefix='n' suffix='' bw='1Gbps' lat='1us' "
             "radical='0-%u' topology=%s/>\n</platform>\n",
             networks[i].hosts - 1, networks[i].topology);
    const uint64_t before = tny_alloc_bytes();
    assert_int_equal(import_platform("p.xml", text, &cluster, &error), TNY_BAD_INPUT);
    if (error.line != 2 ||
        !strstr(error.text, "more than 8000000 cables: make the network smaller"))
      fail_msg("%s: %u: %s", networks[i].topology, error.line, error.text);
    const uint64_t bytes = tny_alloc_bytes() - before;
    if (bytes > BYTES_A_HOST * (uint64_t)networks[i].hosts)
      fail_msg("%s: %llu bytes", networks[i].topology, (unsigned long long)bytes);
  }
}

/* A zone of 5,000 hosts on 125 leaves, link by link and route by route. */
static void five_thousand_hosts_are_read_in_a_second(void **state)
{
  (void)state;
  enum { COUNT = 5000, EACH = 40, LEAVES = COUNT / EACH };
  struct tny_text text = {0};
  tny_text_add(&text, "<?xml version=\"1.0\"?>\n<platform version=\"4.1\">\n"
                      "<zone id=\"z\" routing=\"Floyd\">\n<router id=\"core\"/>\n");
  for (unsigned i = 0; i < LEAVES; i++)
    tny_text_add(&text,
                 "<router id=\"leaf%u\"/>\n<link id=\"t%u\" bandwidth=\"100Gbps\" "
                 "latency=\"1us\"/>\n<route src=\"leaf%u\" dst=\"core\"><link_ctn id=\"t%u\"/>"
                 "</route>\n",
                 i, i, i, i);
  for (unsigned i = 0; i < COUNT; i++)
    tny_text_add(&text,
                 "<host id=\"h%u\" speed=\"1Gf\"/>\n<link id=\"l%u\" bandwidth=\"25Gbps\" "
                 "latency=\"1us\"/>\n<route src=\"h%u\" dst=\"leaf%u\"><link_ctn id=\"l%u\"/>"
                 "</route>\n",
                 i, i, i, i / EACH, i);
  tny_text_add(&text, "</zone>\n</platform>\n");
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  const clock_t begin = clock();
  if (import_platform("p.xml", text.bytes, &cluster, &error))
    fail_msg("%u: %s", error.line, error.text);
  const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  assert_int_equal(cluster->host_count, COUNT);
  assert_int_equal(cluster->switch_count, LEAVES + 1);
  assert_int_equal(cluster->link_count / 2, COUNT + LEAVES);
  if (seconds >= 1)
    fail_msg("it took %.2f s of processor time", seconds);
  tny_cluster_free(cluster);
  tny_text_release(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(platforms_become_clusters),
      cmocka_unit_test(bad_files_are_told_by_line_and_remedy),
      cmocka_unit_test(routes_say_where_links_meet),
      cmocka_unit_test(faults_are_told_by_line_and_remedy),
      cmocka_unit_test(what_a_cluster_cannot_express_is_told),
      cmocka_unit_test(what_is_written_for_simgrid_is_read_back),
      cmocka_unit_test(importing_survives_every_failed_allocation),
      cmocka_unit_test(networks_of_too_many_cables_take_no_memory_for_them),
      cmocka_unit_test(five_thousand_hosts_are_read_in_a_second),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
