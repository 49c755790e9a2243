/* Messages in rounds: in none does anybody send two or receive two, and there are no more rounds
   than the busiest has to send or to receive. Koenig: the edges of a bipartite graph, senders on
   the one side and receivers on the other, can be coloured with as many colours as the largest
   degree. */
#ifndef TOURNEY_PLANNER_PHASES_COLOURING_H
#define TOURNEY_PLANNER_PHASES_COLOURING_H

#include <stddef.h>
#include <stdint.h>

#include <tourney/status.h>

/* A message; both count from 0, below `rank_count`. */
struct tny_arc {
  uint32_t from, to;
};

/* `round` has arc_count entries, with the round that each arc prefers. Each arc gets the first
   round from there on, cyclically, that is free for both of its ends, if there is one. Cost: O(arcs
   * rounds / 64), and more where earlier arcs have to give way; a bit of memory for each rank and
   round. */
enum tny_status tny_colour_arcs(const struct tny_arc *arcs, uint32_t arc_count, uint32_t rank_count,
                                uint32_t *round, struct tny_error *error) TNY_MUST_CHECK;

#endif
