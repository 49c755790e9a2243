/* Sizes are planned in steps, all of a step alike, so that a program whose blocks grow bit by bit
   doesn't plan anew each time. What is found for the greatest size of a step keeps what it promises
   for the others: their chunks are shorter, by a ninth at most, so that a window of them is fewer
   bytes, and so are their segments. */
#include <tourney/model.h>

enum {
  STEPS_AN_OCTAVE = 8,
  /* Long blocks go in segments of so many bytes, where their chunks have the usual length. */
  STEP_BYTES_MAX = 2 << 20,
};

uint64_t tny_model_size_step(uint64_t block_bytes)
{
  uint64_t length = 1;
  while (length < STEP_BYTES_MAX && block_bytes > 2 * STEPS_AN_OCTAVE * length)
    length *= 2;
  return (block_bytes + length - 1) / length * length;
}
