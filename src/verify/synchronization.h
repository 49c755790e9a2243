/* Synchronization: what a barrier is for. */
#ifndef TOURNEY_VERIFY_SYNCHRONIZATION_H
#define TOURNEY_VERIFY_SYNCHRONIZATION_H

#include "schedule/match.h"

/* Does no rank end before every rank has begun? Errors: TNY_BROKEN with two ranks of which one may
   end before the other has begun, or with a deadlock. Cost: that of a run, and for every 64 ranks a
   walk over all steps. */
enum tny_status tny_synchronization_check(const struct tny_match *match,
                                          struct tny_error *error) TNY_MUST_CHECK;

#endif
