/* The levels of a cluster: zones, their switches, the switches' hosts, the hosts' ranks. The groups
   of a level are runs of positions, and each is a part of a group of the level above. A level that
   divides nothing further is left out. */
#ifndef TOURNEY_COLLECTIVES_SHARED_LEVELS_H
#define TOURNEY_COLLECTIVES_SHARED_LEVELS_H

#include "collectives/shared/groups.h"

/* What a level's groups are. */
enum tny_tier { TNY_TIER_ZONE, TNY_TIER_SWITCH, TNY_TIER_HOST, TNY_TIER_RANK };
enum { TNY_TIER_COUNT = 4 };

/* Level 0 is one group of all ranks, level `count` has a group for each rank. */
struct tny_levels {
  uint32_t count; /* 0: there is only one rank */
  struct tny_groups groups[TNY_TIER_COUNT + 1];
  enum tny_tier tier[TNY_TIER_COUNT + 1]; /* from level 1 on */
};

/* Without a placement, each rank has a host for itself, and all share one switch. */
struct tny_levels tny_levels_find(const struct tny_problem *problem);

/* A group of the level above `level`, and its parts: groups of `level`, which count from 0. */
struct tny_level_group {
  struct tny_groups groups; /* of `level` */
  enum tny_tier tier;
  uint32_t first, count; /* the groups that are its parts; 2 or more where it isn't one rank */
  uint32_t widest;       /* ranks of its largest part */
  bool even;             /* its parts have the same number of ranks */
};

/* The group of the level above that has the position; level >= 1. Cost: O(parts + log groups). */
struct tny_level_group tny_levels_group(const struct tny_levels *levels, uint32_t level,
                                        uint32_t position);
/* The group with this index of the level above. */
struct tny_level_group tny_levels_group_of(const struct tny_levels *levels, uint32_t level,
                                           uint32_t index);

/* The first position of a part; that of part `count` is behind the last. */
static inline uint32_t tny_level_group_first(const struct tny_level_group *group, uint32_t part)
{
  return tny_groups_first(&group->groups, group->first + part);
}

static inline uint32_t tny_level_group_size(const struct tny_level_group *group, uint32_t part)
{
  return tny_groups_size(&group->groups, group->first + part);
}

/* The part that has a position of the group. */
static inline uint32_t tny_level_group_find(const struct tny_level_group *group, uint32_t position)
{
  return tny_groups_find(&group->groups, position) - group->first;
}

#endif
