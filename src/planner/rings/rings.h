/* Tours: circles through all ranks in which the messages from each to the next share no link of the
   cluster, under its routes, as far as that can be had; or several at once that share the links
   evenly. */
#ifndef TOURNEY_PLANNER_RINGS_RINGS_H
#define TOURNEY_PLANNER_RINGS_RINGS_H

#include <tourney/algorithm.h>

enum { TNY_TOURS_MAX = 16 };

/* The ranks of a host are next to each other. Immutable once made. */
struct tny_tours {
  uint32_t rank_count, count;
  const uint32_t *order;    /* tour t has, one after the other, order[t * rank_count ...] */
  const uint32_t *position; /* and a rank is at position[t * rank_count + rank] */
};

/* `count` tours; 0: as many, up to 8, as spread the messages best. The problem has a network, and
   each tour adds to the load of those before. Deterministic. Owns: *tours is the caller's
   (tny_tours_free). */
enum tny_status tny_tours_make(const struct tny_problem *problem, uint32_t count,
                               struct tny_tours **tours, struct tny_error *error) TNY_MUST_CHECK;
/* One tour along a tree of the switches, which enters a switch each time that it is passed, as long
   as it has hosts: so messages go along one cable of the tree, whatever the routes between others,
   and that once either way; which is as true of the tour the other way round. Owns: as above. */
enum tny_status tny_tours_make_along_tree(const struct tny_problem *problem,
                                          struct tny_tours **tours,
                                          struct tny_error *error) TNY_MUST_CHECK;
void tny_tours_free(struct tny_tours *tours);

static inline const uint32_t *tny_tours_order(const struct tny_tours *tours, uint32_t tour)
{
  return tours->order + (size_t)tour * tours->rank_count;
}

static inline const uint32_t *tny_tours_position(const struct tny_tours *tours, uint32_t tour)
{
  return tours->position + (size_t)tour * tours->rank_count;
}

#endif
