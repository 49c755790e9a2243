/* A sample of an algorithm's phases, where the steps of all ranks would be too many to look at. It
   is the same on every rank. */
#ifndef TOURNEY_MODEL_SAMPLE_H
#define TOURNEY_MODEL_SAMPLE_H

#include <tourney/algorithm.h>

/* Phases that are looked at, one of each sixteenth: the sum over all phases is then known to some
   hundredths where neighbouring phases are alike, as they are in all algorithms that have a
   `peer`. */
enum { TNY_SAMPLED_PHASES = 16 };

static inline uint32_t tny_sample_size(uint32_t total)
{
  return total < TNY_SAMPLED_PHASES ? total : TNY_SAMPLED_PHASES;
}

/* The i-th phase of the sample: anywhere in its part of the phases, as tournaments and exclusive or
   have patterns that equal distances would fall in with. */
uint32_t tny_sample_phase(uint32_t total, uint32_t i);

/* The messages that all ranks send, at most. */
uint64_t tny_claimed_messages(const struct tny_claim *claim, uint32_t rank_count);

/* The most blocks of a phase that the algorithm lets share a link of the problem's cluster; 0: it
   promises nothing here. Promises are in messages: what sends several blocks in one has none. */
uint32_t tny_promised_messages(const struct tny_claim *claim, const struct tny_problem *problem,
                               const struct tny_cluster *cluster);

#endif
