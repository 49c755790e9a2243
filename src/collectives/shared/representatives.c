/* Members, columns, and for how many each carries. */
#include "collectives/shared/representatives.h"

#include "core/alloc.h"
#include "core/error.h"

/* --- columns --- */

/* The first column of a part. */
static uint32_t column_first(const struct tny_family *family, uint32_t part)
{
  const uint32_t before = tny_family_first(family, part) - tny_family_first(family, 0);
  return before % family->widest;
}

static struct tny_member member_of(const struct tny_carriers *carriers, uint32_t level,
                                   struct tny_family family, uint32_t position)
{
  struct tny_member member = {.carriers = carriers, .family = family, .level = level};
  member.part = tny_family_find(&family, position);
  member.place = position - tny_family_first(&family, member.part);
  const uint32_t size = tny_family_size(&family, member.part);
  member.column_count = (family.widest - member.place - 1) / size + 1;
  return member;
}

struct tny_member tny_carriers_member(const struct tny_carriers *carriers, uint32_t level,
                                      uint32_t position)
{
  return member_of(carriers, level, tny_levels_family(&carriers->levels, level, position),
                   position);
}

struct tny_column tny_member_column(const struct tny_member *member, uint32_t index)
{
  const struct tny_family *family = &member->family;
  const uint64_t first = column_first(family, member->part) + (uint64_t)member->place;
  const uint64_t number = first + (uint64_t)index * tny_family_size(family, member->part);
  return (struct tny_column){member, (uint32_t)(number % family->widest)};
}

/* Numbers rise with the index and begin anew once at most. */
uint32_t tny_member_index(const struct tny_member *member, uint32_t turn)
{
  const struct tny_family *family = &member->family;
  const uint32_t size = tny_family_size(family, member->part);
  const uint32_t first = column_first(family, member->part) + member->place;
  uint32_t least = 0;
  if (first < family->widest)
    least = (family->widest - first - 1) / size + 1;
  return (least + turn) % member->column_count;
}

/* How far in the part the column is; from its size on it isn't its own. */
static uint32_t offset_in(const struct tny_family *family, uint32_t part, uint32_t column)
{
  const uint32_t first = column_first(family, part);
  return column >= first ? column - first : column + family->widest - first;
}

static uint32_t part_ahead(const struct tny_column *column, uint32_t ahead)
{
  return (column->member->part + ahead) % column->member->family.count;
}

uint32_t tny_column_position(const struct tny_column *column, uint32_t ahead)
{
  const struct tny_family *family = &column->member->family;
  const uint32_t part = part_ahead(column, ahead);
  const uint32_t place = offset_in(family, part, column->number) % tny_family_size(family, part);
  return tny_family_first(family, part) + place;
}

uint32_t tny_column_share(const struct tny_column *column, uint32_t ahead)
{
  const struct tny_family *family = &column->member->family;
  const uint32_t part = part_ahead(column, ahead);
  const uint32_t place = offset_in(family, part, column->number);
  if (place >= tny_family_size(family, part))
    return 0;
  const uint32_t *shares = column->member->carriers->share[column->member->level - 1];
  return shares[tny_family_first(family, part) + place];
}

uint32_t tny_family_lanes(const struct tny_family *family)
{
  return family->even ? 1 : family->widest;
}

uint32_t tny_column_lane(const struct tny_column *column)
{
  return column->member->family.even ? 0 : column->number;
}

/* --- for whom --- */

/* What the whole column carries for on the level above. */
static uint32_t column_total(const struct tny_column *column)
{
  uint32_t total = 0;
  for (uint32_t ahead = 0; ahead < column->member->family.count; ahead++)
    total += tny_column_share(column, ahead);
  return total;
}

/* `totals` has a place for each column. */
static void share_out(struct tny_carriers *carriers, uint32_t level, uint32_t group,
                      uint32_t *totals)
{
  const struct tny_family family = tny_levels_family_of(&carriers->levels, level, group);
  const uint32_t first = tny_family_first(&family, 0),
                 end = tny_family_first(&family, family.count);
  const struct tny_member any = member_of(carriers, level, family, first);
  for (uint32_t number = 0; number < family.widest; number++)
    totals[number] = column_total(&(struct tny_column){&any, number});
  for (uint32_t position = first; position < end; position++) {
    const struct tny_member member = member_of(carriers, level, family, position);
    for (uint32_t i = 0; i < member.column_count; i++)
      carriers->share[level][position] += totals[tny_member_column(&member, i).number];
  }
}

static bool is_even(const struct tny_levels *levels)
{
  for (uint32_t level = 1; level < levels->count; level++)
    for (uint32_t group = 1; group < levels->groups[level].count; group++)
      if (tny_groups_size(&levels->groups[level], group) !=
          tny_groups_size(&levels->groups[level], 0))
        return false;
  return true;
}

enum tny_status tny_carriers_init(const struct tny_problem *problem, struct tny_carriers *carriers,
                                  struct tny_error *error)
{
  const uint32_t p = problem->rank_count;
  *carriers = (struct tny_carriers){.levels = tny_levels_find(problem)};
  const struct tny_levels *levels = &carriers->levels;
  carriers->even = is_even(levels);
  uint32_t *memory = tny_new((size_t)(levels->count + 2) * p, sizeof *memory);
  if (!memory)
    return tny_error_memory(error);
  for (uint32_t level = 0; level <= levels->count; level++)
    carriers->share[level] = memory + (size_t)level * p;
  for (uint32_t position = 0; position < p; position++)
    carriers->share[0][position] = 1;
  for (uint32_t level = 1; level <= levels->count; level++)
    for (uint32_t group = 0; group < levels->groups[level - 1].count; group++)
      share_out(carriers, level, group, memory + (size_t)(levels->count + 1) * p);
  return TNY_OK;
}

void tny_carriers_release(struct tny_carriers *carriers)
{
  tny_free(carriers->share[0]);
}

uint32_t tny_carriers_phases(const struct tny_carriers *carriers, uint32_t level,
                             uint32_t (*step_count)(const struct tny_family *, const void *),
                             const void *context)
{
  uint32_t most = 0;
  for (uint32_t group = 0; group < carriers->levels.groups[level - 1].count; group++) {
    const struct tny_family family = tny_levels_family_of(&carriers->levels, level, group);
    const uint32_t phases = tny_family_lanes(&family) * step_count(&family, context);
    most = phases > most ? phases : most;
  }
  return most;
}

/* Where it is made; the arrays have room for any. */
struct column_room {
  uint64_t *shares, *sizes;
  uint32_t *positions;
};

static struct tny_whole_column make_whole(const struct tny_column *column, bool even,
                                          const struct column_room *room)
{
  const struct tny_family *family = &column->member->family;
  const uint32_t n = family->count;
  for (uint32_t ahead = 0; ahead < 2 * n; ahead++) {
    const uint32_t part = part_ahead(column, ahead);
    room->shares[ahead + 1] = room->shares[ahead] + tny_column_share(column, ahead);
    room->sizes[ahead + 1] = room->sizes[ahead] + tny_family_size(family, part);
    room->positions[part] = tny_column_position(column, ahead);
  }
  return (struct tny_whole_column){n, room->shares, room->sizes, room->positions, even ? 1 : n};
}

enum tny_status tny_carriers_sweep(const struct tny_carriers *carriers, uint32_t level,
                                   void (*visit)(const struct tny_whole_column *, void *),
                                   void *context, struct tny_error *error)
{
  const struct tny_groups *above = &carriers->levels.groups[level - 1];
  const size_t p = above->rank_count;
  const struct column_room room = {.shares = tny_new(2 * p + 1, sizeof *room.shares),
                                   .sizes = tny_new(2 * p + 1, sizeof *room.sizes),
                                   .positions = tny_new(p, sizeof *room.positions)};
  const bool complete = room.shares && room.sizes && room.positions;
  for (uint32_t group = 0; complete && group < (carriers->even ? 1 : above->count); group++) {
    const struct tny_family family = tny_levels_family_of(&carriers->levels, level, group);
    const struct tny_member first =
        member_of(carriers, level, family, tny_family_first(&family, 0));
    for (uint32_t number = 0; number < (carriers->even ? 1 : family.widest); number++) {
      const struct tny_column column = {&first, number};
      const struct tny_whole_column whole = make_whole(&column, carriers->even, &room);
      visit(&whole, context);
    }
  }
  tny_free(room.shares);
  tny_free(room.sizes);
  tny_free(room.positions);
  return complete ? TNY_OK : tny_error_memory(error);
}

uint32_t *tny_carriers_list(const struct tny_carriers *carriers, uint32_t level, uint32_t position,
                            uint32_t *list)
{
  if (level == 0) {
    *list = position;
    return list + 1;
  }
  const struct tny_member member = tny_carriers_member(carriers, level, position);
  for (uint32_t i = 0; i < member.column_count; i++) {
    const struct tny_column column = tny_member_column(&member, i);
    for (uint32_t ahead = 0; ahead < member.family.count; ahead++)
      if (tny_column_share(&column, ahead) > 0)
        list = tny_carriers_list(carriers, level - 1, tny_column_position(&column, ahead), list);
  }
  return list;
}
