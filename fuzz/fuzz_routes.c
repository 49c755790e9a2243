/* Fuzz target: the input as tables of routes for a small cluster with cycles and parallel cables.
   What is read must lead every host to every other, and looking for circles must end. */
#include <stddef.h>
#include <stdint.h>

#include "core/alloc.h"

#include <tourney/routing.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
  if (!condition)
    abort();
}

static void follow(const struct tny_routes *routes)
{
  const struct tny_cluster *cluster = routes->cluster;
  for (uint32_t from = 0; from < cluster->host_count; from++)
    for (uint32_t to = 0; to < cluster->host_count; to++) {
      uint32_t hops = 0, node = from, link;
      for (; (link = tny_routes_next(routes, node, to)) != TNY_NONE; hops++) {
        require(hops < cluster->host_count + cluster->switch_count);
        node = cluster->links[link].to;
      }
      require(node == to);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char flat[] =
      "cluster 1 square\nhost a\nhost b\nhost h1\nhost h2\nswitch s\nswitch t\nswitch u\nswitch v\n"
      "cable s a 1 1 1\ncable t b 1 1 1\ncable u h1 1 1 1\ncable v h2 1 1 1\ncable s t 1 1 1\n"
      "cable t u 1 1 1\ncable u v 1 1 1\ncable v s 1 1 1\ncable t s 1 1 1\n";
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  char *circle, *text = tny_new(size + 1, 1);
  require(text != NULL);
  memcpy(text, data, size);
  require(tny_cluster_read_flat(flat, &cluster, NULL) == TNY_OK);
  if (tny_routes_read(cluster, text, "fuzz", &routes, NULL) == TNY_OK) {
    follow(routes);
    const enum tny_status status = tny_routes_check(routes, true, &circle, NULL);
    require(status == (circle ? TNY_BROKEN : TNY_OK));
    tny_text_free(circle);
    tny_routes_free(routes);
  }
  tny_cluster_free(cluster);
  tny_free(text);
  return 0;
}
