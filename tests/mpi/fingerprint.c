/* Prints the fingerprint of ranks in block order on a generated cluster, as two words: of the
   cluster, and of the hosts.
   usage: fingerprint CLUSTER RANKS */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tourney/profile.h>

int main(int argc, char **argv)
{
  struct tny_cluster *cluster = NULL;
  struct tny_routes *routes = NULL;
  struct tny_fingerprint fingerprint;
  uint32_t hosts[64];
  const uint32_t ranks = argc == 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
  if (ranks < 1 || ranks > 64 || tny_cluster_generate(argv[1], &cluster, NULL) != TNY_OK ||
      tny_routes_make(cluster, &routes, NULL) != TNY_OK ||
      tny_map_ranks(cluster, TNY_MAP_BLOCK, ranks, hosts, NULL) != TNY_OK)
    return 2;
  const struct tny_network network = {routes, hosts, ranks};
  if (tny_fingerprint_make(&network, &fingerprint, NULL) != TNY_OK)
    return 2;
  printf("%016" PRIx64 " %016" PRIx64 "\n", fingerprint.cluster, fingerprint.hosts);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
  return 0;
}
