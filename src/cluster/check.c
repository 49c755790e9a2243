/* Refuses faults of the whole: clusters without hosts, hosts without a cable or with two, networks
   that aren't connected. */
#include "cluster/build.h"
#include "core/alloc.h"
#include "core/error.h"

static enum tny_status check_hosts(const struct tny_build *build, struct tny_error *error)
{
  uint32_t host_count = 0;
  for (uint32_t node = 0; node < build->node_count; node++) {
    if (build->nodes[node].kind != TNY_KIND_HOST)
      continue;
    host_count++;
    if (build->nodes[node].degree == 0)
      return tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0,
                          "host %s has no cable: plug it into a switch",
                          tny_build_name(build, node));
    if (build->nodes[node].degree > 1)
      return tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0,
                          "host %s has %u cables: a host has one; if two machines have this name, "
                          "rename one, if it is a switch, say so",
                          tny_build_name(build, node), build->nodes[node].degree);
  }
  if (host_count == 0)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0,
                        "the cluster has no hosts: a host is a node with one cable, as in "
                        "graph { s0 -- \"n[0-3]\" }");
  if (host_count > TNY_HOSTS_MAX)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0, "%u hosts: at most %u are allowed",
                        host_count, TNY_HOSTS_MAX);
  return TNY_OK;
}

/* The representative of a node's part, halving the path on the way. */
static uint32_t find_part(uint32_t *part, uint32_t node)
{
  while (part[node] != node)
    node = part[node] = part[part[node]];
  return node;
}

static enum tny_status check_connected(const struct tny_build *build, struct tny_error *error)
{
  uint32_t *part = tny_new(build->node_count, sizeof *part);
  if (!part)
    return tny_error_memory(error);
  for (uint32_t node = 0; node < build->node_count; node++)
    part[node] = node;
  for (uint32_t i = 0; i < build->cable_count; i++) {
    const uint32_t a = find_part(part, build->cables[i].from);
    const uint32_t b = find_part(part, build->cables[i].to);
    part[a > b ? a : b] = a > b ? b : a;
  }
  uint32_t lost = 0;
  while (lost < build->node_count && find_part(part, lost) == 0)
    lost++;
  tny_free(part);
  if (lost == build->node_count)
    return TNY_OK;
  return tny_error_at(
      error, TNY_BAD_INPUT, build->file, 0, 0,
      "the cluster falls apart: no cables lead from %.100s to %.100s; add the one that "
      "is missing",
      tny_build_name(build, 0), tny_build_name(build, lost));
}

enum tny_status tny_build_check(const struct tny_build *build, struct tny_error *error)
{
  for (const char *c = build->name; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      return tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0,
                          "the cluster's name has a control character");
  const enum tny_status status = check_hosts(build, error);
  return status ? status : check_connected(build, error);
}
