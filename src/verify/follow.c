/* Happens-before with unlimited windows and eager messages: only what is certain. A step starts
   after all it waits for are complete and not before the step in front of it in its queue; a
   receive is complete after it and its send are started; a copy is complete at once. As each rank's
   sends start in order, what follows an event is told by one number a rank. One rank's numbers are
   found for all events in one walk, from the last event of a run back to the first. */
#include "verify/follow.h"

#include "core/arena.h"
#include "core/error.h"

#define TABLE_MAX ((uint64_t)1 << 26) /* numbers, 4 bytes each */

static void take_earlier(uint32_t *first, uint32_t other)
{
  if (other < *first)
    *first = other;
}

/* What follows the start of a step is known: tell the events that it follows. */
static void tell_before_start(const struct tny_walk *walk, uint32_t id, const struct tny_step *step)
{
  const uint32_t first = walk->started[id];
  const uint32_t previous = walk->match->previous[id];
  if (first == TNY_NONE)
    return;
  if (previous != TNY_NONE) {
    take_earlier(&walk->started[previous], first);
    if (walk->match->partner[previous] == TNY_NONE)
      take_earlier(&walk->complete[previous], first);
  }
  for (uint32_t i = 0; i < step->after_count; i++)
    take_earlier(&walk->complete[tny_match_after(walk->match, id, i)], first);
}

static void tell_before_completion(const struct tny_walk *walk, uint32_t id,
                                   const struct tny_step *step)
{
  take_earlier(&walk->started[id], walk->complete[id]);
  if (tny_step_receives(step->kind))
    take_earlier(&walk->started[walk->match->partner[id]], walk->complete[id]);
}

void tny_walk_back(const struct tny_walk *walk, uint32_t rank)
{
  const struct tny_match *match = walk->match;
  for (uint32_t id = 0; id < match->step_count; id++)
    walk->started[id] = walk->complete[id] = TNY_NONE;
  for (uint32_t i = walk->run->event_count; i-- > 0;) {
    const uint32_t id = walk->run->events[i] / 2;
    const struct tny_step *step = tny_match_step(match, id);
    if (walk->run->events[i] % 2) {
      tell_before_completion(walk, id, step);
    } else {
      if (match->rank_of[id] == rank && !tny_step_receives(step->kind))
        walk->started[id] = tny_match_index(match, id);
      tell_before_start(walk, id, step);
    }
  }
}

enum tny_status tny_walk_make(const struct tny_match *match, const struct tny_run *run,
                              struct tny_walk *walk, struct tny_error *error)
{
  *walk = (struct tny_walk){.match = match, .run = run};
  walk->started = tny_arena_take(match->arena, match->step_count, sizeof *walk->started);
  walk->complete = tny_arena_take(match->arena, match->step_count, sizeof *walk->complete);
  return walk->started && walk->complete ? TNY_OK : tny_error_memory(error);
}

static uint32_t number_messages(const struct tny_match *match, uint32_t *number)
{
  uint32_t message_count = 0;
  for (uint32_t id = 0; id < match->step_count; id++)
    if (tny_match_step(match, id)->kind == TNY_SEND)
      number[id] = message_count++;
  return message_count;
}

static void fill(const struct tny_follow *follow, const struct tny_walk *walk)
{
  const struct tny_match *match = walk->match;
  for (uint32_t rank = 0; rank < follow->rank_count; rank++) {
    tny_walk_back(walk, rank);
    for (uint32_t id = 0; id < match->step_count; id++)
      if (tny_match_step(match, id)->kind == TNY_SEND)
        follow->first[(size_t)follow->number[id] * follow->rank_count + rank] =
            walk->complete[match->partner[id]];
  }
}

enum tny_status tny_follow_make(const struct tny_match *match, const struct tny_run *run,
                                struct tny_follow *follow, struct tny_error *error)
{
  *follow = (struct tny_follow){.match = match, .rank_count = match->schedule->rank_count};
  follow->number = tny_arena_take(match->arena, match->step_count, sizeof *follow->number);
  if (!follow->number)
    return tny_error_memory(error);
  const uint64_t cells = number_messages(match, follow->number) * (uint64_t)follow->rank_count;
  if (cells > TABLE_MAX)
    return tny_error_set(error, TNY_REFUSED,
                         "too many messages and ranks to count what is in flight");
  follow->first = tny_arena_take(match->arena, cells, sizeof *follow->first);
  if (!follow->first)
    return tny_error_memory(error);
  struct tny_walk walk;
  const enum tny_status status = tny_walk_make(match, run, &walk, error);
  if (status == TNY_OK)
    fill(follow, &walk);
  return status;
}
