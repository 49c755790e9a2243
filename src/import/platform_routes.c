/* Where links lead, from the routes that pass them. A route is a way from place to place: its first
   link begins where it begins, each link where the one before it ends, and its last one ends where
   it ends. So the ends of links are joined to places, until nothing more follows.

   Which way round a route passes a link is said of full-duplex links. Of another one it follows
   where one of its ends is known, or where it and the link before or behind it have an end in
   common; the first route that passes a link passes it forwards, which only gives its ends numbers.
   Last, where nothing else follows, a route that isn't a way back passes a link as others did. */
#include "core/alloc.h"
#include "core/error.h"
#include "import/platform.h"

static const char *link_name(const struct tny_platform *platform, uint32_t link)
{
  return tny_build_name(&platform->links, link);
}

/* --- which way round --- */

/* A route that is being followed. */
struct way {
  struct tny_platform *platform;
  struct tny_platform_route *route;
  struct tny_hop *hops;
  uint32_t *places; /* before each hop and behind the last one; TNY_NONE: not known */
};

static bool is_at(const struct way *way, uint32_t place, uint32_t end)
{
  return place != TNY_NONE &&
         tny_platform_find(way->platform, place) == tny_platform_find(way->platform, end);
}

/* Of two links that follow each other: the place that both lead to, or TNY_NONE where there is
   none or more than one. */
static uint32_t common_place(const struct way *way, const struct tny_platform_link *a,
                             const struct tny_platform_link *b)
{
  uint32_t common = TNY_NONE;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      if (!is_at(way, a->ends[i], b->ends[j]))
        continue;
      if (common != TNY_NONE && !is_at(way, common, a->ends[i]))
        return TNY_NONE;
      common = a->ends[i];
    }
  return common;
}

static bool is_new(const struct tny_platform_link *link)
{
  return !link->is_passed[0] && !link->is_passed[1];
}

/* Which way round a route passes hop number `i`, as far as it follows. */
static enum tny_direction direction_of(const struct way *way, uint32_t i)
{
  const struct tny_platform_link *link = &way->platform->link_at[way->hops[i].link];
  const bool begins[] = {is_at(way, way->places[i], link->ends[0]),
                         is_at(way, way->places[i], link->ends[1])};
  const bool ends[] = {is_at(way, way->places[i + 1], link->ends[0]),
                       is_at(way, way->places[i + 1], link->ends[1])};
  if (begins[0] || ends[1] || is_new(link))
    return TNY_FORWARD;
  return begins[1] || ends[0] ? TNY_BACKWARD : TNY_UNSAID;
}

/* Passes a link: its ends are the places before and behind it. */
static void pass(struct way *way, uint32_t i, enum tny_direction direction)
{
  struct tny_hop *hop = &way->hops[i];
  struct tny_platform_link *link = &way->platform->link_at[hop->link];
  const bool is_back = direction == TNY_BACKWARD;
  const uint32_t ends[] = {link->ends[is_back], link->ends[!is_back]};
  hop->direction = direction;
  link->is_passed[is_back] = true;
  if (way->route->is_symmetrical || link->rates.sharing == TNY_SPLIT)
    link->is_passed[!is_back] = true;
  for (uint32_t end = 0; end < 2; end++) {
    uint32_t *place = &way->places[i + end];
    if (*place == TNY_NONE)
      *place = ends[end];
    else
      tny_platform_join(way->platform, *place, ends[end]);
  }
}

/* Follows a route as far as it can be; says whether anything was found out. */
static bool follow(struct way *way)
{
  const struct tny_platform_route *route = way->route;
  bool is_changed = false;
  way->route->is_done = true;
  for (uint32_t i = 1; i < route->hop_count; i++)
    way->places[i] = TNY_NONE;
  way->places[0] = route->from;
  way->places[route->hop_count] = route->to;
  for (uint32_t i = 0; i < route->hop_count; i++)
    if (way->hops[i].direction != TNY_UNSAID)
      pass(way, i, way->hops[i].direction);
  for (uint32_t i = 1; i < route->hop_count; i++)
    if (way->places[i] == TNY_NONE)
      way->places[i] = common_place(way, &way->platform->link_at[way->hops[i - 1].link],
                                    &way->platform->link_at[way->hops[i].link]);
  /* Once from the front, once from the back. */
  for (uint32_t k = 0; k < 2 * route->hop_count; k++) {
    const uint32_t i = k < route->hop_count ? k : 2 * route->hop_count - 1 - k;
    const enum tny_direction direction =
        way->hops[i].direction == TNY_UNSAID ? direction_of(way, i) : TNY_UNSAID;
    if (direction == TNY_UNSAID)
      continue;
    pass(way, i, direction);
    is_changed = true;
  }
  for (uint32_t i = 0; i < route->hop_count; i++)
    way->route->is_done &= way->hops[i].direction != TNY_UNSAID;
  return is_changed;
}

/* --- all routes --- */

static struct way way_of(struct tny_platform *platform, uint32_t index, uint32_t *places)
{
  struct tny_platform_route *route = &platform->routes[index];
  return (struct way){.platform = platform,
                      .route = route,
                      .hops = platform->hops + route->first_hop,
                      .places = places};
}

static struct tny_hop *first_unsaid(const struct way *way)
{
  struct tny_hop *hop = way->hops;
  while (hop->direction != TNY_UNSAID)
    hop++;
  return hop;
}

/* Nothing more follows. In each route that isn't done and isn't a way back, the first link of which
   nothing is known is passed as other routes pass it; where there is no such route, the first one
   that isn't done is refused. */
static enum tny_status assume(struct tny_platform *platform, uint32_t *places,
                              struct tny_error *error)
{
  struct way stuck = {0};
  bool is_changed = false;
  for (uint32_t i = 0; i < platform->route_count; i++) {
    if (platform->routes[i].is_done)
      continue;
    const struct way way = way_of(platform, i, places);
    struct tny_hop *hop = first_unsaid(&way);
    const struct tny_platform_link *link = &platform->link_at[hop->link];
    if (!stuck.route)
      stuck = way;
    if (way.route->is_symmetrical || link->is_passed[0] == link->is_passed[1])
      continue;
    hop->direction = link->is_passed[0] ? TNY_FORWARD : TNY_BACKWARD;
    is_changed = true;
  }
  if (is_changed)
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, platform->file, stuck.route->line, 0,
                      "which end of link %.80s this route comes to doesn't follow from any route: "
                      "put <router>s where links meet, and give the routes from router to router "
                      "in a zone with routing=\"Floyd\"",
                      link_name(platform, first_unsaid(&stuck)->link));
}

/* A route without links says that its ends are one place. */
static void join_ends_without_links(struct tny_platform *platform)
{
  for (uint32_t i = 0; i < platform->route_count; i++) {
    struct tny_platform_route *route = &platform->routes[i];
    if (route->hop_count)
      continue;
    tny_platform_join(platform, route->from, route->to);
    route->is_done = true;
  }
}

static enum tny_status follow_all(struct tny_platform *platform, uint32_t *places,
                                  struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (bool is_left = true; !status && is_left;) {
    bool is_changed = false;
    is_left = false;
    for (uint32_t i = 0; i < platform->route_count; i++) {
      if (platform->routes[i].is_done)
        continue;
      struct way way = way_of(platform, i, places);
      is_changed |= follow(&way);
      is_left |= !way.route->is_done;
    }
    if (is_left && !is_changed)
      status = assume(platform, places, error);
  }
  return status;
}

/* --- links of more than two ends --- */

/* By point, the place that stands for its own; NULL: no memory. */
static uint32_t *places_of_points(struct tny_platform *platform)
{
  uint32_t *places = tny_new(platform->points.node_count, sizeof *places);
  for (uint32_t i = 0; places && i < platform->points.node_count; i++)
    places[i] = tny_platform_find(platform, platform->point_at[i].place);
  return places;
}

/* Points whose places have become one since then: a link was passed as if it had more than two
   ends. `first` is by place, 1 + the first point there. */
static enum tny_status refuse_joined(struct tny_platform *platform, const uint32_t *before,
                                     uint32_t *first, struct tny_error *error)
{
  for (uint32_t i = 0; i < platform->points.node_count; i++) {
    uint32_t *other = &first[tny_platform_find(platform, platform->point_at[i].place)];
    if (*other && before[*other - 1] != before[i])
      return tny_error_at(error, TNY_BAD_INPUT, platform->file, platform->point_at[i].line, 0,
                          "by the routes %.100s and %.100s are at one place, so a link is passed "
                          "as if it had more than two ends: put a router in its middle, and give "
                          "each cable to it a link of its own",
                          tny_build_name(&platform->points, *other - 1),
                          tny_build_name(&platform->points, i));
    if (!*other)
      *other = i + 1;
  }
  return TNY_OK;
}

/* --- links of one direction --- */

static bool is_one_way(const struct tny_platform_link *link)
{
  return link->is_passed[0] != link->is_passed[1];
}

/* A link of one direction, by the places it joins. */
struct one_way {
  uint32_t low, high; /* places, the lower number first */
  bool is_down;       /* it leads from the high one to the low one */
  uint32_t link;
};

static struct one_way one_way_of(struct tny_platform *platform, uint32_t index)
{
  const struct tny_platform_link *link = &platform->link_at[index];
  const bool is_back = link->is_passed[1];
  const uint32_t from = tny_platform_find(platform, link->ends[is_back]);
  const uint32_t to = tny_platform_find(platform, link->ends[!is_back]);
  return (struct one_way){.low = from < to ? from : to,
                          .high = from < to ? to : from,
                          .is_down = from > to,
                          .link = index};
}

static int compare_one_ways(const void *a, const void *b)
{
  const struct one_way *x = a, *y = b;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  if (x->high != y->high)
    return x->high < y->high ? -1 : 1;
  if (x->is_down != y->is_down)
    return x->is_down - y->is_down;
  return x->link < y->link ? -1 : 1;
}

/* A host's only link out and its only link in are its one cable: they lead to the same place. */
static enum tny_status join_ways_of_hosts(struct tny_platform *platform, struct tny_error *error)
{
  struct ways {
    uint32_t count[2], other[2]; /* out and in: links, and where the last one leads */
  } *ways = tny_new(platform->place_count, sizeof *ways);
  if (!ways)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < platform->links.node_count; i++) {
    const struct tny_platform_link *link = &platform->link_at[i];
    if (is_new(link))
      continue;
    for (int end = 0; end < 2; end++) {
      struct ways *of = &ways[tny_platform_find(platform, link->ends[end])];
      for (int direction = 0; direction < 2; direction++) {
        const bool is_in = direction != end;
        of->count[is_in] += link->is_passed[direction];
        if (link->is_passed[direction])
          of->other[is_in] = link->ends[1 - end];
      }
    }
  }
  for (uint32_t i = 0; i < platform->points.node_count; i++) {
    const uint32_t place = platform->point_at[i].place;
    const struct ways *of = &ways[tny_platform_find(platform, place)];
    if (platform->points.nodes[i].kind == TNY_KIND_HOST && of->count[0] == 1 && of->count[1] == 1)
      tny_platform_join(platform, of->other[0], of->other[1]);
  }
  tny_free(ways);
  return TNY_OK;
}

static enum tny_status refuse_lonely(const struct tny_platform *platform, uint32_t link,
                                     struct tny_error *error)
{
  return tny_error_at(error, TNY_BAD_INPUT, platform->file, platform->link_at[link].line, 0,
                      "routes pass link %.100s in one direction alone, and none of them passes "
                      "another link back: a cable has both directions, so give the route back too, "
                      "or leave out symmetrical=\"NO\"",
                      link_name(platform, link));
}

/* Two links that lead to and fro are one cable, of one rate. */
static enum tny_status add_pair(struct tny_platform *platform, const struct one_way *to,
                                const struct one_way *fro, struct tny_error *error)
{
  const struct tny_platform_link *a = &platform->link_at[to->link];
  const struct tny_platform_link *b = &platform->link_at[fro->link];
  if (a->rates.bps != b->rates.bps || a->rates.latency_ns != b->rates.latency_ns)
    return tny_error_at(error, TNY_BAD_INPUT, platform->file, b->line, 0,
                        "links %.80s (line %u) and %.80s are the two directions of a cable, and "
                        "differ in rate or latency: a cable has the same both ways, so make them "
                        "alike",
                        link_name(platform, to->link), a->line, link_name(platform, fro->link));
  struct tny_platform_edge edge = {.ends = {to->low, to->high}, .rates = a->rates, .line = a->line};
  if (edge.rates.sharing != TNY_FATPIPE)
    edge.rates.sharing = TNY_SPLIT; /* no other direction shares it */
  return tny_platform_add_edge(platform, &edge, error);
}

/* Of links between the same two places, in order: as many up as down. */
static enum tny_status pair(struct tny_platform *platform, const struct one_way *ways,
                            uint32_t count, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t first = 0; !status && first < count;) {
    uint32_t up = first, end = first;
    for (; end < count && ways[end].low == ways[first].low && ways[end].high == ways[first].high;
         end++)
      up += !ways[end].is_down;
    const uint32_t ups = up - first, downs = end - up;
    if (ways[first].low == ways[first].high)
      for (uint32_t i = first; !status && i < end; i++) {
        const struct tny_platform_link *link = &platform->link_at[ways[i].link];
        const struct tny_platform_edge inner = {
            .ends = {ways[i].low, ways[i].high}, .rates = link->rates, .line = link->line};
        status = tny_platform_add_edge(platform, &inner, error);
      }
    else if (ups != downs)
      status = refuse_lonely(platform, ways[ups > downs ? first + downs : up + ups].link, error);
    else
      for (uint32_t i = 0; !status && i < ups; i++)
        status = add_pair(platform, &ways[first + i], &ways[up + i], error);
    first = end;
  }
  return status;
}

/* Links that are passed both ways are edges; the others are paired. */
static enum tny_status add_edges(struct tny_platform *platform, struct one_way *ways,
                                 struct tny_error *error)
{
  enum tny_status status = join_ways_of_hosts(platform, error);
  uint32_t count = 0;
  for (uint32_t i = 0; !status && i < platform->links.node_count; i++) {
    const struct tny_platform_link *link = &platform->link_at[i];
    const struct tny_platform_edge edge = {
        .ends = {link->ends[0], link->ends[1]}, .rates = link->rates, .line = link->line};
    if (is_one_way(link))
      ways[count++] = one_way_of(platform, i);
    else if (!is_new(link))
      status = tny_platform_add_edge(platform, &edge, error);
  }
  qsort(ways, count, sizeof *ways, compare_one_ways);
  return status ? status : pair(platform, ways, count, error);
}

enum tny_status tny_platform_settle(struct tny_platform *platform, struct tny_error *error)
{
  uint32_t longest = 0;
  for (uint32_t i = 0; i < platform->route_count; i++)
    if (platform->routes[i].hop_count > longest)
      longest = platform->routes[i].hop_count;
  join_ends_without_links(platform);
  uint32_t *before = places_of_points(platform);
  uint32_t *first = tny_new(platform->place_count, sizeof *first);
  uint32_t *places = tny_new((size_t)longest + 1, sizeof *places);
  struct one_way *ways = tny_new(platform->links.node_count, sizeof *ways);
  enum tny_status status = before && first && places && ways ? TNY_OK : tny_error_memory(error);
  if (!status)
    status = follow_all(platform, places, error);
  if (!status)
    status = refuse_joined(platform, before, first, error);
  if (!status)
    status = add_edges(platform, ways, error);
  tny_free(before);
  tny_free(first);
  tny_free(places);
  tny_free(ways);
  return status;
}
