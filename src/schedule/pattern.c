/* Patterns made by rule; pattern_read.c reads them from a matrix. */
#include <tourney/pattern.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/grid.h"
#include "core/random.h"

enum tny_status tny_pattern_new(uint32_t rank_count, struct tny_pattern **pattern,
                                struct tny_error *error)
{
  *pattern = NULL;
  if (rank_count == 0 || rank_count > TNY_WANTED_RANKS_MAX)
    return tny_error_set(error, TNY_BAD_INPUT, "a pattern is of 1 to %d ranks, not %u",
                         TNY_WANTED_RANKS_MAX, rank_count);
  struct tny_pattern *made = tny_new(1, sizeof *made);
  if (!made)
    return tny_error_memory(error);
  made->rank_count = rank_count;
  made->bytes = tny_new((size_t)rank_count * rank_count, sizeof *made->bytes);
  if (!made->bytes) {
    tny_free(made);
    return tny_error_memory(error);
  }
  *pattern = made;
  return TNY_OK;
}

void tny_pattern_free(struct tny_pattern *pattern)
{
  if (!pattern)
    return;
  tny_free(pattern->bytes);
  tny_free(pattern);
}

enum tny_status tny_pattern_want(struct tny_schedule *schedule, const struct tny_pattern *pattern,
                                 struct tny_error *error)
{
  const enum tny_status status = tny_schedule_want_none(schedule, error);
  const uint32_t p = schedule->rank_count;
  for (uint32_t from = 0; status == TNY_OK && from < p; from++)
    for (uint32_t to = 0; to < p; to++)
      if (pattern->bytes[(size_t)from * p + to] > 0)
        tny_schedule_want(schedule, from, to);
  return status;
}

static void put(struct tny_pattern *pattern, uint32_t sender, uint32_t receiver, uint64_t bytes)
{
  pattern->bytes[(size_t)sender * pattern->rank_count + receiver] = bytes;
}

/* A rank and the two beside it in one dimension. */
static void put_beside(struct tny_pattern *pattern, const struct tny_shape *shape,
                       uint32_t dimension, uint32_t rank, uint64_t bytes)
{
  for (uint32_t way = 0; way < 2; way++) {
    const uint32_t beside = tny_grid_neighbour(shape, rank, dimension, way == 1);
    if (beside != TNY_NONE && beside != rank)
      put(pattern, rank, beside, bytes);
  }
}

enum tny_status tny_pattern_neighbours(const struct tny_shape *shape, uint64_t bytes,
                                       struct tny_pattern **pattern, struct tny_error *error)
{
  *pattern = NULL;
  if (shape->dimension_count == 0 || shape->dimension_count > 3)
    return tny_error_set(error, TNY_BAD_INPUT, "a grid of ranks has 1 to 3 dimensions, not %u",
                         shape->dimension_count);
  uint64_t rank_count = 1;
  for (uint32_t d = 0; d < shape->dimension_count && rank_count <= TNY_WANTED_RANKS_MAX; d++)
    rank_count *= shape->size[d];
  if (rank_count > TNY_WANTED_RANKS_MAX)
    rank_count = TNY_NONE;
  const enum tny_status status = tny_pattern_new((uint32_t)rank_count, pattern, error);
  if (status != TNY_OK)
    return status;
  for (uint32_t rank = 0; rank < (*pattern)->rank_count; rank++)
    for (uint32_t d = 0; d < shape->dimension_count; d++)
      put_beside(*pattern, shape, d, rank, bytes);
  return TNY_OK;
}

enum tny_status tny_pattern_hypercube(uint32_t rank_count, uint64_t bytes,
                                      struct tny_pattern **pattern, struct tny_error *error)
{
  *pattern = NULL;
  if (rank_count & (rank_count - 1))
    return tny_error_set(error, TNY_REFUSED, "a hypercube needs 2^k ranks, %u aren't", rank_count);
  const enum tny_status status = tny_pattern_new(rank_count, pattern, error);
  for (uint32_t rank = 0; status == TNY_OK && rank < rank_count; rank++)
    for (uint32_t bit = 1; bit < rank_count; bit *= 2)
      put(*pattern, rank, rank ^ bit, bytes);
  return status;
}

/* From 0 to just below 1: a 64-bit linear congruential generator's upper bits. */
static double draw(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 33) / (double)((uint64_t)1 << 31);
}

enum tny_status tny_pattern_random(uint32_t rank_count, struct tny_pattern_chance chance,
                                   uint64_t bytes, struct tny_pattern **pattern,
                                   struct tny_error *error)
{
  *pattern = NULL;
  if (!(chance.density >= 0 && chance.density <= 1))
    return tny_error_set(error, TNY_BAD_INPUT, "a density is a number from 0 to 1");
  const enum tny_status status = tny_pattern_new(rank_count, pattern, error);
  uint64_t seed = chance.seed;
  for (uint32_t sender = 0; status == TNY_OK && sender < rank_count; sender++)
    for (uint32_t receiver = 0; receiver < rank_count; receiver++)
      if (receiver != sender && draw(&seed) < chance.density)
        put(*pattern, sender, receiver, bytes);
  return status;
}

enum tny_status tny_pattern_uneven(uint32_t rank_count, const struct tny_unevenness *spread,
                                   enum tny_drawn_by drawn_by, struct tny_pattern **pattern,
                                   struct tny_error *error)
{
  const enum tny_status status = tny_pattern_new(rank_count, pattern, error);
  for (uint32_t sender = 0; status == TNY_OK && sender < rank_count; sender++)
    for (uint32_t receiver = 0; receiver < rank_count; receiver++)
      put(*pattern, sender, receiver,
          tny_unevenness_draw(spread, drawn_by == TNY_DRAWN_BY_RECEIVER ? 0 : sender,
                              drawn_by == TNY_DRAWN_BY_SENDER ? 0 : receiver));
  return status;
}

/* Lists all blocks but those of ranks to themselves, and returns how many they are. */
static uint32_t list_blocks(const struct tny_pattern *pattern, uint32_t *blocks)
{
  const uint32_t p = pattern->rank_count;
  uint32_t count = 0;
  for (uint32_t block = 0; block < p * p; block++)
    if (block % (p + 1) != 0)
      blocks[count++] = block;
  return count;
}

enum tny_status tny_pattern_zipf(uint32_t rank_count, uint64_t mean_bytes, uint64_t seed,
                                 struct tny_pattern **pattern, struct tny_error *error)
{
  const enum tny_status status = tny_pattern_new(rank_count, pattern, error);
  if (status != TNY_OK)
    return status;
  uint32_t *blocks = tny_new((size_t)rank_count * rank_count, sizeof *blocks);
  if (!blocks) {
    tny_pattern_free(*pattern);
    *pattern = NULL;
    return tny_error_memory(error);
  }
  const uint32_t count = list_blocks(*pattern, blocks);
  double harmonic = 0;
  for (uint32_t place = 1; place <= count; place++)
    harmonic += 1.0 / place;
  for (uint32_t left = count; left > 0; left--) {
    const uint32_t drawn = (uint32_t)(tny_random_next(&seed) % left);
    const uint64_t bytes = (uint64_t)((double)mean_bytes * count / harmonic / left);
    (*pattern)->bytes[blocks[drawn]] = bytes > 0 ? bytes : 1;
    blocks[drawn] = blocks[left - 1];
  }
  tny_free(blocks);
  return TNY_OK;
}
