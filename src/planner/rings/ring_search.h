/* What tours put on the links, and how they are made to put less on the fullest ones. */
#ifndef TOURNEY_PLANNER_RINGS_RING_SEARCH_H
#define TOURNEY_PLANNER_RINGS_RING_SEARCH_H

#include "cluster/flow.h"
#include "planner/rings/ring_map.h"

/* Messages of some tours, a message from each stop to the next. */
struct tny_tour_load {
  const struct tny_tour_map *map; /* borrowed */
  uint32_t *messages;             /* by link; owned by who made the load */
  uint64_t allowed;               /* what they may cost a link */
  uint32_t tries_left;            /* changes that improving may still try */
  tny_wide excess; /* what they cost beyond that: squared, and summed over the links */
};

/* Takes more or fewer messages in, of a whole walk: change 1 or -1. */
void tny_tour_load_walk(struct tny_tour_load *load, const struct tny_tour_walk *walk, int change);
void tny_tour_load_allow(struct tny_tour_load *load, uint64_t allowed);
/* The most that a link costs. */
uint64_t tny_tour_load_most(const struct tny_tour_load *load);

/* Changes a walk whose messages are in the load, until no change of one or two places makes the
   excess less: moves entries, enters a switch once more or once less, or by another host. And where
   that costs nothing, enters switches less often. */
enum tny_status tny_tour_improve(struct tny_tour_load *load, struct tny_tour_walk *walk,
                                 struct tny_error *error) TNY_MUST_CHECK;

#endif
