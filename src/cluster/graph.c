/* A cluster that is made: looked up, freed. */
#include <string.h>

#include <tourney/cluster.h>

#include "core/arena.h"

void tny_cluster_free(struct tny_cluster *cluster)
{
  if (cluster)
    tny_arena_free(cluster->arena);
}

static uint32_t find_exactly(const struct tny_cluster *cluster, const char *name, size_t length)
{
  for (uint32_t host = 0; host < cluster->host_count; host++)
    if (!strncmp(cluster->node_names[host], name, length) && !cluster->node_names[host][length])
      return host;
  return TNY_NONE;
}

uint32_t tny_cluster_find_host(const struct tny_cluster *cluster, const char *name)
{
  const size_t length = strlen(name), short_length = strcspn(name, ".");
  const uint32_t host = find_exactly(cluster, name, length);
  return host == TNY_NONE && short_length < length ? find_exactly(cluster, name, short_length)
                                                   : host;
}

uint32_t tny_cluster_switch_of(const struct tny_cluster *cluster, uint32_t host)
{
  return cluster->links[cluster->out_links[cluster->first_out[host]]].to;
}

bool tny_cluster_is_tree(const struct tny_cluster *cluster)
{
  return cluster->link_count / 2 + 1 == cluster->host_count + cluster->switch_count;
}
