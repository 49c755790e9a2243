/* The phases of an all-to-all on a ring of n nodes or a torus of n x n, as a node sees them.

   Words, with h = n/2 and q = n/4. A chain is four messages that go once around the ring, one way:
   (a, b) with a < b < h is a -> b -> a+h -> b+h -> a, clockwise; its mirror has the same messages
   reversed. The special chains hold what stays (0 hops) and what goes half around (h hops), on four
   different nodes: for even a the clockwise (a, a) has 0 hops at a and a+h, and a+1 <-> a+1+h; its
   mirror is the counterclockwise (a+1, a+1), with 0 hops at a+1 and a+1+h, and a <-> a+h. So half
   around goes clockwise from odd nodes, counterclockwise from even ones.
   A tuple M is q chains that share no node: tuple 0 the special ones, tuple i a round of the
   tournament of h players, where game (a, b) is chain (a, b). */
#ifndef TOURNEY_COLLECTIVES_SHARED_RING_PHASES_H
#define TOURNEY_COLLECTIVES_SHARED_RING_PHASES_H

#include <tourney/cluster.h>

/* Cables that carry messages one way at a time, or both ways at once. */
enum tny_ways { TNY_ONE_WAY, TNY_BOTH_WAYS };

/* Why there are no such phases on this grid, or NULL. */
const char *tny_phases_refuse(const struct tny_shape *grid, enum tny_ways ways);
/* n^(d+1)/4 phases one way, n^(d+1)/8 both ways: the bound by the bisection. */
uint32_t tny_phases_count(const struct tny_shape *grid, enum tny_ways ways);

/* A node takes part in as many phases as there are nodes; in each it sends to one node and receives
   from one, in one of them from itself. */
struct tny_turn {
  uint32_t phase, to, from;
};
/* The index-th of them, in order of the phases. Cost: O(1). */
struct tny_turn tny_phases_turn(const struct tny_shape *grid, enum tny_ways ways, uint32_t node,
                                uint32_t index);

#endif
