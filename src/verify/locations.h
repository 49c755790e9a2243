/* The memory of a rank as the prover sees it: numbered locations, one for each chunk of each block
   of its input, output and scratch buffers. */
#ifndef TOURNEY_VERIFY_LOCATIONS_H
#define TOURNEY_VERIFY_LOCATIONS_H

#include "schedule/match.h"

struct tny_locations {
  uint32_t first_block[3]; /* by buffer: its block 0 among all blocks of the rank */
  uint32_t input_blocks;   /* of a rank */
  uint32_t chunk_count;    /* 1 where no step names a piece */
  uint64_t count;          /* locations of a rank */
  enum tny_collective collective;
  bool in_place; /* a rank's input and its output are one memory, as MPI_IN_PLACE has them */
};

/* In place, a rank that has no output has its input where it would begin there: nothing else is. */
struct tny_locations tny_locations_of(const struct tny_schedule *schedule, bool in_place);

/* The locations of one rank: its input is where it is for this rank. */
static inline struct tny_locations tny_locations_of_rank(const struct tny_locations *locations,
                                                         uint32_t rank)
{
  struct tny_locations own = *locations;
  if (locations->in_place)
    own.first_block[TNY_INPUT] =
        locations->first_block[TNY_OUTPUT] + tny_collective_in_place(locations->collective, rank);
  return own;
}

/* The location of a span's k-th piece, k < tny_span_pieces(span, locations->chunk_count). */
static inline uint64_t tny_location_at(const struct tny_locations *locations,
                                       const struct tny_span *span, uint64_t k)
{
  const uint32_t chunks = locations->chunk_count;
  const uint64_t block = locations->first_block[span->buffer] + (uint64_t)span->first;
  if (span->chunk_count != 1)
    return (block + k / span->chunks) * chunks + span->chunk + k % span->chunks;
  return block * chunks + k;
}

/* Does a copy read just where it writes? `locations` is of the rank. */
static inline bool tny_copy_stays(const struct tny_locations *locations,
                                  const struct tny_step *copy)
{
  return tny_location_at(locations, &copy->span, 0) == tny_location_at(locations, &copy->target, 0);
}

/* Is everything that a rank reads there before, and nothing overwritten while in use? The steps of
   a rank by themselves show it (hazards.c). Errors: TNY_BROKEN. */
enum tny_status tny_hazards_check(const struct tny_match *match,
                                  const struct tny_locations *locations,
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
