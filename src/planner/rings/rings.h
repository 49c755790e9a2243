/* Rings: Hamiltonian cycles through all ranks in which the messages from each rank to the next
   share no link of the cluster, under its routes, as far as there are such cycles; or several rings
   at once that share the links evenly. */
#ifndef TOURNEY_PLANNER_RINGS_RINGS_H
#define TOURNEY_PLANNER_RINGS_RINGS_H

#include <tourney/algorithm.h>

enum { TNY_RINGS_MAX = 16 };

/* The ranks of a host are next to each other. Immutable once made. */
struct tny_rings {
  uint32_t rank_count, count;
  const uint32_t *order;    /* ring r has, one after the other, order[r * rank_count ...] */
  const uint32_t *position; /* and a rank is at position[r * rank_count + rank] */
};

/* Finds `count` rings; 0: as many, up to 8, as spread the messages best. The problem has a network.
   Each ring is found for the load that those before it put on the links. Deterministic. Owns:
   *rings is the caller's (tny_rings_free). */
enum tny_status tny_rings_make(const struct tny_problem *problem, uint32_t count,
                               struct tny_rings **rings, struct tny_error *error) TNY_MUST_CHECK;
/* Finds one ring that walks around a spanning tree of the switches. It enters a switch each time
   that it passes it, as long as the switch has hosts left. So each message crosses at most one
   cable of the tree, and each cable carries one message each way, whatever the routes between other
   switches. The same is true of the ring the other way round. Owns: as above. */
enum tny_status tny_rings_make_along_tree(const struct tny_problem *problem,
                                          struct tny_rings **rings,
                                          struct tny_error *error) TNY_MUST_CHECK;
void tny_rings_free(struct tny_rings *rings);

static inline const uint32_t *tny_rings_order(const struct tny_rings *rings, uint32_t ring)
{
  return rings->order + (size_t)ring * rings->rank_count;
}

static inline const uint32_t *tny_rings_position(const struct tny_rings *rings, uint32_t ring)
{
  return rings->position + (size_t)ring * rings->rank_count;
}

#endif
