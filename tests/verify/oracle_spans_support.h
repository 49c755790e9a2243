/* Spans of steps, as the oracle reads them: how many cells they have, and whether they make sense.
   Included once by a test. */
#ifndef TOURNEY_TESTS_ORACLE_SPANS_SUPPORT_H
#define TOURNEY_TESTS_ORACLE_SPANS_SUPPORT_H

#include "oracle_values_support.h"

static inline uint32_t oracle_cut(uint32_t unit, uint32_t piece, uint32_t of)
{
  const uint32_t longer = unit % of;
  return unit / of * piece + (piece < longer ? piece : longer);
}

/* Cells of each block of the span. */
static inline uint32_t oracle_width(const struct tny_span *span, uint32_t unit)
{
  return oracle_cut(unit, span->chunk + span->chunks, span->chunk_count) -
         oracle_cut(unit, span->chunk, span->chunk_count);
}

static inline bool oracle_span_is_there(const struct tny_schedule *schedule, uint32_t rank,
                                        const struct tny_span *span)
{
  return span->buffer <= TNY_SCRATCH &&
         (uint64_t)span->first + span->count <= oracle_blocks(schedule, rank, span->buffer) &&
         span->chunk_count > 0 && span->chunk_count <= schedule->chunk_count &&
         (uint64_t)span->chunk + span->chunks <= span->chunk_count;
}

/* What a copy or reduce does to memory that it reads and writes depends on how it goes about it: C
   calls it undefined. */
static inline bool oracle_moves_onto_itself(const struct tny_step *step)
{
  const struct tny_span *a = &step->span, *b = &step->target;
  for (uint32_t i = 0; a->buffer == b->buffer && i < a->count; i++)
    for (uint32_t j = 0; j < b->count; j++)
      if (a->first + i == b->first + j &&
          (uint64_t)a->chunk * b->chunk_count < ((uint64_t)b->chunk + b->chunks) * a->chunk_count &&
          (uint64_t)b->chunk * a->chunk_count < ((uint64_t)a->chunk + a->chunks) * b->chunk_count)
        return true;
  return false;
}

#endif
