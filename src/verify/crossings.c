/* Every message listed with each link that it crosses: counted first, then noted. */
#include "verify/crossings.h"

#include "cluster/route.h"
#include "core/arena.h"
#include "core/error.h"

/* Counts behind `first[link + 1]`, or notes at `first[link]` and moves it on. */
static void each_crossing(const struct tny_crossings *crossings, bool note)
{
  const struct tny_match *match = crossings->match;
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    if (!tny_step_starts_message(step->kind))
      continue;
    struct tny_route route = tny_route_begin(crossings->network, match->rank_of[id], step->peer);
    uint32_t link;
    while ((link = tny_route_next(&route)) != TNY_NONE) {
      if (note)
        crossings->sends[crossings->first[link]++] = id;
      else
        crossings->first[link + 1]++;
    }
  }
}

enum tny_status tny_crossings_make(const struct tny_match *match, const struct tny_network *network,
                                   struct tny_crossings *crossings, struct tny_error *error)
{
  const uint32_t link_count = network->routes->cluster->link_count;
  *crossings = (struct tny_crossings){.match = match, .network = network};
  crossings->first = tny_arena_take(match->arena, link_count + (size_t)1, sizeof(size_t));
  if (!crossings->first)
    return tny_error_memory(error);
  each_crossing(crossings, false);
  for (uint32_t link = 0; link < link_count; link++)
    crossings->first[link + 1] += crossings->first[link];
  crossings->sends =
      tny_arena_take(match->arena, crossings->first[link_count], sizeof *crossings->sends);
  if (!crossings->sends)
    return tny_error_memory(error);
  each_crossing(crossings, true);
  /* Each link's place has moved on to the next link's. */
  for (uint32_t link = link_count; link > 0; link--)
    crossings->first[link] = crossings->first[link - 1];
  crossings->first[0] = 0;
  return TNY_OK;
}

uint32_t tny_phases_of(const struct tny_schedule *schedule)
{
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const uint32_t phase = schedule->ranks[rank].steps[i].phase;
      if (phase != TNY_NONE && phase >= count)
        count = phase + 1;
    }
  }
  return count;
}

enum tny_status tny_phases_agree(const struct tny_match *match, struct tny_error *error)
{
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    const uint32_t partner = match->partner[id];
    if (tny_step_starts_message(step->kind) && tny_match_step(match, partner)->phase != step->phase)
      return tny_error_set(error, TNY_BROKEN, "%s and its receive, %s, are not of the same phase",
                           tny_words_id(match, id).text, tny_words_id(match, partner).text);
  }
  return TNY_OK;
}

static int compare_phases(const void *a, const void *b, void *context)
{
  const struct tny_match *match = context;
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  const uint32_t x_phase = tny_match_step(match, x)->phase;
  const uint32_t y_phase = tny_match_step(match, y)->phase;
  return x_phase != y_phase ? (x_phase > y_phase) - (x_phase < y_phase) : (x > y) - (x < y);
}

void tny_phases_sort(const struct tny_match *match, uint32_t *ids, size_t count)
{
  if (count > 1)
    qsort_r(ids, count, sizeof *ids, compare_phases, (void *)(uintptr_t)match);
}
