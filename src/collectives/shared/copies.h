/* Copies within a rank, block by block, where neighbours become one step. */
#ifndef TOURNEY_COLLECTIVES_SHARED_COPIES_H
#define TOURNEY_COLLECTIVES_SHARED_COPIES_H

#include <tourney/schedule.h>

/* Begun with all but the first three zero. The first copy waits for all messages among the steps
   wait_first .. wait_end - 1, and with it all behind it in the queue. */
struct tny_copies {
  struct tny_builder *builder;
  uint32_t wait_first, wait_end;
  struct tny_span from, to; /* what isn't appended yet; count 0: nothing */
};

/* Whole blocks, as many in `to` as in `from`. */
void tny_copies_add(struct tny_copies *copies, struct tny_span from, struct tny_span to);
/* Appends what is left. */
void tny_copies_finish(struct tny_copies *copies);

/* Blocks in some order, wherever each lies: a span of one block for each index below `count`. */
struct tny_block_list {
  struct tny_span (*at)(const void *context, uint32_t index);
  const void *context;
  uint32_t count;
};
/* The blocks in one span: where they are if they lie there in a row, else copied to `room`, which
   has as many. Nothing of `copies` is left to be appended. */
struct tny_span tny_copies_in_a_row(struct tny_copies *copies, const struct tny_block_list *blocks,
                                    struct tny_span room);
/* Appends a send of the span, which also waits as the first copy would have. Returns the step. */
uint32_t tny_copies_send(struct tny_copies *copies, uint32_t peer, struct tny_span span,
                         uint32_t phase);

#endif
