/* Fuzz target: the input as a Graphviz graph, as the flat form and as a generator. Whatever comes
   out as a cluster must be written and read back the same, and its routes must end. */
#include "fuzz_support.h"

#include "cluster/build.h"

/* Larger ones would only take time. */
#define NODES_TO_ROUTE 200

const char *__lsan_default_suppressions(void);

/* cgraph doesn't free all it has when a graph is broken. */
const char *__lsan_default_suppressions(void)
{
  return "leak:libcgraph\nleak:libcdt\n";
}

static void check(struct tny_cluster *cluster)
{
  struct tny_cluster *by_flat, *by_dot;
  char *flat, *dot, *flat_by_flat, *flat_by_dot;
  require(tny_cluster_write_flat(cluster, &flat, NULL) == TNY_OK);
  require(tny_cluster_write_dot(cluster, &dot, NULL) == TNY_OK);
  require(tny_cluster_read_flat(flat, &by_flat, NULL) == TNY_OK);
  require(tny_graphviz_read(dot, cluster->name, &by_dot, NULL) == TNY_OK);
  require(tny_cluster_write_flat(by_flat, &flat_by_flat, NULL) == TNY_OK);
  require(tny_cluster_write_flat(by_dot, &flat_by_dot, NULL) == TNY_OK);
  require(!strcmp(flat, flat_by_flat) && !strcmp(flat, flat_by_dot));
  if (cluster->host_count + cluster->switch_count <= NODES_TO_ROUTE) {
    struct tny_routes *routes;
    require(tny_routes_make(cluster, &routes, NULL) == TNY_OK);
    follow_routes(routes);
    tny_routes_free(routes);
  }
  tny_text_free(flat);
  tny_text_free(dot);
  tny_text_free(flat_by_flat);
  tny_text_free(flat_by_dot);
  tny_cluster_free(by_flat);
  tny_cluster_free(by_dot);
  tny_cluster_free(cluster);
}

/* Whether the text counts to so much that expanding it would only take time: a number of more than
   4 digits, or numbers that are multiplied, as in torus:99x99, of more than that together, or a
   fat tree of 10 ports or more, whose hosts are the cube. The numbers that are multiplied in
   hammingmesh:2x2,boards=2x2 and dragonfly:3x2x2,global=2 are in the options too. */
static bool is_slow(const char *text)
{
  size_t digits = 0, longest = 0, first = 0, all = 0;
  for (const char *c = text; *c; c++) {
    digits = *c >= '0' && *c <= '9' ? digits + 1 : 0;
    longest = digits > longest ? digits : longest;
    all += digits > 0;
    first += digits > 0 && !memchr(text, ',', (size_t)(c - text));
  }
  const bool multiplies = !strncmp(text, "torus:", 6) || !strncmp(text, "mesh:", 5);
  if (!strncmp(text, "dragonfly:", 10) || !strncmp(text, "hammingmesh:", 12))
    return all > 4;
  return longest > 4 || (multiplies && first > 4) || (!strncmp(text, "fattree:", 8) && first > 1);
}

static void fuzz(const char *text)
{
  struct tny_cluster *cluster;
  if (tny_cluster_read_flat(text, &cluster, NULL) == TNY_OK)
    check(cluster);
  if (!is_slow(text)) {
    if (tny_graphviz_read(text, "fuzz", &cluster, NULL) == TNY_OK)
      check(cluster);
    if (tny_cluster_generate(text, &cluster, NULL) == TNY_OK)
      check(cluster);
  }
}
