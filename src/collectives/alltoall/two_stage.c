/* All-to-all, two stages: within each row first, with a bundle of all blocks for a column, then
   within each column.

   Source: Hinrichs, Kosak, O'Hallaron, Stricker, Take, "An architecture for optimal all-to-all
           personalized communication", 4.1, as a rival; in spirit Bokhari and Berryman's
   Needs:  2-D torus or mesh of A x B, as many ranks on each host: the k ranks of a node stand next
           to each other in its row, as if there were k*A columns
   Shape:  p=4, a mesh of 2 x 2, nodes 0 1 over 2 3: 0 sends its blocks for 1 and 3 to 1, which
           keeps the one and sends the other on to 3, together with its own for 3
   Cost:   kA-1 + B-1 rounds of B and of kA blocks; each block is copied up to three times; scratch
           for 3p blocks
   Links:  only the rows' or only the columns' at a time. With a rank a host, one message a link and
           phase on a torus whose sides are multiples of 4, where a row takes the phases of a ring
           (two-way ones from 8 nodes on); else it shifts, and up to half the side meet on a link.
           With k ranks a host, rows shift, and k times as many meet
   Prefer: for blocks between short and long on 2-D tori and meshes whose ranks take long for a
           message: A+B messages instead of A*B. Very short blocks: bruck; long ones, and ranks as
           fast as docs/machine.md takes them to be: phases or planned-phases (1.3 ms for 1 KiB on
           torus:8x8, predicted) */
#include "collectives/list.h"
#include "collectives/shared/ring_phases.h"
#include "core/grid.h"
#include "planner/position.h"

/* Scratch has bundles that go to a column or row, and bundles that came from one. The rows' bundles
   are gone before the columns' come, which take over their memory. */
enum { AREA_TO_COLUMN, AREA_FROM_COLUMN, AREA_TO_ROW, AREAS, AREA_FROM_ROW = AREA_TO_COLUMN };
enum { STAGES = 2 };

struct exchange {
  const struct tny_placement *placement;
  struct tny_builder *builder;
  struct tny_shape rank_grid;
  uint32_t grid_index, x, y;
  uint32_t sent, received; /* the last steps; TNY_NONE: none yet */
};

/* The grid of the ranks, where each node has as many in its row as it has ranks: rank_at is in its
   order. */
static struct tny_shape rank_grid_of(const struct tny_placement *placement)
{
  struct tny_shape rank_grid = placement->grid;
  rank_grid.size[0] *= placement->ranks_a_node;
  return rank_grid;
}

/* A row or column. A row in which ranks share nodes is no ring of links, and so has no phases. */
static struct tny_shape line_of(const struct tny_placement *placement, uint32_t dimension)
{
  const bool shares = dimension == 0 && placement->ranks_a_node > 1;
  return (struct tny_shape){.dimension_count = 1,
                            .size = {rank_grid_of(placement).size[dimension], 1, 1},
                            .wraps = placement->grid.wraps && !shares};
}

static bool has_phases(const struct tny_shape *line)
{
  return !tny_phases_refuse(line, TNY_ONE_WAY);
}

static enum tny_ways ways_of(const struct tny_shape *line)
{
  return tny_phases_refuse(line, TNY_BOTH_WAYS) ? TNY_ONE_WAY : TNY_BOTH_WAYS;
}

static uint32_t phases_of(const struct tny_shape *line)
{
  return has_phases(line) ? tny_phases_count(line, ways_of(line)) : line->size[0] - 1;
}

/* What the x-th of a line does, its own block last. */
static struct tny_turn turn_of(const struct tny_shape *line, uint32_t x, uint32_t index)
{
  const uint32_t side = line->size[0], shift = index + 1;
  if (has_phases(line))
    return tny_phases_turn(line, ways_of(line), x, index);
  return (struct tny_turn){
      .phase = index, .to = (x + shift) % side, .from = (x + side - shift) % side};
}

static struct tny_span in_area(const struct exchange *exchange, uint32_t area, uint32_t first,
                               uint32_t count)
{
  return tny_span_blocks(TNY_SCRATCH, area * exchange->placement->rank_count + first, count);
}

static struct tny_span block_of(const struct exchange *exchange, enum tny_buffer buffer,
                                uint32_t grid_index)
{
  return tny_span_blocks(buffer, exchange->placement->rank_at[grid_index], 1);
}

static void copy(struct exchange *exchange, struct tny_span from, struct tny_span to)
{
  tny_builder_copy(exchange->builder, from, to);
}

/* The block that came from, or is already in, column x of the own row and goes to row y. */
static struct tny_span column_span(const struct exchange *exchange, uint32_t x, uint32_t y)
{
  const uint32_t columns = exchange->rank_grid.size[0];
  if (y == exchange->y)
    return block_of(exchange, TNY_OUTPUT, x + columns * y);
  return in_area(exchange, AREA_TO_ROW, y * columns + x, 1);
}

/* Bundles for the other columns; those for the own column wait for the second stage. */
static void pack(struct exchange *exchange)
{
  const uint32_t columns = exchange->rank_grid.size[0], rows = exchange->rank_grid.size[1];
  for (uint32_t grid_index = 0; grid_index < exchange->placement->rank_count; grid_index++) {
    const uint32_t x = grid_index % columns, y = grid_index / columns;
    copy(exchange, block_of(exchange, TNY_INPUT, grid_index),
         x == exchange->x ? column_span(exchange, x, y)
                          : in_area(exchange, AREA_TO_COLUMN, x * rows + y, 1));
  }
}

/* Copies what came from the x-th or y-th of the line to where it is sent on, or to the output. */
static void unpack(struct exchange *exchange, uint32_t stage, uint32_t from)
{
  const uint32_t columns = exchange->rank_grid.size[0], rows = exchange->rank_grid.size[1];
  for (uint32_t y = 0; stage == 0 && y < rows; y++) {
    copy(exchange, in_area(exchange, AREA_FROM_COLUMN, from * rows + y, 1),
         column_span(exchange, from, y));
    if (y == 0)
      tny_builder_after(exchange->builder, exchange->received);
  }
  for (uint32_t x = 0; stage == 1 && x < columns; x++) {
    copy(exchange, in_area(exchange, AREA_FROM_ROW, from * columns + x, 1),
         block_of(exchange, TNY_OUTPUT, x + columns * from));
    if (x == 0)
      tny_builder_after(exchange->builder, exchange->received);
  }
}

/* Bundles with two of the line, one to and one from. A receive waits for what was `sent_before`
   from the area that it writes into. */
static void swap(struct exchange *exchange, uint32_t stage, const struct tny_turn *turn,
                 uint32_t sent_before)
{
  const struct tny_placement *placement = exchange->placement;
  struct tny_builder *builder = exchange->builder;
  const uint32_t to = tny_grid_moved(&exchange->rank_grid, exchange->grid_index, stage, turn->to);
  const uint32_t from =
      tny_grid_moved(&exchange->rank_grid, exchange->grid_index, stage, turn->from);
  const uint32_t bundle = exchange->rank_grid.size[!stage];
  const struct tny_span sent =
      in_area(exchange, stage == 0 ? AREA_TO_COLUMN : AREA_TO_ROW, turn->to * bundle, bundle);
  const struct tny_span received =
      in_area(exchange, stage == 0 ? AREA_FROM_COLUMN : AREA_FROM_ROW, turn->from * bundle, bundle);
  const uint32_t step = tny_builder_send(builder, placement->rank_at[to], sent, turn->phase);
  if (exchange->sent != TNY_NONE) {
    tny_builder_after(builder, exchange->sent);
    tny_builder_after(builder, exchange->received);
  }
  exchange->sent = step;
  exchange->received = tny_builder_recv(builder, placement->rank_at[from], received, turn->phase);
  if (sent_before != TNY_NONE)
    tny_builder_after(builder, sent_before);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_placement *placement = problem->placement;
  const struct tny_shape rank_grid = rank_grid_of(placement);
  const uint32_t grid_index = tny_position_in_grid(placement, rank);
  struct exchange exchange = {.placement = placement,
                              .builder = builder,
                              .rank_grid = rank_grid,
                              .grid_index = grid_index,
                              .x = grid_index % rank_grid.size[0],
                              .y = grid_index / rank_grid.size[0],
                              .sent = TNY_NONE};
  uint32_t first_phase = 0;
  pack(&exchange);
  for (uint32_t stage = 0; stage < STAGES; stage++) {
    const struct tny_shape line = line_of(placement, stage);
    const uint32_t here = stage == 0 ? exchange.x : exchange.y, sent_before = exchange.sent;
    for (uint32_t index = 0; index < line.size[0]; index++) {
      struct tny_turn turn = turn_of(&line, here, index);
      if (turn.to == here)
        continue;
      turn.phase += first_phase;
      swap(&exchange, stage, &turn, sent_before);
      unpack(&exchange, stage, turn.from);
    }
    first_phase += phases_of(&line);
  }
}

static const char *refuse(const struct tny_problem *problem)
{
  const struct tny_placement *placement = problem->placement;
  if (!placement || placement->grid.dimension_count != 2)
    return "needs a 2-D torus or mesh with as many ranks on each host";
  return NULL;
}

/* Most messages on a link of the line in a phase: those that pass it in the longest shift, the
   shorter way around where there are two. */
static uint32_t link_messages(const struct tny_shape *line)
{
  const uint32_t side = line->size[0];
  const uint32_t shifted = line->wraps ? (side - 1) / 2 : side / 2;
  return has_phases(line) || shifted == 0 ? 1 : shifted;
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_shape rank_grid = rank_grid_of(problem->placement);
  struct tny_claim promised = {.scratch_blocks = AREAS * problem->rank_count, .port_messages = 1};
  for (uint32_t stage = 0; stage < STAGES; stage++) {
    const struct tny_shape line = line_of(problem->placement, stage);
    const uint32_t others = line.size[0] - 1, messages = link_messages(&line);
    promised.rounds += others;
    promised.phases += phases_of(&line);
    promised.blocks_sent_max += (uint64_t)others * rank_grid.size[!stage];
    if (messages > promised.grid_link_messages)
      promised.grid_link_messages = messages;
  }
  return promised;
}

const struct tny_algorithm tny_alltoall_two_stage = {
    .collective = TNY_ALLTOALL,
    .name = "two-stage",
    .source = "hinrichs1994",
    .summary = "bundles within rows, then within columns",
    .needs = "2-D torus or mesh, as many ranks on each host",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .refuse = refuse,
    .claim = claim,
    .emit = emit,
};
