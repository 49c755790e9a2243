/* The end of every build: the kinds of the nodes are decided, the whole is checked, and the cluster
   is laid out as arrays. */
#include <tourney/routing.h>

#include "cluster/build.h"
#include "cluster/links.h"
#include "cluster/shape.h"
#include "core/alloc.h"
#include "core/arena.h"
#include "core/error.h"

/* The arrays of a cluster while they are still written. */
struct layout {
  struct tny_cluster *cluster;
  const char **node_names;
  struct tny_alias *aliases;
  char *names; /* what node_names point into */
  struct tny_link *links;
  uint32_t *first_out, *out_links;
  uint32_t *index_of; /* of a build's node in the cluster; not the cluster's */
};

static bool take_arrays(struct layout *layout, const struct tny_build *build)
{
  struct tny_arena *arena = tny_arena_new();
  if (!arena)
    return false;
  const size_t node_count = build->node_count, link_count = (size_t)2 * build->cable_count;
  layout->cluster = tny_arena_take(arena, 1, sizeof *layout->cluster);
  layout->node_names = tny_arena_take(arena, node_count, sizeof *layout->node_names);
  layout->aliases = tny_arena_take(arena, (size_t)build->alias_count + 1, sizeof *layout->aliases);
  layout->names = tny_arena_take(arena, build->names_used, 1);
  layout->links = tny_arena_take(arena, link_count, sizeof *layout->links);
  layout->first_out = tny_arena_take(arena, node_count + 1, sizeof *layout->first_out);
  layout->out_links = tny_arena_take(arena, link_count, sizeof *layout->out_links);
  char *name = tny_arena_copy_text(arena, build->name);
  if (!layout->cluster || !layout->node_names || !layout->aliases || !layout->names ||
      !layout->links || !layout->first_out || !layout->out_links || !name) {
    tny_arena_free(arena);
    return false;
  }
  *layout->cluster = (struct tny_cluster){.name = name,
                                          .link_count = (uint32_t)link_count,
                                          .node_names = layout->node_names,
                                          .aliases = layout->aliases,
                                          .alias_count = build->alias_count,
                                          .links = layout->links,
                                          .first_out = layout->first_out,
                                          .out_links = layout->out_links,
                                          .arena = arena};
  return true;
}

/* Hosts first, then switches, each in the order they were added. */
static void place_nodes(struct layout *layout, const struct tny_build *build)
{
  struct tny_cluster *cluster = layout->cluster;
  for (uint32_t node = 0; node < build->node_count; node++)
    if (build->nodes[node].kind == TNY_KIND_HOST)
      layout->index_of[node] = cluster->host_count++;
  for (uint32_t node = 0; node < build->node_count; node++)
    if (build->nodes[node].kind != TNY_KIND_HOST)
      layout->index_of[node] = cluster->host_count + cluster->switch_count++;
  memcpy(layout->names, build->names, build->names_used);
  for (uint32_t node = 0; node < build->node_count; node++)
    layout->node_names[layout->index_of[node]] = layout->names + build->nodes[node].name_offset;
}

static int compare_aliases(const void *a, const void *b)
{
  const struct tny_alias *x = a, *y = b;
  return x->host != y->host ? (x->host > y->host) - (x->host < y->host) : strcmp(x->name, y->name);
}

static void place_aliases(struct layout *layout, const struct tny_build *build)
{
  for (uint32_t i = 0; i < build->alias_count; i++)
    layout->aliases[i] = (struct tny_alias){.name = layout->names + build->aliases[i].name_offset,
                                            .host = layout->index_of[build->aliases[i].node]};
  qsort(layout->aliases, build->alias_count, sizeof *layout->aliases, compare_aliases);
}

static void place_links(struct layout *layout, const struct tny_build *build)
{
  const uint32_t link_count = layout->cluster->link_count;
  for (uint32_t i = 0; i < build->cable_count; i++) {
    const struct tny_build_cable *cable = &build->cables[i];
    struct tny_link link = {.from = layout->index_of[cable->from],
                            .to = layout->index_of[cable->to],
                            .best_bps = cable->bandwidth_bps * cable->cable_count,
                            .latency_ns = cable->latency_ns,
                            .cable_count = cable->cable_count,
                            .spread = cable->spread};
    const uint32_t relied = tny_link_relied_cables(&link);
    link.bandwidth_bps = cable->bandwidth_bps * relied;
    link.buffer_bytes = cable->buffer_bytes * relied;
    layout->links[2 * i] = link;
    link.from = layout->index_of[cable->to];
    link.to = layout->index_of[cable->from];
    link.buffer_bytes = cable->back_buffer_bytes * relied;
    layout->links[2 * i + 1] = link;
  }
  uint32_t *first = layout->first_out;
  for (uint32_t i = 0; i < link_count; i++)
    first[layout->links[i].from + 1]++;
  for (uint32_t node = 0; node < build->node_count; node++)
    first[node + 1] += first[node];
  for (uint32_t i = 0; i < link_count; i++)
    layout->out_links[first[layout->links[i].from]++] = i;
  for (uint32_t node = build->node_count; node > 0; node--)
    first[node] = first[node - 1];
  first[0] = 0;
}

static enum tny_status check_shape(struct tny_cluster *cluster, const struct tny_build *build,
                                   struct tny_error *error)
{
  struct tny_error cause = {0};
  if (build->shape.dimension_count == 0)
    return TNY_OK;
  if (tny_shape_confirm(&build->shape, cluster, &cause))
    return tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0, "%s", cause.text);
  cluster->shape = build->shape;
  return TNY_OK;
}

static enum tny_status check_routing(struct tny_cluster *cluster, const struct tny_build *build,
                                     struct tny_error *error)
{
  const bool needs_grid = build->routing == TNY_ROUTING_DIMENSION_ORDER ||
                          build->routing == TNY_ROUTING_DIMENSION_ORDER_BALANCED;
  if (needs_grid && cluster->shape.dimension_count == 0)
    return tny_error_at(error, TNY_BAD_INPUT, build->file, 0, 0,
                        "the routing is %s, so the cluster must say which grid it is",
                        tny_routing_name(build->routing));
  cluster->routing = build->routing;
  return TNY_OK;
}

/* Says what was guessed. */
static enum tny_status add_note(struct tny_cluster *cluster, const struct tny_build *build,
                                struct tny_error *error)
{
  char text[400];
  const char *note = build->note;
  if (build->doubtful) {
    const char *name = tny_build_name(build, build->doubtful - 1);
    snprintf(text, sizeof text,
             "%.100s has two cables and no hosts, and is taken for a switch; if it is one, say so: "
             "\"%.100s\" [kind=switch]; a host has one cable",
             name, name);
    note = text;
  }
  if (!note)
    return TNY_OK;
  cluster->note = tny_arena_copy_text(cluster->arena, note);
  return cluster->note ? TNY_OK : tny_error_memory(error);
}

enum tny_status tny_build_finish(struct tny_build *build, struct tny_cluster **cluster,
                                 struct tny_error *error)
{
  *cluster = NULL;
  enum tny_status status = tny_build_bundle_parallel(build, error);
  if (!status)
    status = tny_build_infer_kinds(build, error);
  if (!status)
    status = tny_build_merge_ways(build, error);
  if (!status)
    status = tny_build_check(build, error);
  if (status)
    return status;
  struct layout layout = {.index_of = tny_new(build->node_count, sizeof *layout.index_of)};
  if (!layout.index_of || !take_arrays(&layout, build)) {
    tny_free(layout.index_of);
    return tny_error_memory(error);
  }
  place_nodes(&layout, build);
  place_aliases(&layout, build);
  place_links(&layout, build);
  tny_free(layout.index_of);
  status = check_shape(layout.cluster, build, error);
  if (!status)
    status = check_routing(layout.cluster, build, error);
  if (!status)
    status = add_note(layout.cluster, build, error);
  if (status)
    tny_cluster_free(layout.cluster);
  else
    *cluster = layout.cluster;
  return status;
}
