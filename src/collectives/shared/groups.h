/* Ranks in groups: consecutive runs of positions, which share a switch or a host. */
#ifndef TOURNEY_COLLECTIVES_SHARED_GROUPS_H
#define TOURNEY_COLLECTIVES_SHARED_GROUPS_H

#include <stdbool.h>

#include <tourney/algorithm.h>

struct tny_groups {
  uint32_t count, rank_count;
  const uint32_t *first; /* count + 1 positions, borrowed; NULL: all of the same size */
};

/* The first position of a group; that of group `count` is behind the last. */
static inline uint32_t tny_groups_first(const struct tny_groups *groups, uint32_t group)
{
  return groups->first ? groups->first[group] : group * (groups->rank_count / groups->count);
}

static inline uint32_t tny_groups_size(const struct tny_groups *groups, uint32_t group)
{
  return tny_groups_first(groups, group + 1) - tny_groups_first(groups, group);
}

/* The group of a position. Cost: O(log groups). */
uint32_t tny_groups_find(const struct tny_groups *groups, uint32_t position);

/* Without a placement, all ranks share one switch, and each has a host for itself. */
struct tny_groups tny_groups_switches(const struct tny_problem *problem);
/* As above; but where ranks share hosts, each host is a group: it is the lowest switch of the
   hierarchy. */
struct tny_groups tny_groups_lowest(const struct tny_problem *problem);
/* As above; but switches wherever there are just two: for algorithms that need two groups. */
struct tny_groups tny_groups_two(const struct tny_problem *problem);
bool tny_groups_share_hosts(const struct tny_problem *problem);

#endif
