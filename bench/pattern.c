/* The pattern takes one multiplication for each word, so that filling and checking run at memory
   speed. */
#include "bench/pattern.h"

#include <string.h>

#define ODD_FACTOR UINT64_C(0x9e3779b97f4a7c15) /* 2^64 over the golden ratio */

static uint64_t scramble(uint64_t value)
{
  value *= ODD_FACTOR;
  return value ^ (value >> 29);
}

static uint64_t word_at(uint64_t seed, uint64_t word_index)
{
  return scramble(seed + word_index);
}

uint64_t bench_pattern_seed(uint32_t source, uint32_t target, uint64_t iteration)
{
  const uint64_t pair = (uint64_t)source << 32 | target;
  return scramble(scramble(pair + 1) + iteration);
}

void bench_pattern_fill(void *block, uint64_t bytes, uint64_t seed)
{
  uint8_t *to = block;
  const uint64_t words = bytes / sizeof(uint64_t);
  for (uint64_t i = 0; i < words; i++) {
    const uint64_t word = word_at(seed, i);
    memcpy(to + i * sizeof word, &word, sizeof word);
  }
  const uint64_t last = word_at(seed, words);
  memcpy(to + words * sizeof last, &last, (size_t)(bytes % sizeof last));
}

void bench_pattern_mix(void *block, uint64_t bytes, uint64_t seed)
{
  uint8_t *at = block;
  const uint64_t words = bytes / sizeof(uint64_t);
  for (uint64_t i = 0; i < words; i++) {
    uint64_t word;
    memcpy(&word, at + i * sizeof word, sizeof word);
    word ^= word_at(seed, i);
    memcpy(at + i * sizeof word, &word, sizeof word);
  }
  for (uint64_t offset = words * sizeof(uint64_t); offset < bytes; offset++)
    at[offset] ^= bench_pattern_byte(seed, offset);
}

uint64_t bench_pattern_check(const void *block, uint64_t bytes, uint64_t seed)
{
  const uint8_t *from = block;
  const uint64_t words = bytes / sizeof(uint64_t);
  uint64_t good = 0;
  for (; good < words; good++) {
    uint64_t word;
    memcpy(&word, from + good * sizeof word, sizeof word);
    if (word != word_at(seed, good))
      break;
  }
  uint64_t offset = good * sizeof(uint64_t);
  while (offset < bytes && from[offset] == bench_pattern_byte(seed, offset))
    offset++;
  return offset;
}

uint8_t bench_pattern_byte(uint64_t seed, uint64_t offset)
{
  const uint64_t word = word_at(seed, offset / sizeof(uint64_t));
  uint8_t bytes[sizeof word];
  memcpy(bytes, &word, sizeof word);
  return bytes[offset % sizeof word];
}
