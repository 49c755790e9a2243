/* Sparse and uneven patterns of an all-to-all: who has how much for whom. Units: bytes. */
#ifndef TOURNEY_PATTERN_H
#define TOURNEY_PATTERN_H

#include <tourney/schedule.h>

struct tny_pattern {
  uint32_t rank_count;
  uint64_t
      *bytes; /* from sender to receiver at sender * rank_count + receiver; 0: nothing; owned */
};

/* No messages yet. Owns: *pattern is the caller's (tny_pattern_free), here and below. Errors:
   TNY_BAD_INPUT for 0 ranks and for more than TNY_WANTED_RANKS_MAX. */
enum tny_status tny_pattern_new(uint32_t rank_count, struct tny_pattern **pattern,
                                struct tny_error *error) TNY_MUST_CHECK;
void tny_pattern_free(struct tny_pattern *pattern);
/* Has a schedule of as many ranks want just the blocks that the pattern has. */
enum tny_status tny_pattern_want(struct tny_schedule *schedule, const struct tny_pattern *pattern,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* Every rank sends `bytes` to its neighbours in a grid of ranks: rank r stands where
   struct tny_shape has node r. A line or a ring has one dimension. */
enum tny_status tny_pattern_neighbours(const struct tny_shape *shape, uint64_t bytes,
                                       struct tny_pattern **pattern,
                                       struct tny_error *error) TNY_MUST_CHECK;
/* Every rank sends `bytes` to each rank whose number differs in one bit. Errors: TNY_REFUSED unless
   there are 2^k ranks. */
enum tny_status tny_pattern_hypercube(uint32_t rank_count, uint64_t bytes,
                                      struct tny_pattern **pattern,
                                      struct tny_error *error) TNY_MUST_CHECK;

/* Each rank has `bytes` for each other rank with the probability `density` (0 to 1), else nothing;
   the same seed gives the same pattern everywhere. */
struct tny_pattern_chance {
  double density;
  uint64_t seed;
};
enum tny_status tny_pattern_random(uint32_t rank_count, struct tny_pattern_chance chance,
                                   uint64_t bytes, struct tny_pattern **pattern,
                                   struct tny_error *error) TNY_MUST_CHECK;

/* Uneven blocks, drawn: each is as likely of any size from least to most, which are to each other
   as the two parts, with `mean_bytes` in the middle between them. The same sizes everywhere. */
struct tny_unevenness {
  uint32_t least_part, most_part; /* 1 and 8 for 1:8; the least is 1 or more */
  uint64_t mean_bytes;            /* below 2^40 */
};
static inline uint64_t tny_unevenness_draw(const struct tny_unevenness *spread, uint32_t sender,
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
/* Whose sizes are drawn: each pair's own; a sender's, which it has for rank 0 and so for all; or a
   receiver's, which rank 0 has for it and so all have. */
enum tny_drawn_by { TNY_DRAWN_BY_PAIR, TNY_DRAWN_BY_SENDER, TNY_DRAWN_BY_RECEIVER };
enum tny_status tny_pattern_uneven(uint32_t rank_count, const struct tny_unevenness *spread,
                                   enum tny_drawn_by drawn_by, struct tny_pattern **pattern,
                                   struct tny_error *error) TNY_MUST_CHECK;

/* Uneven blocks by Zipf's law: the longest is twice as long as the second, three times as long as
   the third; drawn is who has which. They have `mean_bytes` on the mean, 1 at the least. The same
   sizes everywhere for a seed. */
enum tny_status tny_pattern_zipf(uint32_t rank_count, uint64_t mean_bytes, uint64_t seed,
                                 struct tny_pattern **pattern,
                                 struct tny_error *error) TNY_MUST_CHECK;

/* Reads a matrix: a line for each sender, in it a number of bytes for each receiver, separated by
   blanks or commas; as many lines as the first has numbers. '#' begins a comment. `name` is what
   errors call the text. Errors: TNY_BAD_INPUT with line and column. */
enum tny_status tny_pattern_read(const char *text, const char *name, struct tny_pattern **pattern,
                                 struct tny_error *error) TNY_MUST_CHECK;

/* The least time that any schedule needs for blocks of these sizes, at the raw rates of links: of
   an all-to-all on each link of the given routes; of an all-gather, where a row is one block for
   all, on each link of a tree, or on the hosts' ports; the same of a gather or scatter by rank 0,
   and of a reduce-scatter, where a column is one result. */
enum tny_status tny_bound_uneven(const struct tny_network *network, enum tny_collective collective,
                                 const struct tny_pattern *pattern, double *seconds,
                                 struct tny_error *error) TNY_MUST_CHECK;

/* A pass: leaves out of an all-to-all the messages and copies of blocks for which the pattern has 0
   bytes; a step waits for what the steps left out before it waited for. Phases keep their numbers,
   and `out` wants just the pattern's blocks. Separate the phases after it (tny_pass_separate): the
   tokens of a separated schedule rely on messages that may be gone. Owns: *out is the caller's.
   Errors: TNY_REFUSED where a message is more than one block and only some of them are wanted,
   where blocks are forwarded (store and forward), and where `in` itself lacks a block of the
   pattern. */
enum tny_status tny_pass_subset(const struct tny_schedule *in, const struct tny_pattern *pattern,
                                struct tny_schedule **out, struct tny_error *error) TNY_MUST_CHECK;

#endif
