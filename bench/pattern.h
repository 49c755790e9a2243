/* The bytes that the messages of `tourney bench` carry. They depend on source, target, iteration
   and offset, so that a block from the wrong rank, of the wrong turn or at the wrong offset is
   found. */
#ifndef TOURNEY_BENCH_PATTERN_H
#define TOURNEY_BENCH_PATTERN_H

#include <stdint.h>

/* Returns the seed of one block. */
uint64_t bench_pattern_seed(uint32_t source, uint32_t target, uint64_t iteration);
/* Writes the block's `bytes` bytes. */
void bench_pattern_fill(void *block, uint64_t bytes, uint64_t seed);
/* Combines the block with the one of that seed, by exclusive or: twice, and it's as it was. */
void bench_pattern_mix(void *block, uint64_t bytes, uint64_t seed);
/* Returns the offset of the first wrong byte; `bytes` where all are right. */
uint64_t bench_pattern_check(const void *block, uint64_t bytes, uint64_t seed);
/* Returns the byte that belongs at an offset. */
uint8_t bench_pattern_byte(uint64_t seed, uint64_t offset);

#endif
