/* How a plan is cut, clocked and chosen for a cluster and a size. */
#ifndef TOURNEY_MODEL_H
#define TOURNEY_MODEL_H

#include <tourney/algorithm.h>

/* The bytes that one chunk of every rank may have: the least, over the links, of port buffer over
   the most messages that share it at once (of one phase, or of all where pairs are paced by
   credits). */
enum tny_status tny_model_slot_bytes(const struct tny_algorithm *algorithm,
                                     const struct tny_problem *problem,
                                     const struct tny_network *network, uint64_t *slot_bytes,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* Chunks and window for blocks of `block_bytes` such that the bytes in flight stay under half of
   every port buffer. */
struct tny_pace tny_model_pace(uint64_t slot_bytes, uint64_t block_bytes);

/* What to use: an algorithm, or NULL for native, and why, in words. */
struct tny_choice {
  const struct tny_algorithm *algorithm;
  const char *why; /* a literal */
};
struct tny_choice tny_model_choose(enum tny_collective collective, uint32_t rank_count,
                                   uint64_t block_bytes);

#endif
