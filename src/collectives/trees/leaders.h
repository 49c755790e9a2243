/* Leaders: what a root has goes level by level (levels.h) to one rank in each part of a group, and
   on within the parts. The leader of the part that the root, or a group's leader, is in is that
   rank; that of any other part is its first rank. */
#ifndef TOURNEY_COLLECTIVES_TREES_LEADERS_H
#define TOURNEY_COLLECTIVES_TREES_LEADERS_H

#include "collectives/shared/levels.h"

/* Trees over vertices 0 .. n-1, of which vertex 0 is the root: it sends to each other, each vertex
   to the next one, or binomially. In the binomial tree, vertex i gets what it gets from the vertex
   without its lowest bit, and each sends to the farthest vertex first. */
enum tny_leaders_tree { TNY_LEADERS_STAR, TNY_LEADERS_CHAIN, TNY_LEADERS_BINOMIAL };

/* The k-th vertex that a vertex sends to; TNY_NONE: it sends to fewer. */
uint32_t tny_leaders_child(enum tny_leaders_tree tree, uint32_t n, uint32_t vertex, uint32_t k);
uint32_t tny_leaders_child_count(enum tny_leaders_tree tree, uint32_t n, uint32_t vertex);
/* Of another than vertex 0. */
uint32_t tny_leaders_parent(enum tny_leaders_tree tree, uint32_t vertex);
/* Rounds until it comes to a vertex, where each sends once a round. */
uint32_t tny_leaders_arrival(enum tny_leaders_tree tree, uint32_t n, uint32_t vertex);
/* A vertex and all to whom it leads: as many consecutive ones, from it on. */
uint32_t tny_leaders_below(enum tny_leaders_tree tree, uint32_t n, uint32_t vertex);

/* A group of the level above in which one rank, the leader, has what goes to all parts. */
struct tny_led_group {
  struct tny_level_group group;
  uint32_t leader; /* its position */
  uint32_t part;   /* where it is */
  uint32_t n;      /* parts; that of the leader is vertex 0, and the next ones follow, cyclically */
};

struct tny_led_group tny_led_group_of(const struct tny_levels *levels, uint32_t level,
                                      uint32_t leader);
/* The vertex of the part that has a position. */
uint32_t tny_led_group_vertex(const struct tny_led_group *led, uint32_t position);
/* The position of the rank that leads the part of a vertex. */
uint32_t tny_led_group_leader(const struct tny_led_group *led, uint32_t vertex);
/* The ranks in the parts of so many vertices, from one on. */
uint32_t tny_led_group_size(const struct tny_led_group *led, uint32_t vertex, uint32_t count);

#endif
