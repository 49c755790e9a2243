/* Broadcast, pipelined round-robin: the root deals pieces out, one to each rank in turn, while the
   ranks exchange by tournament what they were dealt before.

   Source: Axida, Viet, Yoshinaga, "Pipelined round-robin broadcast algorithm in homogeneous
           clusters of SMP", section 5, Figures 4 to 6
   Needs:  any p, any root
   Shape:  p=4, root 0, pieces 0 1 2 | 3 ...: a segment is p-1 pieces, one for each destination
           initial phase   0 -> 3 piece 0;  0 -> 2 piece 1;  0 -> 1 piece 2
           iteration 0     0 -> 3 piece 3, 1 <-> 2;  0 -> 2 piece 4, 1 <-> 3; ...
   Cost:   n+p-1 rounds for n pieces where p is even: (p-1) s + D/b (Table 1); where p is odd,
           everyone idles in one of p rounds: p/(p-1) as many (Table 2)
   Links:  one message a port and round; a trunk carries up to the ranks behind it
   Prefer: for long messages on one switch, as an alternative to circulant, which needs fewer
           rounds; trunks carry many of its messages at once

   The root is the tournament's fixed player, the virtual node of odd p the last. The paper leaves
   open whose piece is which: here the root sends a segment's pieces in their order, so that a short
   last segment is its first pieces. */
#include "collectives/list.h"
#include "collectives/shared/root.h"
#include "planner/phases/tournament.h"

struct player {
  const struct tny_problem *problem;
  struct tny_builder *builder;
  uint32_t relative;
  uint32_t own, dealt; /* the receives of its piece: of the segment exchanged, of the next */
};

static uint32_t segment_count(const struct tny_problem *problem)
{
  const uint32_t destinations = problem->rank_count - 1;
  return tny_root_piece_count(problem) / destinations +
         (tny_root_piece_count(problem) % destinations != 0);
}

/* The piece of a segment that a destination is dealt; TNY_NONE beyond the last. */
static uint32_t piece_of(const struct tny_problem *problem, uint32_t segment, uint32_t destination)
{
  const uint32_t destinations = problem->rank_count - 1;
  const uint64_t piece = (uint64_t)segment * destinations + (destinations - destination);
  return piece < tny_root_piece_count(problem) ? (uint32_t)piece : TNY_NONE;
}

static struct tny_span span_of(const struct player *player, uint32_t piece)
{
  return tny_root_pieces(player->relative == 0, tny_root_piece_count(player->problem), piece, 1);
}

/* The root and a destination meet. */
static void deal(struct player *player, uint32_t segment, uint32_t other, uint32_t phase)
{
  const bool is_root = player->relative == 0;
  const uint32_t piece = piece_of(player->problem, segment, is_root ? other : player->relative);
  const uint32_t peer = tny_root_actual_rank(player->problem, other);
  if (piece == TNY_NONE)
    return;
  if (is_root)
    tny_builder_send(player->builder, peer, span_of(player, piece), phase);
  else
    player->dealt = tny_builder_recv(player->builder, peer, span_of(player, piece), phase);
}

/* Two destinations meet. */
static void exchange(const struct player *player, uint32_t segment, uint32_t other, uint32_t phase)
{
  const uint32_t given = piece_of(player->problem, segment, player->relative);
  const uint32_t taken = piece_of(player->problem, segment, other);
  const uint32_t peer = tny_root_actual_rank(player->problem, other);
  if (given != TNY_NONE) {
    tny_builder_send(player->builder, peer, span_of(player, given), phase);
    tny_builder_after(player->builder, player->own);
  }
  if (taken != TNY_NONE)
    tny_builder_recv(player->builder, peer, span_of(player, taken), phase);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count;
  if (p == 1)
    return;
  const uint32_t members = tny_tournament_members(p), rounds = members - 1;
  const uint32_t segments = segment_count(problem);
  struct player player = {
      .problem = problem, .builder = builder, .relative = tny_root_relative_rank(problem, rank)};
  /* Tournament t deals segment t and exchanges segment t-1: the first is the paper's initial phase,
     the last its final one. */
  for (uint32_t tournament = 0; tournament <= segments; tournament++) {
    for (uint32_t round = 0; round < rounds; round++) {
      const uint32_t other = tny_tournament_partner(members, round, player.relative);
      const uint32_t phase = tournament * rounds + round;
      if (other == p)
        continue;
      if (player.relative == 0 || other == 0)
        deal(&player, tournament, other, phase);
      else if (tournament > 0)
        exchange(&player, tournament - 1, other, phase);
    }
    player.own = player.dealt;
  }
}

/* The longest chain of messages, as counted (test_bcast.c): nearly all rounds of all tournaments. A
   single segment is dealt in as many rounds as it has pieces. Where p is odd, nobody sends in the
   very first round, and the chain is interrupted once more in the last tournament. A last segment
   that lacks pieces, and two or three ranks, leave rounds idle. */
static uint32_t round_count(const struct tny_problem *problem)
{
  const uint32_t p = problem->rank_count, destinations = p - 1, segments = segment_count(problem);
  const uint32_t last_segment = tny_root_piece_count(problem) - (segments - 1) * destinations;
  uint32_t rounds = tny_root_piece_count(problem) + destinations;
  if (segments > 1) {
    rounds = (segments + 1) * (tny_tournament_members(p) - 1);
    if (p % 2 == 1)
      rounds -= last_segment == 1 ? 3 : 2;
  }
  return rounds - (last_segment + 2 <= destinations) - (p < 4);
}

/* All rounds of all tournaments; but with two or three ranks, the last tournament ends in rounds in
   which each destination would meet the root, who has no more to deal. */
static uint32_t phase_count(const struct tny_problem *problem)
{
  const uint32_t p = problem->rank_count, rounds = tny_tournament_members(p) - 1;
  return (segment_count(problem) + 1) * rounds - (p < 4 ? p - 1 : 0);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t p = problem->rank_count, pieces = tny_root_piece_count(problem);
  if (p == 1)
    return (struct tny_claim){.port_messages = 1};
  const uint32_t segments = segment_count(problem);
  /* Who is dealt a piece of every segment gives each to all others but the root. */
  const uint64_t passed_on = (uint64_t)segments * (p - 2);
  const uint64_t sent = passed_on > pieces ? passed_on : pieces;
  return (struct tny_claim){.rounds = round_count(problem),
                            .phases = phase_count(problem),
                            .blocks_sent_max = (sent + pieces - 1) / pieces,
                            .port_messages = 1};
}

const struct tny_algorithm tny_bcast_round_robin = {
    .collective = TNY_BROADCAST,
    .name = "round-robin",
    .source = "axida2009",
    .summary = "the root deals pieces out while the ranks exchange earlier ones by tournament",
    .needs = "any p, any root",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDITS,
    .claim = claim,
    .emit = emit,
};
