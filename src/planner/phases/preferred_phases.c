/* Products of the tuples of the sides.

   In its first dimension a message crosses links in the row of its sender, in the second dimension
   links in the column that it turns into, and so on. Take a tuple of each side, and let each have k
   chains. Chains i, j, ..., one of each tuple, make a block: the messages of all nodes in them.
   Together these cross rows where j's nodes are, and columns where i's are. Two blocks share no
   link and no node if they differ in at least two of i, j, ...; so do all blocks whose sum i + j +
   ... is the same modulo k. So the blocks of these tuples take k phases, in which all rows and
   columns are in use, and each link once.

   Directions: where a message goes clockwise along some sides and back along others, the messages
   that go the opposite way along all sides share its phases, with their sum shifted by one, so that
   they use other nodes.

   Where tuples have different numbers of chains, k is the largest number, and some links stay idle.
   With several ranks a node, each message between two nodes is one between any two of their ranks,
   so each phase becomes as many phases. */
#include "planner/phases/preferred_phases.h"

#include "core/alloc.h"
#include "core/error.h"
#include "planner/phases/grid_side.h"
#include "planner/position.h"

enum { DIMENSIONS = 3, WAYS = 1 << (DIMENSIONS - 1) };

struct preference {
  const struct tny_placement *placement;
  struct tny_side sides[DIMENSIONS];
  uint32_t stride; /* phases for tuples and ways: the most chains of any */
};

bool tny_preferred_phases_exist(const struct tny_problem *problem)
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

/* The preferred phase of a message between two nodes; TNY_NONE: none. */
static uint32_t preferred_of_nodes(const struct preference *preference, uint32_t from, uint32_t to)
{
  uint32_t number = 0, chains = 1, sum = 0, ways = 0;
  int first_way = 0;
  for (uint32_t d = 0; d < preference->placement->grid.dimension_count; d++) {
    const struct tny_side *side = &preference->sides[d];
    const struct tny_chain_part *part =
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
  return (number * WAYS + ways) * preference->stride + (sum + turned) % chains;
}

static uint32_t preferred_of(const struct preference *preference, uint32_t from, uint32_t to)
{
  const struct tny_placement *placement = preference->placement;
  const uint32_t k = placement->ranks_a_node;
  if (placement->node_of[from] == placement->node_of[to])
    return TNY_NONE;
  const uint32_t preferred =
      preferred_of_nodes(preference, placement->node_of[from], placement->node_of[to]);
  if (preferred == TNY_NONE)
    return TNY_NONE;
  const uint32_t pair =
      tny_position_in_grid(placement, from) % k * k + tny_position_in_grid(placement, to) % k;
  return (preferred * k + pair / k) * k + pair % k;
}

/* Numbers the preferred phases without gaps, in their order. */
static enum tny_status close_gaps(uint32_t *preferred, uint32_t count, struct tny_error *error)
{
  uint32_t end = 0, next = 0;
  for (uint32_t i = 0; i < count; i++)
    if (preferred[i] != TNY_NONE && preferred[i] >= end)
      end = preferred[i] + 1;
  uint32_t *number = tny_new(end, sizeof *number);
  if (!number)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < count; i++)
    if (preferred[i] != TNY_NONE)
      number[preferred[i]] = 1;
  for (uint32_t i = 0; i < end; i++)
    number[i] = number[i] ? next++ : TNY_NONE;
  for (uint32_t i = 0; i < count; i++)
    if (preferred[i] != TNY_NONE)
      preferred[i] = number[preferred[i]];
  tny_free(number);
  return TNY_OK;
}

enum tny_status tny_preferred_phases_make(const struct tny_problem *problem,
                                          const struct tny_traffic *traffic, uint32_t *preferred,
                                          struct tny_error *error)
{
  struct preference preference = {.placement = problem->placement, .stride = 1};
  const struct tny_shape *grid = &preference.placement->grid;
  enum tny_status status = TNY_OK;
  for (uint32_t d = 0; status == TNY_OK && d < grid->dimension_count; d++) {
    struct tny_side *side = &preference.sides[d];
    status = tny_side_deal(grid->size[d], grid->wraps, side, error);
    for (uint32_t tuple = 0; status == TNY_OK && tuple < side->tuple_count; tuple++)
      if (side->chain_count[tuple] > preference.stride)
        preference.stride = side->chain_count[tuple];
  }
  if (status == TNY_OK) {
    for (uint32_t i = 0; i < traffic->count; i++)
      preferred[i] = preferred_of(&preference, traffic->from[i], traffic->to[i]);
    status = close_gaps(preferred, traffic->count, error);
  }
  for (uint32_t d = 0; d < DIMENSIONS; d++)
    tny_side_release(&preference.sides[d]);
  return status;
}
