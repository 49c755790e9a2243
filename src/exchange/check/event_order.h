/* The events of a foreign schedule, its operations' starts and completions, in an order in which
   they may happen; or the circle by which they can't. */
#ifndef TOURNEY_EXCHANGE_ORDER_H
#define TOURNEY_EXCHANGE_ORDER_H

#include "core/arena.h"
#include "exchange/foreign/foreign.h"

/* When a message completes. */
enum tny_meeting {
  TNY_MEET_NEVER,      /* each end by itself: only what a rank's own operations say */
  TNY_MEET_RENDEZVOUS, /* both ends once both are started */
  TNY_MEET_HELD, /* the send once its connection holds no earlier message, the receive after it */
};

/* Events are 2 * operation (it starts) and 2 * operation + 1 (it is complete). */
struct tny_order {
  uint32_t *events; /* 2 * operation_count: each after all it waits for */
  uint32_t *level;  /* by event: how many must happen one after the other before it */
  /* Rank r's operations as they start: starts[rank_first[r]] .. starts[rank_first[r + 1] - 1]; and
     by operation its place in `starts`. */
  uint32_t *starts, *rank_first, *place;
  uint32_t chain; /* messages on the longest chain */
};

/* Owns: in the arena. Errors: TNY_BROKEN with the circle. */
enum tny_status tny_order_make(const struct tny_foreign *foreign, enum tny_meeting meeting,
                               struct tny_arena *arena, struct tny_order *order,
                               struct tny_error *error) TNY_MUST_CHECK;

/* Which operations of one rank are started, or complete, before another starts. */
enum tny_before_what { TNY_STARTED, TNY_COMPLETE };
struct tny_before {
  uint32_t rank; /* the caller's */
  enum tny_before_what what;
  uint32_t first, count; /* the rank's operations */
  uint32_t words;        /* 64-bit words a row */
  uint64_t *rows;        /* a row an operation; owned, tny_before_release */
};
/* Fills in all but `rank` and `what`. Errors: TNY_REFUSED for ranks with more than 16384
   operations. */
enum tny_status tny_before_make(const struct tny_foreign *foreign, const struct tny_order *order,
                                struct tny_before *before, struct tny_error *error) TNY_MUST_CHECK;
void tny_before_release(struct tny_before *before);

/* Is `earlier` before `later`? Both are operations of the rank. */
static inline bool tny_before_is(const struct tny_before *before, uint32_t earlier, uint32_t later)
{
  const uint32_t bit = earlier - before->first;
  const uint64_t *row = before->rows + (size_t)(later - before->first) * before->words;
  return row[bit / 64] >> bit % 64 & 1;
}

#endif
