/* Messages in phases, and the search that does with fewer. */
#ifndef TOURNEY_PLANNER_PHASES_REPAIR_H
#define TOURNEY_PLANNER_PHASES_REPAIR_H

#include "planner/phases/board.h"

struct tny_draft {
  const struct tny_traffic *traffic;
  struct tny_board board;
  uint32_t *phase_of; /* by message; TNY_NONE: none yet */
};

static inline void tny_draft_put(struct tny_draft *draft, uint32_t message, uint32_t phase)
{
  draft->phase_of[message] = phase;
  tny_board_take(&draft->board, tny_traffic_tracks(draft->traffic, message), phase);
}

/* Empties phase after phase and finds other phases for its messages, until the phases together last
   no longer than bytes_enough (where messages are even: until there are no more phases than that)
   or the effort is spent. The draft is complete before and after. A phase lasts as long as its
   longest message. Where messages are uneven, the phases must be in that order, the longest first,
   and none becomes longer. The effort counts looks at a track in 64 phases, and looks at a message
   in the way. Where the draft is so large that this would take more than 1 GiB, nothing is done. */
enum tny_status tny_draft_tighten(struct tny_draft *draft, uint64_t bytes_enough, uint64_t effort,
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
