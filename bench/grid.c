/* A periodic grid, by MPI's Cartesian topologies. */
#include "bench/grid.h"

bool bench_grid_open(struct bench_grid *grid)
{
  int rank_count, periods[BENCH_GRID_DIMENSIONS] = {1, 1, 1};
  long long nodes = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  if (grid->dimension_count == 0) {
    grid->dimension_count = 2;
    MPI_Dims_create(rank_count, grid->dimension_count, grid->sides);
  }
  for (int d = 0; d < grid->dimension_count && nodes <= rank_count; d++)
    nodes *= grid->sides[d];
  if (nodes != rank_count)
    return false;
  MPI_Cart_create(MPI_COMM_WORLD, grid->dimension_count, grid->sides, periods, 0, &grid->comm);
  for (int d = 0; d < grid->dimension_count; d++) {
    int *both = &grid->neighbours[2 * d];
    MPI_Cart_shift(grid->comm, d, 1, &both[0], &both[1]);
  }
  grid->neighbour_count = 2 * grid->dimension_count;
  return true;
}

void bench_grid_close(struct bench_grid *grid)
{
  if (grid->comm != MPI_COMM_NULL)
    MPI_Comm_free(&grid->comm);
}
