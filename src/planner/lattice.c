/* Ranks by coordinates. */
#include "planner/lattice.h"

#include "planner/position.h"

struct tny_lattice tny_lattice_line(const struct tny_problem *problem)
{
  return (struct tny_lattice){.dimensions = 1,
                              .size = {problem->rank_count},
                              .cables_from = 1,
                              .rank_at = tny_problem_order(problem)};
}

/* The largest prime factor; 1 of 1. */
static uint32_t largest_prime(uint32_t number)
{
  uint32_t largest = 1;
  for (uint32_t factor = 2; (uint64_t)factor * factor <= number; factor++)
    while (number % factor == 0 && number > 1) {
      number /= factor;
      largest = factor;
    }
  return number > 1 ? number : largest;
}

/* The factors are multiplied into the shortest dimension so far, the largest first. */
struct tny_lattice tny_lattice_factors(const struct tny_problem *problem, uint32_t dimensions)
{
  struct tny_lattice lattice = {.rank_at = tny_problem_order(problem)};
  const uint32_t most =
      dimensions < TNY_LATTICE_DIMENSIONS_MAX ? dimensions : TNY_LATTICE_DIMENSIONS_MAX;
  for (uint32_t left = problem->rank_count, factor; left > 1; left /= factor) {
    uint32_t shortest = lattice.dimensions;
    factor = largest_prime(left);
    for (uint32_t d = 0; lattice.dimensions == most && d < most; d++)
      if (shortest == most || lattice.size[d] < lattice.size[shortest])
        shortest = d;
    if (shortest == lattice.dimensions)
      lattice.size[lattice.dimensions++] = 1;
    lattice.size[shortest] *= factor;
  }
  lattice.cables_from = lattice.dimensions;
  return lattice;
}

struct tny_lattice tny_lattice_grid(const struct tny_problem *problem)
{
  const struct tny_placement *placement = problem->placement;
  struct tny_lattice lattice = {.rank_at = placement->rank_at};
  if (placement->ranks_a_node > 1)
    lattice.size[lattice.dimensions++] = placement->ranks_a_node;
  lattice.cables_from = lattice.dimensions;
  for (uint32_t d = 0; d < placement->grid.dimension_count; d++)
    lattice.size[lattice.dimensions++] = placement->grid.size[d];
  return lattice;
}

bool tny_lattice_has_grid(const struct tny_problem *problem, bool wraps)
{
  const struct tny_placement *placement = problem->placement;
  return placement && placement->grid.dimension_count > 0 && (placement->grid.wraps || !wraps);
}

uint32_t tny_lattice_index(const struct tny_problem *problem, const struct tny_lattice *lattice,
                           uint32_t rank)
{
  return lattice->cables_from < lattice->dimensions
             ? tny_position_in_grid(problem->placement, rank)
             : tny_position_of(tny_problem_positions(problem), rank);
}
