/* The fabric's future events, in a timing wheel: some lists for each cycle modulo the wheel's
   number of cycles. What is due one round of the wheel or more later stays in its list until then.
   */
#ifndef TOURNEY_SIMULATOR_WHEEL_H
#define TOURNEY_SIMULATOR_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

#include <tourney/cluster.h>

/* Lists for each cycle, so that one kind of events can be handled after the other. */
#define TNY_WHEEL_LISTS 3

struct tny_wheel_event {
  uint32_t next;
  uint32_t due; /* the cycle's low bits */
  uint32_t what, value;
};

struct tny_wheel {
  struct tny_wheel_event *events;
  uint32_t room, free; /* free: the first of those that aren't used */
  uint32_t *first;     /* by (cycle & mask) * TNY_WHEEL_LISTS + list */
  uint64_t *filled;    /* by cycle & mask: a bit, a list isn't empty */
  uint64_t *marked;    /* by word of `filled`: a bit, it isn't 0 */
  uint32_t mask;
  uint32_t count; /* events */
  bool failed;    /* there was no memory for an event: it is lost */
};

/* For delays up to delay_max; longer ones, under 2^32, cost a little more. */
enum tny_status tny_wheel_init(struct tny_wheel *wheel, uint64_t delay_max,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_wheel_release(struct tny_wheel *wheel);
/* Doubles the room. */
void tny_wheel_grow(struct tny_wheel *wheel);
/* The first cycle after `cycle` that may have events; UINT64_MAX: there are none. */
uint64_t tny_wheel_next(const struct tny_wheel *wheel, uint64_t cycle);

static inline void tny_wheel_add(struct tny_wheel *wheel, uint64_t due, uint32_t list,
                                 uint32_t what, uint32_t value)
{
  if (wheel->free == TNY_NONE)
    tny_wheel_grow(wheel);
  if (wheel->free == TNY_NONE)
    return;
  const uint32_t added = wheel->free, at = (uint32_t)due & wheel->mask;
  uint32_t *first = &wheel->first[at * TNY_WHEEL_LISTS + list];
  struct tny_wheel_event *event = &wheel->events[added];
  wheel->free = event->next;
  *event = (struct tny_wheel_event){*first, (uint32_t)due, what, value};
  *first = added;
  wheel->filled[at / 64] |= (uint64_t)1 << at % 64;
  wheel->marked[at / 4096] |= (uint64_t)1 << at / 64 % 64;
  wheel->count++;
}

/* Goes through a list: begins with what tny_wheel_open gives. What isn't due is put back. */
static inline uint32_t tny_wheel_open(struct tny_wheel *wheel, uint64_t cycle, uint32_t list)
{
  uint32_t *first = &wheel->first[((uint32_t)cycle & wheel->mask) * TNY_WHEEL_LISTS + list];
  const uint32_t at = *first;
  *first = TNY_NONE;
  return at;
}

static inline bool tny_wheel_take(struct tny_wheel *wheel, uint64_t cycle, uint32_t list,
                                  uint32_t *at, struct tny_wheel_event *event)
{
  while (*at != TNY_NONE) {
    const uint32_t self = *at;
    *event = wheel->events[self];
    *at = event->next;
    const bool is_due = event->due == (uint32_t)cycle;
    uint32_t *first = &wheel->first[((uint32_t)cycle & wheel->mask) * TNY_WHEEL_LISTS + list];
    uint32_t *to = is_due ? &wheel->free : first;
    wheel->events[self].next = *to;
    *to = self;
    wheel->count -= is_due;
    if (is_due)
      return true;
  }
  return false;
}

/* To be called after all lists of a cycle have been gone through. */
static inline void tny_wheel_close(struct tny_wheel *wheel, uint64_t cycle)
{
  const uint32_t at = (uint32_t)cycle & wheel->mask;
  bool is_empty = true;
  for (uint32_t list = 0; list < TNY_WHEEL_LISTS; list++)
    is_empty = is_empty && wheel->first[at * TNY_WHEEL_LISTS + list] == TNY_NONE;
  if (!is_empty)
    return;
  wheel->filled[at / 64] &= ~((uint64_t)1 << at % 64);
  if (!wheel->filled[at / 64])
    wheel->marked[at / 4096] &= ~((uint64_t)1 << at / 64 % 64);
}

#endif
