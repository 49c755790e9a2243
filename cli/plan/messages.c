/* Lists the messages of a plan by phase. */
#include "core/alloc.h"
#include "core/error.h"
#include "show.h"

/* Messages by phase, then by sender, then by receiver. */
static int compare_messages(const void *a, const void *b)
{
  const struct plan_message *x = a, *y = b;
  if (x->phase != y->phase)
    return x->phase < y->phase ? -1 : 1;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

enum tny_status plan_messages(const struct tny_schedule *schedule, struct plan_message **messages,
                              uint64_t *count, struct tny_error *error)
{
  uint64_t total = 0, filled = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      total += schedule->ranks[rank].steps[i].kind == TNY_SEND;
  *count = total;
  *messages = tny_new(total, sizeof **messages);
  if (!*messages)
    return tny_error_memory(error);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind == TNY_SEND)
        (*messages)[filled++] = (struct plan_message){step->phase, rank, step->peer};
    }
  }
  qsort(*messages, total, sizeof **messages, compare_messages);
  return TNY_OK;
}
