/* A mapping: ranks mapped to the hosts of a cluster, and what follows from it (routes, placement,
   network, model). Plan, verify, simulate and algorithms make one before they look at schedules. */
#ifndef TOURNEY_CLI_MAPPING_H
#define TOURNEY_CLI_MAPPING_H

#include <tourney/model.h>

#include "core/text.h"

/* Everything is owned. */
struct mapping {
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  bool is_routing_asked;     /* by an option, or by the cluster */
  struct tny_error deadlock; /* where it is: TNY_BROKEN, and how it deadlocks */
  uint32_t rank_count;
  uint32_t *host_of_rank; /* rank_count */
  struct tny_placement *placement;
  struct tny_network network;
  struct tny_model model;
};

/* What is asked for. */
struct mapping_wanted {
  const char *cluster; /* a file or a generator */
  const char *routing; /* as in --routing; NULL: auto */
  enum tny_map map;
  uint32_t ranks; /* 0: one a host */
};

/* Opens the cluster and maps the ranks. Owns: mapping_close, also after a failure. */
enum tny_status mapping_open(struct mapping *mapping, const struct mapping_wanted *wanted,
                             struct tny_error *error) TNY_MUST_CHECK;
/* The same on a cluster that is there already and taken over, also after a failure. */
enum tny_status mapping_make(struct mapping *mapping, struct tny_cluster *cluster,
                             const struct mapping_wanted *wanted,
                             struct tny_error *error) TNY_MUST_CHECK;
void mapping_close(struct mapping *mapping);

/* Adds a line about the routes: how they go, and whether messages on them can deadlock. For
   mappings with a routing asked for. */
void mapping_describe_routes(const struct mapping *mapping, struct tny_text *text);
/* The collective as a problem for its algorithms, on this mapping. */
struct tny_problem mapping_problem(const struct mapping *mapping, enum tny_collective collective,
                                   uint32_t root);

/* tny_cluster_open; what the file leaves open and was guessed goes to standard error as a note. */
enum tny_status cli_cluster_open(const char *text, struct tny_cluster **cluster,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* That note, where the cluster has one. */
void cli_cluster_tell_note(const struct tny_cluster *cluster);
/* Refuses more than TNY_RANKS_PER_HOST_MAX ranks a host. */
enum tny_status mapping_check_ranks(const struct tny_cluster *cluster, uint32_t rank_count,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
