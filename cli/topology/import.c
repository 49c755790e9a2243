/* `tourney topology import`. */
#include "import.h"

#include <tourney/import.h>

#include "cli/shared/mapping.h"
#include "cli/shared/report.h"
#include "cli/shared/whole_file.h"
#include "cluster/build.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/file.h"
#include "core/units.h"

enum tny_status topology_import_read_rate(void *into, const char *value, struct tny_error *error)
{
  uint64_t *bps = into;
  const enum tny_status status = tny_bandwidth_parse(value, bps, error);
  if (status == TNY_OK && *bps == 0)
    return tny_error_set(error, TNY_BAD_INPUT, "a rate is more than 0, not '%s'", value);
  return status;
}

enum tny_status topology_import_read_multipath(void *into, const char *value,
                                               struct tny_error *error)
{
  if (tny_spreading_parse(value, into))
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT,
                       "--multipath is flow, where a hash chooses the way of each flow, or packet, "
                       "where packets are spread over all ways, not '%.40s'",
                       value);
}

static enum tny_status load(const struct topology_import *wanted, struct tny_import_file *files,
                            struct tny_error *error)
{
  for (uint32_t i = 0; i < wanted->path_count; i++) {
    char *text = NULL;
    const enum tny_status status = tny_file_read(wanted->paths[i], &text, error);
    if (status != TNY_OK)
      return status;
    files[i] = (struct tny_import_file){.name = wanted->paths[i], .text = text};
  }
  return TNY_OK;
}

static enum tny_status import(struct topology_import *wanted, const struct tny_import_file *files,
                              struct tny_cluster **cluster, struct tny_error *error)
{
  const struct tny_import_request asked = {.files = files,
                                           .file_count = wanted->path_count,
                                           .format = wanted->format,
                                           .topology = wanted->topology,
                                           .link_bps = wanted->link_bps,
                                           .trunk_bps = wanted->trunk_bps,
                                           .multipath = wanted->multipath,
                                           .interfaces = wanted->interfaces,
                                           .without = wanted->without,
                                           .routes = &wanted->routes_text};
  const enum tny_status status = tny_cluster_import(&asked, cluster, &wanted->format, error);
  if (status == TNY_OK)
    cli_cluster_tell_note(*cluster);
  return status;
}

enum tny_status topology_import_open(struct topology_import *wanted, struct tny_cluster **cluster,
                                     struct tny_error *error)
{
  struct tny_import_file *files = tny_new(wanted->path_count, sizeof *files);
  *cluster = NULL;
  if (!files)
    return tny_error_memory(error);
  enum tny_status status = load(wanted, files, error);
  if (status == TNY_OK)
    status = import(wanted, files, cluster, error);
  for (uint32_t i = 0; i < wanted->path_count; i++)
    tny_text_free((char *)files[i].text);
  tny_free(files);
  return status;
}

static enum tny_status write_routes(const struct topology_import *wanted, struct tny_error *error)
{
  if (wanted->routes && !wanted->routes_text)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "no file has routes to be written to %.200s: give forwarding tables, as "
                         "dump_lfts prints them, beside the network",
                         wanted->routes);
  if (wanted->routes)
    return whole_file_write(wanted->routes, wanted->routes_text, error);
  if (wanted->routes_text)
    fprintf(stderr, "tourney: note: the forwarding tables fit; --routes FILE writes them there\n");
  return TNY_OK;
}

int topology_import_write(const struct tny_cluster *cluster, const struct topology_import *wanted)
{
  struct tny_error error = {0};
  char *text = NULL;
  enum tny_status status = tny_cluster_write_dot(cluster, &text, &error);
  if (status == TNY_OK)
    status = write_routes(wanted, &error);
  if (status != TNY_OK || !wanted->output)
    return cli_finish(status, text, &error);
  status = whole_file_write(wanted->output, text, &error);
  tny_text_free(text);
  return status == TNY_OK ? CLI_OK : cli_fail(&error);
}
