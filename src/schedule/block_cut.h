/* How a block is cut where blocks differ in size, and whoever has to do with it knows how long it
   is. A plan cuts all blocks in the same number of pieces. A short block's pieces would be messages
   of next to no bytes, each with its headers and its work. So a block that is shorter than the plan
   has it is cut in fewer parts, none much shorter than the plan's pieces. As many of its pieces are
   a part each, evenly spread over all; the others are empty, and nothing is sent for them. */
#ifndef TOURNEY_SCHEDULE_BLOCK_CUT_H
#define TOURNEY_SCHEDULE_BLOCK_CUT_H

#include <tourney/schedule.h>

/* All zero: a part for each piece. */
struct tny_block_cut {
  uint32_t parts_most; /* 0: a part for each piece, however short */
  uint32_t lot;        /* which of the pieces are parts */
};

/* Of block `number`, where a plan's pieces are about so many bytes, at least one. Blocks get lots
   that are far from each other (multiples of the golden section), so that those of a single part
   aren't all the same piece: an algorithm may send each piece another way. */
static inline struct tny_block_cut tny_block_cut_make(uint64_t bytes, uint64_t piece_bytes,
                                                      uint32_t number)
{
  const uint64_t parts = bytes / piece_bytes + (bytes % piece_bytes != 0);
  return (struct tny_block_cut){.parts_most = parts < 1            ? 1
                                              : parts < UINT32_MAX ? (uint32_t)parts
                                                                   : UINT32_MAX,
                                .lot = number * UINT32_C(0x9E3779B9)};
}

/* Some parts of a block: from `first` on to before `end`, of `count`. */
struct tny_block_parts {
  uint32_t first, end, count;
};

/* Those that a span of the block covers. */
static inline struct tny_block_parts tny_block_cut_parts(struct tny_block_cut cut,
                                                         const struct tny_span *span)
{
  const uint64_t pieces = span->chunk_count;
  const uint64_t from = span->chunk, to = from + span->chunks;
  if (cut.parts_most == 0 || cut.parts_most >= pieces)
    return (struct tny_block_parts){(uint32_t)from, (uint32_t)to, span->chunk_count};
  const uint64_t skew = cut.lot * pieces >> 32;
  return (struct tny_block_parts){(uint32_t)((from * cut.parts_most + skew) / pieces),
                                  (uint32_t)((to * cut.parts_most + skew) / pieces),
                                  cut.parts_most};
}

#endif
