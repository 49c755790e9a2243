/* Conflicts, found link by link: sorted by link and phase, each message against those of the phase
   before, or against the one that is a window before it. */
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
      const struct crossing *earlier = &crossings->list[k];
      const uint32_t awaited = waited_for(match, network, earlier, later);
      if (!add(conflicts, (struct tny_conflict){later->send, awaited, earlier->phase, later->link}))
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

/* All crossings by link, then phase, then sender. Owns: crossings->list by tny_free. */
static enum tny_status find_crossings(const struct tny_step_phases *phases,
                                      const struct tny_network *network,
                                      struct crossings *crossings, struct tny_error *error)
{
  crossings->count = walk_routes(phases, network, NULL);
  crossings->list = tny_new(crossings->count, sizeof *crossings->list);
  if (!crossings->list)
    return tny_error_memory(error);
  walk_routes(phases, network, crossings->list);
  qsort(crossings->list, crossings->count, sizeof *crossings->list, compare_crossings);
  return TNY_OK;
}

enum tny_status tny_conflicts_find(const struct tny_step_phases *phases,
                                   const struct tny_network *network,
                                   struct tny_conflicts *conflicts, struct tny_error *error)
{
  *conflicts = (struct tny_conflicts){0};
  struct crossings crossings;
  const enum tny_status status = find_crossings(phases, network, &crossings, error);
  if (status != TNY_OK)
    return status;
  const bool done = pair_up(phases->match, network, &crossings, conflicts);
  tny_free(crossings.list);
  if (!done)
    return tny_error_memory(error);
  sort_each_once(conflicts);
  return TNY_OK;
}

/* --- windows --- */

enum { UNITS_MIN = 6 };

/* The messages of a link in order of phase, in units: a few in a row between the same two ranks. */
struct line {
  const struct tny_match *match;
  const struct crossing *list;
  size_t count;
  size_t unit_max; /* messages of a unit */
  size_t lag;      /* units under way at once; lag * unit_max is at most the window */
};

static bool is_same_pair(const struct line *line, size_t a, size_t b)
{
  const uint32_t x = line->list[a].send, y = line->list[b].send;
  return line->match->rank_of[x] == line->match->rank_of[y] &&
         tny_match_step(line->match, x)->peer == tny_match_step(line->match, y)->peer;
}

/* Behind the unit that begins at `first`. */
static size_t unit_end(const struct line *line, size_t first)
{
  size_t end = first + 1;
  while (end < line->count && end - first < line->unit_max && is_same_pair(line, first, end))
    end++;
  return end;
}

/* Units as long as messages between two ranks usually come in a row; but UNITS_MIN of them in a
   window, so that the link isn't idle while a token is on its way. */
static void choose_units(struct line *line, size_t window)
{
  size_t runs = 1;
  for (size_t i = 1; i < line->count; i++)
    runs += !is_same_pair(line, i - 1, i);
  line->unit_max = line->count / runs;
  if (line->unit_max > window / UNITS_MIN)
    line->unit_max = window < UNITS_MIN ? 1 : window / UNITS_MIN;
  line->lag = window / line->unit_max;
}

/* Every unit against the one that is `lag` units before it; false where they are of one phase, or
   where memory ends. */
static bool hold_line(const struct line *line, struct tny_conflicts *conflicts, bool *has_memory)
{
  size_t earlier = 0, later = 0;
  for (size_t unit = 0; unit < line->lag && later < line->count; unit++)
    later = unit_end(line, later);
  while (later < line->count) {
    const size_t end = unit_end(line, earlier);
    const uint32_t last_phase = line->list[end - 1].phase, phase = line->list[later].phase;
    if (last_phase >= phase)
      return false;
    const uint32_t between = last_phase + (phase - 1 - last_phase) / 2;
    for (; earlier < end; earlier++) {
      const uint32_t receive = line->match->partner[line->list[earlier].send];
      const uint32_t send = line->list[later].send, link = line->list[later].link;
      *has_memory = add(conflicts, (struct tny_conflict){send, receive, between, link});
      if (!*has_memory)
        return false;
    }
    later = unit_end(line, later);
  }
  return true;
}

enum tny_status tny_conflicts_of_windows(const struct tny_step_phases *phases,
                                         const struct tny_windows *windows,
                                         struct tny_conflicts *conflicts, bool *is_open,
                                         struct tny_error *error)
{
  struct crossings crossings;
  *conflicts = (struct tny_conflicts){0};
  const enum tny_status status = find_crossings(phases, windows->network, &crossings, error);
  if (status != TNY_OK)
    return status;
  bool has_memory = true;
  for (size_t first = 0, end = 0; has_memory && first < crossings.count; first = end) {
    const uint32_t link = crossings.list[first].link;
    while (end < crossings.count && crossings.list[end].link == link)
      end++;
    struct line line = {phases->match, crossings.list + first, end - first, 0, 0};
    const uint32_t window = windows->messages[link];
    if (window == 0 || line.count <= window)
      continue;
    const size_t kept = conflicts->count;
    choose_units(&line, window);
    is_open[link] = !hold_line(&line, conflicts, &has_memory);
    if (is_open[link])
      conflicts->count = kept;
  }
  tny_free(crossings.list);
  if (!has_memory)
    return tny_error_memory(error);
  if (conflicts->count > 0)
    qsort(conflicts->list, conflicts->count, sizeof *conflicts->list, compare_conflicts);
  return TNY_OK;
}

void tny_conflicts_release(struct tny_conflicts *conflicts)
{
  tny_free(conflicts->list);
  *conflicts = (struct tny_conflicts){0};
}
