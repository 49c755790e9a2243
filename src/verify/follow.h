/* Which sends can't start before a message is received: happens-before from the receiving of a
   message to the starts of sends, over all ranks. */
#ifndef TOURNEY_VERIFY_FOLLOW_H
#define TOURNEY_VERIFY_FOLLOW_H

#include "verify/run.h"

/* One rank's view: by id, the first step in the rank's list, of its sending queue, that starts only
   after the step with that id is started, and after it is complete; TNY_NONE: none. */
struct tny_walk {
  const struct tny_match *match;
  const struct tny_run *run;
  uint32_t *started, *complete;
};

/* Owns: in the match's arena. */
enum tny_status tny_walk_make(const struct tny_match *match, const struct tny_run *run,
                              struct tny_walk *walk, struct tny_error *error) TNY_MUST_CHECK;
/* Fills the view of one rank. Cost: O(all steps). */
void tny_walk_back(const struct tny_walk *walk, uint32_t rank);

struct tny_follow {
  const struct tny_match *match; /* borrowed */
  uint32_t rank_count;
  uint32_t *number; /* by id of a send: its message's number */
  /* By message number and rank: the first step in that rank's list, of its sending queue, that
     starts only after the message is received; TNY_NONE: none. All sends behind it do so too. */
  uint32_t *first;
};

/* Owns: in the match's arena. Errors: TNY_REFUSED where there are too many messages for the table.
 */
enum tny_status tny_follow_make(const struct tny_match *match, const struct tny_run *run,
                                struct tny_follow *follow, struct tny_error *error) TNY_MUST_CHECK;

/* The first step of the sending queue of `rank` that starts only after the message that the send
   `earlier` sends is received; TNY_NONE: none. */
static inline uint32_t tny_follow_first(const struct tny_follow *follow, uint32_t earlier,
                                        uint32_t rank)
{
  return follow->first[(size_t)follow->number[earlier] * follow->rank_count + rank];
}

#endif
