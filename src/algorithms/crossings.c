/* Every message's route is walked twice: to count, and to note. */
#include "algorithms/crossings.h"

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"

/* Calls for each link of each message: counts it, or notes it where there is a list. */
static uint32_t walk_routes(const struct tny_step_phases *phases, const struct tny_network *network,
                            struct tny_crossing *list)
{
  const struct tny_match *match = phases->match;
  uint32_t count = 0;
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    if (step->kind != TNY_SEND)
      continue;
    struct tny_route route = tny_route_begin(network, match->rank_of[id], step->peer);
    uint32_t link;
    while ((link = tny_route_next(&route)) != TNY_NONE) {
      if (list)
        list[count] = (struct tny_crossing){link, phases->phase[id], id};
      count++;
    }
  }
  return count;
}

static int compare(uint32_t a, uint32_t b)
{
  return (a > b) - (a < b);
}

static int compare_crossings(const void *a, const void *b)
{
  const struct tny_crossing *x = a, *y = b;
  if (x->link != y->link)
    return compare(x->link, y->link);
  return x->phase != y->phase ? compare(x->phase, y->phase) : compare(x->send, y->send);
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
  *crossings = (struct tny_crossings){.count = walk_routes(phases, network, NULL)};
  crossings->list = tny_new(crossings->count, sizeof *crossings->list);
  crossings->first_of_send = tny_new((size_t)step_count + 1, sizeof *crossings->first_of_send);
  crossings->of_send = tny_new(crossings->count, sizeof *crossings->of_send);
  if (!crossings->list || !crossings->first_of_send || !crossings->of_send)
    return tny_error_memory(error);
  walk_routes(phases, network, crossings->list);
  qsort(crossings->list, crossings->count, sizeof *crossings->list, compare_crossings);
  find_places(crossings, step_count);
  return TNY_OK;
}

void tny_crossings_release(struct tny_crossings *crossings)
{
  tny_free(crossings->list);
  tny_free(crossings->first_of_send);
  tny_free(crossings->of_send);
  *crossings = (struct tny_crossings){0};
}
