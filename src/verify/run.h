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

#endif
