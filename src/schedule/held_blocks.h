/* Which block a step's data is of, also in scratch space. */
#ifndef TOURNEY_SCHEDULE_HELD_BLOCKS_H
#define TOURNEY_SCHEDULE_HELD_BLOCKS_H

#include <tourney/schedule.h>

/* One rank's steps of a reduce-scatter, whose spans are of single blocks, and in scratch space of
   single pieces. */
struct tny_held {
  const struct tny_steps *steps;
  uint32_t rank, scratch_blocks, piece_count;
};

/* Finds, for each step, whose result its data belongs to: the number of an input block, which is
   what that is combined with or copied from, or this rank's where it lies in the output. Tokens get
   TNY_NONE. Shape: block_of has an entry for each step. Errors: TNY_REFUSED where that follows from
   no step, two blocks are mixed, or blocks or pieces aren't single; TNY_NO_MEMORY.
   Cost: about linear in steps and pieces. */
enum tny_status tny_steps_find_held(const struct tny_held *held, uint32_t *block_of,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
