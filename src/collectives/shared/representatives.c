/* Peer sets, and how many ranks each of their ranks represents. */
#include "collectives/shared/representatives.h"

#include "core/alloc.h"
#include "core/error.h"

/* --- peer sets --- */

/* The first peer set that a part owns. */
static uint32_t peers_first(const struct tny_level_group *group, uint32_t part)
{
  const uint32_t before = tny_level_group_first(group, part) - tny_level_group_first(group, 0);
  return before % group->widest;
}

static struct tny_member member_of(const struct tny_representatives *representatives,
                                   uint32_t level, struct tny_level_group group, uint32_t position)
{
  struct tny_member member = {.representatives = representatives, .group = group, .level = level};
  member.part = tny_level_group_find(&group, position);
  member.index_in_part = position - tny_level_group_first(&group, member.part);
  const uint32_t size = tny_level_group_size(&group, member.part);
  member.peers_count = (group.widest - member.index_in_part - 1) / size + 1;
  return member;
}

struct tny_member tny_representatives_member(const struct tny_representatives *representatives,
                                             uint32_t level, uint32_t position)
{
  return member_of(representatives, level,
                   tny_levels_group(&representatives->levels, level, position), position);
}

struct tny_peers tny_member_peers(const struct tny_member *member, uint32_t index)
{
  const struct tny_level_group *group = &member->group;
  const uint64_t first = peers_first(group, member->part) + (uint64_t)member->index_in_part;
  const uint64_t number = first + (uint64_t)index * tny_level_group_size(group, member->part);
  return (struct tny_peers){member, (uint32_t)(number % group->widest)};
}

/* Numbers rise with the index, and start again from the lowest once at most. */
uint32_t tny_member_peers_index(const struct tny_member *member, uint32_t nth)
{
  const struct tny_level_group *group = &member->group;
  const uint32_t size = tny_level_group_size(group, member->part);
  const uint32_t first = peers_first(group, member->part) + member->index_in_part;
  uint32_t least = 0;
  if (first < group->widest)
    least = (group->widest - first - 1) / size + 1;
  return (least + nth) % member->peers_count;
}

/* The index in its part of the rank in peer set `number`, if the part owns that set; else the
   part's size or more. */
static uint32_t find_index_in_part(const struct tny_level_group *group, uint32_t part,
                                   uint32_t number)
{
  const uint32_t first = peers_first(group, part);
  return number >= first ? number - first : number + group->widest - first;
}

static uint32_t part_at(const struct tny_peers *peers, uint32_t offset)
{
  return (peers->member->part + offset) % peers->member->group.count;
}

uint32_t tny_peers_position(const struct tny_peers *peers, uint32_t offset)
{
  const struct tny_level_group *group = &peers->member->group;
  const uint32_t part = part_at(peers, offset);
  const uint32_t index_in_part =
      find_index_in_part(group, part, peers->number) % tny_level_group_size(group, part);
  return tny_level_group_first(group, part) + index_in_part;
}

uint32_t tny_peers_represented(const struct tny_peers *peers, uint32_t offset)
{
  const struct tny_level_group *group = &peers->member->group;
  const uint32_t part = part_at(peers, offset);
  const uint32_t index_in_part = find_index_in_part(group, part, peers->number);
  if (index_in_part >= tny_level_group_size(group, part))
    return 0;
  const uint32_t *represented =
      peers->member->representatives->represented[peers->member->level - 1];
  return represented[tny_level_group_first(group, part) + index_in_part];
}

uint32_t tny_level_group_subphases(const struct tny_level_group *group)
{
  return group->even ? 1 : group->widest;
}

uint32_t tny_peers_subphase(const struct tny_peers *peers)
{
  return peers->member->group.even ? 0 : peers->number;
}

/* --- whom they represent --- */

/* How many ranks a peer set represents, all its ranks together, on the level above. */
static uint32_t peers_total(const struct tny_peers *peers)
{
  uint32_t total = 0;
  for (uint32_t offset = 0; offset < peers->member->group.count; offset++)
    total += tny_peers_represented(peers, offset);
  return total;
}

/* Adds up whom the ranks of a group represent. `totals` has an entry for each peer set. */
static void sum_up(struct tny_representatives *representatives, uint32_t level, uint32_t index,
                   uint32_t *totals)
{
  const struct tny_level_group group = tny_levels_group_of(&representatives->levels, level, index);
  const uint32_t first = tny_level_group_first(&group, 0),
                 end = tny_level_group_first(&group, group.count);
  const struct tny_member any = member_of(representatives, level, group, first);
  for (uint32_t number = 0; number < group.widest; number++)
    totals[number] = peers_total(&(struct tny_peers){&any, number});
  for (uint32_t position = first; position < end; position++) {
    const struct tny_member member = member_of(representatives, level, group, position);
    for (uint32_t i = 0; i < member.peers_count; i++)
      representatives->represented[level][position] += totals[tny_member_peers(&member, i).number];
  }
}

static bool is_even(const struct tny_levels *levels)
{
  for (uint32_t level = 1; level < levels->count; level++)
    for (uint32_t index = 1; index < levels->groups[level].count; index++)
      if (tny_groups_size(&levels->groups[level], index) !=
          tny_groups_size(&levels->groups[level], 0))
        return false;
  return true;
}

enum tny_status tny_representatives_init(const struct tny_problem *problem,
                                         struct tny_representatives *representatives,
                                         struct tny_error *error)
{
  const uint32_t p = problem->rank_count;
  *representatives = (struct tny_representatives){.levels = tny_levels_find(problem)};
  const struct tny_levels *levels = &representatives->levels;
  representatives->even = is_even(levels);
  uint32_t *memory = tny_new((size_t)(levels->count + 2) * p, sizeof *memory);
  if (!memory)
    return tny_error_memory(error);
  for (uint32_t level = 0; level <= levels->count; level++)
    representatives->represented[level] = memory + (size_t)level * p;
  for (uint32_t position = 0; position < p; position++)
    representatives->represented[0][position] = 1;
  for (uint32_t level = 1; level <= levels->count; level++)
    for (uint32_t index = 0; index < levels->groups[level - 1].count; index++)
      sum_up(representatives, level, index, memory + (size_t)(levels->count + 1) * p);
  return TNY_OK;
}

void tny_representatives_release(struct tny_representatives *representatives)
{
  tny_free(representatives->represented[0]);
}

uint32_t
tny_representatives_phases(const struct tny_representatives *representatives, uint32_t level,
                           uint32_t (*step_count)(const struct tny_level_group *, const void *),
                           const void *context)
{
  uint32_t most = 0;
  for (uint32_t index = 0; index < representatives->levels.groups[level - 1].count; index++) {
    const struct tny_level_group group =
        tny_levels_group_of(&representatives->levels, level, index);
    const uint32_t phases = tny_level_group_subphases(&group) * step_count(&group, context);
    most = phases > most ? phases : most;
  }
  return most;
}

/* The memory of the totals; long enough for any peer set. */
struct totals_room {
  uint64_t *represented, *sizes;
  uint32_t *positions;
};

static struct tny_peer_totals make_totals(const struct tny_peers *peers, bool even,
                                          const struct totals_room *room)
{
  const struct tny_level_group *group = &peers->member->group;
  const uint32_t n = group->count;
  for (uint32_t offset = 0; offset < 2 * n; offset++) {
    const uint32_t part = part_at(peers, offset);
    room->represented[offset + 1] =
        room->represented[offset] + tny_peers_represented(peers, offset);
    room->sizes[offset + 1] = room->sizes[offset] + tny_level_group_size(group, part);
    room->positions[part] = tny_peers_position(peers, offset);
  }
  return (struct tny_peer_totals){n, room->represented, room->sizes, room->positions, even ? 1 : n};
}

enum tny_status tny_representatives_sweep(const struct tny_representatives *representatives,
                                          uint32_t level,
                                          void (*visit)(const struct tny_peer_totals *, void *),
                                          void *context, struct tny_error *error)
{
  const struct tny_groups *above = &representatives->levels.groups[level - 1];
  const size_t p = above->rank_count;
  const struct totals_room room = {.represented = tny_new(2 * p + 1, sizeof *room.represented),
                                   .sizes = tny_new(2 * p + 1, sizeof *room.sizes),
                                   .positions = tny_new(p, sizeof *room.positions)};
  const bool complete = room.represented && room.sizes && room.positions;
  for (uint32_t index = 0; complete && index < (representatives->even ? 1 : above->count);
       index++) {
    const struct tny_level_group group =
        tny_levels_group_of(&representatives->levels, level, index);
    const struct tny_member first =
        member_of(representatives, level, group, tny_level_group_first(&group, 0));
    for (uint32_t number = 0; number < (representatives->even ? 1 : group.widest); number++) {
      const struct tny_peers peers = {&first, number};
      const struct tny_peer_totals totals = make_totals(&peers, representatives->even, &room);
      visit(&totals, context);
    }
  }
  tny_free(room.represented);
  tny_free(room.sizes);
  tny_free(room.positions);
  return complete ? TNY_OK : tny_error_memory(error);
}

uint32_t *tny_representatives_list(const struct tny_representatives *representatives,
                                   uint32_t level, uint32_t position, uint32_t *list)
{
  if (level == 0) {
    *list = position;
    return list + 1;
  }
  const struct tny_member member = tny_representatives_member(representatives, level, position);
  for (uint32_t i = 0; i < member.peers_count; i++) {
    const struct tny_peers peers = tny_member_peers(&member, i);
    for (uint32_t offset = 0; offset < member.group.count; offset++)
      if (tny_peers_represented(&peers, offset) > 0)
        list = tny_representatives_list(representatives, level - 1,
                                        tny_peers_position(&peers, offset), list);
  }
  return list;
}
