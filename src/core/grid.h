/* Nodes of a ring, torus or mesh by their coordinates: the numbers that struct tny_shape gives
   them. Cables, routes and ranks are elsewhere. */
#ifndef TOURNEY_CORE_GRID_H
#define TOURNEY_CORE_GRID_H

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

/* The node one further in a dimension, up or down; TNY_NONE at the edge of a mesh. */
static inline uint32_t tny_grid_neighbour(const struct tny_shape *grid, uint32_t node,
                                          uint32_t dimension, bool up)
{
  const uint32_t size = grid->size[dimension];
  const uint32_t at = tny_grid_coordinate(grid, node, dimension);
  if (at == (up ? size - 1 : 0) && !grid->wraps)
    return TNY_NONE;
  return tny_grid_moved(grid, node, dimension, (up ? at + 1 : at + size - 1) % size);
}

#endif
