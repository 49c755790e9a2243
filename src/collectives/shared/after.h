/* Waiting for many steps at once. */
#ifndef TOURNEY_COLLECTIVES_SHARED_AFTER_H
#define TOURNEY_COLLECTIVES_SHARED_AFTER_H

#include <tourney/schedule.h>

/* Lets the last appended step, a send or a copy, wait for all messages among the steps from `first`
   to before `end`. Copies among them stand before it in its queue, and so are complete anyway. */
static inline void tny_after_messages(struct tny_builder *builder, uint32_t first, uint32_t end)
{
  for (uint32_t i = first; i < end; i++)
    if (!tny_step_is_local(builder->steps.steps[i].kind))
      tny_builder_after(builder, i);
}

#endif
