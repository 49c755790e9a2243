/* Writes a cluster as a SimGrid platform: every link in each of its directions, and the way from
   every host to every other link by link, so that SimGrid's messages take the ways that we plan
   for. Hosts stand in switch order, as ranks are placed in blocks. Port buffers are left out: in
   SimGrid's networks nothing is ever lost, links are shared like a fluid.

   The size is that of the ways: hosts squared, times the links of a way. */
#include <inttypes.h>
#include <string.h>

#include <tourney/cluster.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"

/* Of a host's processor; programs' times between their MPI calls are scaled by it. */
#define SPEED "1Gf"

/* As an attribute's value. */
static void write_escaped(struct tny_text *text, const char *name)
{
  for (; *name; name++)
    if (strchr("&<>\"'", *name))
      tny_text_add(text, "&#%d;", *name);
    else
      tny_text_add(text, "%c", *name);
}

/* A link's id: its number, since cables may be parallel, and its ends for whoever reads it. */
static void write_id(struct tny_text *text, const struct tny_cluster *cluster, uint32_t link)
{
  tny_text_add(text, " id=\"%" PRIu32 ":", link);
  write_escaped(text, cluster->node_names[cluster->links[link].from]);
  tny_text_add(text, "-");
  write_escaped(text, cluster->node_names[cluster->links[link].to]);
  tny_text_add(text, "\"");
}

static void write_host(struct tny_text *text, const struct tny_cluster *cluster, uint32_t host)
{
  tny_text_add(text, "    <host id=\"");
  write_escaped(text, cluster->node_names[host]);
  tny_text_add(text, "\" speed=\"" SPEED "\"/>\n");
}

static void write_link(struct tny_text *text, const struct tny_cluster *cluster, uint32_t index)
{
  const struct tny_link *link = &cluster->links[index];
  tny_text_add(text, "    <link");
  write_id(text, cluster, index);
  tny_text_add(text, " bandwidth=\"%" PRIu64 "bps\" latency=\"%" PRIu64 "ns\"/>\n",
               link->bandwidth_bps, link->latency_ns);
}

static void write_way(struct tny_text *text, const struct tny_routes *routes, uint32_t from,
                      uint32_t to)
{
  const struct tny_cluster *cluster = routes->cluster;
  tny_text_add(text, "    <route src=\"");
  write_escaped(text, cluster->node_names[from]);
  tny_text_add(text, "\" dst=\"");
  write_escaped(text, cluster->node_names[to]);
  tny_text_add(text, "\" symmetrical=\"NO\">");
  uint32_t link;
  for (uint32_t node = from; (link = tny_routes_next(routes, node, to)) != TNY_NONE;
       node = cluster->links[link].to) {
    tny_text_add(text, "<link_ctn");
    write_id(text, cluster, link);
    tny_text_add(text, "/>");
  }
  tny_text_add(text, "</route>\n");
}

enum tny_status tny_cluster_write_simgrid(const struct tny_routes *routes, char **xml,
                                          struct tny_error *error)
{
  const struct tny_cluster *cluster = routes->cluster;
  struct tny_text text = {0};
  uint32_t *hosts = tny_new(cluster->host_count, sizeof *hosts);
  if (!hosts)
    return tny_error_memory(error);
  enum tny_status status = tny_cluster_order(cluster, hosts, error);
  if (status == TNY_OK) {
    tny_text_add(&text, "<?xml version=\"1.0\"?>\n"
                        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                        "<platform version=\"4.1\">\n"
                        "  <zone id=\"");
    write_escaped(&text, cluster->name);
    tny_text_add(&text, "\" routing=\"Full\">\n");
    for (uint32_t i = 0; i < cluster->host_count; i++)
      write_host(&text, cluster, hosts[i]);
    for (uint32_t link = 0; link < cluster->link_count; link++)
      write_link(&text, cluster, link);
    for (uint32_t i = 0; i < cluster->host_count; i++)
      for (uint32_t j = 0; j < cluster->host_count; j++)
        if (i != j)
          write_way(&text, routes, hosts[i], hosts[j]);
    tny_text_add(&text, "  </zone>\n</platform>\n");
    status = tny_text_take(&text, xml, error);
  }
  tny_free(hosts);
  return status;
}
