/* Blocks that differ in size, planned by their bytes and sent in parts: a schedule knows no bytes,
   so every block is cut in as many parts, and messages are runs of parts. A message of the longest
   block has TNY_PARTS_A_MESSAGE of them, and one of a shorter block as many as come to as many
   bytes. */
#ifndef TOURNEY_COLLECTIVES_SHARED_PARTS_BY_BYTES_H
#define TOURNEY_COLLECTIVES_SHARED_PARTS_BY_BYTES_H

#include <math.h>

#include <tourney/algorithm.h>

enum { TNY_PARTS_A_MESSAGE = 16 }; /* of the longest block: parts are so much finer than messages */

/* Are all blocks of one length? Then phases that know no sizes are as good, and what plans by sizes
   hasn't been measured. */
static inline bool tny_has_blocks_alike(const struct tny_problem *problem)
{
  return tny_pattern_is_even(problem->pattern);
}

/* Into how many equal divisions so many bytes are cut, for messages as long as those of the
   longest block. */
static inline uint32_t tny_parts_divisions(uint64_t bytes, uint64_t longest, uint32_t part_count)
{
  const uint32_t messages = part_count > TNY_PARTS_A_MESSAGE ? part_count / TNY_PARTS_A_MESSAGE : 1;
  const double wanted = (double)bytes / (double)longest * messages;
  return wanted > 1 ? (uint32_t)ceil(wanted) : 1;
}

/* The part of a block that begins nearest to an offset, which lies in the block or at its end. */
static inline uint32_t tny_parts_at(uint64_t block_bytes, double offset, uint32_t part_count)
{
  return (uint32_t)(offset / (double)block_bytes * part_count + 0.5);
}

#endif
