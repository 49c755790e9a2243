/* Why nothing moves any more: a cycle of steps of which each waits for the next one. */
#ifndef TOURNEY_VERIFY_CYCLE_H
#define TOURNEY_VERIFY_CYCLE_H

#include "schedule/match.h"

/* Refuses the schedule with the cycle. `chain`, by id, is 0 for the steps that aren't complete;
   there are some, and each waits for another. Returns TNY_BROKEN, or TNY_NO_MEMORY. */
enum tny_status tny_deadlock_refuse(const struct tny_match *match, const uint32_t *chain,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
