/* All-gather, circulant graph: every rank broadcasts its block, all at once, along the same skips.

   Source: Traeff, "Optimal broadcast schedules in logarithmic time with applications to broadcast,
           all-broadcast, reduction and all-reduction" (arXiv 2407.18004). Only the abstract was at
           hand: his broadcast serves all-broadcast as it is, as in each round all vertices send and
           receive by the same skip. He puts what a rank has for another in a round into one
           message; here each piece is a message, as in MPICH's all-gather by his graph
           (pmodels/mpich #7710)
   Needs:  any p
   Shape:  p=3, 1 piece, skips 1, 2:  each rank's own to the next one; then each rank's own to the
           one after that. p=4, 1 piece, skips 1, 2:  own to +1; then own, and that of -1, to +2
   Cost:   n-1+ceil(log2 p) rounds for n pieces, in each of which a rank has one neighbour to send
           to and one to receive from. A round has a phase for each rank's block, in which a rank
           sends at most one piece: p times as many phases, and p-1 blocks sent by each rank.
           Blocks may differ in size
   Links:  one message a port and phase on one switch; a trunk carries one for every pair across it
   Prefer: on one switch, where a block is far longer than all others together: it is everywhere
           after n-1+ceil(log2 p) rounds of its pieces, by a ring after n+p-2 of them (of 1 MiB on
           64 ranks, 16.7 ms against 24.8 ms, simulated). Where sizes differ less, as by Zipf's law,
           or not at all, a ring is as fast or faster. Of one piece, it takes the rounds of
           circulant-halving and combining, which put a round's blocks into one message and are
           better for short blocks

   Rank r is vertex r-j, modulo p, of the broadcast of rank j. All ranks take the blocks of a round
   in the same order, so that the pieces of a long one go at the same time everywhere. */
#include "collectives/shared/circulant.h"
#include "collectives/list.h"
#include "collectives/shared/root.h"
#include "core/alloc.h"
#include "core/error.h"
#include "planner/position.h"

struct emission {
  struct tny_builder *builder;
  struct tny_circulant graph;
  uint32_t rank, pieces;
  int32_t *receives;  /* by vertex and turn */
  uint32_t *received; /* by root and round: the receives of two periods */
};

static int32_t *receives_of(const struct emission *emission, uint32_t vertex)
{
  return emission->receives + (size_t)vertex * emission->graph.turns;
}

static uint32_t *received_in(const struct emission *emission, uint32_t root, uint32_t round)
{
  const uint32_t rounds = 2 * emission->graph.turns;
  return emission->received + (size_t)root * rounds + round % rounds;
}

/* So many ranks on. */
static uint32_t on(const struct emission *emission, uint32_t rank, uint32_t ranks)
{
  return tny_position_rank(NULL, emission->graph.p, rank, ranks);
}

/* So many ranks back. */
static uint32_t back(const struct emission *emission, uint32_t rank, uint32_t ranks)
{
  return on(emission, rank, emission->graph.p - ranks);
}

static uint32_t phase_of(const struct emission *emission, uint32_t root, uint32_t round)
{
  return round * emission->graph.p + root;
}

static struct tny_span span_of(const struct emission *emission, uint32_t root, uint32_t piece)
{
  const bool is_own = root == emission->rank;
  struct tny_span span = tny_root_pieces(is_own, emission->pieces, piece, 1);
  span.first = is_own ? 0 : root;
  return span;
}

/* What the rank sends of a root's block in a round: the piece that its receiver is to get. */
static void send(const struct emission *emission, uint32_t root, uint32_t round, uint32_t turn)
{
  const uint32_t skip = emission->graph.skip[turn];
  const uint32_t vertex = back(emission, emission->rank, root),
                 receiver = on(emission, vertex, skip);
  const int32_t scheduled = receives_of(emission, receiver)[turn];
  const uint32_t piece = tny_circulant_piece(scheduled, emission->pieces, round, turn);
  if (receiver == 0 || piece == TNY_NONE)
    return;
  tny_builder_send(emission->builder, on(emission, emission->rank, skip),
                   span_of(emission, root, piece), phase_of(emission, root, round));
  const uint32_t age =
      tny_circulant_age(&emission->graph, receives_of(emission, vertex), scheduled, turn);
  if (vertex != 0)
    tny_builder_after(emission->builder, *received_in(emission, root, round - age));
}

static void receive(const struct emission *emission, uint32_t root, uint32_t round, uint32_t turn)
{
  const uint32_t vertex = back(emission, emission->rank, root);
  const int32_t scheduled = receives_of(emission, vertex)[turn];
  const uint32_t piece = tny_circulant_piece(scheduled, emission->pieces, round, turn);
  if (vertex != 0 && piece != TNY_NONE)
    *received_in(emission, root, round) = tny_builder_recv(
        emission->builder, back(emission, emission->rank, emission->graph.skip[turn]),
        span_of(emission, root, piece), phase_of(emission, root, round));
}

static void emit_all(const struct emission *emission)
{
  const uint32_t rounds = tny_circulant_rounds(&emission->graph, emission->pieces);
  for (uint32_t vertex = 0; vertex < emission->graph.p; vertex++)
    tny_circulant_receives(&emission->graph, vertex, receives_of(emission, vertex));
  for (uint32_t round = 0; round < rounds; round++) {
    const uint32_t turn = tny_circulant_turn(&emission->graph, emission->pieces, round);
    for (uint32_t root = 0; root < emission->graph.p; root++) {
      send(emission, root, round, turn);
      receive(emission, root, round, turn);
    }
  }
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count;
  struct emission emission = {.builder = builder,
                              .graph = tny_circulant_make(p),
                              .rank = rank,
                              .pieces = tny_root_piece_count(problem)};
  const size_t turns = emission.graph.turns;
  emission.receives = tny_new(p * turns, sizeof *emission.receives);
  emission.received = tny_new(p * 2 * turns, sizeof *emission.received);
  if (emission.receives && emission.received)
    emit_all(&emission);
  else
    tny_error_memory(&builder->error);
  tny_free(emission.receives);
  tny_free(emission.received);
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1), tny_span_blocks(TNY_OUTPUT, rank, 1));
}

/* A rank is idle in some phases, others at other times: no promise of rounds. */
static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_circulant graph = tny_circulant_make(problem->rank_count);
  const uint32_t rounds = tny_circulant_rounds(&graph, tny_root_piece_count(problem));
  return (struct tny_claim){.phases = problem->rank_count * rounds,
                            .blocks_sent_max = problem->rank_count - 1,
                            .port_messages = 1};
}

const struct tny_algorithm tny_allgather_circulant = {
    .collective = TNY_ALLGATHER,
    .name = "circulant",
    .source = "traeff2024",
    .summary = "all broadcast at once along growing skips: a long block is everywhere soon",
    .needs = "any p",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_RECEIVES,
    .single_blocks = true,
    .by_name_only = true,
    .holds_blocks = true,
    .claim = claim,
    .emit = emit,
};
