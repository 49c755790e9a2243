/* The hosts' future events in a priority queue: the soonest first; of those due at the same time,
   the one that was added first. */
#ifndef TOURNEY_SIMULATOR_EVENTS_H
#define TOURNEY_SIMULATOR_EVENTS_H

#include <tourney/simulate.h>

struct tny_host_event {
  double at; /* cycles */
  uint64_t turn;
  uint32_t op;
  uint32_t what; /* the caller's */
};

/* A heap; all zero is an empty one. */
struct tny_events {
  struct tny_host_event *heap;
  size_t count, room;
  uint64_t turn;
};

enum tny_status tny_events_add(struct tny_events *events, double at, uint32_t op, uint32_t what,
                               struct tny_error *error) TNY_MUST_CHECK;
/* The soonest; NULL: none. */
static inline const struct tny_host_event *tny_events_first(const struct tny_events *events)
{
  return events->count > 0 ? events->heap : NULL;
}
/* Takes the soonest out; there is one. */
struct tny_host_event tny_events_take(struct tny_events *events);
void tny_events_release(struct tny_events *events);

#endif
