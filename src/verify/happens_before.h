/* Which sends can't start before a message is received: the happens-before relation from the
   completion of a receive to the starts of sends, over all ranks. The planner's passes compute
   vector clocks of their own (forwards); the prover shares no code with them, so that a mistake in
   one is found by the other. */
#ifndef TOURNEY_VERIFY_HAPPENS_BEFORE_H
#define TOURNEY_VERIFY_HAPPENS_BEFORE_H

#include "verify/run.h"

/* Ranks that one walk covers: their numbers for one step fill a cache line. */
enum { TNY_HAPPENS_BEFORE_RANKS = 8 };

/* What comes after a step, by rank of the walk: the index of the first step of the rank's sending
   queue that starts only after this step is started, and of the first that starts only after it is
   complete; TNY_NONE: there is none. All sends behind that one do so too. */
struct tny_successors {
  uint32_t started[TNY_HAPPENS_BEFORE_RANKS], complete[TNY_HAPPENS_BEFORE_RANKS];
};

struct tny_happens_before {
  const struct tny_match *match;
  const struct tny_run *run;
  struct tny_successors *successors; /* by id */
};

/* Owns: in the match's arena. */
enum tny_status tny_happens_before_make(const struct tny_match *match, const struct tny_run *run,
                                        struct tny_happens_before *order,
                                        struct tny_error *error) TNY_MUST_CHECK;
/* Fills in the successors on the ranks from `first_rank` on, TNY_HAPPENS_BEFORE_RANKS of them.
   Cost: O(all steps). */
void tny_happens_before_fill(const struct tny_happens_before *order, uint32_t first_rank);

#endif
