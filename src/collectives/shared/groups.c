/* Ranks in groups, from the placement. */
#include "collectives/shared/groups.h"

uint32_t tny_groups_find(const struct tny_groups *groups, uint32_t position)
{
  uint32_t group = 0, end = groups->count;
  while (end - group > 1) {
    const uint32_t middle = group + (end - group) / 2;
    if (tny_groups_first(groups, middle) <= position)
      group = middle;
    else
      end = middle;
  }
  return group;
}

bool tny_groups_share_hosts(const struct tny_problem *problem)
{
  const struct tny_placement *placement = problem->placement;
  return placement && placement->host_first && placement->host_count < problem->rank_count;
}

struct tny_groups tny_groups_switches(const struct tny_problem *problem)
{
  const struct tny_placement *placement = problem->placement;
  if (!placement || !placement->switch_first)
    return (struct tny_groups){.count = 1, .rank_count = problem->rank_count};
  return (struct tny_groups){placement->switch_count, problem->rank_count, placement->switch_first};
}

struct tny_groups tny_groups_lowest(const struct tny_problem *problem)
{
  const struct tny_placement *placement = problem->placement;
  if (!tny_groups_share_hosts(problem))
    return tny_groups_switches(problem);
  return (struct tny_groups){placement->host_count, problem->rank_count, placement->host_first};
}

struct tny_groups tny_groups_two(const struct tny_problem *problem)
{
  const struct tny_groups switches = tny_groups_switches(problem);
  return switches.count == 2 ? switches : tny_groups_lowest(problem);
}
