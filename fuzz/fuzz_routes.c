/* Fuzz target: the input as tables of routes for a small cluster with cycles and parallel cables.
   What is read must lead every host to every other, and looking for cycles must end. */
#include "fuzz_support.h"

#include <tourney/routing.h>

static void fuzz(const char *text)
{
  static const char flat[] =
      "cluster 1 square\nhost a\nhost b\nhost h1\nhost h2\nswitch s\nswitch t\nswitch u\nswitch v\n"
      "cable s a 1 1 1\ncable t b 1 1 1\ncable u h1 1 1 1\ncable v h2 1 1 1\ncable s t 1 1 1\n"
      "cable t u 1 1 1\ncable u v 1 1 1\ncable v s 1 1 1\ncable t s 1 1 1\n";
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  char *cycle;
  require(tny_cluster_read_flat(flat, &cluster, NULL) == TNY_OK);
  if (tny_routes_read(cluster, text, "fuzz", &routes, NULL) == TNY_OK) {
    follow_routes(routes);
    const enum tny_status status = tny_routes_check(routes, true, &cycle, NULL);
    require(status == (cycle ? TNY_BROKEN : TNY_OK));
    tny_text_free(cycle);
    tny_routes_free(routes);
  }
  tny_cluster_free(cluster);
}
