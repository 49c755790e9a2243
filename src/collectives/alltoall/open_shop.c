/* All-to-all of blocks that differ in size, all known: messages are cut in pieces, and each piece
   has a phase in which it meets no other on a link (docs/planner.md, "Uneven messages in pieces").

   Source: Gonzalez, Sahni, "Open shop scheduling to minimize finish time" (1976), for one switch;
           on any network by first fit in a timetable, which is ours
   Needs:  the cluster and a pattern, which says how many bytes each rank has for each other
   Shape:  p=4, one switch, 0 has 3 units for 1 and 1 for 2, 2 has 2 for 1 and 2 for 3:
             0>1 2>3   0>1 2>3   0>1   0>2 2>1   2>1
   Cost:   as long as the most loaded link carries bytes, or the busiest rank has them, and some 2 %
           more; each rank sends what the pattern says
   Links:  one message a link and phase, on any cluster, however many ranks a host
   Prefer: where sizes differ much, as by Zipf's law, and are known or worth gathering. Where all
           are about alike, planned-phases or shuffle, which need not know them

   A phase of the plan lasts as long as its longest piece. It is divided into phases of about the
   same length, that of a message, so that what is in flight can be limited by counting messages.
   Pieces are so many of the parts in which every block is cut, as many of each block: their ends
   are off by half a part at the most. */
#include "collectives/list.h"
#include "collectives/shared/parts_by_bytes.h"
#include "core/alloc.h"
#include "core/error.h"
#include "planner/uneven/planner.h"

struct prepared {
  struct tny_uneven_plan *plan;
  uint64_t longest; /* message, in bytes */
};

static const char *refuse(const struct tny_problem *problem)
{
  if (!problem->network)
    return "needs the cluster";
  if (!problem->pattern)
    return "needs a pattern, the bytes of all blocks";
  return NULL;
}

static void release(void *of)
{
  struct prepared *prepared = of;
  if (!prepared)
    return;
  tny_uneven_plan_free(prepared->plan);
  tny_free(prepared);
}

static enum tny_status prepare(const struct tny_problem *problem, void **of,
                               struct tny_error *error)
{
  struct prepared *prepared = tny_new(1, sizeof *prepared);
  *of = prepared;
  if (!prepared)
    return tny_error_memory(error);
  *prepared = (struct prepared){.longest = tny_pattern_longest(problem->pattern)};
  return tny_uneven_plan_make(problem, &prepared->plan, error);
}

/* How many phases a phase of the plan is divided into. */
static uint32_t division_of(const struct tny_problem *problem, uint32_t phase)
{
  const struct prepared *prepared = problem->prepared;
  return tny_parts_divisions(prepared->plan->lengths[phase], prepared->longest,
                             problem->piece_count);
}

/* A piece, and the block that it is of. */
struct turn {
  const struct tny_uneven_piece *piece; /* NULL: none */
  uint64_t block_bytes;
};

static struct turn turn_of(const struct tny_problem *problem, const struct tny_uneven_piece *piece)
{
  const size_t block = (size_t)piece->from * problem->rank_count + piece->to;
  return (struct turn){piece, problem->pattern->bytes[block]};
}

/* What there is of a piece in one of the divisions of its phase: some parts of its block, or none.
   Divisions are as long as each other; a piece that is shorter than its phase ends in an earlier
   one. */
static struct tny_span span_in(const struct tny_problem *problem, uint32_t phase,
                               const struct turn *turn, uint32_t index)
{
  const struct prepared *prepared = problem->prepared;
  const struct tny_uneven_piece *piece = turn->piece;
  const double length = (double)prepared->plan->lengths[phase] / division_of(problem, phase);
  const double offset = (double)piece->offset, bytes = (double)piece->bytes;
  const double from = fmin(index * length, bytes), to = (index + 1) * length;
  const bool is_end = index + 1 == division_of(problem, phase) || to > bytes;
  const uint32_t part_count = problem->piece_count;
  struct tny_span span = {.count = 1, .chunk_count = part_count};
  span.chunk = tny_parts_at(turn->block_bytes, offset + from, part_count);
  span.chunks =
      tny_parts_at(turn->block_bytes, offset + (is_end ? bytes : to), part_count) - span.chunk;
  return span;
}

/* Has some message a part in this division of a phase? */
static bool is_used(const struct tny_problem *problem, uint32_t phase, uint32_t index)
{
  const struct prepared *prepared = problem->prepared;
  const struct tny_uneven_plan *plan = prepared->plan;
  for (uint32_t i = plan->first_piece[phase]; i < plan->first_piece[phase + 1]; i++) {
    const struct turn turn = turn_of(problem, &plan->pieces[i]);
    if (span_in(problem, phase, &turn, index).chunks > 0)
      return true;
  }
  return false;
}

/* The last divisions may be empty, where blocks aren't cut finely enough for them. */
static uint32_t count_phases(const struct tny_problem *problem)
{
  const struct prepared *prepared = problem->prepared;
  uint32_t phases = 0, used = 0;
  for (uint32_t phase = 0; phase < prepared->plan->phase_count; phase++)
    phases += division_of(problem, phase);
  for (uint32_t phase = prepared->plan->phase_count; used == 0 && phase-- > 0;)
    for (uint32_t i = division_of(problem, phase); used == 0 && i-- > 0; phases--)
      used = is_used(problem, phase, i) ? phases : 0;
  return used;
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_pattern_most most = tny_pattern_most(problem->pattern);
  return (struct tny_claim){.phases = count_phases(problem),
                            .blocks_sent_max = most.sent,
                            .blocks_received_max = most.received,
                            .port_messages = 1,
                            .tree_link_messages = 1,
                            .grid_link_messages = 1,
                            .link_messages = 1};
}

/* What a rank sends and receives in a phase of the plan. */
struct turns {
  struct turn sent, received;
};

/* The steps of a rank in one phase of the plan, of which the first division is phase `first`. */
static void emit_phase(const struct tny_problem *problem, uint32_t phase, uint32_t first,
                       const struct turns *turns, struct tny_builder *builder)
{
  const struct turn *sent = &turns->sent, *received = &turns->received;
  for (uint32_t i = 0; i < division_of(problem, phase); i++) {
    if (sent->piece) {
      struct tny_span span = span_in(problem, phase, sent, i);
      span.buffer = TNY_INPUT;
      span.first = sent->piece->to;
      if (span.chunks > 0)
        tny_builder_send(builder, sent->piece->to, span, first + i);
    }
    if (received->piece) {
      struct tny_span span = span_in(problem, phase, received, i);
      span.buffer = TNY_OUTPUT;
      span.first = received->piece->from;
      if (span.chunks > 0)
        tny_builder_recv(builder, received->piece->from, span, first + i);
    }
  }
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct prepared *prepared = problem->prepared;
  const struct tny_uneven_plan *plan = prepared->plan;
  const size_t own = (size_t)rank * problem->rank_count + rank;
  uint32_t first = 0;
  if (problem->pattern->bytes[own] > 0)
    tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                     tny_span_blocks(TNY_OUTPUT, rank, 1));
  for (uint32_t phase = 0; phase < plan->phase_count; phase++) {
    struct turns turns = {0};
    for (uint32_t i = plan->first_piece[phase]; i < plan->first_piece[phase + 1]; i++) {
      const struct tny_uneven_piece *piece = &plan->pieces[i];
      if (piece->from == rank)
        turns.sent = turn_of(problem, piece);
      if (piece->to == rank)
        turns.received = turn_of(problem, piece);
    }
    if (turns.sent.piece || turns.received.piece)
      emit_phase(problem, phase, first, &turns, builder);
    first += division_of(problem, phase);
  }
}

const struct tny_algorithm tny_alltoall_open_shop = {
    .collective = TNY_ALLTOALL,
    .name = "open-shop",
    .source = "gonzalez1976",
    .summary = "on any cluster, blocks of known sizes in pieces, nearly as soon as links allow",
    .needs = "the cluster and a pattern",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_LINKS,
    .pieces_a_message = TNY_PARTS_A_MESSAGE,
    .is_by_name_only = tny_has_blocks_alike,
    .takes_patterns = true,
    .plans_bytes = true,
    .plans_messages = true,
    .refuse = refuse,
    .prepare = prepare,
    .release = release,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
};
