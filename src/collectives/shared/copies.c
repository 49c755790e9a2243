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

struct tny_span tny_copies_in_a_row(struct tny_copies *copies, const struct tny_block_list *blocks,
                                    struct tny_span room)
{
  struct tny_span row = blocks->at(blocks->context, 0);
  for (uint32_t i = 1; i < blocks->count; i++) {
    const struct tny_span next = blocks->at(blocks->context, i);
    if (!continues(&row, &next))
      break;
    row.count++;
  }
  if (row.count == blocks->count)
    return row;
  for (uint32_t i = 0; i < blocks->count; i++)
    tny_copies_add(copies, blocks->at(blocks->context, i),
                   tny_span_blocks(room.buffer, room.first + i, 1));
  tny_copies_finish(copies);
  return tny_span_blocks(room.buffer, room.first, blocks->count);
}

uint32_t tny_copies_send(struct tny_copies *copies, uint32_t peer, struct tny_span span,
                         uint32_t phase)
{
  const uint32_t step = tny_builder_send(copies->builder, peer, span, phase);
  tny_after_messages(copies->builder, copies->wait_first, copies->wait_end);
  copies->wait_end = copies->wait_first;
  return step;
}
