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
