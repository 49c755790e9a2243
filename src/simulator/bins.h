/* What each link carried over time: a histogram with bins of so many cycles. When there are too
   many bins, each two are merged, so that memory doesn't grow with time. */
#ifndef TOURNEY_SIMULATOR_BINS_H
#define TOURNEY_SIMULATOR_BINS_H

#include <tourney/simulate.h>

struct tny_bins {
  uint32_t link_count, count; /* count: complete bins */
  uint64_t cycles;            /* of a bin */
  uint64_t end;               /* the cycle with which the present bin is over */
  uint64_t *before;           /* by link: its flits at the present bin's begin */
  uint32_t *flits;            /* bin by bin, link_count each */
};

/* Owns: tny_bins_release. */
enum tny_status tny_bins_init(struct tny_bins *bins, uint32_t link_count,
                              struct tny_error *error) TNY_MUST_CHECK;
void tny_bins_release(struct tny_bins *bins);
/* Time is `cycle`, and by link so many flits have been carried; no bin's end was skipped while
   flits moved. */
void tny_bins_note(struct tny_bins *bins, uint64_t cycle, const uint64_t *link_flits);
/* At the end, at time `cycle`: hands the flits over to the simulation, link by link. */
enum tny_status tny_bins_finish(struct tny_bins *bins, uint64_t cycle, const uint64_t *link_flits,
                                struct tny_simulation *simulation,
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
