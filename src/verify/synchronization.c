/* Does no rank of a barrier end before every rank has begun? A rank begins before all its steps
   start, and ends when all are complete. So the end of each rank must come behind the begin of each
   other one in the happens-before relation.

   The assumptions are the weakest: windows are unlimited, and messages are eager, so that a send is
   complete as soon as it starts. What holds under them holds in every execution. A step starts
   after all that it waits for is complete, and not before the step in front of it in its queue. A
   receive is complete after its send has started. The ranks whose begin comes before a step are
   found for all steps in one walk through a run, for 64 ranks at a time, a bit each. */
#include "verify/synchronization.h"

#include "core/arena.h"
#include "core/error.h"
#include "verify/run.h"

enum { RANKS_A_WALK = 64 };

struct walk {
  const struct tny_match *match;
  const struct tny_run *run;
  uint32_t first_rank; /* bit i stands for rank first_rank + i */
  /* By id: the ranks whose begin comes before the step is started, and before it is complete. */
  uint64_t *started, *complete;
};

static uint64_t bit_of(const struct walk *walk, uint32_t rank)
{
  const bool is_covered = rank >= walk->first_rank && rank - walk->first_rank < RANKS_A_WALK;
  return is_covered ? UINT64_C(1) << (rank - walk->first_rank) : 0;
}

static uint64_t before_start(const struct walk *walk, uint32_t id)
{
  const struct tny_match *match = walk->match;
  const uint32_t previous = match->previous[id];
  uint64_t before = bit_of(walk, match->rank_of[id]);
  if (previous != TNY_NONE)
    before |= walk->started[previous];
  for (uint32_t i = 0; i < tny_match_step(match, id)->after_count; i++)
    before |= walk->complete[tny_match_after(match, id, i)];
  return before;
}

static uint64_t before_completion(const struct walk *walk, uint32_t id)
{
  const bool receives = tny_step_receives(tny_match_step(walk->match, id)->kind);
  return walk->started[id] | (receives ? walk->started[walk->match->partner[id]] : 0);
}

static void follow(const struct walk *walk)
{
  for (uint32_t i = 0; i < walk->run->event_count; i++) {
    const uint32_t id = walk->run->events[i] / 2;
    if (walk->run->events[i] % 2)
      walk->complete[id] = before_completion(walk, id);
    else
      walk->started[id] = before_start(walk, id);
  }
}

/* Of the walk's ranks, those whose begin comes before the end of this one. */
static uint64_t before_end(const struct walk *walk, uint32_t rank)
{
  uint64_t before = bit_of(walk, rank);
  for (uint32_t id = walk->match->first[rank]; id < walk->match->first[rank + 1]; id++)
    before |= walk->complete[id];
  return before;
}

static enum tny_status check_walk(const struct walk *walk, struct tny_error *error)
{
  const uint32_t rank_count = walk->match->schedule->rank_count;
  follow(walk);
  for (uint32_t rank = 0; rank < rank_count; rank++) {
    const uint64_t before = before_end(walk, rank);
    for (uint32_t i = 0; i < RANKS_A_WALK && walk->first_rank + i < rank_count; i++)
      if (!(before >> i & 1))
        return tny_error_set(error, TNY_BROKEN,
                             "rank %u may end before rank %u has begun: no chain of messages leads "
                             "from rank %u to it",
                             rank, walk->first_rank + i, walk->first_rank + i);
  }
  return TNY_OK;
}

enum tny_status tny_synchronization_check(const struct tny_match *match, struct tny_error *error)
{
  struct tny_run run;
  struct walk walk = {.match = match, .run = &run};
  enum tny_status status = tny_run_make(match, &run, error);
  if (status != TNY_OK)
    return status;
  walk.started = tny_arena_take(match->arena, match->step_count, sizeof *walk.started);
  walk.complete = tny_arena_take(match->arena, match->step_count, sizeof *walk.complete);
  if (!walk.started || !walk.complete)
    return tny_error_memory(error);
  while (status == TNY_OK && walk.first_rank < match->schedule->rank_count) {
    status = check_walk(&walk, error);
    walk.first_rank += RANKS_A_WALK;
  }
  return status;
}
