/* One run of a schedule, as it could happen: an order of events in which every check can walk. */
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

/* Checks that no steps wait for each other in a circle and counts the rounds (progress.c). */
enum tny_status tny_progress_check(const struct tny_match *match, uint32_t *rounds,
                                   struct tny_error *error) TNY_MUST_CHECK;

#endif
