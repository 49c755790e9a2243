/* Happens-before with unlimited windows and eager messages: only what is certain. A step starts
   after all it waits for are complete and not before the step in front of it in its queue; a
   receive is complete after it and its send are started; a copy is complete at once. As each rank's
   sends start in order, what follows an event is told by one number a rank. The numbers of a few
   ranks are found for all events in one walk, from the last event of a run back to the first. */
#include "verify/happens_before.h"

#include "core/arena.h"
#include "core/error.h"

static void take_earlier(uint32_t *restrict first, const uint32_t *restrict other)
{
  for (int i = 0; i < TNY_WALK_RANKS; i++)
    first[i] = other[i] < first[i] ? other[i] : first[i];
}

/* What follows the start of a step is known: tell the events that it follows. */
static void tell_before_start(const struct tny_walk *walk, uint32_t id, const struct tny_step *step)
{
  const uint32_t *first = walk->views[id].started;
  const uint32_t previous = walk->match->previous[id];
  if (previous != TNY_NONE) {
    take_earlier(walk->views[previous].started, first);
    if (walk->match->partner[previous] == TNY_NONE)
      take_earlier(walk->views[previous].complete, first);
  }
  for (uint32_t i = 0; i < step->after_count; i++)
    take_earlier(walk->views[tny_match_after(walk->match, id, i)].complete, first);
}

static void tell_before_completion(const struct tny_walk *walk, uint32_t id,
                                   const struct tny_step *step)
{
  const uint32_t *first = walk->views[id].complete;
  take_earlier(walk->views[id].started, first);
  if (tny_step_receives(step->kind))
    take_earlier(walk->views[walk->match->partner[id]].started, first);
}

void tny_walk_back(const struct tny_walk *walk, uint32_t first_rank)
{
  const struct tny_match *match = walk->match;
  memset(walk->views, 0xff, match->step_count * sizeof *walk->views); /* TNY_NONE everywhere */
  for (uint32_t i = walk->run->event_count; i-- > 0;) {
    const uint32_t id = walk->run->events[i] / 2, rank = match->rank_of[id];
    const struct tny_step *step = tny_match_step(match, id);
    if (walk->run->events[i] % 2) {
      tell_before_completion(walk, id, step);
    } else {
      if (rank >= first_rank && rank - first_rank < TNY_WALK_RANKS &&
          !tny_step_receives(step->kind))
        walk->views[id].started[rank - first_rank] = tny_match_index(match, id);
      tell_before_start(walk, id, step);
    }
  }
}

enum tny_status tny_walk_make(const struct tny_match *match, const struct tny_run *run,
                              struct tny_walk *walk, struct tny_error *error)
{
  *walk = (struct tny_walk){.match = match, .run = run};
  walk->views = tny_arena_take(match->arena, match->step_count, sizeof *walk->views);
  return walk->views ? TNY_OK : tny_error_memory(error);
}
