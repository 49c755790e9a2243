/* Steps that wait for others: for many at once, and copies for what they copy. */
#ifndef TOURNEY_COLLECTIVES_SHARED_AFTER_H
#define TOURNEY_COLLECTIVES_SHARED_AFTER_H

#include <tourney/schedule.h>

/* Lets the last appended step, a send or a copy, wait for all messages among the steps from `first`
   to before `end`. Copies among them stand before it in its queue, and so are complete anyway. A
   builder that has failed lacks the last ones. */
static inline void tny_after_messages(struct tny_builder *builder, uint32_t first, uint32_t end)
{
  for (uint32_t i = first; i < end && i < builder->steps.count; i++)
    if (!tny_step_is_local(builder->steps.steps[i].kind))
      tny_builder_after(builder, i);
}

/* Lets the last appended step, a send, wait for all that is received among the steps from `first`
   to before `end`. */
static inline void tny_after_receives(struct tny_builder *builder, uint32_t first, uint32_t end)
{
  for (uint32_t i = first; i < end; i++)
    if (tny_step_receives(builder->steps.steps[i].kind))
      tny_builder_after(builder, i);
}

/* Copies blocks into the output from block `to` on, if there are any, once the step `received`
   (TNY_NONE: nothing) is complete. */
static inline void tny_copy_after(struct tny_builder *builder, struct tny_span from, uint32_t to,
                                  uint32_t received)
{
  if (from.count == 0)
    return;
  tny_builder_copy(builder, from, tny_span_blocks(TNY_OUTPUT, to, from.count));
  if (received != TNY_NONE)
    tny_builder_after(builder, received);
}

#endif
