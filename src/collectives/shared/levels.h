/* The levels of a cluster: zones of switches of hosts of ranks. Each parts the positions into runs,
   which are parts of those of the level above. One that parts nothing more is left out. */
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

/* A group of the level above `level`, and its parts, which are groups of `level`, from 0 on. */
struct tny_family {
  struct tny_groups groups; /* of `level` */
  enum tny_tier tier;
  uint32_t first, count; /* the groups that are its parts; 2 or more where it isn't one rank */
  uint32_t widest;       /* ranks of its largest part */
  bool even;             /* its parts have equally many */
};

/* The family that has the position; level >= 1. Cost: O(parts + log groups). */
struct tny_family tny_levels_family(const struct tny_levels *levels, uint32_t level,
                                    uint32_t position);
/* The family of a group of the level above. */
struct tny_family tny_levels_family_of(const struct tny_levels *levels, uint32_t level,
                                       uint32_t group);

/* The first position of a part; that of part `count` is behind the last. */
static inline uint32_t tny_family_first(const struct tny_family *family, uint32_t part)
{
  return tny_groups_first(&family->groups, family->first + part);
}

static inline uint32_t tny_family_size(const struct tny_family *family, uint32_t part)
{
  return tny_groups_size(&family->groups, family->first + part);
}

/* The part that has a position of the family. */
static inline uint32_t tny_family_find(const struct tny_family *family, uint32_t position)
{
  return tny_groups_find(&family->groups, position) - family->first;
}

#endif
