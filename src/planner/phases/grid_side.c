/* Tuples of rings from the rotation tournament, as in ring_phases.h, for any length.

   N is n rounded up to an even number. The tournament has N/2 players; player a stands for the
   nodes a and a+N/2. A game a : b is the chain of the nodes a, b, a+N/2, b+N/2, and a round of the
   tournament is a tuple. Where n is odd, node n is virtual: a node that would send to it sends to
   the next node of the chain instead, which is at most half around as well. Which messages the
   rounds have depends on n:

     n = 4k      all but those half around and those of nodes to themselves: these are a further
                 tuple, of chains of four nodes; clockwise two of the four send half around and two
                 to themselves, and back the other way round
     n = 4k - 1  all but those of nodes to themselves
     n = 4k + 1  all: one player has no game in each round, and its nodes send to themselves
     n = 4k + 2  the same, but its nodes, half around from each other, are in no tuple

   On shorter rings, and on short lines, n permutations have all messages; none of them uses a link
   twice in one direction. They were found by exhaustive search. */
#include "planner/phases/grid_side.h"

#include "core/alloc.h"
#include "core/error.h"
#include "planner/phases/tournament.h"

enum { SHORT_RING = 6, SHORT_LINE = 4, OWN_TUPLE = 7 };

/* By size: the node that each node sends to, permutation after permutation. */
static const char *const short_rings[SHORT_RING + 1] = {
    [3] = "012"
          "120"
          "201",
    [4] = "0123"
          "1230"
          "2301"
          "3012",
    [5] = "01234"
          "40321"
          "13042"
          "24103"
          "32410",
    [6] = "012345"
          "401532"
          "135420"
          "340251"
          "253014"
          "524103",
};
static const char *const short_lines[SHORT_LINE + 1] = {
    [1] = "0",
    [2] = "01"
          "10",
    [3] = "012"
          "120"
          "201",
    [4] = "3012"
          "1230"
          "0321"
          "2103",
};

/* The tuples of a ring of 9, chain by chain, nodes by letter: found by search as well. */
enum { TRIED_RING = 9, TRIED_TUPLES = 4 };
static const char *const tried_ring[TRIED_TUPLES] = {"aei bcdfgh", "acg bdefhi", "dgi abf ceh",
                                                     "beg cfi adh"};

static struct tny_chain_part *part_of(const struct tny_side *side, uint32_t from, uint32_t to)
{
  return &side->parts[(size_t)from * side->size + to];
}

static void deal_permutations(struct tny_side *side, const char *digits)
{
  side->tuple_count = side->size;
  for (uint32_t tuple = 0; tuple < side->size; tuple++) {
    side->chain_count[tuple] = 1;
    for (uint32_t from = 0; from < side->size; from++)
      *part_of(side, from, (uint32_t)(*digits++ - '0')) = (struct tny_chain_part){.tuple = tuple};
  }
}

/* --- chains --- */

/* By the routes: the shorter way, and half around clockwise from odd nodes. */
static bool goes_clockwise(uint32_t size, uint32_t from, uint32_t to)
{
  const uint32_t distance = (to + size - from) % size;
  return 2 * distance < size || (2 * distance == size && from % 2 == 1);
}

static void deal_link(struct tny_side *side, uint32_t from, uint32_t to, struct tny_chain_part part)
{
  part.way = 1;
  *part_of(side, from, to) = part;
  part.way = -1;
  *part_of(side, to, from) = part;
}

/* Nodes in ascending order: each sends to the next, and back to the one before. */
static void deal_chain(struct tny_side *side, const uint32_t nodes[4], struct tny_chain_part part)
{
  uint32_t kept[4], count = 0;
  for (uint32_t i = 0; i < 4; i++)
    if (nodes[i] < side->size)
      kept[count++] = nodes[i];
  for (uint32_t i = 0; i < count; i++)
    deal_link(side, kept[i], kept[(i + 1) % count], part);
}

static void deal_tried(struct tny_side *side)
{
  side->tuple_count = TRIED_TUPLES;
  for (uint32_t tuple = 0; tuple < TRIED_TUPLES; tuple++) {
    struct tny_chain_part part = {.tuple = tuple};
    for (const char *first = tried_ring[tuple], *node = first; *node; node++) {
      const bool is_last = node[1] == ' ' || node[1] == '\0';
      deal_link(side, (uint32_t)(*node - 'a'), (uint32_t)((is_last ? *first : node[1]) - 'a'),
                part);
      part.chain += is_last;
      if (node[1] == ' ')
        first = ++node + 1;
    }
    side->chain_count[tuple] = part.chain;
  }
}

static void deal_round(struct tny_side *side, uint32_t round)
{
  const uint32_t half = (side->size + 1) / 2, members = tny_tournament_members(half);
  struct tny_chain_part part = {.tuple = round};
  for (uint32_t a = 0; a < half; a++) {
    const uint32_t b = tny_tournament_partner(members, round, a);
    if (b < half && a < b) {
      deal_chain(side, (uint32_t[4]){a, b, a + half, b + half}, part);
      part.chain++;
    } else if (b >= half && side->size % 2 == 1) {
      *part_of(side, a, a) = (struct tny_chain_part){.tuple = round, .way = 1};
      if (a + half < side->size)
        *part_of(side, a + half, a + half) = (struct tny_chain_part){.tuple = round, .way = 1};
    }
  }
  side->chain_count[round] = part.chain;
}

/* What goes half around, and to itself, where n = 4k. */
static void deal_half_around(struct tny_side *side, uint32_t tuple)
{
  const uint32_t half = side->size / 2;
  for (uint32_t node = 0; node < side->size; node++) {
    const uint32_t across = (node + half) % side->size;
    const int way = goes_clockwise(side->size, node, across) ? 1 : -1;
    const struct tny_chain_part part = {.tuple = tuple, .chain = node % half / 2};
    *part_of(side, node, across) = *part_of(side, node, node) = part;
    part_of(side, node, across)->way = way;
    part_of(side, node, node)->way = -way;
  }
  side->chain_count[tuple] = side->size / 4;
}

static void deal_tournament(struct tny_side *side)
{
  const uint32_t half = (side->size + 1) / 2, rounds = tny_tournament_members(half) - 1;
  side->tuple_count = rounds;
  for (uint32_t round = 0; round < rounds; round++)
    deal_round(side, round);
  if (side->size % 4 == 0)
    deal_half_around(side, side->tuple_count++);
  if (side->size != OWN_TUPLE)
    return;
  /* Two chains one way and two back leave no node for messages to itself. */
  for (uint32_t node = 0; node < side->size; node++)
    *part_of(side, node, node) = (struct tny_chain_part){.tuple = side->tuple_count};
  side->chain_count[side->tuple_count++] = 1;
}

/* --- sides --- */

bool tny_side_is_known(uint32_t size, bool wraps)
{
  return wraps ? size >= 3 : size <= SHORT_LINE;
}

enum tny_status tny_side_deal(uint32_t size, bool wraps, struct tny_side *side,
                              struct tny_error *error)
{
  *side = (struct tny_side){.size = size};
  side->chain_count = tny_new((size_t)size + 1, sizeof *side->chain_count);
  side->parts = tny_new((size_t)size * size, sizeof *side->parts);
  if (!side->chain_count || !side->parts)
    return tny_error_memory(error);
  for (size_t i = 0; i < (size_t)size * size; i++)
    side->parts[i].tuple = TNY_NONE;
  if (!wraps)
    deal_permutations(side, short_lines[size]);
  else if (size <= SHORT_RING)
    deal_permutations(side, short_rings[size]);
  else if (size == TRIED_RING)
    deal_tried(side);
  else
    deal_tournament(side);
  return TNY_OK;
}

void tny_side_release(struct tny_side *side)
{
  tny_free(side->chain_count);
  tny_free(side->parts);
  *side = (struct tny_side){0};
}
