/* What each link carried, slot by slot of time. When there are too many slots, each two become one,
   so that memory doesn't grow with time. */
#ifndef TOURNEY_SIMULATOR_BINS_H
#define TOURNEY_SIMULATOR_BINS_H

#include <tourney/simulate.h>

struct tny_slots {
  uint32_t link_count, count; /* count: slots that are over */
  uint64_t cycles;            /* of a slot */
  uint64_t end;               /* the cycle with which the present slot is over */
  uint64_t *before;           /* by link: its flits at the present slot's begin */
  uint32_t *flits;            /* slot by slot, link_count each */
};

/* Owns: tny_slots_release. */
enum tny_status tny_slots_init(struct tny_slots *slots, uint32_t link_count,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_slots_release(struct tny_slots *slots);
/* Time is `cycle`, and by link so many flits have been carried; no slot's end was skipped while
   flits moved. */
void tny_slots_note(struct tny_slots *slots, uint64_t cycle, const uint64_t *link_flits);
/* At the end, at time `cycle`: hands the flits over to the simulation, link by link. */
enum tny_status tny_slots_finish(struct tny_slots *slots, uint64_t cycle,
                                 const uint64_t *link_flits, struct tny_simulation *simulation,
                                 struct tny_error *error) TNY_MUST_CHECK;

#endif
