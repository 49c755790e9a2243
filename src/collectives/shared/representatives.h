/* Representatives: which ranks exchange with each other on each level of a hierarchy, and whose
   blocks each of them handles there.

   A group of a level has parts, which are the groups of the next level (levels.h): a zone's
   switches, a switch's hosts, a host's ranks. On that level the parts exchange blocks. All their
   ranks share that work: the ranks of a group form peer sets, each with one rank of every part, its
   representative. On that level a rank exchanges with the other ranks of its peer sets and with
   nobody else. So no port has more to do than another, and no block crosses between two parts more
   often than it must.

   A group has as many peer sets as its largest part has ranks. Where all parts have the same size,
   peer set i has the i-th rank of each part. Else a part owns as many peer sets as it has ranks,
   neighbouring ones in the cyclic order of the sets, where the next part's begin behind it. In the
   other sets its ranks stand in for it in turn, and represent nobody there. For the parts 0 1 2 | 3
   | 4 5 | 6 7 the peer sets are 0 3 (4) 6, 1 (3) 4 7 and 2 (3) 5 (6); ranks in brackets stand in.

   At level 0 a rank represents itself. At level l it represents all whom the ranks of the peer sets
   that it owns represent at level l-1. So at the last level each rank represents all. An all-gather
   goes down the levels: behind level l a rank has the blocks of those that it represents. An
   all-to-all goes up: before level l a rank has the blocks for those that it represents. */
#ifndef TOURNEY_COLLECTIVES_SHARED_REPRESENTATIVES_H
#define TOURNEY_COLLECTIVES_SHARED_REPRESENTATIVES_H

#include "collectives/shared/levels.h"

struct tny_representatives {
  struct tny_levels levels;
  bool even; /* on each level, all groups look alike */
  /* By level and position: how many ranks it represents. represented[0] owns the memory of all. */
  uint32_t *represented[TNY_TIER_COUNT + 1];
};

/* Owns: tny_representatives_release, also after a failure. Cost: O(levels * ranks); where parts
   differ in size, parts times peer sets. */
enum tny_status tny_representatives_init(const struct tny_problem *problem,
                                         struct tny_representatives *representatives,
                                         struct tny_error *error) TNY_MUST_CHECK;
void tny_representatives_release(struct tny_representatives *representatives);

/* One rank in its group of a level. */
struct tny_member {
  const struct tny_representatives *representatives;
  struct tny_level_group group;
  uint32_t level, part, index_in_part;
  uint32_t peers_count; /* the peer sets that it is in */
};

struct tny_member tny_representatives_member(const struct tny_representatives *representatives,
                                             uint32_t level, uint32_t position);

/* A peer set as one of its ranks sees it. Offsets count the parts from that rank's own on,
   cyclically. */
struct tny_peers {
  const struct tny_member *member;
  uint32_t number; /* among the peer sets of the group */
};

/* One of the rank's peer sets. `index` is below peers_count; 0 is the set that the rank owns. */
struct tny_peers tny_member_peers(const struct tny_member *member, uint32_t index);
/* The index of the rank's peer set that has the n-th lowest number; nth is below peers_count. */
uint32_t tny_member_peers_index(const struct tny_member *member, uint32_t nth);
/* The position of the representative of the part at an offset. */
uint32_t tny_peers_position(const struct tny_peers *peers, uint32_t offset);
/* How many ranks that one represents on the level above; 0 where it only stands in. */
uint32_t tny_peers_represented(const struct tny_peers *peers, uint32_t offset);
/* Messages of different peer sets that share a rank belong to different phases. So a step of a
   level has as many phases, its subphases, as peer sets share ranks; one where all parts have the
   same size. */
uint32_t tny_peers_subphase(const struct tny_peers *peers);
uint32_t tny_level_group_subphases(const struct tny_level_group *group);

/* The phases of a level where each group takes step_count(group, context) steps. */
uint32_t
tny_representatives_phases(const struct tny_representatives *representatives, uint32_t level,
                           uint32_t (*step_count)(const struct tny_level_group *, const void *),
                           const void *context);
/* Totals of a peer set, as sums over its parts in cyclic order, twice around, so that a run of
   parts may begin anywhere: the representatives of parts a to before b represent represented[b] -
   represented[a] ranks on the level above, and these parts have sizes[b] - sizes[a] ranks. */
struct tny_peer_totals {
  uint32_t n; /* parts */
  const uint64_t *represented, *sizes;
  const uint32_t *positions; /* of the representatives, by part */
  uint32_t differing;        /* parts from this one on behave as the first one does */
};

/* Visits all peer sets of all groups of a level; just one where all are alike. */
enum tny_status tny_representatives_sweep(const struct tny_representatives *representatives,
                                          uint32_t level,
                                          void (*visit)(const struct tny_peer_totals *, void *),
                                          void *context, struct tny_error *error) TNY_MUST_CHECK;

/* Lists whom a position represents: one peer set after the other by index, in each one part after
   the other from its own on. Writes represented[level][position] positions; returns the end. */
uint32_t *tny_representatives_list(const struct tny_representatives *representatives,
                                   uint32_t level, uint32_t position, uint32_t *list);

#endif
