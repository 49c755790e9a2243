/* Patterns made by rule; pattern_read.c reads them from a matrix. */
#include <tourney/pattern.h>

#include <string.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/grid.h"
#include "core/random.h"
#include "core/scan.h"

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

uint64_t tny_pattern_longest(const struct tny_pattern *pattern)
{
  const size_t p = pattern->rank_count;
  uint64_t longest = 0;
  for (size_t block = 0; block < p * p; block++)
    if (block % (p + 1) != 0 && pattern->bytes[block] > longest)
      longest = pattern->bytes[block];
  return longest;
}

struct tny_pattern_most tny_pattern_most(const struct tny_pattern *pattern)
{
  const size_t p = pattern->rank_count;
  struct tny_pattern_most most = {0};
  for (size_t rank = 0; rank < p; rank++) {
    uint32_t sent = 0, received = 0;
    for (size_t other = 0; other < p; other++) {
      if (other == rank)
        continue;
      sent += pattern->bytes[rank * p + other] > 0;
      received += pattern->bytes[other * p + rank] > 0;
    }
    most.sent = sent > most.sent ? sent : most.sent;
    most.received = received > most.received ? received : most.received;
  }
  return most;
}

bool tny_pattern_is_even(const struct tny_pattern *pattern)
{
  const size_t p = pattern->rank_count;
  const uint64_t longest = tny_pattern_longest(pattern);
  bool is_even = true;
  for (size_t block = 0; is_even && block < p * p; block++)
    is_even =
        block % (p + 1) == 0 || pattern->bytes[block] == 0 || pattern->bytes[block] == longest;
  return is_even;
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

/* No messages yet between the ranks of a grid. */
static enum tny_status new_on_grid(const struct tny_shape *shape, struct tny_pattern **pattern,
                                   struct tny_error *error)
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
  return tny_pattern_new((uint32_t)rank_count, pattern, error);
}

enum tny_status tny_pattern_neighbours(const struct tny_shape *shape, uint64_t bytes,
                                       struct tny_pattern **pattern, struct tny_error *error)
{
  const enum tny_status status = new_on_grid(shape, pattern, error);
  for (uint32_t rank = 0; status == TNY_OK && rank < (*pattern)->rank_count; rank++)
    for (uint32_t d = 0; d < shape->dimension_count; d++)
      put_beside(*pattern, shape, d, rank, bytes);
  return status;
}

/* Reads "4x4"; returns how many sides there are, 0 where that isn't right. */
static uint32_t read_sides(const char *text, uint64_t sides[3])
{
  for (uint32_t count = 0; count < 3; text++) {
    if (tny_scan_number(&text, TNY_WANTED_RANKS_MAX, &sides[count]) != TNY_SCAN_NUMBER ||
        sides[count] == 0)
      return 0;
    count++;
    if (*text != 'x')
      return *text ? 0 : count;
  }
  return 0;
}

enum tny_status tny_grid_parse(const char *text, struct tny_shape *grid, struct tny_error *error)
{
  uint64_t sides[3];
  const uint32_t count = read_sides(text, sides);
  if (count == 0)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "a grid of ranks has one to three sides of at least 1, as in 4x4, not "
                         "'%.40s'",
                         text);
  *grid = (struct tny_shape){.dimension_count = count, .size = {1, 1, 1}, .wraps = true};
  for (uint32_t i = 0; i < count; i++)
    grid->size[count - 1 - i] = (uint32_t)sides[i];
  return TNY_OK;
}

enum tny_status tny_pattern_edges(const struct tny_shape *grid, struct tny_pattern **pattern,
                                  struct tny_error *error)
{
  const enum tny_status status = new_on_grid(grid, pattern, error);
  const size_t p = status == TNY_OK ? (*pattern)->rank_count : 0;
  for (uint32_t rank = 0; rank < p; rank++)
    for (uint32_t d = 0; d < grid->dimension_count; d++)
      for (int up = 0; up < 2; up++)
        (*pattern)->bytes[rank * p + tny_grid_neighbour(grid, rank, d, up == 1)]++;
  return status;
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

/* Reads "1:8". */
static bool read_parts(const char *text, struct tny_unevenness *spread)
{
  enum { PART_MAX = 999999 };
  uint64_t least, most;
  if (tny_scan_number(&text, PART_MAX, &least) != TNY_SCAN_NUMBER || *text++ != ':' ||
      tny_scan_number(&text, PART_MAX, &most) != TNY_SCAN_NUMBER || *text)
    return false;
  spread->least_part = (uint32_t)least;
  spread->most_part = (uint32_t)most;
  return least > 0 && least <= most;
}

enum tny_status tny_unevenness_parse(const char *text, struct tny_unevenness *spread,
                                     struct tny_error *error)
{
  struct tny_unevenness read = {
      .seed = 1, .mean_bytes = spread->mean_bytes, .by_zipf = !strcmp(text, "zipf")};
  if (!read.by_zipf && !read_parts(text, &read))
    return tny_error_set(error, TNY_BAD_INPUT,
                         "uneven sizes are given as the least to the most, as in 1:8, or as zipf, "
                         "not '%.40s'",
                         text);
  *spread = read;
  return TNY_OK;
}

/* The sizes that are drawn: a table of those of senders, or one for all of them, by those of
   receivers, or one for all. */
struct drawn {
  uint32_t senders, receivers;
  bool by_pair;    /* each sender has its own for each receiver */
  uint64_t *sizes; /* owned */
};

static struct drawn drawn_for(enum tny_collective collective, uint32_t rank_count)
{
  const struct tny_collective_row *row = tny_collective_row(collective);
  return (struct drawn){.senders = row->output.is_per_rank ? rank_count : 1,
                        .receivers = row->input.is_per_rank ? rank_count : 1,
                        .by_pair = row->output.is_per_rank && row->input.is_per_rank};
}

static uint64_t draw_between(const struct tny_unevenness *spread, uint32_t sender,
                             uint32_t receiver)
{
  const uint64_t parts = (uint64_t)spread->least_part + spread->most_part;
  const uint64_t least = 2 * spread->mean_bytes * spread->least_part / parts;
  const uint64_t most = 2 * spread->mean_bytes * spread->most_part / parts;
  uint64_t drawn = ((uint64_t)sender << 32 | receiver) + 1;
  for (int i = 0; i < 3; i++) {
    drawn *= UINT64_C(0x9E3779B97F4A7C15);
    drawn ^= drawn >> 29;
  }
  return least + drawn % (most - least + 1);
}

static void draw_all_between(struct drawn *drawn, const struct tny_unevenness *spread)
{
  for (uint32_t sender = 0; sender < drawn->senders; sender++)
    for (uint32_t receiver = 0; receiver < drawn->receivers; receiver++)
      drawn->sizes[(size_t)sender * drawn->receivers + receiver] =
          draw_between(spread, sender, receiver);
}

/* Lists the sizes that are drawn by Zipf's law, and returns how many they are: of pairs those that
   the pattern has, without ranks to themselves. */
static uint32_t list_sizes(const struct tny_pattern *pattern, const struct drawn *drawn,
                           uint32_t *list)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < drawn->senders * drawn->receivers; i++)
    if (!drawn->by_pair || (pattern->bytes[i] > 0 && i % (pattern->rank_count + 1) != 0))
      list[count++] = i;
  return count;
}

static enum tny_status draw_by_zipf(const struct tny_pattern *pattern, struct drawn *drawn,
                                    const struct tny_unevenness *spread, struct tny_error *error)
{
  uint32_t *list = tny_new((size_t)drawn->senders * drawn->receivers, sizeof *list);
  if (!list)
    return tny_error_memory(error);
  const uint32_t count = list_sizes(pattern, drawn, list);
  uint64_t seed = spread->seed;
  double harmonic = 0;
  for (uint32_t place = 1; place <= count; place++)
    harmonic += 1.0 / place;
  for (uint32_t left = count; left > 0; left--) {
    const uint32_t chosen = (uint32_t)(tny_random_next(&seed) % left);
    const uint64_t bytes = (uint64_t)((double)spread->mean_bytes * count / harmonic / left);
    drawn->sizes[list[chosen]] = bytes > 0 ? bytes : 1;
    list[chosen] = list[left - 1];
  }
  tny_free(list);
  return TNY_OK;
}

/* Gives the pattern's blocks their sizes. */
static void take_sizes(struct tny_pattern *pattern, const struct drawn *drawn)
{
  const size_t p = pattern->rank_count;
  for (size_t sender = 0; sender < p; sender++) {
    const uint64_t *sizes = &drawn->sizes[(drawn->senders > 1 ? sender : 0) * drawn->receivers];
    for (size_t receiver = 0; receiver < p; receiver++)
      if (pattern->bytes[sender * p + receiver] > 0)
        pattern->bytes[sender * p + receiver] = sizes[drawn->receivers > 1 ? receiver : 0];
  }
}

enum tny_status tny_pattern_draw(struct tny_pattern *pattern, enum tny_collective collective,
                                 const struct tny_unevenness *spread, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  struct drawn drawn = drawn_for(collective, pattern->rank_count);
  drawn.sizes = tny_new((size_t)drawn.senders * drawn.receivers, sizeof *drawn.sizes);
  if (!drawn.sizes)
    return tny_error_memory(error);
  if (spread->by_zipf)
    status = draw_by_zipf(pattern, &drawn, spread, error);
  else
    draw_all_between(&drawn, spread);
  if (status == TNY_OK)
    take_sizes(pattern, &drawn);
  tny_free(drawn.sizes);
  return status;
}

enum tny_status tny_pattern_uneven(uint32_t rank_count, enum tny_collective collective,
                                   const struct tny_unevenness *spread,
                                   struct tny_pattern **pattern, struct tny_error *error)
{
  enum tny_status status = tny_pattern_new(rank_count, pattern, error);
  if (status != TNY_OK)
    return status;
  for (size_t i = 0; i < (size_t)rank_count * rank_count; i++)
    (*pattern)->bytes[i] = 1;
  status = tny_pattern_draw(*pattern, collective, spread, error);
  if (status == TNY_OK)
    return TNY_OK;
  tny_pattern_free(*pattern);
  *pattern = NULL;
  return status;
}
