/* The logarithm of counts. */
#ifndef TOURNEY_CORE_LOG2_H
#define TOURNEY_CORE_LOG2_H

#include <stdint.h>

/* ceil(log2 count), 0 for 0 and 1: the rounds in which doubling reaches `count` ranks. */
static inline uint32_t tny_log2_ceil(uint32_t count)
{
  uint32_t rounds = 0;
  while (((uint64_t)1 << rounds) < count)
    rounds++;
  return rounds;
}

#endif
