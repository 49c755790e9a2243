/* Zones: groups of switches with only wide trunks between them. A trunk is wide where its latency
   is much longer than that of the hosts' ports, so that few messages should cross it. A trunk of a
   low bandwidth and a usual latency costs its bytes, and nothing more for each message: planners
   load it as little as they can, but it doesn't separate zones. Trunks are compared with ports, not
   with each other, so that all of them may be wide, or none. */
#include <stdlib.h>

#include <tourney/cluster.h>

#include "cluster/links.h"
#include "core/alloc.h"
#include "core/error.h"

/* A wide trunk takes at least this many times as long as a port, of which one below a microsecond
   counts as that. */
#define LONGER 8
#define LATENCY_LEAST_NS 1000

static int compare(const void *a, const void *b)
{
  const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return (left > right) - (left < right);
}

/* The latency that is usual for the hosts' ports: the median. `values` has host_count entries. */
static uint64_t usual_latency(const struct tny_cluster *cluster, uint64_t *values)
{
  const uint32_t host_count = cluster->host_count;
  for (uint32_t host = 0; host < host_count; host++)
    values[host] = cluster->links[cluster->out_links[cluster->first_out[host]]].latency_ns;
  qsort(values, host_count, sizeof *values, compare);
  const uint64_t median = values[host_count / 2];
  return median > LATENCY_LEAST_NS ? median : LATENCY_LEAST_NS;
}

static bool is_wide(const struct tny_link *trunk, uint64_t usual_ns)
{
  return trunk->latency_ns / LONGER >= usual_ns;
}

/* The first switch of the group so far (union-find with path halving). */
static uint32_t first_of(uint32_t *joined, uint32_t s)
{
  while (joined[s] != s)
    s = joined[s] = joined[joined[s]];
  return s;
}

enum tny_status tny_cluster_zones(const struct tny_cluster *cluster, uint32_t *zone_of,
                                  uint32_t *zone_count, struct tny_error *error)
{
  const uint32_t host_count = cluster->host_count;
  uint64_t *values = tny_new(host_count, sizeof *values);
  if (!values)
    return tny_error_memory(error);
  const uint64_t usual_ns = usual_latency(cluster, values);
  tny_free(values);
  for (uint32_t s = 0; s < cluster->switch_count; s++)
    zone_of[s] = s;
  for (uint32_t l = 0; l < cluster->link_count; l++) {
    const struct tny_link *link = &cluster->links[l];
    if (!tny_link_is_trunk(cluster, l) || is_wide(link, usual_ns))
      continue;
    const uint32_t a = first_of(zone_of, link->from - host_count);
    const uint32_t b = first_of(zone_of, link->to - host_count);
    zone_of[a < b ? b : a] = a < b ? a : b;
  }
  /* Each switch now leads to an earlier one of its zone, or is its first. */
  *zone_count = 0;
  for (uint32_t s = 0; s < cluster->switch_count; s++)
    zone_of[s] = zone_of[s] == s ? (*zone_count)++ : zone_of[zone_of[s]];
  return TNY_OK;
}
