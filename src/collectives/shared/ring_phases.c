/* Hinrichs et al., "An architecture for optimal all-to-all personalized communication", 2.1. */
#include "collectives/shared/ring_phases.h"

#include "core/grid.h"
#include "planner/phases/tournament.h"

/* Clockwise is towards higher numbers. */
enum { CLOCKWISE, COUNTERCLOCKWISE };

/* A node's part in a tuple: the number of its chain, and its neighbours along that chain. */
struct part {
  uint32_t chain;
  uint32_t to[2], from[2]; /* by direction */
};

static struct part part_in_special_chain(uint32_t n, uint32_t node)
{
  const uint32_t half = n / 2, across = (node + half) % n;
  struct part part = {.chain = node % half / 2};
  part.to[CLOCKWISE] = part.from[CLOCKWISE] = node % 2 == 0 ? node : across;
  part.to[COUNTERCLOCKWISE] = part.from[COUNTERCLOCKWISE] = node % 2 == 0 ? across : node;
  return part;
}

/* The number of a player's game in a round. Think of players 1 .. players-1 around a circle: those
   who meet are at the same distance from the opponent of player 0, and this distance is the
   number. */
static uint32_t game_of(uint32_t players, uint32_t round, uint32_t player)
{
  const uint32_t moving = players - 1;
  if (player == 0)
    return 0;
  const uint32_t middle = tny_tournament_partner(players, round, 0);
  const uint32_t distance = (player + moving - middle) % moving;
  return distance < moving - distance ? distance : moving - distance;
}

static struct part part_in_tuple(uint32_t n, uint32_t tuple, uint32_t node)
{
  if (tuple == 0)
    return part_in_special_chain(n, node);
  const uint32_t half = n / 2, player = node % half, round = tuple - 1;
  const uint32_t opponent = tny_tournament_partner(half, round, player);
  const uint32_t next = (node + (opponent + half - player) % half) % n;
  const uint32_t before = (next + half) % n;
  return (struct part){.chain = game_of(half, round, player),
                       .to = {[CLOCKWISE] = next, [COUNTERCLOCKWISE] = before},
                       .from = {[CLOCKWISE] = before, [COUNTERCLOCKWISE] = next}};
}

/* A tuple overlaid with its mirror turned by one: in overlay k, chain k goes clockwise and chain
   k+1 counterclockwise. So a node is in two of the `chains` overlays; this is the first or second.
 */
struct overlay {
  uint32_t number, direction;
};

static struct overlay overlay_of(uint32_t chains, uint32_t chain, bool second)
{
  const bool clockwise = second == (chain > 0);
  return (struct overlay){.number = clockwise ? chain : (chain + chains - 1) % chains,
                          .direction = clockwise ? CLOCKWISE : COUNTERCLOCKWISE};
}

static struct tny_turn ring_turn(uint32_t n, enum tny_ways ways, uint32_t node, uint32_t index)
{
  const uint32_t tuple = index / 2, second = index % 2, chains = n / 4;
  const struct part part = part_in_tuple(n, tuple, node);
  uint32_t phase = (tuple * chains + part.chain) * 2 + second, direction = second;
  if (ways == TNY_BOTH_WAYS) {
    const struct overlay overlay = overlay_of(chains, part.chain, second);
    phase = tuple * chains + overlay.number;
    direction = overlay.direction;
  }
  return (struct tny_turn){phase, part.to[direction], part.from[direction]};
}

/* The dot product of X's tuple i with Y's tuple j turned by k crosses the l-th chain of the one
   with the (l+k)-th of the other; a node whose chains are l and m is in that of k = m-l. */
static struct tny_turn torus_turn(const struct tny_shape *grid, enum tny_ways ways, uint32_t node,
                                  uint32_t index)
{
  const uint32_t n = grid->size[0], half = n / 2, chains = n / 4;
  const uint32_t pair = index / 4, which = index % 4;
  const struct part x = part_in_tuple(n, pair / half, node % n);
  const struct part y = part_in_tuple(n, pair % half, node / n);
  const uint32_t turned = (y.chain + chains - x.chain) % chains;
  uint32_t phase = (pair * chains + turned) * 4 + which, along_x = which / 2, along_y = which % 2;
  if (ways == TNY_BOTH_WAYS) {
    const struct overlay overlay = overlay_of(chains, turned, which / 2);
    phase = (pair * chains + overlay.number) * 2 + which % 2;
    along_x = overlay.direction;
    along_y = overlay.direction ^ which % 2;
  }
  return (struct tny_turn){phase, x.to[along_x] + n * y.to[along_y],
                           x.from[along_x] + n * y.from[along_y]};
}

struct tny_turn tny_phases_turn(const struct tny_shape *grid, enum tny_ways ways, uint32_t node,
                                uint32_t index)
{
  if (grid->dimension_count == 1)
    return ring_turn(grid->size[0], ways, node, index);
  return torus_turn(grid, ways, node, index);
}

uint32_t tny_phases_count(const struct tny_shape *grid, enum tny_ways ways)
{
  const uint64_t links = (uint64_t)tny_grid_nodes(grid) * grid->size[0];
  return (uint32_t)(links / (ways == TNY_BOTH_WAYS ? 8 : 4));
}

const char *tny_phases_refuse(const struct tny_shape *grid, enum tny_ways ways)
{
  if (grid->dimension_count < 1 || grid->dimension_count > 2 || !grid->wraps)
    return "needs a ring or a 2-D torus";
  if (grid->dimension_count == 2 && grid->size[0] != grid->size[1])
    return "needs a torus with two equal sides";
  if (grid->size[0] % 4 != 0)
    return "needs a side of a multiple of 4 nodes";
  if (ways == TNY_BOTH_WAYS && grid->size[0] < 8)
    return "needs a side of at least 8 nodes; phases-unidirectional takes 4";
  return NULL;
}
