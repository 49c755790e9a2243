/* A rank's window in bytes. */
#include "mpi/uneven/send_window.h"

#include "mpi/types/combine.h"

static int64_t bytes_of(const struct tny_plan *plan, const struct tny_buffers *buffers,
                        uint32_t index)
{
  const struct tny_span *span = &plan->steps.steps[index].span;
  const struct tny_lone_block *block =
      plan->held_blocks ? &buffers->areas[TNY_INPUT].blocks[plan->held_blocks[index]]
                        : &buffers->areas[span->buffer].blocks[span->first];
  const uint64_t element_bytes = buffers->operation ? buffers->operation->element_bytes : 1;
  return (int64_t)tny_part_of_lone(block, element_bytes, span).bytes;
}

/* Is it the beginning or the end of a message with data that isn't left out? */
static bool carries_data(const struct tny_plan *plan, const struct tny_buffers *buffers,
                         uint32_t index)
{
  const enum tny_step_kind kind = plan->steps.steps[index].kind;
  return !tny_step_is_local(kind) && !tny_step_is_token(kind) &&
         (!buffers->leaves_out_empty || bytes_of(plan, buffers, index) > 0);
}

/* The place in a queue of the next message from `at` on. */
static uint32_t next_message(const struct tny_plan *plan, const struct tny_buffers *buffers,
                             const uint32_t *steps, uint32_t count, uint32_t at)
{
  while (at < count && !carries_data(plan, buffers, steps[at]))
    at++;
  return at;
}

/* Counts the receives that have become complete, and takes what was sent at their time out of the
   window. Those posted are the ones before `posted_head`. */
static void advance(struct tny_send_window *window, const struct tny_plan *plan,
                    uint32_t posted_head)
{
  for (;;) {
    const uint32_t at =
        next_message(plan, window->buffers, plan->posted, plan->posted_count, window->posted_at);
    window->posted_at = at;
    if (at >= posted_head || plan->requests[plan->posted[at]] != MPI_REQUEST_NULL)
      return;
    const uint32_t send =
        next_message(plan, window->buffers, plan->started, plan->started_count, window->started_at);
    const bool is_sent = window->received++ < window->sent;
    if (window->most.is_balanced)
      window->in_flight -= bytes_of(plan, window->buffers, plan->posted[at]);
    else if (is_sent)
      window->in_flight -= bytes_of(plan, window->buffers, plan->started[send]);
    window->posted_at = at + 1;
    window->started_at = send < plan->started_count ? send + 1 : send;
  }
}

bool tny_send_window_has_room(struct tny_send_window *window, struct tny_plan *plan, uint32_t index,
                              uint32_t posted_head, MPI_Request **awaited)
{
  *awaited = NULL;
  if (window->most.bytes == 0 || !carries_data(plan, window->buffers, index))
    return true;
  advance(window, plan, posted_head);
  if (window->sent <= window->received || window->posted_at == plan->posted_count)
    return true;
  const uint32_t receive = plan->posted[window->posted_at];
  const uint32_t phase = plan->steps.steps[index].phase;
  if (phase == TNY_NONE || plan->steps.steps[receive].phase >= phase)
    return true;
  const uint32_t messages = window->sent - window->received, most = window->most.messages;
  const int64_t bytes = window->in_flight + bytes_of(plan, window->buffers, index);
  const bool has_room = (most == 0 || messages < most) && bytes <= (int64_t)window->most.bytes;
  if (!has_room && window->posted_at < posted_head)
    *awaited = &plan->requests[receive];
  return has_room;
}

void tny_send_window_add(struct tny_send_window *window, const struct tny_plan *plan,
                         uint32_t index)
{
  if (window->most.bytes == 0 || !carries_data(plan, window->buffers, index))
    return;
  if (window->sent++ >= window->received || window->most.is_balanced)
    window->in_flight += bytes_of(plan, window->buffers, index);
}
