/* The events of a foreign schedule, its operations' starts and completions, in a topological order:
   an order in which they may happen. Where there is none, the cycle by which they can't. */
#ifndef TOURNEY_EXCHANGE_CHECK_EVENT_ORDER_H
#define TOURNEY_EXCHANGE_CHECK_EVENT_ORDER_H

#include "core/arena.h"
#include "exchange/foreign/foreign.h"

/* When the ends of a message complete. */
enum tny_completion {
  TNY_COMPLETION_ALONE,      /* each end by itself: only what a rank's own operations say counts */
  TNY_COMPLETION_RENDEZVOUS, /* both ends once both are started */
  TNY_COMPLETION_BUFFERED,   /* the send once its connection holds no earlier message, the receive
                                after the send */
};

/* Events are 2 * operation (it starts) and 2 * operation + 1 (it is complete). */
struct tny_event_order {
  uint32_t *events; /* 2 * operation_count: each behind all it waits for */
  uint32_t *level;  /* by event: how many must happen one after the other before it */
  /* Rank r's operations as they start: starts[rank_first[r]] .. starts[rank_first[r + 1] - 1]; and
     by operation its position in `starts`. */
  uint32_t *starts, *rank_first, *position;
  uint32_t chain; /* messages on the longest chain */
};

/* Owns: in the arena. Errors: TNY_BROKEN with the cycle. */
enum tny_status tny_event_order_make(const struct tny_foreign *foreign,
                                     enum tny_completion completion, struct tny_arena *arena,
                                     struct tny_event_order *order,
                                     struct tny_error *error) TNY_MUST_CHECK;

#endif
