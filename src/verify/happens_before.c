/* The happens-before relation with unlimited windows and eager messages, which are the weakest
   assumptions: what holds under them holds in every execution.

   A step starts after all steps that it waits for are complete, and not before the step in front of
   it in its queue. A receive is complete after both it and its send are started. A copy is complete
   at once. As each rank's sends start in list order, the successors of an event on a rank are all
   its sends from a first one on: one number a rank, as in a vector clock that runs backwards. The
   numbers of a few ranks are found for all events in one walk, from the last event of a run back to
   the first. */
#include "verify/happens_before.h"

#include "core/arena.h"
#include "core/error.h"

/* Merges: of the two first steps of each rank, the earlier. */
static void take_earlier(uint32_t *restrict first, const uint32_t *restrict other)
{
  for (int i = 0; i < TNY_HAPPENS_BEFORE_RANKS; i++)
    first[i] = other[i] < first[i] ? other[i] : first[i];
}

/* The successors of the step's start are known: they are successors, too, of all events that the
   start comes after. */
static void propagate_start(const struct tny_happens_before *order, uint32_t id,
                            const struct tny_step *step)
{
  const uint32_t *first = order->successors[id].started;
  const uint32_t previous = order->match->previous[id];
  if (previous != TNY_NONE) {
    take_earlier(order->successors[previous].started, first);
    if (order->match->partner[previous] == TNY_NONE)
      take_earlier(order->successors[previous].complete, first);
  }
  for (uint32_t i = 0; i < step->after_count; i++)
    take_earlier(order->successors[tny_match_after(order->match, id, i)].complete, first);
}

/* The same for the step's completion. */
static void propagate_completion(const struct tny_happens_before *order, uint32_t id,
                                 const struct tny_step *step)
{
  const uint32_t *first = order->successors[id].complete;
  take_earlier(order->successors[id].started, first);
  if (tny_step_receives(step->kind))
    take_earlier(order->successors[order->match->partner[id]].started, first);
}

void tny_happens_before_fill(const struct tny_happens_before *order, uint32_t first_rank)
{
  const struct tny_match *match = order->match;
  memset(order->successors, 0xff,
         match->step_count * sizeof *order->successors); /* TNY_NONE everywhere */
  for (uint32_t i = order->run->event_count; i-- > 0;) {
    const uint32_t id = order->run->events[i] / 2, rank = match->rank_of[id];
    const struct tny_step *step = tny_match_step(match, id);
    if (order->run->events[i] % 2) {
      propagate_completion(order, id, step);
    } else {
      if (rank >= first_rank && rank - first_rank < TNY_HAPPENS_BEFORE_RANKS &&
          !tny_step_receives(step->kind))
        order->successors[id].started[rank - first_rank] = tny_match_index(match, id);
      propagate_start(order, id, step);
    }
  }
}

enum tny_status tny_happens_before_make(const struct tny_match *match, const struct tny_run *run,
                                        struct tny_happens_before *order, struct tny_error *error)
{
  *order = (struct tny_happens_before){.match = match, .run = run};
  order->successors = tny_arena_take(match->arena, match->step_count, sizeof *order->successors);
  return order->successors ? TNY_OK : tny_error_memory(error);
}
