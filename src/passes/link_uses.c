/* Every message's route is walked twice: to count by link, and to note, link by link. */
#include "passes/link_uses.h"

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"

/* Calls for each link of each message: counts it, or where there is a list notes it at the link's
   next place. */
static void walk_routes(const struct tny_step_phases *phases, const struct tny_network *network,
                        uint32_t *by_link, struct tny_crossing *list)
{
  const struct tny_match *match = phases->match;
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    if (step->kind != TNY_SEND)
      continue;
    struct tny_route route = tny_route_begin(network, match->rank_of[id], step->peer);
    uint32_t link;
    while ((link = tny_route_next(&route)) != TNY_NONE) {
      if (list)
        list[by_link[link]] = (struct tny_crossing){link, phases->phase[id], id};
      by_link[link]++;
    }
  }
}

static int compare(uint32_t a, uint32_t b)
{
  return (a > b) - (a < b);
}

/* Of one link's. */
static int compare_crossings(const void *a, const void *b)
{
  const struct tny_crossing *x = a, *y = b;
  return x->phase != y->phase ? compare(x->phase, y->phase) : compare(x->send, y->send);
}

/* Lists the crossings by link. `next` has by link how many there are; in the end, where the next
   link's begin. */
static void list_by_link(const struct tny_step_phases *phases, const struct tny_network *network,
                         uint32_t *next, struct tny_crossing *list)
{
  const uint32_t link_count = network->routes->cluster->link_count;
  uint32_t first = 0;
  for (uint32_t link = 0; link < link_count; link++) {
    const uint32_t count = next[link];
    next[link] = first;
    first += count;
  }
  walk_routes(phases, network, next, list);
  first = 0;
  for (uint32_t link = 0; link < link_count; link++) {
    if (next[link] > first)
      qsort(list + first, next[link] - first, sizeof *list, compare_crossings);
    first = next[link];
  }
}

/* Sorts the places by send: counts, sums up, and fills from behind. */
static void find_places(const struct tny_crossings *crossings, uint32_t step_count)
{
  uint32_t *first = crossings->first_of_send;
  for (uint32_t place = 0; place < crossings->count; place++)
    first[crossings->list[place].send]++;
  for (uint32_t id = 0; id < step_count; id++)
    first[id + 1] += first[id];
  for (uint32_t place = crossings->count; place-- > 0;)
    crossings->of_send[--first[crossings->list[place].send]] = place;
}

enum tny_status tny_crossings_find(const struct tny_step_phases *phases,
                                   const struct tny_network *network,
                                   struct tny_crossings *crossings, struct tny_error *error)
{
  const uint32_t step_count = phases->match->step_count;
  const uint32_t link_count = network->routes->cluster->link_count;
  *crossings = (struct tny_crossings){0};
  uint32_t *by_link = tny_new(link_count, sizeof *by_link);
  if (!by_link)
    return tny_error_memory(error);
  walk_routes(phases, network, by_link, NULL);
  for (uint32_t link = 0; link < link_count; link++)
    crossings->count += by_link[link];
  crossings->list = tny_new(crossings->count, sizeof *crossings->list);
  crossings->first_of_send = tny_new((size_t)step_count + 1, sizeof *crossings->first_of_send);
  crossings->of_send = tny_new(crossings->count, sizeof *crossings->of_send);
  const bool has_room = crossings->list && crossings->first_of_send && crossings->of_send;
  if (has_room) {
    list_by_link(phases, network, by_link, crossings->list);
    find_places(crossings, step_count);
  }
  tny_free(by_link);
  return has_room ? TNY_OK : tny_error_memory(error);
}

void tny_crossings_release(struct tny_crossings *crossings)
{
  tny_free(crossings->list);
  tny_free(crossings->first_of_send);
  tny_free(crossings->of_send);
  *crossings = (struct tny_crossings){0};
}
