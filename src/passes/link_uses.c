/* Every message's route is walked twice: to count by link, and to note, link by link. */
#include "passes/link_uses.h"

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"

/* Walks each message's route. Without a list, counts the messages on each link in `by_link`. With
   one, `by_link` has the index of each link's next free entry in it. */
static void walk_routes(const struct tny_step_phases *phases, const struct tny_network *network,
                        uint32_t *by_link, struct tny_link_use *list)
{
  const struct tny_match *match = phases->match;
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    if (!tny_step_starts_message(step->kind))
      continue;
    struct tny_route route = tny_route_begin(network, match->rank_of[id], step->peer);
    uint32_t link;
    while ((link = tny_route_next(&route)) != TNY_NONE) {
      if (list)
        list[by_link[link]] = (struct tny_link_use){link, phases->phase[id], id};
      by_link[link]++;
    }
  }
}

static int compare(uint32_t a, uint32_t b)
{
  return (a > b) - (a < b);
}

/* Compares two uses of the same link. */
static int compare_uses(const void *a, const void *b)
{
  const struct tny_link_use *x = a, *y = b;
  return x->phase != y->phase ? compare(x->phase, y->phase) : compare(x->send, y->send);
}

/* Lists the uses link by link, and sorts those of each. At the beginning `next` has the number of
   each link's uses; at the end, the index where the uses of the link after it begin. */
static void list_by_link(const struct tny_step_phases *phases, const struct tny_network *network,
                         uint32_t *next, struct tny_link_use *list)
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
      qsort(list + first, next[link] - first, sizeof *list, compare_uses);
    first = next[link];
  }
}

/* A counting sort of the list's indices by send. */
static void sort_by_send(const struct tny_link_uses *uses, uint32_t step_count)
{
  uint32_t *first = uses->first_of_send;
  for (uint32_t index = 0; index < uses->count; index++)
    first[uses->list[index].send]++;
  for (uint32_t id = 0; id < step_count; id++)
    first[id + 1] += first[id];
  for (uint32_t index = uses->count; index-- > 0;)
    uses->of_send[--first[uses->list[index].send]] = index;
}

enum tny_status tny_link_uses_find(const struct tny_step_phases *phases,
                                   const struct tny_network *network, struct tny_link_uses *uses,
                                   struct tny_error *error)
{
  const uint32_t step_count = phases->match->step_count;
  const uint32_t link_count = network->routes->cluster->link_count;
  *uses = (struct tny_link_uses){0};
  uint32_t *by_link = tny_new(link_count, sizeof *by_link);
  if (!by_link)
    return tny_error_memory(error);
  walk_routes(phases, network, by_link, NULL);
  for (uint32_t link = 0; link < link_count; link++)
    uses->count += by_link[link];
  uses->list = tny_new(uses->count, sizeof *uses->list);
  uses->first_of_send = tny_new((size_t)step_count + 1, sizeof *uses->first_of_send);
  uses->of_send = tny_new(uses->count, sizeof *uses->of_send);
  const bool has_room = uses->list && uses->first_of_send && uses->of_send;
  if (has_room) {
    list_by_link(phases, network, by_link, uses->list);
    sort_by_send(uses, step_count);
  }
  tny_free(by_link);
  return has_room ? TNY_OK : tny_error_memory(error);
}

void tny_link_uses_release(struct tny_link_uses *uses)
{
  tny_free(uses->list);
  tny_free(uses->first_of_send);
  tny_free(uses->of_send);
  *uses = (struct tny_link_uses){0};
}
