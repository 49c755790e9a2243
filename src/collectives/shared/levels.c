/* Zones, switches, hosts and ranks, as far as they are levels. */
#include "collectives/shared/levels.h"

/* Adds a level if it divides a group of the level before. */
static void add(struct tny_levels *levels, enum tny_tier tier, uint32_t count,
                const uint32_t *first)
{
  struct tny_groups groups = levels->groups[levels->count];
  if (count <= groups.count)
    return;
  groups.count = count;
  groups.first = count < groups.rank_count ? first : NULL;
  levels->count++;
  levels->groups[levels->count] = groups;
  levels->tier[levels->count] = tier;
}

struct tny_levels tny_levels_find(const struct tny_problem *problem)
{
  const struct tny_placement *placement = problem->placement;
  const uint32_t p = problem->rank_count;
  struct tny_levels levels = {.groups = {{.count = 1, .rank_count = p}}};
  if (placement && placement->zone_first)
    add(&levels, TNY_TIER_ZONE, placement->zone_count, placement->zone_first);
  if (placement && placement->switch_first)
    add(&levels, TNY_TIER_SWITCH, placement->switch_count, placement->switch_first);
  if (placement && placement->host_first)
    add(&levels, TNY_TIER_HOST, placement->host_count, placement->host_first);
  add(&levels, placement && placement->host_first ? TNY_TIER_RANK : TNY_TIER_HOST, p, NULL);
  return levels;
}

struct tny_level_group tny_levels_group_of(const struct tny_levels *levels, uint32_t level,
                                           uint32_t index)
{
  const struct tny_groups *above = &levels->groups[level - 1], *groups = &levels->groups[level];
  const uint32_t end = tny_groups_first(above, index + 1);
  struct tny_level_group group = {.groups = *groups,
                                  .tier = levels->tier[level],
                                  .first = tny_groups_find(groups, tny_groups_first(above, index)),
                                  .even = true};
  for (uint32_t i = group.first; i < groups->count && tny_groups_first(groups, i) < end; i++) {
    const uint32_t size = tny_groups_size(groups, i);
    group.even &= size == tny_groups_size(groups, group.first);
    if (size > group.widest)
      group.widest = size;
    group.count++;
  }
  return group;
}

struct tny_level_group tny_levels_group(const struct tny_levels *levels, uint32_t level,
                                        uint32_t position)
{
  return tny_levels_group_of(levels, level, tny_groups_find(&levels->groups[level - 1], position));
}
