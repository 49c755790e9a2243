/* What tours are made on: the hosts that have ranks, switch by switch, and what a message costs a
   link; and walks over trees of switches, which are where tours begin. */
#ifndef TOURNEY_PLANNER_RINGS_RING_MAP_H
#define TOURNEY_PLANNER_RINGS_RING_MAP_H

#include <tourney/algorithm.h>

/* Switches count from 0. Without any, two hosts are as on one. Immutable once made. */
struct tny_tour_map {
  const struct tny_network *network; /* borrowed */
  uint32_t switch_count;             /* at least 1 */
  uint32_t host_count;               /* that have ranks */
  uint32_t *first, *hosts;           /* those of switch s: hosts[first[s]] .. hosts[first[s + 1]) */
  uint32_t *home;                    /* by host: its switch */
  uint64_t *cost; /* by link: how long a message takes, TNY_TOUR_UNIT on the fastest link */
  uint64_t goal;  /* what a tour costs some link at least: a port, or a switch's trunks together */
};
#define TNY_TOUR_UNIT 1024u

/* Owns: *map is the caller's (tny_tour_map_free), also after a failure. */
enum tny_status tny_tour_map_make(const struct tny_network *network, uint32_t rank_count,
                                  struct tny_tour_map **map,
                                  struct tny_error *error) TNY_MUST_CHECK;
void tny_tour_map_free(struct tny_tour_map *map);

static inline uint32_t tny_tour_map_size(const struct tny_tour_map *map, uint32_t at)
{
  return map->first[at + 1] - map->first[at];
}

/* A tour in short: hosts at which it enters a switch. Its others follow behind these, in equal
   parts. `hosts` has a place for each host that has ranks. */
struct tny_tour_walk {
  uint32_t count;
  uint32_t *hosts;
};

/* Which walk over a spanning tree of the switches. */
struct tny_tour_tree {
  uint32_t root;
  bool is_deep; /* depth-first, else breadth-first */
  /* Enters a switch each time that it is passed, as long as it has hosts; then each message goes
     along one cable of the tree. Else only the first time. */
  bool enters_often;
};
enum tny_status tny_tour_map_walk(const struct tny_tour_map *map, const struct tny_tour_tree *tree,
                                  struct tny_tour_walk *walk,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Enters switches in the order in which a list of all ranks first has one of theirs; NULL: by
   number. */
enum tny_status tny_tour_map_follow(const struct tny_tour_map *map, const uint32_t *ranks,
                                    uint32_t rank_count, struct tny_tour_walk *walk,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
