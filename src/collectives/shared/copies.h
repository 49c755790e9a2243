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

#endif
