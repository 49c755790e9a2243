/* The formats that are read, as a table; and a reading from the files to the cluster. */
#include <tourney/import.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "import/format.h"

static const struct tny_import_format formats[] = {
    {.name = "slurm-conf",
     .about = "Slurm's topology.conf",
     .recognize = tny_slurm_conf_recognize,
     .read = tny_slurm_conf_read},
    {.name = "slurm-yaml",
     .about = "Slurm's topology.yaml",
     .has_topologies = true,
     .recognize = tny_slurm_yaml_recognize,
     .read = tny_slurm_yaml_read},
    {.name = "ibnetdiscover",
     .about = "what ibnetdiscover prints",
     .has_rates = true,
     .recognize = tny_ibnetdiscover_recognize,
     .read = tny_ibnetdiscover_read},
    {.name = "lldp",
     .about = "what lldpcli prints as JSON",
     .has_rates = true,
     .has_ports = true,
     .recognize = tny_lldp_recognize,
     .read = tny_lldp_read},
    {.name = "ptm",
     .about = "a topology.dot for Cumulus Linux's PTM",
     .has_ports = true,
     .recognize = tny_ptm_recognize,
     .read = tny_ptm_read},
    {.name = "topograph",
     .about = "a model or graph of NVIDIA topograph's",
     .recognize = tny_topograph_recognize,
     .read = tny_topograph_read},
    {.name = "simgrid",
     .about = "a platform file of SimGrid's",
     .has_rates = true,
     .recognize = tny_simgrid_recognize,
     .read = tny_simgrid_read},
    {.name = "hwloc",
     .about = "hwloc's XML of hosts",
     .has_ports = true,
     .recognize = tny_hwloc_recognize,
     .read = tny_hwloc_read},
};
#define FORMAT_COUNT (sizeof formats / sizeof *formats)

/* "slurm-conf, slurm-yaml, ..." */
static enum tny_status list_formats(char **list, struct tny_error *error)
{
  struct tny_text text = {0};
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    tny_text_add(&text, "%s%s", i ? ", " : "", formats[i].name);
  return tny_text_take(&text, list, error);
}

static enum tny_status refuse_format(const struct tny_import_request *import,
                                     struct tny_error *error)
{
  char *list;
  enum tny_status status = list_formats(&list, error);
  if (status)
    return status;
  if (import->format)
    status = tny_error_set(error, TNY_BAD_INPUT, "no format is called \"%.40s\": there are %.400s",
                           import->format, list);
  else
    status = tny_error_at(error, TNY_BAD_INPUT, import->files[0].name, 0, 0,
                          "it begins like none of the formats that are read: %.350s; if it is one, "
                          "say which by --format",
                          list);
  tny_text_free(list);
  return status;
}

static enum tny_status find_format(const struct tny_import_request *import,
                                   const struct tny_import_format **format, struct tny_error *error)
{
  for (size_t i = 0; i < FORMAT_COUNT; i++) {
    *format = &formats[i];
    if (import->format ? !strcmp(import->format, formats[i].name)
                       : formats[i].recognize(import->files[0].text))
      return TNY_OK;
  }
  return refuse_format(import, error);
}

/* Whether what is asked for is something that the format has. */
static enum tny_status check_request(const struct tny_import_format *format,
                                     const struct tny_import_request *import,
                                     const struct tny_import_request *insides,
                                     struct tny_error *error)
{
  const char *name = import->files[0].name;
  if (import->topology && !format->has_topologies)
    return tny_error_at(error, TNY_BAD_INPUT, name, 0, 0,
                        "%s has one topology: there is none to choose by --topology",
                        format->about);
  const bool chooses_ports = (import->interfaces && !insides->file_count) || import->without;
  if (chooses_ports && !format->has_ports)
    return tny_error_at(error, TNY_BAD_INPUT, name, 0, 0,
                        "%s tells of no ports: there is nothing to choose by --interface or "
                        "--without",
                        format->about);
  if (!format->has_rates && !import->link_bps)
    return tny_error_at(error, TNY_BAD_INPUT, name, 0, 0,
                        "%s says no rates: give that of the hosts' cables, as in --link 25Gbit/s, "
                        "and where cables between switches differ, theirs by --trunk",
                        format->about);
  return TNY_OK;
}

static enum tny_status read_files(const struct tny_import_format *format,
                                  const struct tny_import_request *import,
                                  const struct tny_import_request *insides,
                                  struct tny_cluster **cluster, struct tny_error *error)
{
  const char *name = import->files[0].name;
  struct tny_build build;
  tny_build_init(&build, name, name);
  enum tny_status status = format->read(import, &build, error);
  if (!status && insides->file_count)
    status = tny_hwloc_join(insides, &build, error);
  build.file = name;
  build.line = 0;
  if (!status && import->hosts)
    status = tny_import_keep(&build, import->hosts, error);
  build.multipath = import->multipath;
  if (!status && import->multipath && import->routes && *import->routes)
    status = tny_error_at(error, TNY_BAD_INPUT, name, 0, 0,
                          "multipath says that the ways of messages aren't known, and forwarding "
                          "tables say them: leave one of them out");
  if (!status)
    status = tny_build_finish(&build, cluster, error);
  tny_build_release(&build);
  return status;
}

/* Files of hwloc's tell of hosts in the network of the others, unless there are no others. `files`
   has room for all: those of the network come first in it. */
static void divide_files(struct tny_import_request *network, struct tny_import_request *insides,
                         struct tny_import_file *files)
{
  const struct tny_import_file *given = network->files;
  const uint32_t all = network->file_count;
  const bool are_all = network->format && !strcmp(network->format, "hwloc");
  uint32_t count = 0;
  for (int inside = 0; inside < 2; inside++) {
    for (uint32_t i = 0; i < all; i++)
      if (tny_hwloc_recognize(given[i].text) == (inside == 1))
        files[count++] = given[i];
    if (inside == 0 && count > 0 && !are_all)
      network->file_count = count;
  }
  network->files = are_all ? given : files;
  *insides = *network;
  insides->files = files + network->file_count;
  insides->file_count = all - network->file_count;
}

enum tny_status tny_cluster_import(const struct tny_import_request *import,
                                   struct tny_cluster **cluster, const char **format,
                                   struct tny_error *error)
{
  const struct tny_import_format *found;
  *cluster = NULL;
  *format = NULL;
  if (import->routes)
    *import->routes = NULL;
  struct tny_import_file *files = tny_new(import->file_count, sizeof *files);
  if (!files)
    return tny_error_memory(error);
  struct tny_import_request network = *import, insides;
  divide_files(&network, &insides, files);
  enum tny_status status = find_format(&network, &found, error);
  if (!status)
    status = check_request(found, &network, &insides, error);
  if (!status)
    status = read_files(found, &network, &insides, cluster, error);
  tny_free(files);
  if (!status)
    *format = found->name;
  if (status && import->routes) {
    tny_text_free(*import->routes);
    *import->routes = NULL;
  }
  return status;
}
