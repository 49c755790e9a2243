/* Which sends can't start before a message is received: happens-before from the receiving of a
   message to the starts of sends, over all ranks. */
#ifndef TOURNEY_VERIFY_HAPPENS_BEFORE_H
#define TOURNEY_VERIFY_HAPPENS_BEFORE_H

#include "verify/run.h"

/* Ranks looked at in one walk: the numbers of a step fill one memory line. */
enum { TNY_WALK_RANKS = 8 };

/* By rank of the walk: the first step in the rank's list, of its sending queue, that starts only
   after a step is started, and after it is complete; TNY_NONE: none. All sends behind it do so too.
 */
struct tny_views {
  uint32_t started[TNY_WALK_RANKS], complete[TNY_WALK_RANKS];
};

struct tny_walk {
  const struct tny_match *match;
  const struct tny_run *run;
  struct tny_views *views; /* by id */
};

/* Owns: in the match's arena. */
enum tny_status tny_walk_make(const struct tny_match *match, const struct tny_run *run,
                              struct tny_walk *walk, struct tny_error *error) TNY_MUST_CHECK;
/* Fills the views of the ranks from `first_rank` on, TNY_WALK_RANKS of them. Cost: O(all steps). */
void tny_walk_back(const struct tny_walk *walk, uint32_t first_rank);

#endif
