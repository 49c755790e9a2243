/* Ranks on a cluster: what `tourney plan` and `tourney verify` set up before they look at
   schedules, and the option values that several subcommands take. */
#ifndef TOURNEY_SCENE_H
#define TOURNEY_SCENE_H

#include <tourney/model.h>

#include "core/text.h"

#define SCENE_BYTES_MAX (UINT64_C(1) << 40) /* where no MPI call sets a limit */

/* Everything is owned. */
struct scene {
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  struct tny_error deadlock; /* where routing was asked for: TNY_BROKEN, and how it deadlocks */
  uint32_t rank_count;
  uint32_t *host_of_rank; /* rank_count */
  struct tny_placement *placement;
  struct tny_network network;
  struct tny_model model;
};

/* How a command prints what it found. */
enum scene_format { SCENE_TEXT, SCENE_CSV, SCENE_JSON };

/* Where ranks are to be. */
struct scene_wanted {
  const char *cluster; /* a file or a generator */
  const char *routing; /* as in --routing; NULL: auto */
  enum tny_map map;
  uint32_t ranks; /* 0: one a host */
};

/* Opens the cluster and places the ranks. Owns: scene_close, also after a failure. */
enum tny_status scene_open(struct scene *scene, const struct scene_wanted *wanted,
                           struct tny_error *error) TNY_MUST_CHECK;
/* The same on a cluster that is there already and taken over, also after a failure. */
enum tny_status scene_place(struct scene *scene, struct tny_cluster *cluster,
                            const struct scene_wanted *wanted,
                            struct tny_error *error) TNY_MUST_CHECK;
void scene_close(struct scene *scene);
/* A line about the routes: how they go, and whether messages on them can deadlock. For scenes with
   a routing asked for. */
void scene_describe_routes(const struct scene *scene, struct tny_text *text);
/* The problem, with the scene's placement. */
struct tny_problem scene_problem(const struct scene *scene, enum tny_collective collective,
                                 uint32_t root);

/* "block" or "interleaved". */
const char *scene_map_name(enum tny_map map);
/* `option` is what errors call it. */
enum tny_status scene_map_parse(const char *option, const char *text, enum tny_map *map,
                                struct tny_error *error) TNY_MUST_CHECK;
/* A value of --format: text, json and, where `csv_too`, csv. */
enum tny_status scene_format_parse(const char *text, bool csv_too, enum scene_format *format,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* A size for --bytes, from 1 to `max`. */
enum tny_status scene_bytes_parse(const char *text, uint64_t max, uint64_t *bytes,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Refuses more than TNY_RANKS_PER_HOST_MAX ranks a host. */
enum tny_status scene_ranks_check(const struct tny_cluster *cluster, uint32_t rank_count,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* A whole number from range[0] to range[1]; `option` is what errors call it. */
enum tny_status scene_number_parse(const char *option, const char *text, const uint32_t range[2],
                                   uint32_t *number, struct tny_error *error) TNY_MUST_CHECK;

#endif
