/* Messages that found no phase are brought in by pushing others out. */
#ifndef TOURNEY_ALGORITHMS_PHASE_REPAIR_H
#define TOURNEY_ALGORITHMS_PHASE_REPAIR_H

#include "algorithms/phase_board.h"

/* Messages in phases. */
struct tny_draft {
  const struct tny_traffic *traffic;
  struct tny_board board;
  uint32_t *phase_of;    /* by message; TNY_NONE: none yet */
  const uint32_t *limit; /* by message: it may have the phases before this one, at least one */
  uint32_t phases;       /* the most of these */
  uint64_t seed;         /* of random choices */
};

static inline void tny_draft_put(struct tny_draft *draft, uint32_t message, uint32_t phase)
{
  draft->phase_of[message] = phase;
  tny_board_take(&draft->board, tny_traffic_tracks(draft->traffic, message), phase);
}

/* Takes up to *effort, which counts looks at a track in 64 phases or at a message in the way, off
   it and leaves as few messages without a phase as it can. Where the draft is so large that it
   would need more than 1 GiB, nothing is done. */
enum tny_status tny_draft_repair(struct tny_draft *draft, uint64_t *effort,
                                 struct tny_error *error) TNY_MUST_CHECK;

#endif
