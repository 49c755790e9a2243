/* Rings, tori and meshes of nodes, a switch and its host each. Sides that wrap have at least three
   nodes: on shorter ones, both neighbours of a node would be the same. */
#include "cluster/shape.h"

#include "cluster/build.h"
#include "core/error.h"
#include "core/grid.h"
#include "core/scan.h"

struct tny_shape_text tny_shape_format(const struct tny_shape *shape)
{
  struct tny_shape_text out;
  const char *kind = !shape->wraps ? "mesh" : shape->dimension_count == 1 ? "ring" : "torus";
  size_t used = (size_t)snprintf(out.text, sizeof out.text, "%s:%u", kind, shape->size[0]);
  for (uint32_t d = 1; d < shape->dimension_count; d++)
    used += (size_t)snprintf(out.text + used, sizeof out.text - used, "x%u", shape->size[d]);
  return out;
}

/* The sides, at most three, each of at most TNY_HOSTS_MAX, the product too. */
static enum tny_status read_sides(const char *sides, struct tny_shape *shape,
                                  struct tny_error *error)
{
  uint64_t nodes = 1;
  for (const char *text = sides;; text++) {
    if (shape->dimension_count == 3)
      return tny_error_set(error, TNY_BAD_INPUT, "\"%.40s\" has more than three sides", sides);
    uint64_t side;
    const enum tny_scan found = tny_scan_number(&text, TNY_HOSTS_MAX, &side);
    nodes *= side;
    if (found == TNY_SCAN_TOO_LARGE || nodes > TNY_HOSTS_MAX)
      return tny_error_set(error, TNY_BAD_INPUT, "more than %u hosts", TNY_HOSTS_MAX);
    if (found == TNY_SCAN_NO_DIGIT || (*text && *text != 'x'))
      return tny_error_set(error, TNY_BAD_INPUT,
                           "\"%.40s\" are no sides: write numbers of nodes, as in 8 or 8x8", sides);
    shape->size[shape->dimension_count++] = (uint32_t)side;
    if (!*text)
      return TNY_OK;
  }
}

enum tny_status tny_shape_read(const char *kind, const char *sides, struct tny_shape *shape,
                               struct tny_error *error)
{
  const bool ring = !strcmp(kind, "ring"), mesh = !strcmp(kind, "mesh");
  *shape = (struct tny_shape){.size = {1, 1, 1}, .wraps = !mesh};
  if (!ring && !mesh && strcmp(kind, "torus"))
    return tny_error_set(error, TNY_BAD_INPUT,
                         "the unknown shape \"%.40s\": there are ring, torus and mesh", kind);
  const enum tny_status status = read_sides(sides, shape, error);
  if (status)
    return status;
  if (ring && shape->dimension_count > 1)
    return tny_error_set(error, TNY_BAD_INPUT, "a ring has one side; write torus:%.40s", sides);
  if (!ring && !mesh && shape->dimension_count == 1)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "a torus has two or three sides, as in 8x8; for one, write ring:%.40s",
                         sides);
  const uint32_t least = shape->wraps ? 3 : 2;
  for (uint32_t d = 0; d < shape->dimension_count; d++)
    if (shape->size[d] < least)
      return tny_error_set(
          error, TNY_BAD_INPUT, "a side of %u: the sides of a %s have at least %u nodes%s",
          shape->size[d], kind, least, shape->wraps ? "; for shorter ones, take mesh" : "");
  return TNY_OK;
}

enum tny_status tny_shape_parse(const char *text, struct tny_shape *shape, struct tny_error *error)
{
  char kind[8];
  const size_t length = strcspn(text, ":");
  if (!text[length] || length >= sizeof kind)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "\"%.40s\" is no grid: write it as ring:8, torus:8x8 or mesh:4x4x4", text);
  memcpy(kind, text, length);
  kind[length] = '\0';
  return tny_shape_read(kind, text + length + 1, shape, error);
}

static bool are_joined(const struct tny_cluster *cluster, uint32_t a, uint32_t b)
{
  for (uint32_t i = cluster->first_out[a]; i < cluster->first_out[a + 1]; i++)
    if (cluster->links[cluster->out_links[i]].to == b)
      return true;
  return false;
}

static enum tny_status refuse(const struct tny_shape *shape, struct tny_error *error,
                              const char *first, const char *why, const char *second)
{
  return tny_error_set(error, TNY_BAD_INPUT,
                       "the cluster is no %s: %.80s%s%.80s; the hosts and the switches are its "
                       "nodes in the order in which they are first named, x before y before z",
                       tny_shape_format(shape).text, first, why, second);
}

/* Where no cable is missing and their number is right, no cable is too many. */
enum tny_status tny_shape_confirm(const struct tny_shape *shape, const struct tny_cluster *cluster,
                                  struct tny_error *error)
{
  const uint32_t node_count = tny_grid_nodes(shape), hosts = cluster->host_count;
  const char *const *names = cluster->node_names;
  uint32_t cables = node_count;
  if (hosts != node_count || cluster->switch_count != node_count)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "the cluster is no %s: that has %u hosts and %u switches, not %u and %u",
                         tny_shape_format(shape).text, node_count, node_count, hosts,
                         cluster->switch_count);
  for (uint32_t node = 0; node < node_count; node++)
    if (tny_cluster_switch_of(cluster, node) != hosts + node)
      return refuse(shape, error, names[node], " isn't plugged into ", names[hosts + node]);
  for (uint32_t node = 0; node < node_count; node++)
    for (uint32_t d = 0; d < shape->dimension_count; d++) {
      const uint32_t next = tny_grid_neighbour(shape, node, d, true);
      if (next != TNY_NONE && !are_joined(cluster, hosts + node, hosts + next))
        return refuse(shape, error, names[hosts + node], " has no cable to ", names[hosts + next]);
      cables += next != TNY_NONE;
    }
  if (cluster->link_count / 2 != cables)
    return tny_error_set(error, TNY_BAD_INPUT, "the cluster is no %s: that has %u cables, not %u",
                         tny_shape_format(shape).text, cables, cluster->link_count / 2);
  return TNY_OK;
}
