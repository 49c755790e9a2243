/* One run of a schedule: an order of its events that is compatible with happens-before, so that
   checks can walk over the events in it. */
#ifndef TOURNEY_VERIFY_RUN_H
#define TOURNEY_VERIFY_RUN_H

#include "schedule/match.h"

/* Events are 2 * id (the step starts) and 2 * id + 1 (it is complete). */
struct tny_run {
  uint32_t *events; /* in the match's arena */
  uint32_t event_count;
};

/* Runs the schedule with unlimited windows and messages that complete with both ends started.
   Errors: TNY_BROKEN with the deadlock where it gets stuck. */
enum tny_status tny_run_make(const struct tny_match *match, struct tny_run *run,
                             struct tny_error *error) TNY_MUST_CHECK;

/* A run with windows of one and under rendezvous. */
struct tny_progress {
  /* Messages and tokens, by their sending ends, and copies, in an order in which they may complete;
     in the match's arena. */
  uint32_t *nodes;
  uint32_t node_count;
  uint32_t rounds;
};

/* Checks that the waiting of steps for each other has no cycle (progress.c). Errors: TNY_BROKEN
   with a shortest cycle. */
enum tny_status tny_progress_check(const struct tny_match *match, struct tny_progress *progress,
                                   struct tny_error *error) TNY_MUST_CHECK;

/* The first step at or behind `id` of one of its rank's queues; the id behind the rank's last step
   where there is none. */
static inline uint32_t tny_queue_next(const struct tny_match *match, uint32_t rank, bool receives,
                                      uint32_t id)
{
  while (id < match->first[rank + 1] &&
         tny_step_receives(tny_match_step(match, id)->kind) != receives)
    id++;
  return id;
}

#endif
