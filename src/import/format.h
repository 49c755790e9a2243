/* What a format is to the table in import.c, and the formats that are in it. */
#ifndef TOURNEY_IMPORT_FORMAT_H
#define TOURNEY_IMPORT_FORMAT_H

#include <tourney/import.h>

#include "cluster/build.h"

struct tny_import_format {
  const char *name;
  const char *about;   /* "Slurm's topology.conf" */
  bool has_rates;      /* if not, the reader is only called with link_bps */
  bool has_topologies; /* there may be several in a file; if not, none can be asked for */
  bool has_ports;      /* it knows `interfaces` and `without`; if not, they can't be asked for */
  bool (*recognize)(const char *text);
  /* Adds all nodes and cables to the build, each under the file and line that say so, and sets the
     build's note where the files leave something open, and the request's routes where they are
     wanted and the files have some. */
  enum tny_status (*read)(const struct tny_import_request *import, struct tny_build *build,
                          struct tny_error *error);
};

/* Leaves of a build only the hosts of a list and the switches that join them. Of each of its cables
   `from` is the upper end, as tiers have it. Errors: a host that it hasn't got. */
enum tny_status tny_import_keep(struct tny_build *build, const char *hosts,
                                struct tny_error *error) TNY_MUST_CHECK;

bool tny_slurm_conf_recognize(const char *text);
enum tny_status tny_slurm_conf_read(const struct tny_import_request *import,
                                    struct tny_build *build,
                                    struct tny_error *error) TNY_MUST_CHECK;
bool tny_ibnetdiscover_recognize(const char *text);
enum tny_status tny_ibnetdiscover_read(const struct tny_import_request *import,
                                       struct tny_build *build,
                                       struct tny_error *error) TNY_MUST_CHECK;
bool tny_slurm_yaml_recognize(const char *text);
enum tny_status tny_slurm_yaml_read(const struct tny_import_request *import,
                                    struct tny_build *build,
                                    struct tny_error *error) TNY_MUST_CHECK;
bool tny_lldp_recognize(const char *text);
enum tny_status tny_lldp_read(const struct tny_import_request *import, struct tny_build *build,
                              struct tny_error *error) TNY_MUST_CHECK;
bool tny_ptm_recognize(const char *text);
enum tny_status tny_ptm_read(const struct tny_import_request *import, struct tny_build *build,
                             struct tny_error *error) TNY_MUST_CHECK;
bool tny_simgrid_recognize(const char *text);
enum tny_status tny_simgrid_read(const struct tny_import_request *import, struct tny_build *build,
                                 struct tny_error *error) TNY_MUST_CHECK;
bool tny_topograph_recognize(const char *text);
enum tny_status tny_topograph_read(const struct tny_import_request *import, struct tny_build *build,
                                   struct tny_error *error) TNY_MUST_CHECK;
bool tny_hwloc_recognize(const char *text);
enum tny_status tny_hwloc_read(const struct tny_import_request *import, struct tny_build *build,
                               struct tny_error *error) TNY_MUST_CHECK;

/* Finds in the build of a network the hosts that hwloc's files tell of, and adds what they tell.
   The import's files are these. Errors: a host that it hasn't got. */
enum tny_status tny_hwloc_join(const struct tny_import_request *import, struct tny_build *build,
                               struct tny_error *error) TNY_MUST_CHECK;

#endif
