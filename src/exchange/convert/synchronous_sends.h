/* MSCCL's schedules for messages that complete with both ends started. */
#ifndef TOURNEY_EXCHANGE_RELAX_H
#define TOURNEY_EXCHANGE_RELAX_H

#include "exchange/check/event_order.h"

/* A copy that waits less: where an operation needs a send to be complete, it needs it to have
   started, unless it writes what the send reads. Owns: tny_foreign_free_synchronous; it borrows the
   head. */
enum tny_status tny_foreign_make_sends_synchronous(const struct tny_foreign *foreign,
                                                   struct tny_arena *arena,
                                                   struct tny_foreign **relaxed,
                                                   struct tny_error *error) TNY_MUST_CHECK;
void tny_foreign_free_synchronous(struct tny_foreign *relaxed);

#endif
