/* Refuses faults of the whole: clusters without hosts, hosts without a cable or with two, aliases
   that others have, networks that aren't connected, with multipath those that are no tree. */
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

struct named {
  const char *name, *host;
};

static int compare_names(const void *a, const void *b)
{
  return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

/* Is no other node called so? `named` has the aliases, by name. */
static enum tny_status check_sorted(const struct tny_build *build, const struct named *named,
                                    struct tny_error *error)
{
  for (uint32_t i = 0; i < build->alias_count; i++) {
    const uint32_t node = tny_build_find(build, named[i].name);
    const char *other = node != TNY_NONE ? tny_build_name(build, node)
                        : i > 0 && strcmp(named[i - 1].name, named[i].name) == 0 ? named[i - 1].host
                                                                                 : NULL;
    if (other)
      return tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0,
                          "the alias %.100s of host %.100s is a name of %.100s already: a name is "
                          "one host's, and is given once",
                          named[i].name, named[i].host, other);
  }
  return TNY_OK;
}

static enum tny_status check_aliases(const struct tny_build *build, struct tny_error *error)
{
  struct named *named = tny_new((size_t)build->alias_count + 1, sizeof *named);
  enum tny_status status = named ? TNY_OK : tny_error_memory(error);
  for (uint32_t i = 0; status == TNY_OK && i < build->alias_count; i++) {
    const struct tny_build_alias *alias = &build->aliases[i];
    named[i] = (struct named){.name = build->names + alias->name_offset,
                              .host = tny_build_name(build, alias->node)};
    if (build->nodes[alias->node].kind != TNY_KIND_HOST)
      status = tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0,
                            "%.100s is a switch, and has the alias %.100s: only hosts have any",
                            named[i].host, named[i].name);
  }
  if (status == TNY_OK) {
    qsort(named, build->alias_count, sizeof *named, compare_names);
    status = check_sorted(build, named, error);
  }
  tny_free(named);
  return status;
}

/* The representative of a node's part, halving the path on the way. */
static uint32_t find_part(uint32_t *part, uint32_t node)
{
  while (part[node] != node)
    node = part[node] = part[part[node]];
  return node;
}

/* Joins the parts of a cable's ends; false: they are one already. */
static bool join_parts(uint32_t *part, const struct tny_build_cable *cable)
{
  const uint32_t a = find_part(part, cable->from), b = find_part(part, cable->to);
  part[a > b ? a : b] = a > b ? b : a;
  return a != b;
}

static enum tny_status refuse_circle(const struct tny_build *build,
                                     const struct tny_build_cable *cable, struct tny_error *error)
{
  return tny_error_at(
      error, TNY_BAD_INPUT, build->file, 0, 0,
      "multipath needs switches in tiers, as leaves and spines: where those with the same switches "
      "below are taken together, %.80s -- %.80s still closes a circle; leave multipath out and "
      "give "
      "the routes",
      tny_build_name(build, cable->from), tny_build_name(build, cable->to));
}

/* In one piece, and with multipath a tree. */
static enum tny_status check_connected(const struct tny_build *build, struct tny_error *error)
{
  uint32_t *part = tny_new(build->node_count, sizeof *part);
  if (!part)
    return tny_error_memory(error);
  for (uint32_t node = 0; node < build->node_count; node++)
    part[node] = node;
  const struct tny_build_cable *closing = NULL;
  for (uint32_t i = 0; i < build->cable_count; i++)
    if (!join_parts(part, &build->cables[i]) && build->multipath && !closing)
      closing = &build->cables[i];
  uint32_t lost = 0;
  while (lost < build->node_count && find_part(part, lost) == 0)
    lost++;
  tny_free(part);
  if (closing)
    return refuse_circle(build, closing, error);
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
  enum tny_status status = check_hosts(build, error);
  if (status == TNY_OK)
    status = check_aliases(build, error);
  return status ? status : check_connected(build, error);
}
