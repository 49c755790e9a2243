/* Conflicts, found link by link: sorted by link and phase, each message against those of the phase
   before. */
#include "algorithms/conflicts.h"

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"

struct crossing {
  uint32_t link, phase, send;
};

struct crossings {
  struct crossing *list;
  size_t count;
};

/* Calls for each link of each message: counts it, or notes it where there is a list. */
static size_t walk_routes(const struct tny_step_phases *phases, const struct tny_network *network,
                          struct crossing *list)
{
  const struct tny_match *match = phases->match;
  size_t count = 0;
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    if (step->kind != TNY_SEND)
      continue;
    struct tny_route route = tny_route_begin(network, match->rank_of[id], step->peer);
    uint32_t link;
    while ((link = tny_route_next(&route)) != TNY_NONE) {
      if (list)
        list[count] = (struct crossing){link, phases->phase[id], id};
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
  const struct crossing *x = a, *y = b;
  if (x->link != y->link)
    return compare(x->link, y->link);
  return x->phase != y->phase ? compare(x->phase, y->phase) : compare(x->send, y->send);
}

static int compare_conflicts(const void *a, const void *b)
{
  const struct tny_conflict *x = a, *y = b;
  return x->later != y->later ? compare(x->later, y->later) : compare(x->earlier, y->earlier);
}

static bool add(struct tny_conflicts *conflicts, struct tny_conflict conflict)
{
  if (conflicts->count == conflicts->room) {
    const size_t room = 2 * conflicts->room + 64;
    void *grown = tny_resize(conflicts->list, room, sizeof *conflicts->list);
    if (!grown)
      return false;
    conflicts->list = grown;
    conflicts->room = room;
  }
  conflicts->list[conflicts->count++] = conflict;
  return true;
}

/* The step of the earlier message that has to be complete. */
static uint32_t waited_for(const struct tny_match *match, const struct tny_network *network,
                           const struct crossing *earlier, const struct crossing *later)
{
  const uint32_t sender = match->rank_of[earlier->send];
  const uint32_t receivers[2] = {tny_match_step(match, earlier->send)->peer,
                                 tny_match_step(match, later->send)->peer};
  if (match->rank_of[later->send] == sender &&
      tny_route_same_until(network, sender, receivers, later->link))
    return earlier->send;
  return match->partner[earlier->send];
}

static bool pair_up(const struct tny_match *match, const struct tny_network *network,
                    const struct crossings *crossings, struct tny_conflicts *conflicts)
{
  size_t before = 0, group = 0; /* where the phase before begins, and the present one */
  for (size_t i = 0; i < crossings->count; i++) {
    const struct crossing *later = &crossings->list[i];
    if (later->link != crossings->list[group].link)
      before = group = i;
    else if (later->phase != crossings->list[group].phase) {
      before = group;
      group = i;
    }
    for (size_t k = before; k < group; k++) {
      const uint32_t earlier = waited_for(match, network, &crossings->list[k], later);
      if (!add(conflicts, (struct tny_conflict){later->send, earlier}))
        return false;
    }
  }
  return true;
}

static void sort_each_once(struct tny_conflicts *conflicts)
{
  size_t kept = 0;
  if (conflicts->count == 0)
    return;
  qsort(conflicts->list, conflicts->count, sizeof *conflicts->list, compare_conflicts);
  for (size_t i = 1; i < conflicts->count; i++)
    if (compare_conflicts(&conflicts->list[kept], &conflicts->list[i]) != 0)
      conflicts->list[++kept] = conflicts->list[i];
  conflicts->count = kept + 1;
}

enum tny_status tny_conflicts_find(const struct tny_step_phases *phases,
                                   const struct tny_network *network,
                                   struct tny_conflicts *conflicts, struct tny_error *error)
{
  *conflicts = (struct tny_conflicts){0};
  struct crossings crossings = {.count = walk_routes(phases, network, NULL)};
  crossings.list = tny_new(crossings.count, sizeof *crossings.list);
  if (!crossings.list)
    return tny_error_memory(error);
  walk_routes(phases, network, crossings.list);
  qsort(crossings.list, crossings.count, sizeof *crossings.list, compare_crossings);
  const bool done = pair_up(phases->match, network, &crossings, conflicts);
  tny_free(crossings.list);
  if (!done)
    return tny_error_memory(error);
  sort_each_once(conflicts);
  return TNY_OK;
}

void tny_conflicts_release(struct tny_conflicts *conflicts)
{
  tny_free(conflicts->list);
  *conflicts = (struct tny_conflicts){0};
}
