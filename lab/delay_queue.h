/* The delay queue: frames in the order in which they came, each with the time at which it is due.
   Only memory is handled here; whose time it is, and where frames come from and go to, is the
   caller's business. Units: nanoseconds, bytes.

   Invariants: a frame's due time is never before that of the frame before it; a frame's bytes lie
   in one piece and stay where they are until it is taken out; what the frames take is never more
   than the queue's room. */
#ifndef TOURNEY_LAB_DELAY_QUEUE_H
#define TOURNEY_LAB_DELAY_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tourney/status.h>

/* A ring of records. For reading only. */
struct tny_lab_delay_queue {
  unsigned char *ring; /* owned */
  size_t room;
  size_t head, tail; /* of the oldest record; of the next one */
  size_t end;        /* where the records before the ring's begin end; only where `wrapped` */
  bool wrapped;      /* the newest records lie before the oldest */
  uint32_t count;    /* of frames */
  uint64_t last_due_ns;
};

/* A frame in the queue. Its bytes are borrowed, until it is taken out. */
struct tny_lab_delayed {
  const unsigned char *bytes;
  size_t length;
  uint64_t due_ns;
};

/* Returns the room for what a link of this rate carries in the time, were all its frames as short
   as Ethernet has them. Saturates. */
uint64_t tny_lab_delay_queue_room(uint64_t bandwidth_bps, uint64_t time_ns);

/* Makes an empty queue. Owns: tny_lab_delay_queue_release. */
enum tny_status tny_lab_delay_queue_init(struct tny_lab_delay_queue *queue, uint64_t room,
                                         struct tny_error *error) TNY_MUST_CHECK;
void tny_lab_delay_queue_release(struct tny_lab_delay_queue *queue);

/* Copies a frame to the end of the queue, due at that time or with the frame before it, whichever
   is later. False where there is no room for it. */
bool tny_lab_delay_queue_put(struct tny_lab_delay_queue *queue, uint64_t due_ns, const void *frame,
                             size_t length) TNY_MUST_CHECK;
/* Finds the oldest frames that are due by `now_ns`, at most `most`. Returns how many there are. */
uint32_t tny_lab_delay_queue_due(const struct tny_lab_delay_queue *queue, uint64_t now_ns,
                                 struct tny_lab_delayed *frames, uint32_t most);
/* Takes the `count` oldest frames out, of which there must be as many. */
void tny_lab_delay_queue_take(struct tny_lab_delay_queue *queue, uint32_t count);
/* Returns when the oldest frame is due; UINT64_MAX where the queue is empty. */
uint64_t tny_lab_delay_queue_next(const struct tny_lab_delay_queue *queue);

#endif
