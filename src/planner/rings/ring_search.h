/* The load that rings put on the links, and a local search that lowers it on the fullest links. */
#ifndef TOURNEY_PLANNER_RINGS_RING_SEARCH_H
#define TOURNEY_PLANNER_RINGS_RING_SEARCH_H

#include "cluster/flow.h"
#include "planner/rings/ring_map.h"

/* The messages of some walks, one from each stop to the next, by link. */
struct tny_ring_load {
  const struct tny_ring_map *map; /* borrowed */
  uint32_t *messages;             /* by link; owned by who made the load */
  uint64_t allowed;               /* what they may cost a link without excess */
  uint32_t tries_left;            /* changes that improving may still try */
  tny_wide excess;                /* the cost beyond that, squared, and summed over the links */
};

/* Adds a whole walk's messages (change 1) or takes them off (change -1). */
void tny_ring_load_walk(struct tny_ring_load *load, const struct tny_ring_walk *walk, int change);
void tny_ring_load_allow(struct tny_ring_load *load, uint64_t allowed);
/* The most that a link costs. */
uint64_t tny_ring_load_most(const struct tny_ring_load *load);

/* Local search: changes a walk whose messages are in the load until no single change lowers the
   excess. A change moves a run of stops, or enters a switch once more, once less, or by another
   host. Where it costs nothing, a switch is entered less often. */
enum tny_status tny_ring_improve(struct tny_ring_load *load, struct tny_ring_walk *walk,
                                 struct tny_error *error) TNY_MUST_CHECK;

#endif
