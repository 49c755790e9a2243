/* The ring of the delay queue. A record is a head and the frame's bytes. One that doesn't fit
   behind the newest goes to the ring's begin, if the oldest leaves room there. */
#include "lab/delay_queue.h"

#include <assert.h>

#include "core/alloc.h"
#include "core/error.h"

/* What precedes a frame's bytes in the ring. */
struct head {
  uint64_t due_ns;
  uint64_t length;
};

enum { FRAME_BYTES_MIN = 60 };

static size_t record_bytes(size_t length)
{
  return sizeof(struct head) +
         (length + sizeof(struct head) - 1) / sizeof(struct head) * sizeof(struct head);
}

uint64_t tny_lab_delay_queue_room(uint64_t bandwidth_bps, uint64_t time_ns)
{
  const double frames = (double)bandwidth_bps / 8 * (double)time_ns * 1e-9 / FRAME_BYTES_MIN;
  const double room = frames * (double)record_bytes(FRAME_BYTES_MIN);
  return room < 0x1p63 ? (uint64_t)room : UINT64_MAX;
}

enum tny_status tny_lab_delay_queue_init(struct tny_lab_delay_queue *queue, uint64_t room,
                                         struct tny_error *error)
{
  *queue = (struct tny_lab_delay_queue){0};
  queue->ring = room <= SIZE_MAX ? tny_new((size_t)room, 1) : NULL;
  if (!queue->ring)
    return tny_error_memory(error);
  queue->room = (size_t)room;
  return TNY_OK;
}

void tny_lab_delay_queue_release(struct tny_lab_delay_queue *queue)
{
  tny_free(queue->ring);
  *queue = (struct tny_lab_delay_queue){0};
}

/* Makes `tail` a place with that many bytes behind it; false where there is none. */
static bool find_place(struct tny_lab_delay_queue *queue, size_t bytes)
{
  if (queue->wrapped)
    return queue->head - queue->tail >= bytes;
  if (queue->room - queue->tail >= bytes)
    return true;
  if (queue->head < bytes)
    return false;
  queue->end = queue->tail;
  queue->tail = 0;
  queue->wrapped = true;
  return true;
}

bool tny_lab_delay_queue_put(struct tny_lab_delay_queue *queue, uint64_t due_ns, const void *frame,
                             size_t length)
{
  if (length > queue->room || !find_place(queue, record_bytes(length)))
    return false;
  if (due_ns < queue->last_due_ns)
    due_ns = queue->last_due_ns;
  queue->last_due_ns = due_ns;
  const struct head head = {due_ns, length};
  memcpy(queue->ring + queue->tail, &head, sizeof head);
  memcpy(queue->ring + queue->tail + sizeof head, frame, length);
  queue->tail += record_bytes(length);
  queue->count++;
  return true;
}

static struct head read_head(const struct tny_lab_delay_queue *queue, size_t at)
{
  struct head head;
  memcpy(&head, queue->ring + at, sizeof head);
  return head;
}

/* Returns where the record behind that at `at` lies. */
static size_t step(const struct tny_lab_delay_queue *queue, size_t at)
{
  const size_t next = at + record_bytes((size_t)read_head(queue, at).length);
  return queue->wrapped && next == queue->end ? 0 : next;
}

uint32_t tny_lab_delay_queue_due(const struct tny_lab_delay_queue *queue, uint64_t now_ns,
                                 struct tny_lab_delayed *frames, uint32_t most)
{
  uint32_t found = 0;
  for (size_t at = queue->head; found < most && found < queue->count; at = step(queue, at)) {
    const struct head head = read_head(queue, at);
    if (head.due_ns > now_ns)
      break;
    frames[found++] =
        (struct tny_lab_delayed){queue->ring + at + sizeof head, (size_t)head.length, head.due_ns};
  }
  return found;
}

void tny_lab_delay_queue_take(struct tny_lab_delay_queue *queue, uint32_t count)
{
  assert(count <= queue->count);
  for (uint32_t i = 0; i < count; i++) {
    queue->head = step(queue, queue->head);
    queue->wrapped &= queue->head != 0;
  }
  queue->count -= count;
  /* An empty queue begins anew, so that one that is never full touches little memory. */
  if (!queue->count)
    queue->head = queue->tail = 0;
}

uint64_t tny_lab_delay_queue_next(const struct tny_lab_delay_queue *queue)
{
  return queue->count ? read_head(queue, queue->head).due_ns : UINT64_MAX;
}
