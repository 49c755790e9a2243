/* Mappings of ranks for the programs that measure planners, and their clock. */
#include "mapping.h"

#include <stdlib.h>

enum tny_status bench_mapping_open_on(struct bench_mapping *mapping, struct tny_cluster *cluster,
                                      uint32_t ranks_a_host, struct tny_error *error)
{
  const uint32_t p = cluster->host_count * ranks_a_host;
  *mapping = (struct bench_mapping){.cluster = cluster, .hosts = calloc(p, sizeof *mapping->hosts)};
  enum tny_status status =
      mapping->hosts ? tny_routes_make(cluster, &mapping->routes, error) : TNY_NO_MEMORY;
  if (status == TNY_OK)
    status = tny_map_ranks(cluster, TNY_MAP_BLOCK, p, mapping->hosts, error);
  if (status == TNY_OK)
    status = tny_placement_make(cluster, mapping->hosts, p, &mapping->placement, error);
  mapping->network = (struct tny_network){mapping->routes, mapping->hosts, p};
  mapping->problem = (struct tny_problem){
      .rank_count = p, .placement = mapping->placement, .network = &mapping->network};
  return status;
}

enum tny_status bench_mapping_open(struct bench_mapping *mapping, const char *generator,
                                   uint32_t ranks_a_host, struct tny_error *error)
{
  struct tny_cluster *cluster;
  *mapping = (struct bench_mapping){0};
  const enum tny_status status = tny_cluster_generate(generator, &cluster, error);
  return status == TNY_OK ? bench_mapping_open_on(mapping, cluster, ranks_a_host, error) : status;
}

void bench_mapping_close(struct bench_mapping *mapping)
{
  tny_placement_free(mapping->placement);
  tny_routes_free(mapping->routes);
  tny_cluster_free(mapping->cluster);
  free(mapping->hosts);
}

double clock_ms(clockid_t clock)
{
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}
