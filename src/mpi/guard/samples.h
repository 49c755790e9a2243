/* What a few times say. */
#ifndef TOURNEY_MPI_GUARD_SAMPLES_H
#define TOURNEY_MPI_GUARD_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

enum { TNY_GUARD_SAMPLES = 16 }; /* of a way to serve, that are kept */

/* The middle of some times, and what a quarter were below and above. */
struct tny_guard_spread {
  double lower_ns, median_ns, upper_ns;
};

/* Of one time at the least. Of two in the middle native counts by the shorter, a candidate by both:
   native wins in doubt. */
struct tny_guard_spread tny_guard_spread_of(const double *samples_ns, uint32_t count,
                                            bool is_native);

#endif
