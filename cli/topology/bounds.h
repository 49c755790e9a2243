/* `tourney topology bounds`. */
#ifndef TOURNEY_CLI_TOPOLOGY_BOUNDS_H
#define TOURNEY_CLI_TOPOLOGY_BOUNDS_H

#include "cli/shared/options.h"

enum { TOPOLOGY_SIZES_MAX = 64 };
/* What was asked for. */
struct topology_bounds {
  uint32_t ranks; /* 0: one a host */
  uint32_t root;
  enum tny_map map;
  enum cli_format format;
  uint64_t sizes[TOPOLOGY_SIZES_MAX]; /* of blocks, in bytes */
  uint32_t size_count;
};
/* Prints the bounds; returns the exit code. */
int topology_bounds(const struct tny_cluster *cluster, const struct topology_bounds *wanted);

#endif
