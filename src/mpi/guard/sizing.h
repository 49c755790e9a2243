/* In which of a communicator's uneven calls its ranks agree on sizes. Of an MPI_Alltoallv a rank
   knows only what it sends and gets itself, so that without an agreement no rank can tell whether a
   plan serves the call; and where none does, the agreement is lost time. Pure, as the guard's rules
   are: a function of how many calls there were and of numbers that all ranks agreed on.

   The account has what plans have gained, less what agreements have cost. While it isn't in the
   red, or trials were under way of late, each call is agreed on. In the red, an agreement after
   which no plan serves is followed by calls that are native at once: up to twice as many each time,
   drawn, so that calls whose sizes alternate aren't met at the same size each time. So n calls that
   plans never serve have about 2 + log2 n agreements, and one more for each TNY_SIZING_GAP_MOST. */
#ifndef TOURNEY_MPI_GUARD_SIZING_H
#define TOURNEY_MPI_GUARD_SIZING_H

#include <stdbool.h>
#include <stdint.h>

enum {
  TNY_SIZING_CALLS_BEFORE = 3, /* of a communicator, that are native before all others */
  TNY_SIZING_GAP_MOST = 1024,
};

/* All zero: no calls yet. Times are in nanoseconds. */
struct tny_sizing {
  uint64_t calls, due;   /* so far; by which they are agreed on again */
  uint64_t trials_until; /* the call up to which a trial of late counts */
  uint64_t gap;          /* the mean of calls from one agreement to the next, in the red */
  double account_ns;
  double asking_ns;     /* what an agreement takes, agreed on; 0: not known yet */
  double own_asking_ns; /* the last one here */
};

/* Counts a call. Is it to be agreed on? Costs next to nothing. */
static inline bool tny_sizing_is_due(struct tny_sizing *sizing)
{
  return ++sizing->calls >= sizing->due;
}
/* The call was agreed on; `asking_ns` is what the agreement before took, the shortest of all
   ranks; 0: there was none. */
void tny_sizing_agreed(struct tny_sizing *sizing, double asking_ns);
/* What came of it: it was one of the guard's trials; a plan serves it, gaining so much; or neither.
 */
void tny_sizing_tried(struct tny_sizing *sizing);
void tny_sizing_gained(struct tny_sizing *sizing, double ns);
void tny_sizing_wasted(struct tny_sizing *sizing);

#endif
