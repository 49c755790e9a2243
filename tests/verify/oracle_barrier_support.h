/* What a barrier must not do, tried: one rank after the other never begins, and no other one may
   end. Included once by a test. */
#ifndef TOURNEY_TESTS_ORACLE_BARRIER_SUPPORT_H
#define TOURNEY_TESTS_ORACLE_BARRIER_SUPPORT_H

#include "oracle_support.h"

/* Is there a rank that ends though `late` never begins? Nobody waits for anything else: messages
   are eager and windows unlimited. As no step takes another's place, what can happen then doesn't
   depend on the order in which it does. */
static inline bool oracle_ends_without(struct oracle *oracle, uint32_t late)
{
  bool has_moved = true;
  oracle_begin(oracle, 1);
  oracle->window = TNY_NONE;
  for (uint32_t id = 0; id < oracle->step_count; id++)
    oracle->eager[id] = true;
  while (has_moved) {
    has_moved = false;
    for (uint32_t rank = 0; rank < oracle->schedule->rank_count; rank++)
      for (int queue = 0; queue < 2; queue++)
        has_moved |= rank != late && oracle_advance(oracle, rank, queue);
    for (uint32_t index = 0; index < oracle->live_count; index++)
      has_moved |= oracle_progress(oracle, index, true);
  }
  for (uint32_t rank = 0; rank < oracle->schedule->rank_count; rank++) {
    bool has_ended = rank != late;
    for (uint32_t id = oracle->first[rank]; id < oracle->first[rank + 1]; id++)
      has_ended &= oracle->complete[id];
    if (has_ended)
      return true;
  }
  return false;
}

/* Of a barrier: does a rank end though another has yet to begin? */
static inline bool oracle_ends_early(struct oracle *oracle)
{
  for (uint32_t late = 0; late < oracle->schedule->rank_count; late++)
    if (oracle_ends_without(oracle, late))
      return true;
  return false;
}

#endif
