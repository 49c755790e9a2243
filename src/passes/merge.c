/* Lists a draft's steps in a new order, in which every step comes after those that it waits for. A
   draft is right queue by queue, but the two queues (of sends and copies, of receives) needn't
   stand in an order in which each step waits for earlier ones alone. */
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/steps.h"

struct merge {
  const struct tny_steps *draft;
  uint32_t head[2]; /* next step of the queue of sends and of receives; draft->count: none */
  uint32_t *listed; /* by draft index: 1 + index in the new list; 0: not listed yet */
  struct tny_builder out;
};

/* The first step of the queue at or after `from`. */
static uint32_t next_in_queue(const struct tny_steps *draft, bool receives, uint32_t from)
{
  while (from < draft->count && tny_step_receives(draft->steps[from].kind) != receives)
    from++;
  return from;
}

static bool is_ready(const struct merge *merge, uint32_t index)
{
  if (index == merge->draft->count)
    return false;
  const struct tny_step *step = &merge->draft->steps[index];
  for (uint32_t i = 0; i < step->after_count; i++)
    if (!merge->listed[merge->draft->after[step->after_first + i]])
      return false;
  return true;
}

static void list_step(struct merge *merge, uint32_t index)
{
  const struct tny_step *step = &merge->draft->steps[index];
  const bool receives = tny_step_receives(step->kind);
  merge->listed[index] = 1 + tny_builder_append(&merge->out, step);
  for (uint32_t i = 0; i < step->after_count; i++)
    tny_builder_wait(&merge->out, merge->listed[merge->draft->after[step->after_first + i]] - 1);
  merge->head[receives] = next_in_queue(merge->draft, receives, index + 1);
}

/* Listing the head of a queue that is ready never makes another step wait. So it doesn't matter
   which of two ready heads goes first, and the greedy choice finds an order wherever there is
   one. */
static enum tny_status list_all(struct merge *merge, struct tny_error *error)
{
  const uint32_t count = merge->draft->count;
  for (uint32_t listed = 0; listed < count && merge->out.error.status == TNY_OK; listed++) {
    const bool receives_first = merge->head[1] < merge->head[0];
    uint32_t pick = merge->head[receives_first];
    if (!is_ready(merge, pick))
      pick = merge->head[!receives_first];
    if (!is_ready(merge, pick))
      return tny_error_set(error, TNY_REFUSED,
                           "pacing makes the sends and receives of a rank wait for each other "
                           "from step %u on; use a larger window",
                           merge->head[receives_first]);
    list_step(merge, pick);
  }
  return TNY_OK;
}

enum tny_status tny_steps_merge(const struct tny_steps *draft, struct tny_steps *out,
                                struct tny_error *error)
{
  struct merge merge = {.draft = draft};
  *out = (struct tny_steps){0};
  merge.listed = tny_new(draft->count, sizeof *merge.listed);
  if (!merge.listed)
    return tny_error_memory(error);
  tny_builder_init(&merge.out);
  merge.head[0] = next_in_queue(draft, false, 0);
  merge.head[1] = next_in_queue(draft, true, 0);
  enum tny_status status = list_all(&merge, error);
  const enum tny_status finished = tny_builder_finish(&merge.out, out, error);
  if (status == TNY_OK)
    status = finished;
  if (status != TNY_OK)
    tny_steps_release(out);
  tny_free(merge.listed);
  return status;
}
