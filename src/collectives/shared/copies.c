/* Copies within a rank, where neighbours become one step. */
#include "collectives/shared/copies.h"

#include "collectives/shared/after.h"

static bool continues(const struct tny_span *span, const struct tny_span *next)
{
  return span->buffer == next->buffer && span->first + span->count == next->first;
}

void tny_copies_add(struct tny_copies *copies, struct tny_span from, struct tny_span to)
{
  if (copies->from.count > 0 && continues(&copies->from, &from) && continues(&copies->to, &to)) {
    copies->from.count += from.count;
    copies->to.count += to.count;
    return;
  }
  tny_copies_finish(copies);
  copies->from = from;
  copies->to = to;
}

void tny_copies_finish(struct tny_copies *copies)
{
  if (copies->from.count == 0)
    return;
  tny_builder_copy(copies->builder, copies->from, copies->to);
  tny_after_messages(copies->builder, copies->wait_first, copies->wait_end);
  copies->wait_end = copies->wait_first;
  copies->from.count = 0;
}
