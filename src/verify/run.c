/* One run of a schedule: each step starts as soon as it may. */
#include "verify/run.h"

#include "core/arena.h"
#include "core/error.h"
#include "verify/progress.h"
#include "verify/queues.h"

struct runner {
  const struct tny_match *match;
  struct tny_run *run;
  uint32_t *head[2];        /* by rank: the next step of its queue of sends and of receives */
  bool *started, *complete; /* by id */
  uint32_t *ready;          /* ranks to look at again */
  bool *is_ready;           /* by rank */
  uint32_t ready_count;
};

static void look_again(struct runner *runner, uint32_t rank)
{
  if (runner->is_ready[rank])
    return;
  runner->is_ready[rank] = true;
  runner->ready[runner->ready_count++] = rank;
}

static void finish(struct runner *runner, uint32_t id)
{
  runner->complete[id] = true;
  runner->run->events[runner->run->event_count++] = 2 * id + 1;
  look_again(runner, runner->match->rank_of[id]);
}

static void start(struct runner *runner, uint32_t id)
{
  const uint32_t partner = runner->match->partner[id];
  runner->started[id] = true;
  runner->run->events[runner->run->event_count++] = 2 * id;
  if (partner == TNY_NONE) {
    finish(runner, id);
  } else if (runner->started[partner]) {
    finish(runner, id);
    finish(runner, partner);
  }
}

static bool may_start(const struct runner *runner, uint32_t id)
{
  const uint32_t after_count = tny_match_step(runner->match, id)->after_count;
  for (uint32_t i = 0; i < after_count; i++)
    if (!runner->complete[tny_match_after(runner->match, id, i)])
      return false;
  return true;
}

static void advance(struct runner *runner, uint32_t rank, bool receives)
{
  const struct tny_match *match = runner->match;
  uint32_t *head = &runner->head[receives][rank];
  while (*head < match->first[rank + 1] && may_start(runner, *head)) {
    start(runner, *head);
    *head = tny_queue_next(match, rank, receives, *head + 1);
  }
}

static void run_all(struct runner *runner)
{
  const struct tny_match *match = runner->match;
  for (uint32_t rank = match->schedule->rank_count; rank-- > 0;) {
    runner->head[0][rank] = tny_queue_next(match, rank, false, match->first[rank]);
    runner->head[1][rank] = tny_queue_next(match, rank, true, match->first[rank]);
    look_again(runner, rank);
  }
  while (runner->ready_count > 0) {
    const uint32_t rank = runner->ready[--runner->ready_count];
    runner->is_ready[rank] = false;
    advance(runner, rank, true);
    advance(runner, rank, false);
  }
}

enum tny_status tny_run_make(const struct tny_match *match, struct tny_run *run,
                             struct tny_error *error)
{
  struct runner runner = {.match = match, .run = run};
  const uint32_t rank_count = match->schedule->rank_count;
  *run = (struct tny_run){0};
  run->events = tny_arena_take(match->arena, match->step_count, 2 * sizeof *run->events);
  runner.head[0] = tny_arena_take(match->arena, rank_count, sizeof *runner.head[0]);
  runner.head[1] = tny_arena_take(match->arena, rank_count, sizeof *runner.head[1]);
  runner.started = tny_arena_take(match->arena, match->step_count, sizeof *runner.started);
  runner.complete = tny_arena_take(match->arena, match->step_count, sizeof *runner.complete);
  runner.ready = tny_arena_take(match->arena, rank_count, sizeof *runner.ready);
  runner.is_ready = tny_arena_take(match->arena, rank_count, sizeof *runner.is_ready);
  if (!run->events || !runner.head[0] || !runner.head[1] || !runner.started || !runner.complete ||
      !runner.ready || !runner.is_ready)
    return tny_error_memory(error);
  run_all(&runner);
  if (run->event_count == 2 * match->step_count)
    return TNY_OK;
  /* What is stuck with unlimited windows is stuck with a window of one. */
  struct tny_progress progress;
  return tny_progress_check(match, &progress, error);
}
