/* Positions in an order of the ranks: every algorithm names its neighbours by them. */
#ifndef TOURNEY_PLANNER_POSITION_H
#define TOURNEY_PLANNER_POSITION_H

#include <tourney/algorithm.h>

/* The rank at `offset` positions after `position`, cyclically, in the order given, or by rank where
   the order is NULL; offset < p. */
static inline uint32_t tny_position_rank(const uint32_t *order, uint32_t p, uint32_t position,
                                         uint32_t offset)
{
  const uint32_t at = (uint32_t)(((uint64_t)position + offset) % p);
  return order ? order[at] : at;
}

/* The order and the positions of a problem's ranks; without a placement NULL, which is by rank. */
static inline const uint32_t *tny_problem_order(const struct tny_problem *problem)
{
  return problem->placement ? problem->placement->order : NULL;
}

static inline const uint32_t *tny_problem_positions(const struct tny_problem *problem)
{
  return problem->placement ? problem->placement->position : NULL;
}

static inline uint32_t tny_position_of(const uint32_t *positions, uint32_t rank)
{
  return positions ? positions[rank] : rank;
}

/* A rank's index in rank_at, where there is a grid. */
static inline uint32_t tny_position_in_grid(const struct tny_placement *placement, uint32_t rank)
{
  uint32_t index = placement->node_of[rank] * placement->ranks_a_node;
  while (placement->rank_at[index] != rank)
    index++;
  return index;
}

#endif
