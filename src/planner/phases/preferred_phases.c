/* Tuples of the sides, multiplied.

   In a message's first dimension it crosses links in the row of its sender, in the second those in
   the column that it turns into, and so on. Take a tuple of each side, of as many chains k. Chains
   i, j, ... of these, one of each, make a block: messages of all nodes in them, which together
   cross rows where j's nodes are, in columns where i's are. Two blocks meet on no link and at no
   node if they differ in two of i, j, ... at least: those whose sum has the same rest by k do. So
   the blocks of these tuples take k phases, in which all rows and columns are in use, each link
   once.

   Ways: where a message goes clockwise along some sides and back along others, those that go the
   opposite way along all of them share the phases, their sum turned by one: so they use other
   nodes.

   Where tuples have different numbers of chains, k is the largest, and some links stay idle.
   Several ranks a node: each message between nodes is one between any two of their ranks, so each
   phase becomes as many. */
#include "planner/phases/preferred_phases.h"

#include "core/alloc.h"
#include "core/error.h"
#include "planner/phases/grid_side.h"
#include "planner/position.h"

enum { DIMENSIONS = 3, WAYS = 1 << (DIMENSIONS - 1) };

struct wisher {
  const struct tny_placement *placement;
  struct tny_side sides[DIMENSIONS];
  uint32_t stride; /* phases for tuples and ways: the most chains of any */
};

bool tny_wishes_exist(const struct tny_problem *problem)
{
  if (!problem->placement || problem->placement->grid.dimension_count == 0)
    return false;
  const struct tny_shape *grid = &problem->placement->grid;
  const uint64_t k = problem->placement->ranks_a_node;
  uint32_t longest = 1;
  uint64_t tuples = 1; /* at most, as are the chains of each */
  for (uint32_t d = 0; d < grid->dimension_count; d++) {
    if (!tny_side_is_known(grid->size[d], grid->wraps))
      return false;
    longest = grid->size[d] > longest ? grid->size[d] : longest;
    tuples *= grid->size[d];
  }
  return tuples * WAYS * longest < TNY_NONE / (k * k);
}

/* The phase of a message between two nodes, TNY_NONE: no wish. */
static uint32_t wish_of_nodes(const struct wisher *wisher, uint32_t from, uint32_t to)
{
  uint32_t number = 0, chains = 1, sum = 0, ways = 0;
  int first_way = 0;
  for (uint32_t d = 0; d < wisher->placement->grid.dimension_count; d++) {
    const struct tny_side *side = &wisher->sides[d];
    const struct tny_part *part =
        &side->parts[(size_t)(from % side->size) * side->size + to % side->size];
    if (part->tuple == TNY_NONE)
      return TNY_NONE;
    if (first_way == 0)
      first_way = part->way;
    else if (part->way == -first_way)
      ways |= 1u << (d - 1);
    number = number * side->tuple_count + part->tuple;
    chains = side->chain_count[part->tuple] > chains ? side->chain_count[part->tuple] : chains;
    sum += part->chain;
    from /= side->size;
    to /= side->size;
  }
  const uint32_t turned = first_way < 0;
  return (number * WAYS + ways) * wisher->stride + (sum + turned) % chains;
}

static uint32_t wish_of(const struct wisher *wisher, uint32_t from, uint32_t to)
{
  const struct tny_placement *placement = wisher->placement;
  const uint32_t k = placement->ranks_a_node;
  if (placement->node_of[from] == placement->node_of[to])
    return TNY_NONE;
  const uint32_t wish = wish_of_nodes(wisher, placement->node_of[from], placement->node_of[to]);
  if (wish == TNY_NONE)
    return TNY_NONE;
  const uint32_t pair =
      tny_position_in_grid(placement, from) % k * k + tny_position_in_grid(placement, to) % k;
  return (wish * k + pair / k) * k + pair % k;
}

/* Numbers the wishes that there are without gaps, in their order. */
static enum tny_status close_gaps(uint32_t *wish, uint32_t count, struct tny_error *error)
{
  uint32_t end = 0, next = 0;
  for (uint32_t i = 0; i < count; i++)
    if (wish[i] != TNY_NONE && wish[i] >= end)
      end = wish[i] + 1;
  uint32_t *number = tny_new(end, sizeof *number);
  if (!number)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < count; i++)
    if (wish[i] != TNY_NONE)
      number[wish[i]] = 1;
  for (uint32_t i = 0; i < end; i++)
    number[i] = number[i] ? next++ : TNY_NONE;
  for (uint32_t i = 0; i < count; i++)
    if (wish[i] != TNY_NONE)
      wish[i] = number[wish[i]];
  tny_free(number);
  return TNY_OK;
}

enum tny_status tny_wishes_make(const struct tny_problem *problem,
                                const struct tny_traffic *traffic, uint32_t *wish,
                                struct tny_error *error)
{
  struct wisher wisher = {.placement = problem->placement, .stride = 1};
  const struct tny_shape *grid = &wisher.placement->grid;
  enum tny_status status = TNY_OK;
  for (uint32_t d = 0; status == TNY_OK && d < grid->dimension_count; d++) {
    struct tny_side *side = &wisher.sides[d];
    status = tny_side_deal(grid->size[d], grid->wraps, side, error);
    for (uint32_t tuple = 0; status == TNY_OK && tuple < side->tuple_count; tuple++)
      if (side->chain_count[tuple] > wisher.stride)
        wisher.stride = side->chain_count[tuple];
  }
  if (status == TNY_OK) {
    for (uint32_t i = 0; i < traffic->count; i++)
      wish[i] = wish_of(&wisher, traffic->from[i], traffic->to[i]);
    status = close_gaps(wish, traffic->count, error);
  }
  for (uint32_t d = 0; d < DIMENSIONS; d++)
    tny_side_release(&wisher.sides[d]);
  return status;
}
