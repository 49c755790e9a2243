/* `tourney topology import`: other tools' descriptions of a network as a Graphviz file. */
#ifndef TOURNEY_CLI_TOPOLOGY_IMPORT_H
#define TOURNEY_CLI_TOPOLOGY_IMPORT_H

#include <tourney/cluster.h>

/* What was asked for. */
struct topology_import {
  char **paths; /* borrowed, as all here */
  uint32_t path_count;
  const char *format; /* NULL: the one that is recognised, which it then becomes */
  const char *topology;
  uint64_t link_bps, trunk_bps;     /* 0: not given */
  enum tny_spreading multipath;     /* TNY_SPREADING_NONE: not given */
  const char *interfaces, *without; /* NULL: not given */
  const char *output;               /* NULL: standard output */
  const char *routes;               /* where tables of routes are to be written; NULL: nowhere */
  char *routes_text;                /* the tables; NULL: the files have none */
};

/* A rate for --link or --trunk, into a uint64_t. */
enum tny_status topology_import_read_rate(void *into, const char *value,
                                          struct tny_error *error) TNY_MUST_CHECK;
/* A spread for --multipath, into an enum tny_spreading. */
enum tny_status topology_import_read_multipath(void *into, const char *value,
                                               struct tny_error *error) TNY_MUST_CHECK;
/* Reads the files; what they leave open and was guessed goes to standard error as a note. Owns:
   *cluster and wanted->routes_text are the caller's. */
enum tny_status topology_import_open(struct topology_import *wanted, struct tny_cluster **cluster,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* Writes the cluster, and before it the tables, where it was asked for; returns the exit code. */
int topology_import_write(const struct tny_cluster *cluster, const struct topology_import *wanted);

#endif
