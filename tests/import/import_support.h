/* What tests of imports share: texts and files, imported. Included once by each test program. */
#ifndef TOURNEY_TESTS_IMPORT_SUPPORT_H
#define TOURNEY_TESTS_IMPORT_SUPPORT_H

#include "support/cluster.h"

#include <tourney/import.h>

#include "cluster/build.h"
#include "core/file.h"

/* One text as a file "test", at 25 and 100 Gbit/s. */
static inline enum tny_status import_text(const char *text, const char *format,
                                          const char *topology, struct tny_cluster **cluster,
                                          struct tny_error *error)
{
  const struct tny_import_file file = {.name = "test", .text = text};
  const struct tny_import_request import = {.files = &file,
                                            .file_count = 1,
                                            .format = format,
                                            .topology = topology,
                                            .link_bps = 25000000000,
                                            .trunk_bps = 100000000000};
  const char *found;
  const enum tny_status status = tny_cluster_import(&import, cluster, &found, error);
  assert_true((*cluster == NULL) == (status != TNY_OK));
  assert_true((found == NULL) == (status != TNY_OK));
  return status;
}

/* The text of a file of tests/clusters/slurm; the caller's. */
static inline char *slurm_file(const char *name)
{
  char path[4096], *text;
  struct tny_error error = {0};
  snprintf(path, sizeof path, "%s/tests/clusters/slurm/%s", getenv("TOURNEY_SOURCE"), name);
  if (tny_file_read(path, &text, &error))
    fail_msg("%s: %s", path, error.text);
  return text;
}

/* The node of that name, a host or a switch. */
static inline uint32_t node_called(const struct tny_cluster *cluster, const char *name)
{
  for (uint32_t node = 0; node < cluster->host_count + cluster->switch_count; node++)
    if (!strcmp(cluster->node_names[node], name))
      return node;
  fail_msg("there is no %s", name);
  return TNY_NONE;
}

/* The cluster in the flat form; the caller's. */
static inline char *flat_of(const struct tny_cluster *cluster)
{
  char *flat;
  assert_int_equal(tny_cluster_write_flat(cluster, &flat, NULL), TNY_OK);
  return flat;
}

#endif
