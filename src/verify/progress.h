/* Progress: the waiting of steps for each other has no cycle. */
#ifndef TOURNEY_VERIFY_PROGRESS_H
#define TOURNEY_VERIFY_PROGRESS_H

#include <tourney/verify.h>

#include "schedule/match.h"

/* A run with windows of one and under rendezvous. */
struct tny_progress {
  /* Messages and tokens, by their sending ends, and copies, in an order in which they may complete;
     in the match's arena. */
  uint32_t *nodes;
  uint32_t node_count;
  uint32_t rounds;
};

/* Checks that the waiting of steps for each other has no cycle. Errors: TNY_BROKEN
   with a shortest cycle. */
enum tny_status tny_progress_check(const struct tny_match *match, struct tny_progress *progress,
                                   struct tny_error *error) TNY_MUST_CHECK;

/* tny_verify_progress of what was matched. `report` may be NULL. */
enum tny_status tny_progress_report(const struct tny_match *match, struct tny_progress *progress,
                                    struct tny_report *report,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
