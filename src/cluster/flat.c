/* The flat form: a line a node and a cable, in plain numbers (bit/s, ns, bytes), so that the
   runtime reads it without any library.

     cluster 1 NAME
     host NAME
     switch NAME
     alias HOST NAME  (another name of the host's)
     cable FROM TO BANDWIDTH LATENCY BUFFER [BUFFER of the other direction]
     bundle FROM TO CABLES SPREAD BANDWIDTH LATENCY BUFFER [BUFFER]  (rate and buffers of a cable)
     grid SHAPE  (torus:8x8; only where the cluster is one)
     routing NAME  (up-down; only where the cluster asks for one)  */
#include <tourney/routing.h>

#include "cluster/build.h"
#include "cluster/links.h"
#include "cluster/shape.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/scan.h"
#include "core/text.h"

#define HEADING "cluster 1 "
#define FIELDS_MAX 9

bool tny_flat_recognize(const char *text)
{
  return !strncmp(text, HEADING, strlen(HEADING));
}

/* Cuts the line at its single spaces; FIELDS_MAX + 1: more than that. */
static uint32_t cut_fields(char *line, char **fields)
{
  uint32_t count = 0;
  for (char *rest = line; rest;) {
    char *space = strchr(rest, ' ');
    if (count == FIELDS_MAX)
      return FIELDS_MAX + 1;
    fields[count++] = rest;
    if (space)
      *space = '\0';
    rest = space ? space + 1 : NULL;
  }
  return count;
}

static enum tny_status refuse(const struct tny_build *build, struct tny_error *error,
                              const char *why, const char *field)
{
  return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0, "%s \"%.60s\"", why,
                      field);
}

/* The fields behind the ends, and behind what makes it a bundle. */
static enum tny_status read_rates(struct tny_build *build, struct tny_build_cable *cable,
                                  char **fields, uint32_t field_count, struct tny_error *error)
{
  uint64_t numbers[4] = {0};
  for (uint32_t i = 0; i < field_count; i++)
    if (!tny_scan_whole(fields[i], &numbers[i]))
      return refuse(build, error, "a whole number of 64 bits is expected here, not", fields[i]);
  cable->bandwidth_bps = numbers[0];
  cable->latency_ns = numbers[1];
  cable->buffer_bytes = numbers[2];
  cable->back_buffer_bytes = numbers[field_count == 4 ? 3 : 2];
  return tny_build_connect(build, cable, error);
}

static enum tny_status read_cable(struct tny_build *build, char **fields, uint32_t field_count,
                                  struct tny_error *error)
{
  const bool is_bundle = !strcmp(fields[0], "bundle");
  const uint32_t first = is_bundle ? 5 : 3;
  struct tny_build_cable cable = {.cable_count = 1};
  uint32_t ends[2];
  uint64_t cables = 1;
  for (uint32_t i = 0; i < 2; i++) {
    ends[i] = tny_build_find(build, fields[1 + i]);
    if (ends[i] == TNY_NONE)
      return refuse(build, error, "a cable to an unknown node", fields[1 + i]);
  }
  cable.from = ends[0];
  cable.to = ends[1];
  if (is_bundle) {
    if (!tny_scan_whole(fields[3], &cables) || cables < 1 || cables > TNY_BUNDLE_CABLES_MAX)
      return refuse(build, error, "a bundle has 1 to 1024 cables, not", fields[3]);
    if (!tny_spreading_parse(fields[4], &cable.spread))
      return refuse(build, error, "the spread of a bundle is flow or packet, not", fields[4]);
    cable.cable_count = (uint32_t)cables;
  }
  return read_rates(build, &cable, fields + first, field_count - first, error);
}

static enum tny_status read_alias(struct tny_build *build, const char *host, const char *name,
                                  struct tny_error *error)
{
  const uint32_t node = tny_build_find(build, host);
  return node == TNY_NONE ? refuse(build, error, "an alias of an unknown host", host)
                          : tny_build_alias(build, node, name, error);
}

static enum tny_status read_grid(struct tny_build *build, const char *text, struct tny_error *error)
{
  struct tny_error cause = {0};
  if (build->shape.dimension_count)
    return refuse(build, error, "the grid is given twice:", text);
  if (tny_shape_parse(text, &build->shape, &cause))
    return tny_error_at(error, TNY_BAD_INPUT, build->file, build->line, 0, "%s", cause.text);
  return TNY_OK;
}

static enum tny_status read_line(struct tny_build *build, char *line, struct tny_error *error)
{
  char *fields[FIELDS_MAX];
  const uint32_t count = cut_fields(line, fields);
  if (count == 2 && !strcmp(fields[0], "host"))
    return tny_build_add(build, fields[1], TNY_KIND_HOST, NULL, error);
  if (count == 2 && !strcmp(fields[0], "switch"))
    return tny_build_add(build, fields[1], TNY_KIND_SWITCH, NULL, error);
  if (count == 3 && !strcmp(fields[0], "alias"))
    return read_alias(build, fields[1], fields[2], error);
  if ((count == 6 || count == 7) && !strcmp(fields[0], "cable"))
    return read_cable(build, fields, count, error);
  if ((count == 8 || count == 9) && !strcmp(fields[0], "bundle"))
    return read_cable(build, fields, count, error);
  if (count == 2 && !strcmp(fields[0], "grid"))
    return read_grid(build, fields[1], error);
  if (count == 2 && !strcmp(fields[0], "routing"))
    return tny_build_route(build, fields[1], error);
  return refuse(
      build, error,
      "expected \"host NAME\", \"switch NAME\", \"alias HOST NAME\", \"cable FROM TO BIT/S NS "
      "BYTES [BYTES]\", \"bundle FROM TO CABLES SPREAD BIT/S NS BYTES [BYTES]\", \"grid SHAPE\" or "
      "\"routing NAME\", not a line of this form that begins with",
      fields[0]);
}

/* `text` is ours to cut. */
static enum tny_status read_lines(char *text, const char *file, struct tny_cluster **cluster,
                                  struct tny_error *error)
{
  char *end = strchr(text, '\n');
  if (!tny_flat_recognize(text) || !end)
    return tny_error_at(error, TNY_BAD_INPUT, file, 1, 0,
                        "a flat cluster begins with the line \"" HEADING "NAME\"");
  *end = '\0';
  struct tny_build build;
  tny_build_init(&build, text + strlen(HEADING), file);
  enum tny_status status = TNY_OK;
  build.line = 1;
  for (char *line = end + 1; !status && *line; line = end + 1) {
    build.line++;
    end = strchr(line, '\n');
    if (!end) {
      status = tny_error_at(error, TNY_BAD_INPUT, file, build.line, 0,
                            "the last line has no end: the text was cut off");
      break;
    }
    *end = '\0';
    status = read_line(&build, line, error);
  }
  build.line = 0;
  if (!status)
    status = tny_build_finish(&build, cluster, error);
  tny_build_release(&build);
  return status;
}

enum tny_status tny_flat_read(const char *flat, const char *file, struct tny_cluster **cluster,
                              struct tny_error *error)
{
  *cluster = NULL;
  char *text = tny_copy_text(flat);
  if (!text)
    return tny_error_memory(error);
  const enum tny_status status = read_lines(text, file, cluster, error);
  tny_free(text);
  return status;
}

enum tny_status tny_cluster_read_flat(const char *flat, struct tny_cluster **cluster,
                                      struct tny_error *error)
{
  return tny_flat_read(flat, NULL, cluster, error);
}

static void write_cable(struct tny_text *text, const struct tny_cluster *cluster, uint32_t forth)
{
  const struct tny_link *link = &cluster->links[forth], *back = &cluster->links[forth + 1];
  const bool is_bundle = link->cable_count > 1;
  tny_text_add(text, "%s %s %s", is_bundle ? "bundle" : "cable", cluster->node_names[link->from],
               cluster->node_names[link->to]);
  if (is_bundle)
    tny_text_add(text, " %u %s", link->cable_count, tny_spreading_name(link->spread));
  tny_text_add(text, " %llu %llu %llu", (unsigned long long)tny_link_cable_bps(link),
               (unsigned long long)link->latency_ns, (unsigned long long)tny_link_port_bytes(link));
  if (back->buffer_bytes != link->buffer_bytes)
    tny_text_add(text, " %llu", (unsigned long long)tny_link_port_bytes(back));
  tny_text_add(text, "\n");
}

enum tny_status tny_cluster_write_flat(const struct tny_cluster *cluster, char **flat,
                                       struct tny_error *error)
{
  struct tny_text text = {0};
  tny_text_add(&text, HEADING "%s\n", cluster->name);
  for (uint32_t node = 0; node < cluster->host_count + cluster->switch_count; node++)
    tny_text_add(&text, "%s %s\n", node < cluster->host_count ? "host" : "switch",
                 cluster->node_names[node]);
  for (uint32_t i = 0; i < cluster->alias_count; i++)
    tny_text_add(&text, "alias %s %s\n", cluster->node_names[cluster->aliases[i].host],
                 cluster->aliases[i].name);
  for (uint32_t i = 0; i < cluster->link_count; i += 2)
    write_cable(&text, cluster, i);
  if (cluster->shape.dimension_count)
    tny_text_add(&text, "grid %s\n", tny_shape_format(&cluster->shape).text);
  if (cluster->routing != TNY_ROUTING_AUTO)
    tny_text_add(&text, "routing %s\n", tny_routing_name(cluster->routing));
  return tny_text_take(&text, flat, error);
}
