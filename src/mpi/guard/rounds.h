/* Rounds of trials: which candidates' calls the next one has.

   The first runs a candidate once, which also makes its plan and opens connections. The second runs
   it beside native once more, and where the two are close, the third three times. A candidate is
   decided on as soon as that is clear; the second one is tried where the first one was no good, or
   the second is predicted to be hardly slower than the first was predicted or seen to be. */
#ifndef TOURNEY_MPI_GUARD_ROUNDS_H
#define TOURNEY_MPI_GUARD_ROUNDS_H

#include "mpi/guard/class.h"

#define TNY_GUARD_ENTER_RATIO 0.97 /* a plan that isn't faster than this stays out */

static inline bool tny_guard_was_run(const struct tny_guard_arm *arm)
{
  return arm->ratio >= 0;
}

struct tny_guard_spread tny_guard_arm_spread(const struct tny_guard_arm *arm);
/* Makes the next round of class->trial, of calls that may lose as much as there is room for; false:
   there is nothing more to try now. What is new comes first, so that what is known to be slow
   doesn't use up its allowance. */
bool tny_guard_make_round(struct tny_guard_class *class, double room_ns);

#endif
