/* A cluster that is made: looked up, freed. */
#include <string.h>

#include <tourney/cluster.h>

#include "core/arena.h"
#include "core/hostlist.h"

void tny_cluster_free(struct tny_cluster *cluster)
{
  if (cluster)
    tny_arena_free(cluster->arena);
}

/* The i-th of all names of hosts, then of all aliases, and whose it is. */
static struct tny_alias name_at(const struct tny_cluster *cluster, uint32_t i)
{
  return i < cluster->host_count ? (struct tny_alias){cluster->node_names[i], i}
                                 : cluster->aliases[i - cluster->host_count];
}

static bool is_same_name(const char *a, const char *b)
{
  return strcmp(a, b) == 0;
}

/* TNY_NONE also where several hosts have such a name. */
static uint32_t find_only(const struct tny_cluster *cluster, const char *name,
                          bool (*is_it)(const char *a, const char *b))
{
  uint32_t found = TNY_NONE;
  for (uint32_t i = 0; i < cluster->host_count + cluster->alias_count; i++) {
    const struct tny_alias known = name_at(cluster, i);
    if (known.host == found || !is_it(known.name, name))
      continue;
    if (found != TNY_NONE)
      return TNY_NONE;
    found = known.host;
  }
  return found;
}

uint32_t tny_cluster_find_host(const struct tny_cluster *cluster, const char *name)
{
  const uint32_t host = find_only(cluster, name, is_same_name);
  return host == TNY_NONE ? find_only(cluster, name, tny_same_but_for_domain) : host;
}

uint32_t tny_cluster_switch_of(const struct tny_cluster *cluster, uint32_t host)
{
  return cluster->links[cluster->out_links[cluster->first_out[host]]].to;
}

bool tny_cluster_is_tree(const struct tny_cluster *cluster)
{
  return cluster->link_count / 2 + 1 == cluster->host_count + cluster->switch_count;
}
