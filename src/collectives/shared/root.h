/* Relative ranks: collectives with a root number the ranks from the root on, cyclically. The root
   has 0, the rank after it 1. */
#ifndef TOURNEY_COLLECTIVES_SHARED_ROOT_H
#define TOURNEY_COLLECTIVES_SHARED_ROOT_H

#include <tourney/algorithm.h>

static inline uint32_t tny_root_relative_rank(const struct tny_problem *problem, uint32_t rank)
{
  return rank < problem->root ? problem->rank_count - problem->root + rank : rank - problem->root;
}

static inline uint32_t tny_root_actual_rank(const struct tny_problem *problem, uint32_t relative)
{
  const uint32_t before_wrap = problem->rank_count - problem->root;
  return relative < before_wrap ? problem->root + relative : relative - before_wrap;
}

/* The root and each other rank exchange a block, one rank after the other. */
static inline struct tny_claim tny_root_claim_one_by_one(const struct tny_problem *problem)
{
  const uint32_t messages = problem->rank_count - 1;
  return (struct tny_claim){.rounds = messages,
                            .phases = messages,
                            .blocks_sent_max = messages > 0,
                            .port_messages = 1,
                            .tree_link_messages = 1,
                            .grid_link_messages = 1};
}

/* For algorithms that cut the message themselves. */
static inline uint32_t tny_root_piece_count(const struct tny_problem *problem)
{
  return problem->piece_count ? problem->piece_count : 1;
}

/* `count` pieces from `first` of the message, cut in `piece_count`: the root's lies in its input,
   anyone else's in the output. */
static inline struct tny_span tny_root_pieces(bool is_root, uint32_t piece_count, uint32_t first,
                                              uint32_t count)
{
  return (struct tny_span){.buffer = is_root ? TNY_INPUT : TNY_OUTPUT,
                           .count = 1,
                           .chunk = first,
                           .chunk_count = piece_count,
                           .chunks = count};
}

#endif
