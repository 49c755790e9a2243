/* A periodic grid, by MPI's Cartesian topologies. */
#include "bench/grid.h"

bool bench_grid_open(struct bench_grid *grid)
{
  struct tny_shape *shape = &grid->shape;
  int rank_count, sides[BENCH_GRID_DIMENSIONS] = {0}, periods[BENCH_GRID_DIMENSIONS] = {1, 1, 1};
  uint64_t nodes = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  if (shape->dimension_count == 0) {
    MPI_Dims_create(rank_count, 2, sides);
    *shape = (struct tny_shape){
        .dimension_count = 2, .size = {(uint32_t)sides[1], (uint32_t)sides[0], 1}, .wraps = true};
  }
  const int dimension_count = (int)shape->dimension_count;
  for (int d = 0; d < dimension_count && nodes <= (uint64_t)rank_count; d++)
    nodes *= shape->size[d];
  if (nodes != (uint64_t)rank_count)
    return false;
  for (int d = 0; d < dimension_count; d++)
    sides[d] = (int)shape->size[dimension_count - 1 - d];
  MPI_Cart_create(MPI_COMM_WORLD, dimension_count, sides, periods, 0, &grid->comm);
  for (int d = 0; d < dimension_count; d++) {
    int *both = &grid->neighbours[2 * d];
    MPI_Cart_shift(grid->comm, d, 1, &both[0], &both[1]);
  }
  grid->neighbour_count = 2 * dimension_count;
  return true;
}

void bench_grid_close(struct bench_grid *grid)
{
  if (grid->comm != MPI_COMM_NULL)
    MPI_Comm_free(&grid->comm);
}
