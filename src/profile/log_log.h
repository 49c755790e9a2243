/* Times between two measured sizes. */
#ifndef TOURNEY_PROFILE_LOG_LOG_H
#define TOURNEY_PROFILE_LOG_LOG_H

#include <stdint.h>

struct tny_sized_time {
  uint64_t bytes, ns; /* at least 1 each */
};

/* The time at `bytes`, which is from one size to the other, on the straight line between the two
   when both axes are logarithmic. */
uint64_t tny_log_log(struct tny_sized_time less, struct tny_sized_time more, uint64_t bytes);

#endif
