/* Circles: how blocks go round tours without leaving a host, or a switch, that all its ranks are
   on. */
#ifndef TOURNEY_PLANNER_RINGS_NESTED_RINGS_H
#define TOURNEY_PLANNER_RINGS_NESTED_RINGS_H

#include "planner/rings/rings.h"

/* The circles around a rank, the smallest first. */
enum tny_circle { TNY_CIRCLE_HOST, TNY_CIRCLE_SWITCH, TNY_CIRCLE_ALL };
enum { TNY_CIRCLE_COUNT = 3 };

/* On each tour, each host's ranks are a circle in the order of the tour, and so are each switch's,
   where that helps; else a host's is taken for it. Immutable once made. */
struct tny_circles {
  struct tny_tours *tours;  /* owned */
  uint32_t *group;          /* by kind, then by rank: the first rank of its circle */
  uint32_t *size;           /* by kind, then by rank: the ranks of its circle */
  uint32_t *next, *before;  /* by tour, kind and rank */
  uint64_t blocks_sent_max; /* by a rank, of one block for each tour */
  uint32_t link_messages;   /* on a link when each rank sends to all that are next to it */
  bool has_switches;        /* switches have circles of their own */
};

/* Owns: *circles is the caller's (tny_circles_free), also after a failure. tour_count 0: as many as
   it takes. */
enum tny_status tny_circles_make(const struct tny_problem *problem, uint32_t tour_count,
                                 struct tny_circles **circles,
                                 struct tny_error *error) TNY_MUST_CHECK;
void tny_circles_free(struct tny_circles *circles);

/* The smallest circle that has both. */
static inline enum tny_circle tny_circles_common(const struct tny_circles *circles, uint32_t a,
                                                 uint32_t b)
{
  const uint32_t p = circles->tours->rank_count;
  if (circles->group[a] == circles->group[b])
    return TNY_CIRCLE_HOST;
  return circles->group[p + a] == circles->group[p + b] ? TNY_CIRCLE_SWITCH : TNY_CIRCLE_ALL;
}

static inline size_t tny_circles_slot(const struct tny_circles *circles, uint32_t tour,
                                      enum tny_circle circle, uint32_t rank)
{
  return ((size_t)tour * TNY_CIRCLE_COUNT + circle) * circles->tours->rank_count + rank;
}

static inline uint32_t tny_circles_size(const struct tny_circles *circles, enum tny_circle circle,
                                        uint32_t rank)
{
  return circles->size[(size_t)circle * circles->tours->rank_count + rank];
}

#endif
