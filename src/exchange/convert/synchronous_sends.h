/* MSCCL's buffered sends as synchronous ones. */
#ifndef TOURNEY_EXCHANGE_CONVERT_SYNCHRONOUS_SENDS_H
#define TOURNEY_EXCHANGE_CONVERT_SYNCHRONOUS_SENDS_H

#include "exchange/check/event_order.h"

/* Makes a copy of the schedule for synchronous sends. Where an operation needs a send to be
   complete, the copy needs it to have started, unless the operation writes what the send reads.
   Owns: tny_foreign_free_synchronous; the copy borrows the head. */
enum tny_status tny_foreign_make_sends_synchronous(const struct tny_foreign *foreign,
                                                   struct tny_arena *arena,
                                                   struct tny_foreign **synchronous,
                                                   struct tny_error *error) TNY_MUST_CHECK;
void tny_foreign_free_synchronous(struct tny_foreign *synchronous);

#endif
