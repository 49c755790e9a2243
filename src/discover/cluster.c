/* What was found as a cluster. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <tourney/cluster.h>

#include "cluster/build.h"
#include "core/error.h"
#include "discover/describe.h"

#define LATENCY_STEP_NS 100

static enum tny_status add_nodes(const struct tny_discovered *network, struct tny_build *build,
                                 struct tny_error *error)
{
  const struct tny_tree *tree = &network->found->tree;
  for (uint32_t host = 0; host < tree->host_count; host++) {
    const enum tny_status status =
        tny_build_add(build, network->names[host], TNY_KIND_HOST, NULL, error);
    if (status != TNY_OK)
      return status;
  }
  for (uint32_t s = 0; s < tree->switch_count; s++) {
    char name[32];
    tny_discovered_switch(network, s, name);
    const enum tny_status status = tny_build_add(build, name, TNY_KIND_SWITCH, NULL, error);
    if (status != TNY_OK)
      return status;
  }
  return TNY_OK;
}

uint64_t tny_discovered_rounded(double number)
{
  const double step = pow(10, fmax(0, floor(log10(fmax(1, number))) - 2));
  return (uint64_t)(step * round(number / step));
}

static struct tny_build_cable make_cable(const struct tny_found_cable *found, uint32_t from,
                                         uint32_t to)
{
  struct tny_build_cable cable = tny_build_default_cable;
  cable.from = from;
  cable.to = to;
  cable.bandwidth_bps = tny_discovered_rounded(found->bps);
  if (found->buffer_bytes > 0)
    cable.buffer_bytes = cable.back_buffer_bytes = tny_discovered_rounded(found->buffer_bytes);
  return cable;
}

/* A trunk's part of a round trip is passed twice. */
static uint64_t find_latency(double ns)
{
  return LATENCY_STEP_NS * (uint64_t)fmax(1, round(ns / 2 / LATENCY_STEP_NS));
}

static enum tny_status add_cables(const struct tny_discovered *network, struct tny_build *build,
                                  struct tny_error *error)
{
  const struct tny_discovery *found = network->found;
  const uint32_t n = found->tree.host_count;
  enum tny_status status = TNY_OK;
  for (uint32_t host = 0; status == TNY_OK && host < n; host++) {
    const struct tny_build_cable cable =
        make_cable(&found->hosts[host], host, n + found->tree.switch_of[host]);
    status = tny_build_connect(build, &cable, error);
  }
  for (uint32_t t = 0; status == TNY_OK && t < found->tree.trunk_count; t++) {
    const struct tny_tree_trunk *trunk = &found->tree.trunks[t];
    struct tny_build_cable cable = make_cable(&found->trunks[t], n + trunk->a, n + trunk->b);
    cable.latency_ns = find_latency(trunk->ns);
    status = tny_build_connect(build, &cable, error);
  }
  return status;
}

void tny_discovered_switch(const struct tny_discovered *network, uint32_t number, char name[32])
{
  snprintf(name, 32, "switch%u", number);
  for (uint32_t host = 0; host < network->found->tree.host_count; host++)
    if (!strcmp(network->names[host], name)) {
      snprintf(name, 32, "found-switch%u", number);
      return;
    }
}

enum tny_status tny_discovered_cluster(const struct tny_discovered *network,
                                       struct tny_cluster **cluster, struct tny_error *error)
{
  struct tny_build build;
  tny_build_init(&build, "discovered", NULL);
  enum tny_status status = add_nodes(network, &build, error);
  if (status == TNY_OK)
    status = add_cables(network, &build, error);
  if (status == TNY_OK)
    status = tny_build_finish(&build, cluster, error);
  tny_build_release(&build);
  return status;
}
