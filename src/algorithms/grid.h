/* Nodes of a ring, torus or mesh by their coordinates. */
#ifndef TOURNEY_ALGORITHMS_GRID_H
#define TOURNEY_ALGORITHMS_GRID_H

#include <tourney/cluster.h>

/* How far apart in number two neighbours in this dimension are. */
static inline uint32_t tny_grid_stride(const struct tny_shape *grid, uint32_t dimension)
{
  uint32_t stride = 1;
  for (uint32_t lower = 0; lower < dimension; lower++)
    stride *= grid->size[lower];
  return stride;
}

static inline uint32_t tny_grid_nodes(const struct tny_shape *grid)
{
  return tny_grid_stride(grid, grid->dimension_count);
}

static inline uint32_t tny_grid_coordinate(const struct tny_shape *grid, uint32_t node,
                                           uint32_t dimension)
{
  return node / tny_grid_stride(grid, dimension) % grid->size[dimension];
}

/* The node that differs from `node` in this coordinate alone. */
static inline uint32_t tny_grid_moved(const struct tny_shape *grid, uint32_t node,
                                      uint32_t dimension, uint32_t coordinate)
{
  const uint32_t stride = tny_grid_stride(grid, dimension);
  return node - tny_grid_coordinate(grid, node, dimension) * stride + coordinate * stride;
}

#endif
