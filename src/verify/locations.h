/* The places of a rank's buffers, one for each chunk of each block, numbered. */
#ifndef TOURNEY_VERIFY_LOCATIONS_H
#define TOURNEY_VERIFY_LOCATIONS_H

#include "schedule/match.h"

struct tny_places {
  uint32_t first_block[3]; /* by buffer: its block 0 among all blocks of the rank */
  uint32_t chunk_count;    /* 1 where no step names a piece */
  uint64_t count;          /* places of a rank */
  bool in_place;           /* a rank's input is its own block of the output */
};

struct tny_places tny_places_of(const struct tny_schedule *schedule);

/* The places of one rank: its input is where it is for this rank. */
static inline struct tny_places tny_places_of_rank(const struct tny_places *places, uint32_t rank)
{
  struct tny_places own = *places;
  if (places->in_place)
    own.first_block[TNY_INPUT] = places->first_block[TNY_OUTPUT] + rank;
  return own;
}

/* The place of a span's k-th piece, k < tny_span_pieces(span, places->chunk_count). */
static inline uint64_t tny_places_at(const struct tny_places *places, const struct tny_span *span,
                                     uint64_t k)
{
  const uint32_t chunks = places->chunk_count;
  const uint64_t block = places->first_block[span->buffer] + (uint64_t)span->first;
  if (span->chunk_count != 1)
    return (block + k / span->chunks) * chunks + span->chunk + k % span->chunks;
  return block * chunks + k;
}

/* Does a copy read just where it writes? `places` is of the rank. */
static inline bool tny_places_same(const struct tny_places *places, const struct tny_step *copy)
{
  return tny_places_at(places, &copy->span, 0) == tny_places_at(places, &copy->target, 0);
}

/* Is everything that a rank reads there before, and nothing overwritten while in use? The steps of
   a rank by themselves show it (hazards.c). Errors: TNY_BROKEN. */
enum tny_status tny_hazards_check(const struct tny_match *match, const struct tny_places *places,
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
