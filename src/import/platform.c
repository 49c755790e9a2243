/* A platform while it is filled: points, places, links, routes. */
#include "import/platform.h"

#include "core/alloc.h"
#include "core/error.h"

void tny_platform_init(struct tny_platform *platform, const char *file)
{
  *platform = (struct tny_platform){.file = file};
  tny_build_init(&platform->points, file, file);
  tny_build_init(&platform->links, file, file);
}

void tny_platform_release(struct tny_platform *platform)
{
  tny_build_release(&platform->points);
  tny_build_release(&platform->links);
  tny_free(platform->places);
  tny_free(platform->point_at);
  tny_free(platform->link_at);
  tny_free(platform->edges);
  tny_free(platform->routes);
  tny_free(platform->hops);
}

/* Room for one more element of an array; it may move. NULL: no memory. */
static void *grown(void *array, uint32_t count, uint32_t *room, size_t bytes)
{
  if (count < *room)
    return array;
  if (*room > UINT32_MAX / 2)
    return NULL;
  const uint32_t wanted = *room ? 2 * *room : 64;
  void *larger = tny_resize(array, wanted, bytes);
  if (larger)
    *room = wanted;
  return larger;
}

/* --- places --- */

enum tny_status tny_platform_add_place(struct tny_platform *platform, uint32_t *place,
                                       struct tny_error *error)
{
  struct tny_place *places = grown(platform->places, platform->place_count, &platform->place_room,
                                   sizeof *platform->places);
  if (!places)
    return tny_error_memory(error);
  platform->places = places;
  *place = platform->place_count++;
  places[*place] = (struct tny_place){.parent = *place, .point = TNY_NONE};
  return TNY_OK;
}

uint32_t tny_platform_find(struct tny_platform *platform, uint32_t place)
{
  struct tny_place *places = platform->places;
  while (places[place].parent != place) {
    places[place].parent = places[places[place].parent].parent;
    place = places[place].parent;
  }
  return place;
}

/* The older one stands for both, so that what a file names first comes first. */
void tny_platform_join(struct tny_platform *platform, uint32_t a, uint32_t b)
{
  a = tny_platform_find(platform, a);
  b = tny_platform_find(platform, b);
  struct tny_place *older = &platform->places[a < b ? a : b];
  struct tny_place *younger = &platform->places[a < b ? b : a];
  younger->parent = older->parent;
  if (older->point == TNY_NONE)
    older->point = younger->point;
}

/* --- points --- */

enum tny_status tny_platform_add_point(struct tny_platform *platform, const char *name,
                                       enum tny_kind kind, unsigned line, uint32_t *place,
                                       struct tny_error *error)
{
  uint32_t point, at;
  struct tny_point *points = grown(platform->point_at, platform->points.node_count,
                                   &platform->point_room, sizeof *platform->point_at);
  if (!points)
    return tny_error_memory(error);
  platform->point_at = points;
  const uint32_t taken = tny_build_find(&platform->points, name);
  if (taken != TNY_NONE)
    return tny_error_at(error, TNY_BAD_INPUT, platform->file, line, 0,
                        "%.100s is there already (line %u): call one of them otherwise", name,
                        points[taken].line);
  platform->points.line = line;
  enum tny_status status = tny_build_add(&platform->points, name, kind, &point, error);
  if (!status)
    status = tny_platform_add_place(platform, &at, error);
  if (status)
    return status;
  points[point] = (struct tny_point){.place = at, .line = line};
  platform->places[at].point = point;
  if (place)
    *place = at;
  return TNY_OK;
}

uint32_t tny_platform_find_point(const struct tny_platform *platform, const char *name)
{
  const uint32_t point = tny_build_find(&platform->points, name);
  return point == TNY_NONE ? TNY_NONE : platform->point_at[point].place;
}

/* --- links and edges --- */

enum tny_status tny_platform_add_link(struct tny_platform *platform, const char *name,
                                      const struct tny_link_rates *rates, unsigned line,
                                      struct tny_error *error)
{
  uint32_t index, ends[2];
  struct tny_platform_link *links = grown(platform->link_at, platform->links.node_count,
                                          &platform->link_room, sizeof *platform->link_at);
  if (!links)
    return tny_error_memory(error);
  platform->link_at = links;
  const uint32_t taken = tny_build_find(&platform->links, name);
  if (taken != TNY_NONE)
    return tny_error_at(error, TNY_BAD_INPUT, platform->file, line, 0,
                        "link %.100s is there already (line %u): call one of them otherwise", name,
                        links[taken].line);
  platform->links.line = line;
  enum tny_status status = tny_build_add(&platform->links, name, TNY_KIND_SWITCH, &index, error);
  for (int end = 0; !status && end < 2; end++)
    status = tny_platform_add_place(platform, &ends[end], error);
  if (!status)
    links[index] =
        (struct tny_platform_link){.rates = *rates, .ends = {ends[0], ends[1]}, .line = line};
  return status;
}

enum tny_status tny_platform_check_room(const struct tny_platform *platform, uint64_t cables,
                                        unsigned line, struct tny_error *error)
{
  if (cables <= TNY_CABLES_MAX - platform->edge_count)
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, platform->file, line, 0,
                      "more than %u cables: make the network smaller", TNY_CABLES_MAX);
}

enum tny_status tny_platform_add_edge(struct tny_platform *platform,
                                      const struct tny_platform_edge *edge, struct tny_error *error)
{
  const enum tny_status status = tny_platform_check_room(platform, 1, edge->line, error);
  if (status)
    return status;
  struct tny_platform_edge *edges =
      grown(platform->edges, platform->edge_count, &platform->edge_room, sizeof *platform->edges);
  if (!edges)
    return tny_error_memory(error);
  platform->edges = edges;
  edges[platform->edge_count++] = *edge;
  return TNY_OK;
}

/* --- routes --- */

enum tny_status tny_platform_add_hop(struct tny_platform *platform, const struct tny_hop *hop,
                                     struct tny_error *error)
{
  struct tny_hop *hops =
      grown(platform->hops, platform->hop_count, &platform->hop_room, sizeof *platform->hops);
  if (!hops)
    return tny_error_memory(error);
  platform->hops = hops;
  hops[platform->hop_count++] = *hop;
  return TNY_OK;
}

enum tny_status tny_platform_add_route(struct tny_platform *platform,
                                       const struct tny_platform_route *route,
                                       struct tny_error *error)
{
  struct tny_platform_route *routes = grown(platform->routes, platform->route_count,
                                            &platform->route_room, sizeof *platform->routes);
  if (!routes)
    return tny_error_memory(error);
  platform->routes = routes;
  struct tny_platform_route *added = &routes[platform->route_count];
  const struct tny_platform_route *last = platform->route_count ? added - 1 : NULL;
  *added = *route;
  added->first_hop = last ? last->first_hop + last->hop_count : 0;
  added->hop_count = platform->hop_count - added->first_hop;
  platform->route_count++;
  return TNY_OK;
}
