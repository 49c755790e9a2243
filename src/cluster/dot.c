/* Writes a cluster as a Graphviz graph. This needs text only; cluster/graphviz.c, which reads such
   files, needs Graphviz. */
#include "cluster/links.h"
#include "cluster/shape.h"
#include "core/text.h"
#include "core/units.h"

#include <tourney/routing.h>

#define HOST_STYLE                                                                                 \
  "kind=host, shape=ellipse, style=filled, fillcolor=\"#eef4fb\", color=\"#6f8fb0\""
#define SWITCH_STYLE                                                                               \
  "kind=switch, shape=box, style=\"rounded,filled\", fillcolor=\"#fbe9c8\", color=\"#b08a3c\""

static void write_hosts(struct tny_text *text, const struct tny_cluster *cluster)
{
  const struct tny_alias *alias = cluster->aliases, *end = alias + cluster->alias_count;
  for (uint32_t host = 0; host < cluster->host_count; host++) {
    tny_text_add(text, "  \"%s\"", cluster->node_names[host]);
    const struct tny_alias *first = alias;
    for (; alias < end && alias->host == host; alias++)
      tny_text_add(text, "%s%s", alias == first ? " [alias=\"" : ",", alias->name);
    tny_text_add(text, "%s;\n", alias == first ? "" : "\"]");
  }
}

static void write_switches(struct tny_text *text, const struct tny_cluster *cluster)
{
  for (uint32_t i = 0; i < cluster->switch_count; i++)
    tny_text_add(text, "  \"%s\";\n", cluster->node_names[cluster->host_count + i]);
}

/* What differs from the cable that set the defaults. */
static void write_differences(struct tny_text *text, const struct tny_link *link,
                              const struct tny_link *usual)
{
  if (link->cable_count > 1)
    tny_text_add(text, " cables=%u spread=\"%s\"", link->cable_count,
                 tny_spreading_name(link->spread));
  if (tny_link_cable_bps(link) != tny_link_cable_bps(usual))
    tny_text_add(text, " bandwidth=\"%s\"", tny_bandwidth_format(tny_link_cable_bps(link)).text);
  if (link->latency_ns != usual->latency_ns)
    tny_text_add(text, " latency=\"%s\"", tny_time_format(link->latency_ns).text);
  if (tny_link_port_bytes(link) != tny_link_port_bytes(usual))
    tny_text_add(text, " buffer=\"%s\"", tny_bytes_format(tny_link_port_bytes(link)).text);
}

static void write_cable(struct tny_text *text, const struct tny_cluster *cluster, uint32_t forth)
{
  const struct tny_link *link = &cluster->links[forth], *back = &cluster->links[forth + 1];
  tny_text_add(text, "  \"%s\" -- \"%s\"", cluster->node_names[link->from],
               cluster->node_names[link->to]);
  struct tny_text attributes = {0};
  write_differences(&attributes, link, &cluster->links[0]);
  if (back->buffer_bytes != link->buffer_bytes)
    tny_text_add(&attributes, " back_buffer=\"%s\"",
                 tny_bytes_format(tny_link_port_bytes(back)).text);
  const bool is_trunk = tny_link_is_trunk(cluster, forth), is_bundle = link->cable_count > 1;
  if (is_trunk)
    tny_text_add(&attributes, " penwidth=3");
  if (is_bundle)
    tny_text_add(&attributes, " label=\"%u x %s\"", link->cable_count,
                 tny_bandwidth_format(tny_link_cable_bps(link)).text);
  else if (is_trunk)
    tny_text_add(&attributes, " label=\"%s\"", tny_bandwidth_format(link->bandwidth_bps).text);
  if (attributes.length)
    tny_text_add(text, " [%s]", attributes.bytes + 1);
  tny_text_add(text, ";\n");
  text->failed |= attributes.failed;
  tny_text_release(&attributes);
}

enum tny_status tny_cluster_write_dot(const struct tny_cluster *cluster, char **dot,
                                      struct tny_error *error)
{
  struct tny_text text = {0};
  const struct tny_link *usual = &cluster->links[0];
  tny_text_add(&text, "graph cluster {\n"
                      "  graph [fontname=\"sans-serif\", ranksep=1];\n");
  if (cluster->shape.dimension_count)
    tny_text_add(&text, "  grid=\"%s\";\n", tny_shape_format(&cluster->shape).text);
  if (cluster->routing != TNY_ROUTING_AUTO)
    tny_text_add(&text, "  routing=\"%s\";\n", tny_routing_name(cluster->routing));
  tny_text_add(&text, "  edge [fontname=\"sans-serif\", fontsize=11, color=\"#808080\",\n");
  tny_text_add(&text, "    bandwidth=\"%s\", latency=\"%s\", buffer=\"%s\"];\n",
               tny_bandwidth_format(tny_link_cable_bps(usual)).text,
               tny_time_format(usual->latency_ns).text,
               tny_bytes_format(tny_link_port_bytes(usual)).text);
  tny_text_add(&text, "  node [fontname=\"sans-serif\", " HOST_STYLE "];\n");
  tny_text_add(&text, "  { rank=sink;\n");
  write_hosts(&text, cluster);
  tny_text_add(&text, "  }\n");
  if (cluster->switch_count)
    tny_text_add(&text, "  node [" SWITCH_STYLE "];\n");
  write_switches(&text, cluster);
  for (uint32_t i = 0; i < cluster->link_count; i += 2)
    write_cable(&text, cluster, i);
  tny_text_add(&text, "}\n");
  return tny_text_take(&text, dot, error);
}
