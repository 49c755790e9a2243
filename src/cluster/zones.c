/* Zones: groups of switches with only wide trunks between them. A trunk is wide where it is much
   slower than a host's own port or takes much longer: what crosses it should be little, and in few
   messages. Measured against ports, not other trunks: so all trunks may be wide, or none. */
#include <stdlib.h>

#include <tourney/cluster.h>

#include "core/alloc.h"
#include "core/error.h"

/* A port carries at least this many times what a wide trunk does, or a wide trunk takes at least
   this many times as long as a port, of which one below a microsecond counts as that. */
#define SLOWER 4
#define LONGER 8
#define LATENCY_LEAST_NS 1000

/* What is usual for the hosts' ports: the medians. */
struct usual {
  uint64_t bandwidth_bps, latency_ns;
};

static int compare(const void *a, const void *b)
{
  const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return (left > right) - (left < right);
}

/* `values` has host_count places. */
static struct usual measure(const struct tny_cluster *cluster, uint64_t *values)
{
  const uint32_t host_count = cluster->host_count;
  struct usual usual;
  for (uint32_t host = 0; host < host_count; host++)
    values[host] = cluster->links[cluster->out_links[cluster->first_out[host]]].bandwidth_bps;
  qsort(values, host_count, sizeof *values, compare);
  usual.bandwidth_bps = values[host_count / 2];
  for (uint32_t host = 0; host < host_count; host++)
    values[host] = cluster->links[cluster->out_links[cluster->first_out[host]]].latency_ns;
  qsort(values, host_count, sizeof *values, compare);
  usual.latency_ns =
      values[host_count / 2] > LATENCY_LEAST_NS ? values[host_count / 2] : LATENCY_LEAST_NS;
  return usual;
}

static bool is_wide(const struct tny_link *trunk, const struct usual *usual)
{
  return trunk->bandwidth_bps <= usual->bandwidth_bps / SLOWER ||
         trunk->latency_ns / LONGER >= usual->latency_ns;
}

/* The first switch of the group so far; halves the way there. */
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
  const struct usual usual = measure(cluster, values);
  tny_free(values);
  for (uint32_t s = 0; s < cluster->switch_count; s++)
    zone_of[s] = s;
  for (uint32_t l = 0; l < cluster->link_count; l++) {
    const struct tny_link *link = &cluster->links[l];
    if (link->from < host_count || link->to < host_count || is_wide(link, &usual))
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
