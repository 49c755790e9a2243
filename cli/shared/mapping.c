/* Ranks on a cluster, and the option values that say how. */
#include "mapping.h"

#include <inttypes.h>

#include "cli.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"
#include "routing.h"

enum tny_status scene_open(struct scene *scene, const struct scene_wanted *wanted,
                           struct tny_error *error)
{
  struct tny_cluster *cluster;
  *scene = (struct scene){0};
  const enum tny_status status = cli_cluster_open(wanted->cluster, &cluster, error);
  return status == TNY_OK ? scene_place(scene, cluster, wanted, error) : status;
}

enum tny_status scene_place(struct scene *scene, struct tny_cluster *cluster,
                            const struct scene_wanted *wanted, struct tny_error *error)
{
  *scene = (struct scene){.cluster = cluster,
                          .rank_count = wanted->ranks ? wanted->ranks : cluster->host_count};
  enum tny_status status = scene_ranks_check(cluster, scene->rank_count, error);
  if (status == TNY_OK)
    status = routing_open(cluster, wanted->routing, &scene->routes, error);
  if (status != TNY_OK)
    return status;
  if (wanted->routing) {
    status = tny_routes_check(scene->routes, false, NULL, &scene->deadlock);
    if (status != TNY_OK && status != TNY_BROKEN)
      return tny_error_set(error, status, "%s", scene->deadlock.text);
  }
  scene->host_of_rank = tny_new(scene->rank_count, sizeof *scene->host_of_rank);
  if (!scene->host_of_rank)
    return tny_error_memory(error);
  scene->network = (struct tny_network){scene->routes, scene->host_of_rank, scene->rank_count};
  status = tny_map_ranks(cluster, wanted->map, scene->rank_count, scene->host_of_rank, error);
  if (status == TNY_OK)
    status = tny_placement_make(cluster, scene->host_of_rank, scene->rank_count, &scene->placement,
                                error);
  if (status == TNY_OK)
    scene->model = tny_model_make(&scene->network, scene->rank_count);
  return status;
}

void scene_close(struct scene *scene)
{
  tny_free(scene->host_of_rank);
  tny_placement_free(scene->placement);
  tny_routes_free(scene->routes);
  tny_cluster_free(scene->cluster);
  *scene = (struct scene){0};
}

void scene_describe_routes(const struct scene *scene, struct tny_text *text)
{
  tny_text_add(text, "routes        %s: %s\n", scene->routes->name,
               scene->deadlock.status == TNY_OK ? "can't deadlock" : scene->deadlock.text);
}

struct tny_problem scene_problem(const struct scene *scene, enum tny_collective collective,
                                 uint32_t root)
{
  return (struct tny_problem){.collective = collective,
                              .rank_count = scene->rank_count,
                              .root = root,
                              .placement = scene->placement,
                              .network = &scene->network};
}

const char *scene_map_name(enum tny_map map)
{
  return map == TNY_MAP_BLOCK ? "block" : "interleaved";
}

enum tny_status scene_map_parse(const char *option, const char *text, enum tny_map *map,
                                struct tny_error *error)
{
  for (*map = TNY_MAP_BLOCK; *map <= TNY_MAP_INTERLEAVED; ++*map)
    if (strcmp(text, scene_map_name(*map)) == 0)
      return TNY_OK;
  *map = TNY_MAP_BLOCK;
  return tny_error_set(error, TNY_BAD_INPUT, "%s is block or interleaved, not '%s'", option, text);
}

enum tny_status scene_format_parse(const char *text, bool csv_too, enum scene_format *format,
                                   struct tny_error *error)
{
  static const char *const words[] = {
      [SCENE_TEXT] = "text", [SCENE_CSV] = "csv", [SCENE_JSON] = "json"};
  for (*format = SCENE_TEXT; *format <= SCENE_JSON; ++*format)
    if (strcmp(text, words[*format]) == 0 && (csv_too || *format != SCENE_CSV))
      return TNY_OK;
  *format = SCENE_TEXT;
  return tny_error_set(error, TNY_BAD_INPUT, "--format is text%s or json, not '%s'",
                       csv_too ? ", csv" : "", text);
}

enum tny_status scene_bytes_parse(const char *text, uint64_t max, uint64_t *bytes,
                                  struct tny_error *error)
{
  const enum tny_status status = tny_bytes_parse(text, bytes, error);
  if (status == TNY_OK && (*bytes == 0 || *bytes > max))
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--bytes takes sizes from 1 to %" PRIu64 ", not '%s'", max, text);
  return status;
}

enum tny_status scene_ranks_check(const struct tny_cluster *cluster, uint32_t rank_count,
                                  struct tny_error *error)
{
  const uint32_t hosts = cluster->host_count;
  if (rank_count <= (uint64_t)hosts * TNY_RANKS_PER_HOST_MAX)
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT,
                       "%" PRIu32 " ranks don't fit on %" PRIu32
                       " host%s: at most %d a host, %" PRIu64
                       " together; take fewer, or a cluster with more hosts",
                       rank_count, hosts, hosts == 1 ? "" : "s", TNY_RANKS_PER_HOST_MAX,
                       (uint64_t)hosts * TNY_RANKS_PER_HOST_MAX);
}

enum tny_status scene_number_parse(const char *option, const char *text, const uint32_t range[2],
                                   uint32_t *number, struct tny_error *error)
{
  char *end;
  const unsigned long long value = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || value < range[0] || value > range[1])
    return tny_error_set(error, TNY_BAD_INPUT, "%s is a whole number from %u to %u, not '%s'",
                         option, range[0], range[1], text);
  *number = (uint32_t)value;
  return TNY_OK;
}
