/* Fuzz target: the input as a description of a network, in each of the formats. Whatever comes out
   as a cluster must be written as a Graphviz file and read back the same. */
#include "fuzz_support.h"

#include <tourney/import.h>
#include <tourney/routing.h>

#include "cluster/build.h"
#include "core/alloc.h"

/* Larger ones would only take time. */
#define HOSTS_TO_READ_BACK 200

static void check(const struct tny_cluster *cluster)
{
  struct tny_cluster *again;
  char *dot, *flat, *flat_again;
  require(tny_cluster_write_dot(cluster, &dot, NULL) == TNY_OK);
  require(tny_graphviz_read(dot, cluster->name, &again, NULL) == TNY_OK);
  require(tny_cluster_write_flat(cluster, &flat, NULL) == TNY_OK);
  require(tny_cluster_write_flat(again, &flat_again, NULL) == TNY_OK);
  require(!strcmp(flat, flat_again));
  tny_text_free(dot);
  tny_text_free(flat);
  tny_text_free(flat_again);
  tny_cluster_free(again);
}

/* Whether a name counts so far that expanding it would only take time: a number of three digits, or
   more than two brackets. */
static bool is_slow(const char *text)
{
  size_t digits = 0, brackets = 0;
  bool inside = false;
  for (const char *c = text; *c; c++) {
    digits = *c >= '0' && *c <= '9' ? digits + 1 : 0;
    inside = *c == '[' || (inside && *c != ']');
    brackets = inside || !strchr(", \t\r\n", *c) ? brackets + (*c == '[') : 0;
    if (digits > 2 || brackets > 2)
      return true;
  }
  return false;
}

/* A network and, behind a line of dashes, its forwarding tables or an order of its hosts: tables of
   routes that come out must be read back. */
static void check_two_files(const char *text)
{
  static const char between[] = "\n----\n";
  const char *cut = strstr(text, between);
  char *net = cut ? tny_copy_text(text) : NULL, *written;
  if (!net)
    return;
  net[cut - text] = '\0';
  const struct tny_import_file files[] = {{.name = "net", .text = net},
                                          {.name = "other", .text = cut + strlen(between)}};
  const struct tny_import_request import = {.files = files,
                                            .file_count = 2,
                                            .format = "ibnetdiscover",
                                            .link_bps = 1000000000,
                                            .routes = &written};
  struct tny_cluster *cluster;
  struct tny_routes *routes = NULL;
  const char *format;
  if (tny_cluster_import(&import, &cluster, &format, NULL) == TNY_OK) {
    if (written && cluster->switch_count)
      require(tny_routes_read(cluster, written, "routes", &routes, NULL) == TNY_OK);
    if (cluster->host_count <= HOSTS_TO_READ_BACK)
      check(cluster);
  }
  tny_routes_free(routes);
  tny_cluster_free(cluster);
  tny_text_free(written);
  tny_free(net);
}

static const struct {
  const char *name;   /* NULL: the one that is recognized */
  bool has_hostlists; /* names in it may count far */
} formats[] = {
    {NULL, true},     {"slurm-conf", true}, {"slurm-yaml", true}, {"ibnetdiscover", false},
    {"lldp", false},  {"ptm", false},       {"topograph", true},  {"simgrid", true},
    {"hwloc", false},
};

/* The input as what hwloc tells of a host, beside a network that has hosts for it. */
static void check_inside(const char *text)
{
  static const char conf[] = "SwitchName=s Nodes=fuzz,H-0002c90300100900,02:00:00:00:00:01\n";
  const struct tny_import_file files[] = {{.name = "fuzz.xml", .text = text},
                                          {.name = "topology.conf", .text = conf}};
  const struct tny_import_request import = {
      .files = files, .file_count = 2, .interfaces = "eth*", .link_bps = 100000000000};
  struct tny_cluster *cluster;
  const char *format;
  if (tny_cluster_import(&import, &cluster, &format, NULL) == TNY_OK) {
    for (uint32_t link = 0; link < cluster->link_count; link++)
      require(cluster->links[link].bandwidth_bps > 0 &&
              cluster->links[link].bandwidth_bps <= import.link_bps);
    check(cluster);
  }
  tny_cluster_free(cluster);
}

static void fuzz(const char *text)
{
  check_two_files(text);
  check_inside(text);
  const struct tny_import_file file = {.name = "fuzz", .text = text};
  const bool may_be_slow = is_slow(text);
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    if (may_be_slow && formats[i].has_hostlists)
      continue;
    const struct tny_import_request import = {
        .files = &file, .file_count = 1, .format = formats[i].name, .link_bps = 1000000000};
    struct tny_cluster *cluster;
    const char *format;
    struct tny_error error = {0};
    const enum tny_status status = tny_cluster_import(&import, &cluster, &format, &error);
    require((cluster != NULL) == (status == TNY_OK) && error.status == status);
    if (cluster && cluster->host_count <= HOSTS_TO_READ_BACK)
      check(cluster);
    tny_cluster_free(cluster);
  }
}
