/* What the fuzz targets share: the entry, which hands the input on as a text, and what must hold.
   Included once by each target. */
#ifndef TOURNEY_FUZZ_FUZZ_SUPPORT_H
#define TOURNEY_FUZZ_FUZZ_SUPPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/alloc.h"

#include <tourney/cluster.h>

/* The target. */
static void fuzz(const char *text);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool condition)
{
  if (!condition)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = tny_new(size + 1, 1);
  require(text != NULL);
  memcpy(text, data, size);
  fuzz(text);
  tny_free(text);
  return 0;
}

/* Routes must lead every host to every other. */
static inline void follow_routes(const struct tny_routes *routes)
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

#endif
