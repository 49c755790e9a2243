/* The messages along one side of a grid, a ring or a line of n nodes (one to itself among them),
   dealt to tuples, whose messages can be under way at once along this side and others.

   A chain is some nodes that each send to the next of them, once around the ring; so it uses every
   link, one way, and each of its nodes sends once and receives once. Back, it does so the other
   way. A tuple is chains that share no node, the same ones clockwise and back. On short sides a
   tuple is one chain of all nodes that uses links both ways, each at most once. */
#ifndef TOURNEY_PLANNER_PHASES_GRID_SIDE_H
#define TOURNEY_PLANNER_PHASES_GRID_SIDE_H

#include <tourney/cluster.h>

/* Where a message is; way: 1 clockwise, -1 back, 0 in a tuple whose chain uses both. */
struct tny_chain_part {
  uint32_t tuple, chain; /* tuple TNY_NONE: in none */
  int way;
};

struct tny_side {
  uint32_t size, tuple_count;
  uint32_t *chain_count;        /* by tuple; 1 where messages go both ways, else 2 or more */
  struct tny_chain_part *parts; /* from * size + to */
};

/* False where there are no tuples known: on lines of more than 4 nodes. */
bool tny_side_is_known(uint32_t size, bool wraps);
/* Owns: tny_side_release, which may also be called after a failure. Cost: size^2. */
enum tny_status tny_side_deal(uint32_t size, bool wraps, struct tny_side *side,
                              struct tny_error *error) TNY_MUST_CHECK;
void tny_side_release(struct tny_side *side);

#endif
