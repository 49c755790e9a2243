/* What is handed in to the fabric, and what it tells of it. */
#ifndef TOURNEY_SIMULATOR_PACKET_H
#define TOURNEY_SIMULATOR_PACKET_H

#include <tourney/simulate.h>

struct tny_packet {
  uint32_t from, to; /* hosts; the same: to its switch and back */
  uint32_t flits;    /* at least 1 */
  uint32_t phase;    /* TNY_NONE: none */
  uint32_t tag;      /* the caller's */
};
/* In the cycle that has just been done: */
struct tny_fabric_event {
  uint32_t tag;
  bool has_arrived; /* its tail is taken by its host; false: its tail has left its host */
};
struct tny_fabric_events {
  const struct tny_fabric_event *list; /* count; until the next run */
  uint32_t count;
};

#endif
