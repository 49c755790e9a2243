/* Trivance: what ranks exchange along rings, both ways at once, from the longest distance to the
   shortest, until each has the blocks of all.

   A rank holds blocks of other nodes, named by how far on (or, negative, back) they are in each
   dimension. Along a side of n nodes these offsets end up from -a to b, a+b = n-1. Where the
   ternary digit of n-1 is 2, a and b have a 1 there, where it is 1, b has, where it is 0, neither.
   So each offset x is a sum of 1, -1 or 0 times 3^i in one way, and leaving out the terms of the
   lowest digits leads to an offset that is between -a and b as well. At distance 3^i a rank gets x
   + 3^i from the node 3^i on, which has x there, for each x that it has itself, unless that is
   beyond b; and x - 3^i from the other side. So nothing comes twice. */
#ifndef TOURNEY_COLLECTIVES_TREES_TRIVANCE_H
#define TOURNEY_COLLECTIVES_TREES_TRIVANCE_H

#include "planner/lattice.h"

/* The ranks of a host, and those of a grid; ternary digits of a side. */
enum { TNY_TRIVANCE_DIMENSIONS = 4, TNY_TRIVANCE_DIGITS = 21 };

/* What is on the side of lower coordinates, and of higher ones. */
enum { TNY_TRIVANCE_BELOW, TNY_TRIVANCE_ABOVE, TNY_TRIVANCE_SIDES };

/* An offset in each dimension. */
struct tny_trivance_offset {
  int64_t along[TNY_TRIVANCE_DIMENSIONS];
};

struct tny_trivance_step {
  uint32_t dimension, distance, turn;  /* distance 3^turn */
  uint32_t held;                       /* on the list before */
  uint32_t counts[TNY_TRIVANCE_SIDES]; /* what comes from each side, of as much */
};

/* A ring or torus where ranks are on one, as many on each host; else the line of all ranks in
   switch order, as a ring. */
struct tny_trivance {
  struct tny_lattice lattice;
  int64_t reach[TNY_TRIVANCE_DIMENSIONS][TNY_TRIVANCE_SIDES]; /* a and b */
  uint32_t step_count;
  struct tny_trivance_step steps[TNY_TRIVANCE_DIMENSIONS * TNY_TRIVANCE_DIGITS];
  /* Of all ranks' blocks, in the order in which they arrive: behind what is held, first from above,
     then from below, each in the order of who sends them. */
  struct tny_trivance_offset *list;
};

/* For struct tny_algorithm. Cost: O(p log p). */
enum tny_status tny_trivance_prepare(const struct tny_problem *problem, void **prepared,
                                     struct tny_error *error);
void tny_trivance_release(void *prepared);

/* Where a place on the sender's list is on that of who gets it from this side; false: it isn't
   wanted there. */
bool tny_trivance_arrives(const struct tny_trivance *trivance, const struct tny_trivance_step *step,
                          uint32_t side, uint32_t place, struct tny_trivance_offset *offset);
/* The index in the lattice at an offset from another. */
uint32_t tny_trivance_index(const struct tny_trivance *trivance, uint32_t from,
                            const struct tny_trivance_offset *offset);
/* The index at a step's distance from another, on this side. */
uint32_t tny_trivance_neighbour(const struct tny_trivance *trivance,
                                const struct tny_trivance_step *step, uint32_t from, uint32_t side);

#endif
