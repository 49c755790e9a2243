/* The checks of a foreign schedule, in the order in which verify.c runs them. Each relies on those
   that come before it. */
#ifndef TOURNEY_EXCHANGE_CHECK_CHECKS_H
#define TOURNEY_EXCHANGE_CHECK_CHECKS_H

#include "exchange/check/event_order.h"

/* Finds the other end of every message: of the sends from a to b on a channel, the k-th that starts
   meets the k-th receive that starts there. `order` was made with TNY_COMPLETION_ALONE. Errors:
   TNY_BROKEN where an end is missing, where sizes differ, and where the file leaves open which of
   two starts first. */
enum tny_status tny_foreign_match(struct tny_foreign *foreign, const struct tny_event_order *order,
                                  struct tny_arena *arena, struct tny_error *error) TNY_MUST_CHECK;

/* Checks that of any two operations of a rank that use the same location, one of them writing, one
   is complete before the other starts. Then what each reads is the same in every interleaving.
   Errors: TNY_BROKEN with the two operations and the location. */
enum tny_status tny_foreign_races(const struct tny_foreign *foreign,
                                  const struct tny_event_order *order,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Checks that every rank ends with the right blocks: replays the events in order, chunk for chunk.
   Errors: TNY_BROKEN with the operation that leaves a wrong one. */
enum tny_status tny_foreign_replay(const struct tny_foreign *foreign,
                                   const struct tny_event_order *order,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* Checks that no rank of a barrier ends before every rank has begun. Errors: TNY_BROKEN with two
   ranks of which one may end before the other has begun. */
enum tny_status tny_foreign_synchronizes(const struct tny_foreign *foreign,
                                         const struct tny_event_order *order,
                                         struct tny_arena *arena,
                                         struct tny_error *error) TNY_MUST_CHECK;
/* Fills the report's `data` and `why` with what sizes alone prove. Errors: TNY_BROKEN where too
   little is sent. */
enum tny_status tny_foreign_prove_by_sizes(const struct tny_foreign *foreign,
                                           const struct tny_event_order *order,
                                           const struct tny_foreign_wanted *wanted,
                                           struct tny_foreign_report *report,
                                           struct tny_error *error) TNY_MUST_CHECK;

#endif
