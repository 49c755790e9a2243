/* The cluster as the search for rings sees it: the hosts that have ranks, switch by switch, and
   what a message costs each link; and the walks over the switches with which the search begins. */
#ifndef TOURNEY_PLANNER_RINGS_RING_MAP_H
#define TOURNEY_PLANNER_RINGS_RING_MAP_H

#include <tourney/algorithm.h>

/* Switches count from 0. Without any, two hosts are as on one. Immutable once made. */
struct tny_ring_map {
  const struct tny_network *network; /* borrowed */
  uint32_t switch_count;             /* at least 1 */
  uint32_t host_count;               /* that have ranks */
  uint32_t *first, *hosts;           /* those of switch s: hosts[first[s]] .. hosts[first[s + 1]) */
  uint32_t *home;                    /* by host: its switch */
  uint64_t *cost; /* by link: how long a message takes, TNY_RING_UNIT on the fastest link */
  uint64_t goal;  /* what a ring costs some link at least: a port, or a switch's trunks together */
};
#define TNY_RING_UNIT 1024u

/* Owns: *map is the caller's (tny_ring_map_free), also after a failure. */
enum tny_status tny_ring_map_make(const struct tny_network *network, uint32_t rank_count,
                                  struct tny_ring_map **map,
                                  struct tny_error *error) TNY_MUST_CHECK;
void tny_ring_map_free(struct tny_ring_map *map);

static inline uint32_t tny_ring_map_size(const struct tny_ring_map *map, uint32_t at)
{
  return map->first[at + 1] - map->first[at];
}

/* A ring in short: the hosts by which it enters switches. A switch's other hosts follow behind
   these, in equal parts. `hosts` has an entry for each host that has ranks. */
struct tny_ring_walk {
  uint32_t count;
  uint32_t *hosts;
};

/* Which walk over a spanning tree of the switches. */
struct tny_ring_tree {
  uint32_t root;
  bool is_deep; /* depth-first, else breadth-first */
  /* The walk enters a switch each time that it passes it, as long as the switch has hosts left:
     then each message crosses at most one cable of the tree. Else it enters a switch the first
     time. */
  bool enters_often;
};
/* Makes the walk around a spanning tree. */
enum tny_status tny_ring_map_walk(const struct tny_ring_map *map, const struct tny_ring_tree *tree,
                                  struct tny_ring_walk *walk,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Makes the walk that enters each switch once, in the order in which a list of all ranks first has
   one of its ranks; NULL: by number. */
enum tny_status tny_ring_map_follow(const struct tny_ring_map *map, const uint32_t *ranks,
                                    uint32_t rank_count, struct tny_ring_walk *walk,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
