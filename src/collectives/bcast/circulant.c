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

   The rounds are the turns of periods (circulant.h), of which the last is whole; so the first may
   lack some turns, in which there would be nothing to send. Vertices are relative ranks. Vertex 0
   sends piece t of the message in round t; from there the pieces of a period's schedule are
   counted. There is none before the first piece. Numbers beyond the last piece stand for the last
   one, which all vertices but 0 lack until then. */
#include "collectives/shared/circulant.h"
#include "collectives/list.h"
#include "collectives/shared/root.h"
#include "core/log2.h"
#include "planner/position.h"

static uint32_t round_count(const struct tny_problem *problem)
{
  const uint32_t doublings = tny_log2_ceil(problem->rank_count);
  return doublings ? tny_root_piece_count(problem) - 1 + doublings : 0;
}

struct emission {
  const struct tny_problem *problem;
  struct tny_builder *builder;
  const struct tny_circulant_rows *rows;
  struct tny_circulant graph;
  uint32_t vertex;
  uint32_t received[2][TNY_CIRCULANT_TURNS_MAX]; /* receives of the even and odd periods */
};

/* The message's piece for one of the schedule in a turn; TNY_NONE: none yet. */
static uint32_t piece_of(const struct emission *emission, int32_t scheduled, uint32_t round,
                         uint32_t turn)
{
  const uint32_t last = tny_root_piece_count(emission->problem) - 1;
  const int64_t piece = (int64_t)round - turn + scheduled;
  if (piece < 0)
    return TNY_NONE;
  return piece < last ? (uint32_t)piece : last;
}

/* The receive of what is sent in this turn: of the same piece earlier in this period, or of the new
   one in the period before; TNY_NONE: none. */
static uint32_t source_of(const struct emission *emission, uint32_t period, uint32_t turn)
{
  const int32_t *receives = emission->rows->receives, turns = (int32_t)emission->graph.turns;
  const int32_t sent = emission->rows->sends[turn];
  for (int32_t k = 0; k < turns; k++) {
    if (receives[k] == sent && k < (int32_t)turn)
      return emission->received[period % 2][k];
    if (receives[k] == sent + turns)
      return emission->received[(period + 1) % 2][k];
  }
  return TNY_NONE;
}

static void emit_turn(struct emission *emission, uint32_t round, uint32_t period, uint32_t turn)
{
  const struct tny_problem *problem = emission->problem;
  const uint32_t p = problem->rank_count, pieces = tny_root_piece_count(problem);
  const uint32_t vertex = emission->vertex, skip = emission->graph.skip[turn];
  const uint32_t to = tny_position_rank(NULL, p, vertex, skip);
  const uint32_t from = tny_position_rank(NULL, p, vertex, p - skip);
  const uint32_t given = piece_of(emission, emission->rows->sends[turn], round, turn);
  const uint32_t taken = piece_of(emission, emission->rows->receives[turn], round, turn);
  if (to != 0 && given != TNY_NONE) {
    tny_builder_send(emission->builder, tny_root_actual_rank(problem, to),
                     tny_root_pieces(vertex == 0, pieces, given, 1), round);
    const uint32_t source = vertex == 0 ? TNY_NONE : source_of(emission, period, turn);
    if (source != TNY_NONE)
      tny_builder_after(emission->builder, source);
  }
  if (vertex != 0 && taken != TNY_NONE)
    emission->received[period % 2][turn] =
        tny_builder_recv(emission->builder, tny_root_actual_rank(problem, from),
                         tny_root_pieces(false, pieces, taken, 1), round);
}

void tny_circulant_emit(const struct tny_problem *problem, uint32_t rank,
                        const struct tny_circulant_rows *rows, struct tny_builder *builder)
{
  struct emission emission = {.problem = problem,
                              .builder = builder,
                              .rows = rows,
                              .graph = tny_circulant_make(problem->rank_count),
                              .vertex = tny_root_relative_rank(problem, rank)};
  const uint32_t rounds = round_count(problem), turns = emission.graph.turns;
  const uint32_t lacking = turns ? (turns - rounds % turns) % turns : 0;
  for (uint32_t round = 0; round < rounds; round++)
    emit_turn(&emission, round, (round + lacking) / turns, (round + lacking) % turns);
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
  const uint32_t rounds = round_count(problem), pieces = tny_root_piece_count(problem);
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
