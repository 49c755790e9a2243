/* Random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014),
   which hashes a counter. */
#ifndef TOURNEY_CORE_RANDOM_H
#define TOURNEY_CORE_RANDOM_H

#include <stdint.h>

/* 64 random bits. `counter` begins as the seed, any number. */
static inline uint64_t tny_random_next(uint64_t *counter)
{
  *counter += 0x9e3779b97f4a7c15u;
  uint64_t value = *counter;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

/* An evenly distributed number from 0 on, below 1. */
static inline double tny_random_share(uint64_t *counter)
{
  return (double)(tny_random_next(counter) >> 11) * 0x1p-53;
}

#endif
