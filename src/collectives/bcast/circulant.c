/* Broadcast on a circulant graph, round-optimal: no schedule of n pieces needs fewer rounds.

   Source: Traeff, "Optimal broadcast schedules in logarithmic time with applications to broadcast,
           all-broadcast, reduction and all-reduction"
   Needs:  any p, any root
   Shape:  p=4, root 0, pieces a b; skips 2, 1, 2:
           0 -> 2 a;  0 -> 1 b, 2 -> 3 a;  0 -> 2 b, 1 -> 3 b, 3 -> 1 a
   Cost:   n-1+ceil(log2 p) rounds for n pieces; the root sends a piece in each
   Links:  one message a port and round; a trunk carries many
   Prefer: on one switch, for every size: no broadcast needs fewer rounds. On several switches its
           messages meet on trunks, up to half of all ranks' at once: then switch-circulant

   The rounds are the turns of periods (circulant.h). Vertices are relative ranks. */
#include "collectives/shared/circulant.h"
#include "collectives/list.h"
#include "collectives/shared/root.h"
#include "planner/position.h"

struct emission {
  const struct tny_problem *problem;
  struct tny_builder *builder;
  const struct tny_circulant_rows *rows;
  struct tny_circulant graph;
  uint32_t vertex, pieces;
  uint32_t received[2 * TNY_CIRCULANT_TURNS_MAX]; /* receives of two periods, by their rounds */
};

static uint32_t *received_in(struct emission *emission, uint32_t round)
{
  return &emission->received[round % (2 * emission->graph.turns)];
}

static void send(struct emission *emission, uint32_t round, uint32_t turn)
{
  const struct tny_problem *problem = emission->problem;
  const int32_t scheduled = emission->rows->sends[turn];
  const uint32_t vertex = emission->vertex, pieces = emission->pieces;
  const uint32_t to =
      tny_position_rank(NULL, problem->rank_count, vertex, emission->graph.skip[turn]);
  const uint32_t piece = tny_circulant_piece(scheduled, pieces, round, turn);
  if (to == 0 || piece == TNY_NONE)
    return;
  tny_builder_send(emission->builder, tny_root_actual_rank(problem, to),
                   tny_root_pieces(vertex == 0, pieces, piece, 1), round);
  const uint32_t age =
      tny_circulant_age(&emission->graph, emission->rows->receives, scheduled, turn);
  if (vertex != 0 && age <= round)
    tny_builder_after(emission->builder, *received_in(emission, round - age));
}

static void receive(struct emission *emission, uint32_t round, uint32_t turn)
{
  const struct tny_problem *problem = emission->problem;
  const uint32_t p = problem->rank_count, pieces = emission->pieces;
  const uint32_t from =
      tny_position_rank(NULL, p, emission->vertex, p - emission->graph.skip[turn]);
  const uint32_t piece = tny_circulant_piece(emission->rows->receives[turn], pieces, round, turn);
  if (emission->vertex != 0 && piece != TNY_NONE)
    *received_in(emission, round) =
        tny_builder_recv(emission->builder, tny_root_actual_rank(problem, from),
                         tny_root_pieces(false, pieces, piece, 1), round);
}

void tny_circulant_emit(const struct tny_problem *problem, uint32_t rank,
                        const struct tny_circulant_rows *rows, struct tny_builder *builder)
{
  struct emission emission = {.problem = problem,
                              .builder = builder,
                              .rows = rows,
                              .graph = tny_circulant_make(problem->rank_count),
                              .vertex = tny_root_relative_rank(problem, rank),
                              .pieces = tny_root_piece_count(problem)};
  const uint32_t rounds = tny_circulant_rounds(&emission.graph, emission.pieces);
  for (uint32_t round = 0; round < rounds; round++) {
    const uint32_t turn = tny_circulant_turn(&emission.graph, emission.pieces, round);
    send(&emission, round, turn);
    receive(&emission, round, turn);
  }
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_circulant graph = tny_circulant_make(problem->rank_count);
  struct tny_circulant_rows rows;
  tny_circulant_receives(&graph, tny_root_relative_rank(problem, rank), rows.receives);
  tny_circulant_sends(&graph, tny_root_relative_rank(problem, rank), rows.sends);
  tny_circulant_emit(problem, rank, &rows, builder);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_circulant graph = tny_circulant_make(problem->rank_count);
  const uint32_t pieces = tny_root_piece_count(problem);
  const uint32_t rounds = tny_circulant_rounds(&graph, pieces);
  return (struct tny_claim){.rounds = rounds,
                            .phases = rounds,
                            .blocks_sent_max = ((uint64_t)rounds + pieces - 1) / pieces,
                            .port_messages = 1};
}

const struct tny_algorithm tny_bcast_circulant = {
    .collective = TNY_BROADCAST,
    .name = "circulant",
    .source = "traeff2024",
    .summary = "round-optimal: a new piece every round, passed on along growing skips",
    .needs = "any p, any root",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDITS,
    .claim = claim,
    .emit = emit,
};
