/* Positions in an order: how every algorithm here talks about its neighbours. */
#ifndef TOURNEY_ALGORITHMS_PLACE_H
#define TOURNEY_ALGORITHMS_PLACE_H

#include <tourney/algorithm.h>

/* The rank `ahead` places after `position`, by rank (order NULL) or in the order given; ahead < p.
 */
static inline uint32_t tny_place_rank(const uint32_t *order, uint32_t p, uint32_t position,
                                      uint32_t ahead)
{
  const uint32_t place = (uint32_t)(((uint64_t)position + ahead) % p);
  return order ? order[place] : place;
}

/* The order and positions of a problem: NULL without a placement, which is by rank. */
static inline const uint32_t *tny_place_order(const struct tny_problem *problem)
{
  return problem->placement ? problem->placement->order : NULL;
}

static inline const uint32_t *tny_place_positions(const struct tny_problem *problem)
{
  return problem->placement ? problem->placement->position : NULL;
}

static inline uint32_t tny_place_position(const uint32_t *positions, uint32_t rank)
{
  return positions ? positions[rank] : rank;
}

/* A rank's place in rank_at, where there is a grid. */
static inline uint32_t tny_place_seat(const struct tny_placement *placement, uint32_t rank)
{
  uint32_t seat = placement->node_of[rank] * placement->ranks_a_node;
  while (placement->rank_at[seat] != rank)
    seat++;
  return seat;
}

/* ceil(log2 p): the rounds that it takes to reach p ranks by doubling. */
static inline uint32_t tny_place_doublings(uint32_t p)
{
  uint32_t count = 0;
  while (((uint64_t)1 << count) < p)
    count++;
  return count;
}

#endif
