/* A periodic grid of the ranks, and who is whose neighbour there. */
#ifndef TOURNEY_BENCH_GRID_H
#define TOURNEY_BENCH_GRID_H

#include <stdbool.h>

#include <mpi.h>

#include <tourney/cluster.h>

enum { BENCH_GRID_DIMENSIONS = 3 };

/* All zero, with MPI_COMM_NULL: none. */
struct bench_grid {
  MPI_Comm comm; /* Cartesian, of the ranks of MPI_COMM_WORLD in their order; owned */
  struct tny_shape shape;
  /* This rank's neighbours, two a dimension, in the order of the blocks of a neighbourhood
     collective: those it has for them, and those it gets from them. */
  int neighbour_count, neighbours[2 * BENCH_GRID_DIMENSIONS];
};

/* Makes a grid of its shape; where that has no dimensions, of two, as MPI_Dims_create() has them.
   False: sides for another number of ranks. Collective. */
bool bench_grid_open(struct bench_grid *grid);
void bench_grid_close(struct bench_grid *grid);

#endif
