/* Ranks by coordinates: those of the network's grid and of the ranks of a host, or any factors of
   their number in switch order. */
#ifndef TOURNEY_PLANNER_LATTICE_H
#define TOURNEY_PLANNER_LATTICE_H

#include <tourney/algorithm.h>

/* A number below 2^32 has no more factors than 31. */
enum { TNY_LATTICE_DIMENSIONS_MAX = 32 };

/* Coordinates make an index, dimension 0 counting fastest; rank_at[index] = rank. */
struct tny_lattice {
  uint32_t dimensions, size[TNY_LATTICE_DIMENSIONS_MAX];
  uint32_t cables_from;    /* dimensions from here on are the grid's, one below it the ranks of a
                              host; `dimensions` where there is no grid */
  const uint32_t *rank_at; /* borrowed; NULL: by number */
};

/* One dimension, in switch order. */
struct tny_lattice tny_lattice_line(const struct tny_problem *problem);
/* So many dimensions of about the same size, in switch order: neighbours in dimension 0 are next to
   each other. Dimensions of size 1 are left out. */
struct tny_lattice tny_lattice_factors(const struct tny_problem *problem, uint32_t dimensions);
/* The grid's, which the problem has, and first that of the ranks of a host where they share it. */
struct tny_lattice tny_lattice_grid(const struct tny_problem *problem);

/* Has the problem a grid, and one that wraps if that is asked for? */
bool tny_lattice_has_grid(const struct tny_problem *problem, bool wraps);
/* A rank's index. */
uint32_t tny_lattice_index(const struct tny_problem *problem, const struct tny_lattice *lattice,
                           uint32_t rank);

static inline uint32_t tny_lattice_stride(const struct tny_lattice *lattice, uint32_t dimension)
{
  uint32_t stride = 1;
  for (uint32_t d = 0; d < dimension; d++)
    stride *= lattice->size[d];
  return stride;
}

static inline uint32_t tny_lattice_coordinate(const struct tny_lattice *lattice, uint32_t index,
                                              uint32_t dimension)
{
  return index / tny_lattice_stride(lattice, dimension) % lattice->size[dimension];
}

static inline uint32_t tny_lattice_rank(const struct tny_lattice *lattice, uint32_t index)
{
  return lattice->rank_at ? lattice->rank_at[index] : index;
}

/* The rank so many on from an index in a dimension, cyclically; offset <= its size. */
static inline uint32_t tny_lattice_rank_after(const struct tny_lattice *lattice, uint32_t index,
                                              uint32_t dimension, uint32_t offset)
{
  const uint32_t stride = tny_lattice_stride(lattice, dimension);
  const uint32_t x = index / stride % lattice->size[dimension];
  const uint32_t moved = (uint32_t)(((uint64_t)x + offset) % lattice->size[dimension]);
  return tny_lattice_rank(lattice, index - x * stride + moved * stride);
}

#endif
