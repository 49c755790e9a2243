/* The checks of a foreign schedule, in the order in which verify.c runs them: each relies on those
   before it. */
#ifndef TOURNEY_EXCHANGE_CHECK_H
#define TOURNEY_EXCHANGE_CHECK_H

#include "exchange/check/event_order.h"

/* Finds every message's other end: the k-th send from a to b on a channel meets the k-th receive
   there, as they start; `order` is one of TNY_COMPLETION_ALONE. Errors: TNY_BROKEN where an end is
   missing, where sizes differ, and where it's left open which of two starts first. */
enum tny_status tny_foreign_match(struct tny_foreign *foreign, const struct tny_event_order *order,
                                  struct tny_arena *arena, struct tny_error *error) TNY_MUST_CHECK;

/* Of any two operations of a rank that use the same location, one of them writing, one is complete
   before the other starts. Then what each reads is the same in every interleaving. */
enum tny_status tny_foreign_races(const struct tny_foreign *foreign,
                                  const struct tny_event_order *order,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Every rank ends with the right blocks: plays the events in order, block for block. */
enum tny_status tny_foreign_replay(const struct tny_foreign *foreign,
                                   const struct tny_event_order *order,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* What can be said from sizes alone, into the report's data and why. Errors: TNY_BROKEN where too
   little is sent. */
enum tny_status tny_foreign_prove_by_sizes(const struct tny_foreign *foreign,
                                           const struct tny_event_order *order,
                                           const struct tny_foreign_wanted *wanted,
                                           struct tny_foreign_report *report,
                                           struct tny_error *error) TNY_MUST_CHECK;

#endif
