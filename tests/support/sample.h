/* A sample of a long test's cases: with TOURNEY_SAMPLE=n in the environment, every n-th of them;
   without it, all. Included once by each test program. */
#ifndef TOURNEY_TESTS_SAMPLE_H
#define TOURNEY_TESTS_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The n. */
static inline uint32_t sample_step(void)
{
  const char *text = getenv("TOURNEY_SAMPLE");
  const unsigned long step = text ? strtoul(text, NULL, 10) : 1;
  return step > 0 && step <= 1000 ? (uint32_t)step : 1;
}

/* What comes of so many cases. */
static inline uint32_t sample_of(uint32_t cases)
{
  return cases / sample_step();
}

/* Asked for each case in turn: whether it's one of the sample. */
static inline bool is_sampled(void)
{
  static uint32_t asked;
  return asked++ % sample_step() == 0;
}

#endif
