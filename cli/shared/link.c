/* Links, as they are shown. */
#include "link.h"

#include <stdio.h>

void link_name(const struct tny_cluster *cluster, uint32_t link, char name[LINK_NAME_CHARS])
{
  snprintf(name, LINK_NAME_CHARS, "%s -> %s", cluster->node_names[cluster->links[link].from],
           cluster->node_names[cluster->links[link].to]);
}

enum link_kind link_kind_of(const struct tny_cluster *cluster, uint32_t link)
{
  if (cluster->links[link].from < cluster->host_count)
    return LINK_OUT_OF_HOST;
  return cluster->links[link].to < cluster->host_count ? LINK_INTO_HOST : LINK_TRUNK;
}

double link_busy_seconds(const struct tny_cluster *cluster, uint32_t link, uint64_t bytes)
{
  return 8.0 * (double)bytes / (double)cluster->links[link].bandwidth_bps;
}
