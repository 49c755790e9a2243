/* Happens-before among the operations of one rank, by what they need of each other alone: which are
   started, or complete, before another one starts. */
#ifndef TOURNEY_EXCHANGE_CHECK_PRECEDENCE_H
#define TOURNEY_EXCHANGE_CHECK_PRECEDENCE_H

#include "exchange/check/event_order.h"

enum tny_happens { TNY_HAPPENS_START, TNY_HAPPENS_COMPLETION };

struct tny_precedence {
  uint32_t rank;            /* the caller's */
  enum tny_happens happens; /* the caller's: which event of the earlier operation */
  uint32_t first, count;    /* the rank's operations */
  uint32_t words;           /* 64-bit words a row */
  uint64_t *rows;           /* a row of bits for each operation; owned, tny_precedence_release */
};
/* Fills in all but `rank` and `happens`. Errors: TNY_REFUSED for ranks with more than 16384
   operations. */
enum tny_status tny_precedence_make(const struct tny_foreign *foreign,
                                    const struct tny_event_order *order,
                                    struct tny_precedence *before,
                                    struct tny_error *error) TNY_MUST_CHECK;
void tny_precedence_release(struct tny_precedence *before);

/* Does the event of `earlier` happen before `later` starts? Both are operations of the rank. */
static inline bool tny_precedes(const struct tny_precedence *before, uint32_t earlier,
                                uint32_t later)
{
  const uint32_t bit = earlier - before->first;
  const uint64_t *row = before->rows + (size_t)(later - before->first) * before->words;
  return row[bit / 64] >> bit % 64 & 1;
}

#endif
