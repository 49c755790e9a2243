/* The events as a binary heap. */
#include "simulator/events.h"

#include "core/alloc.h"
#include "core/error.h"

static bool is_sooner(const struct tny_host_event *a, const struct tny_host_event *b)
{
  return a->at < b->at || (a->at == b->at && a->turn < b->turn);
}

enum tny_status tny_events_add(struct tny_events *events, double at, uint32_t op, uint32_t what,
                               struct tny_error *error)
{
  if (events->count == events->room) {
    const size_t room = events->room ? 2 * events->room : 256;
    struct tny_host_event *heap = tny_resize(events->heap, room, sizeof *heap);
    if (!heap)
      return tny_error_memory(error);
    events->heap = heap;
    events->room = room;
  }
  const struct tny_host_event event = {at, events->turn++, op, what};
  size_t index = events->count++;
  for (; index > 0 && is_sooner(&event, &events->heap[(index - 1) / 2]); index = (index - 1) / 2)
    events->heap[index] = events->heap[(index - 1) / 2];
  events->heap[index] = event;
  return TNY_OK;
}

struct tny_host_event tny_events_take(struct tny_events *events)
{
  struct tny_host_event *heap = events->heap;
  const struct tny_host_event first = heap[0], last = heap[--events->count];
  size_t index = 0;
  for (size_t child = 1; child < events->count; child = 2 * index + 1) {
    if (child + 1 < events->count && is_sooner(&heap[child + 1], &heap[child]))
      child++;
    if (!is_sooner(&heap[child], &last))
      break;
    heap[index] = heap[child];
    index = child;
  }
  heap[index] = last;
  return first;
}

void tny_events_release(struct tny_events *events)
{
  tny_free(events->heap);
  *events = (struct tny_events){0};
}
