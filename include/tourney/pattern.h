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
/* The bytes of the longest block that a rank has for another; 0: none has any. */
uint64_t tny_pattern_longest(const struct tny_pattern *pattern);
/* The most blocks that a rank has for others, and that it gets from them. */
struct tny_pattern_most {
  uint32_t sent, received;
};
struct tny_pattern_most tny_pattern_most(const struct tny_pattern *pattern);
/* Are all blocks that ranks have for others of one length? */
bool tny_pattern_is_even(const struct tny_pattern *pattern);
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

/* A periodic grid of ranks, as MPI's Cartesian topologies number them, by its sides, "4x8", one to
   three: ranks that differ by one in the last coordinate follow each other. Errors:
   TNY_BAD_INPUT. */
enum tny_status tny_grid_parse(const char *text, struct tny_shape *grid,
                               struct tny_error *error) TNY_MUST_CHECK;
/* How many edges lead from each rank to each on such a grid: one each way in each dimension. So a
   side of 2 has two to the same rank, and a side of 1 two to oneself. */
enum tny_status tny_pattern_edges(const struct tny_shape *grid, struct tny_pattern **pattern,
                                  struct tny_error *error) TNY_MUST_CHECK;

/* Blocks of drawn sizes. Between two extremes: any size from the least to the most is as likely,
   which are to each other as the two parts, with `mean_bytes` in the middle between them. By Zipf's
   law: the longest is twice as long as the second, three times as long as the third; drawn is which
   is which; `mean_bytes` on the mean, 1 at the least, and a rank has nothing for itself. */
struct tny_unevenness {
  bool by_zipf;
  uint32_t least_part, most_part; /* of extremes: 1 and 8 for 1:8; the least is 1 or more */
  uint64_t seed;                  /* by Zipf's law */
  uint64_t mean_bytes;            /* below 2^40 */
};
/* Reads "1:8", or "zipf", whose seed is 1; the mean stays as it was. Errors: TNY_BAD_INPUT. */
enum tny_status tny_unevenness_parse(const char *text, struct tny_unevenness *spread,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* Gives the blocks that a pattern has of a collective, where it isn't 0, drawn sizes, the same
   everywhere: a size for each pair of ranks; where a sender has one block for all, for each sender;
   where a receiver gets one of all, for each receiver. */
enum tny_status tny_pattern_draw(struct tny_pattern *pattern, enum tny_collective collective,
                                 const struct tny_unevenness *spread,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* The same of a pattern that has all. */
enum tny_status tny_pattern_uneven(uint32_t rank_count, enum tny_collective collective,
                                   const struct tny_unevenness *spread,
                                   struct tny_pattern **pattern,
                                   struct tny_error *error) TNY_MUST_CHECK;

/* Reads a matrix: a line for each sender, in it a number of bytes for each receiver, separated by
   blanks or commas; as many lines as the first has numbers. '#' begins a comment. `name` is what
   errors call the text. Errors: TNY_BAD_INPUT with line and column. */
enum tny_status tny_pattern_read(const char *text, const char *name, struct tny_pattern **pattern,
                                 struct tny_error *error) TNY_MUST_CHECK;

/* The least time that any schedule needs for blocks of these sizes, at the raw rates of links: of
   an all-to-all on each link of the given routes; of an all-gather, where a row is one block for
   all for whom it isn't 0, on each link of a tree, or on the hosts' ports; the same of a gather or
   scatter by rank 0, and of a reduce-scatter, where a column is one result. */
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
