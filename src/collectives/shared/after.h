/* Waiting for many steps at once. */
#ifndef TOURNEY_COLLECTIVES_SHARED_AFTER_H
#define TOURNEY_COLLECTIVES_SHARED_AFTER_H

#include <tourney/schedule.h>

/* The last appended step, a send or a copy, waits for all messages among the steps from `first` to
   before `end`. Their copies stand in front of it in its queue, so they are complete anyway. */
static inline void tny_after_messages(struct tny_builder *builder, uint32_t first, uint32_t end)
{
  for (uint32_t i = first; i < end; i++)
    if (!tny_step_is_local(builder->steps.steps[i].kind))
      tny_builder_after(builder, i);
}

#endif
