#include "cli/shared/launch/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/shared/mapping.h"
#include "cli/shared/options.h"
#include "core/alloc.h"
#include "core/error.h"

enum tny_status launch_places_refuse(const struct launch_places *places, const char *line,
                                     struct tny_error *error)
{
  return tny_error_set(error, TNY_BAD_INPUT,
                       "%s said '%.160s', which isn't what was asked for: is it of the same "
                       "version as this tool?",
                       places->program, line);
}

enum tny_status launch_places_begin(struct launch_places *places, const struct tny_cluster *cluster,
                                    struct tny_error *error)
{
  const char *map = getenv("TOURNEY_MAP");
  places->cluster = cluster;
  places->by_number = map && *map;
  return places->by_number ? cli_map_parse("TOURNEY_MAP", map, &places->map, error) : TNY_OK;
}

/* Room for the ranks, where that isn't there yet. */
static enum tny_status make_room(struct launch_places *places, uint32_t count,
                                 struct tny_error *error)
{
  if (places->rank_count == count)
    return TNY_OK;
  if (places->rank_count)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "%" PRIu32 " ranks were started, and %" PRIu32 " before: does the "
                         "launcher start as many each time?",
                         count, places->rank_count);
  if (count < 2)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "one rank alone has no collectives to measure: start at least 2");
  const enum tny_status status = mapping_check_ranks(places->cluster, count, error);
  if (status != TNY_OK)
    return status;
  places->host_of_rank = tny_new(count, sizeof *places->host_of_rank);
  if (!places->host_of_rank)
    return tny_error_memory(error);
  for (uint32_t r = 0; r < count; r++)
    places->host_of_rank[r] = TNY_NONE;
  places->rank_count = count;
  return places->by_number
             ? tny_map_ranks(places->cluster, places->map, count, places->host_of_rank, error)
             : TNY_OK;
}

static enum tny_status place(struct launch_places *places, uint32_t rank, const char *name,
                             struct tny_error *error)
{
  places->placed_count++;
  if (places->by_number)
    return TNY_OK;
  const uint32_t before = places->host_of_rank[rank];
  const uint32_t host = tny_cluster_find_host(places->cluster, name);
  if (host == TNY_NONE)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "rank %" PRIu32 " runs on '%s', which isn't a host of the cluster '%s'",
                         rank, name, places->cluster->name);
  if (before != TNY_NONE && before != host)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "rank %" PRIu32 " runs on '%s', and ran on '%s' before: give the "
                         "launcher a list of hosts, so that it places the ranks alike each time",
                         rank, name, places->cluster->node_names[before]);
  places->host_of_rank[rank] = host;
  return TNY_OK;
}

enum tny_status launch_places_take(struct launch_places *places, const char *line,
                                   struct tny_error *error)
{
  uint32_t number;
  char name[256];
  if (sscanf(line, "ranks %" SCNu32, &number) == 1) {
    places->placed_count = 0;
    return make_room(places, number, error);
  }
  if (sscanf(line, "rank %" SCNu32 " host %255s", &number, name) == 2 &&
      number == places->placed_count && number < places->rank_count)
    return place(places, number, name, error);
  return launch_places_refuse(places, line, error);
}

bool launch_places_are_complete(const struct launch_places *places)
{
  return places->rank_count > 0 && places->placed_count == places->rank_count;
}

void launch_places_release(struct launch_places *places)
{
  tny_free(places->host_of_rank);
  places->host_of_rank = NULL;
  places->rank_count = places->placed_count = 0;
}
