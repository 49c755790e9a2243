/* All-to-all, store and forward: blocks go from neighbour to neighbour, those that go on the same
   way in one message a step, both ways around each ring and along all dimensions at once.

   Source: in the spirit of Varvarigos, Bertsekas, "Communication algorithms for isotropic tasks in
           hypercubes and wraparound meshes", whose algorithm Hinrichs et al., "An architecture for
           optimal all-to-all personalized communication", 4.1, measures as a rival without giving
           its steps. The construction is ours
   Needs:  ring or torus, every side of 3 nodes or more, as many ranks on each host
   Shape:  p=4, a ring; 1>3 is the block from 1 to 3:
             step 1: 0 -> 1 [0>1], 1 -> 2 [1>2 1>3], 2 -> 3 [2>3], 3 -> 0 [3>0 3>1];
                     0 -> 3 [0>3 0>2], 1 -> 0 [1>0], 2 -> 1 [2>1 2>0], 3 -> 2 [3>2]
             step 2: 2 -> 3 [1>3], 0 -> 1 [3>1], 3 -> 2 [0>2], 1 -> 0 [2>0]
   Cost:   for k ranks a node, k-1 rounds within the node; then d stages of (longest side)/2 steps,
           in d * sum(side - 1) rounds, up to 2*d of them in a step. Each rank sends (k-1) * p/k
           blocks within its node and the sum of side*side/4 * p/side beyond, which is the links'
           bound; each block is copied d+1 times, and once more where k > 1; scratch for
           6 * max((side/2 + 1) * p/side) + 2 * (k-1) * p/k blocks
   Links:  one message a link and phase, with k ranks a host k; all 2*d links of a node at once
   Prefer: on machines whose nodes use all links of a torus at once, for short blocks: few messages,
           and no two share a link. Where a node has one port, as the hosts here, two-stage and
           bruck are faster

   A block is cut in d pieces; in stage s, piece q goes along dimension (q+s) mod d. A stage is an
   all-to-all on each ring of that dimension, with bundles of p/side pieces, one for each point in
   the other dimensions. Half around an even side, a bundle goes + from odd nodes, - from even ones.
   Bundles lie in bins by the hops that they have left: a message takes bins 1 .. m of one node to
   bins 0 .. m-1 of the next, where bin 0 has arrived.

   Where ranks share a node, they first exchange blocks among each other, in shifts: the i-th rank
   of a node gets what all of them have for the i-th ranks of all nodes. From then on the i-th ranks
   are a torus of their own, with k times the pieces in a bundle, and every block ends at home. */
#include "collectives/list.h"
#include "collectives/shared/after.h"
#include "core/grid.h"
#include "planner/position.h"

enum { FORWARD, BACKWARD };
/* In scratch: what a stage starts from (even stages, odd stages), and what alternates with it. */
enum { AREA_BETWEEN = 2, AREAS };

/* The last steps of a piece in the present stage, by direction. */
struct last {
  uint32_t sent[2][2]; /* and by the step's number mod 2 */
  uint32_t received[2];
  uint32_t copied; /* the last of the copies that open the stage */
};

struct journey {
  const struct tny_placement *placement;
  struct tny_builder *builder;
  uint32_t grid_index, dimensions; /* grid_index: the rank's in rank_at */
  uint32_t steps;                  /* of a stage */
  uint32_t area_blocks;            /* of an area in scratch */
  struct last last[3];             /* by piece */
};

/* A piece's way through a stage, along a ring of `side` nodes, where this one is the x-th. */
struct leg {
  uint32_t stage, piece;
  uint32_t side, x;
  uint32_t stride; /* from node to node along the ring, in rank_at */
  uint32_t bundle; /* blocks */
};

static struct leg leg_of(const struct journey *journey, uint32_t stage, uint32_t piece)
{
  const struct tny_placement *placement = journey->placement;
  const struct tny_shape *grid = &placement->grid;
  const uint32_t dimension = (stage + piece) % journey->dimensions;
  const uint32_t node = journey->grid_index / placement->ranks_a_node;
  return (struct leg){.stage = stage,
                      .piece = piece,
                      .side = grid->size[dimension],
                      .x = tny_grid_coordinate(grid, node, dimension),
                      .stride = tny_grid_stride(grid, dimension) * placement->ranks_a_node,
                      .bundle = placement->rank_count / grid->size[dimension]};
}

/* The index on the ring of the node that is `hops` from x in this direction. */
static uint32_t ring_index_at(const struct leg *leg, uint32_t x, uint32_t direction, uint32_t hops)
{
  return (x + (direction == FORWARD ? hops : leg->side - hops)) % leg->side;
}

/* How far the x-th node's bundles go in this direction. */
static uint32_t reach(const struct leg *leg, uint32_t x, uint32_t direction)
{
  const bool takes_half = (x % 2 == 1) == (direction == FORWARD);
  return leg->side % 2 == 1 || takes_half ? leg->side / 2 : leg->side / 2 - 1;
}

/* The bundles that the x-th node sends in step 1, 2, ..: what is left of those of the node that is
   step-1 hops behind it. */
static uint32_t bundles_sent(const struct leg *leg, uint32_t x, uint32_t direction, uint32_t step)
{
  const uint32_t source = ring_index_at(leg, x, !direction, step - 1);
  const uint32_t hops = reach(leg, source, direction);
  return hops >= step ? hops - (step - 1) : 0;
}

static struct tny_span piece_of(const struct journey *journey, uint32_t piece,
                                enum tny_buffer buffer, uint32_t first, uint32_t count)
{
  return (struct tny_span){buffer, first, count, piece, journey->dimensions, 1};
}

/* The first block of a bin in scratch. */
static uint32_t bin_at(const struct journey *journey, const struct leg *leg, uint32_t area,
                       uint32_t direction, uint32_t bin)
{
  return area * journey->area_blocks + (direction * (leg->side / 2 + 1) + bin) * leg->bundle;
}

/* Where a stage's bundles lie before and after each step: alternately. */
static uint32_t area_before(const struct leg *leg, uint32_t step)
{
  return step % 2 == 1 ? leg->stage % 2 : AREA_BETWEEN;
}

static uint32_t area_after(const struct leg *leg, uint32_t step)
{
  return area_before(leg, step + 1);
}

/* A block is identified by a grid index. In the dimensions that the block has gone along already,
   the coordinates are those of its source, in the others those of its destination; the index within
   the node is that of its source. This is the index-th block of a bundle that came from, or goes
   to, the x-th node. */
static uint32_t block_in(const struct leg *leg, uint32_t x, uint32_t index)
{
  return index % leg->stride + leg->stride * (x + leg->side * (index / leg->stride));
}

static uint32_t index_in_bundle(const struct leg *leg, uint32_t block)
{
  return block % leg->stride + block / (leg->stride * leg->side) * leg->stride;
}

/* Where a block waits for a stage; after the last stage that is its span in the output. */
static struct tny_span waiting_span(const struct journey *journey, uint32_t stage, uint32_t piece,
                                    uint32_t block)
{
  if (stage == journey->dimensions)
    return piece_of(journey, piece, TNY_OUTPUT, journey->placement->rank_at[block], 1);
  const struct leg leg = leg_of(journey, stage, piece);
  const uint32_t x = block / leg.stride % leg.side;
  const uint32_t hops = (x + leg.side - leg.x) % leg.side;
  const bool forward = hops <= reach(&leg, leg.x, FORWARD);
  const uint32_t bin = bin_at(journey, &leg, stage % 2, forward ? FORWARD : BACKWARD,
                              forward ? hops : leg.side - hops);
  return piece_of(journey, piece, TNY_SCRATCH, bin + index_in_bundle(&leg, block), 1);
}

static void wait_for(struct journey *journey, uint32_t step)
{
  if (step != TNY_NONE)
    tny_builder_after(journey->builder, step);
}

/* Copies the bundle that arrived from `hops` away to where it waits for the next stage. The node's
   own bundle, at 0 hops, opens the stage: it waits for all that the stage before sends. */
static void unpack(struct journey *journey, const struct leg *leg, uint32_t direction,
                   uint32_t hops)
{
  struct last *last = &journey->last[leg->piece];
  const uint32_t x = ring_index_at(leg, leg->x, !direction, hops);
  const uint32_t bin = bin_at(journey, leg, area_after(leg, hops), direction, 0);
  for (uint32_t i = 0; i < leg->bundle; i++) {
    const struct tny_span arrived = piece_of(journey, leg->piece, TNY_SCRATCH, bin + i, 1);
    last->copied =
        tny_builder_copy(journey->builder, arrived,
                         waiting_span(journey, leg->stage + 1, leg->piece, block_in(leg, x, i)));
    if (i > 0)
      continue;
    if (hops > 0)
      wait_for(journey, last->received[direction]);
    for (uint32_t k = 0; hops == 0 && k < 4; k++)
      wait_for(journey, last->sent[k / 2][k % 2]);
  }
}

/* Behind the areas: what goes to the `shift`-th next rank of the node, or what came from the
   `shift`-th rank before this one, a block for each node. */
static struct tny_span handed(const struct journey *journey, bool to_mate, uint32_t shift,
                              uint32_t first, uint32_t count)
{
  const uint32_t nodes = tny_grid_nodes(&journey->placement->grid);
  const uint32_t others = journey->placement->ranks_a_node - 1;
  const uint32_t row = (to_mate ? 0 : others) + shift - 1;
  return tny_span_blocks(TNY_SCRATCH, AREAS * journey->area_blocks + row * nodes + first, count);
}

/* Exchanges within the node: each of the other ranks gets what goes to its index on all nodes. */
static void hand_out(struct journey *journey)
{
  const struct tny_placement *placement = journey->placement;
  struct tny_builder *builder = journey->builder;
  const uint32_t nodes = tny_grid_nodes(&placement->grid), k = placement->ranks_a_node;
  const uint32_t index_in_node = journey->grid_index % k,
                 first = journey->grid_index - index_in_node;
  for (uint32_t shift = 1; shift < k; shift++) {
    const uint32_t to = (index_in_node + shift) % k, from = (index_in_node + k - shift) % k;
    for (uint32_t node = 0; node < nodes; node++)
      tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, placement->rank_at[node * k + to], 1),
                       handed(journey, true, shift, node, 1));
    tny_builder_send(builder, placement->rank_at[first + to],
                     handed(journey, true, shift, 0, nodes), shift - 1);
    tny_builder_recv(builder, placement->rank_at[first + from],
                     handed(journey, false, shift, 0, nodes), shift - 1);
  }
}

/* The block for the rank with this one's index on some node, from another rank of this node or from
   this rank itself. */
static struct tny_span collected(const struct journey *journey, uint32_t piece, uint32_t block)
{
  const struct tny_placement *placement = journey->placement;
  const uint32_t k = placement->ranks_a_node, index_in_node = journey->grid_index % k,
                 node = block / k;
  const uint32_t shift = (index_in_node + k - block % k) % k;
  const struct tny_span span = shift == 0 ? tny_span_blocks(TNY_INPUT, placement->rank_at[block], 1)
                                          : handed(journey, false, shift, node, 1);
  return piece_of(journey, piece, span.buffer, span.first, 1);
}

/* Copies all that goes to this rank's index on the nodes to where it waits for the first stage. */
static void pack(struct journey *journey)
{
  const uint32_t handed_out = journey->builder->steps.count;
  for (uint32_t piece = 0; piece < journey->dimensions; piece++) {
    for (uint32_t block = 0; block < journey->placement->rank_count; block++) {
      tny_builder_copy(journey->builder, collected(journey, piece, block),
                       waiting_span(journey, 0, piece, block));
      if (piece == 0 && block == 0)
        tny_after_messages(journey->builder, 0, handed_out);
    }
  }
}

static void open_stage(struct journey *journey, const struct leg *leg)
{
  struct last *last = &journey->last[leg->piece];
  unpack(journey, leg, FORWARD, 0);
  *last = (struct last){.sent = {{TNY_NONE, TNY_NONE}, {TNY_NONE, TNY_NONE}},
                        .received = {TNY_NONE, TNY_NONE},
                        .copied = last->copied};
}

static uint32_t neighbour(const struct journey *journey, const struct leg *leg, uint32_t direction)
{
  const uint32_t x = ring_index_at(leg, leg->x, direction, 1);
  return journey->placement->rank_at[journey->grid_index - leg->x * leg->stride + x * leg->stride];
}

static uint32_t phase_of(const struct journey *journey, const struct leg *leg, uint32_t step)
{
  return journey->placement->ranks_a_node - 1 + leg->stage * journey->steps + step - 1;
}

static void send(struct journey *journey, const struct leg *leg, uint32_t direction, uint32_t step)
{
  struct last *last = &journey->last[leg->piece];
  const uint32_t count = bundles_sent(leg, leg->x, direction, step);
  if (count == 0)
    return;
  const uint32_t bin = bin_at(journey, leg, area_before(leg, step), direction, 1);
  last->sent[direction][step % 2] =
      tny_builder_send(journey->builder, neighbour(journey, leg, direction),
                       piece_of(journey, leg->piece, TNY_SCRATCH, bin, count * leg->bundle),
                       phase_of(journey, leg, step));
  wait_for(journey, last->received[direction]);
}

/* Into the area that the step before has sent from. */
static void receive(struct journey *journey, const struct leg *leg, uint32_t direction,
                    uint32_t step)
{
  struct last *last = &journey->last[leg->piece];
  const uint32_t count =
      bundles_sent(leg, ring_index_at(leg, leg->x, !direction, 1), direction, step);
  if (count == 0)
    return;
  const uint32_t bin = bin_at(journey, leg, area_after(leg, step), direction, 0);
  last->received[direction] =
      tny_builder_recv(journey->builder, neighbour(journey, leg, !direction),
                       piece_of(journey, leg->piece, TNY_SCRATCH, bin, count * leg->bundle),
                       phase_of(journey, leg, step));
  wait_for(journey, step == 1 ? last->copied : last->sent[direction][(step - 1) % 2]);
}

static void take_step(struct journey *journey, uint32_t stage, uint32_t step)
{
  const uint32_t ways = 2 * journey->dimensions;
  for (uint32_t k = 0; k < ways; k++) {
    const struct leg leg = leg_of(journey, stage, k / 2);
    send(journey, &leg, k % 2, step);
  }
  for (uint32_t k = 0; k < ways; k++) {
    const struct leg leg = leg_of(journey, stage, k / 2);
    receive(journey, &leg, k % 2, step);
  }
  for (uint32_t k = 0; k < ways; k++) {
    const struct leg leg = leg_of(journey, stage, k / 2);
    if (bundles_sent(&leg, ring_index_at(&leg, leg.x, !(k % 2), 1), k % 2, step) > 0)
      unpack(journey, &leg, k % 2, step);
  }
}

static uint32_t steps_a_stage(const struct tny_shape *grid)
{
  uint32_t longest = 0;
  for (uint32_t d = 0; d < grid->dimension_count; d++)
    longest = grid->size[d] > longest ? grid->size[d] : longest;
  return longest / 2;
}

/* Room for the bundles of both directions, with bin 0 each. */
static uint32_t blocks_an_area(const struct tny_placement *placement)
{
  const struct tny_shape *grid = &placement->grid;
  uint32_t most = 0;
  for (uint32_t d = 0; d < grid->dimension_count; d++) {
    const uint32_t bundle = placement->rank_count / grid->size[d];
    const uint32_t blocks = 2 * (grid->size[d] / 2 + 1) * bundle;
    most = blocks > most ? blocks : most;
  }
  return most;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_placement *placement = problem->placement;
  struct journey journey = {.placement = placement,
                            .builder = builder,
                            .grid_index = tny_position_in_grid(placement, rank),
                            .dimensions = placement->grid.dimension_count,
                            .steps = steps_a_stage(&placement->grid),
                            .area_blocks = blocks_an_area(placement)};
  for (uint32_t piece = 0; piece < journey.dimensions; piece++)
    memset(journey.last[piece].sent, 0xff, sizeof journey.last[piece].sent);
  hand_out(&journey);
  pack(&journey);
  for (uint32_t stage = 0; stage < journey.dimensions; stage++) {
    for (uint32_t piece = 0; piece < journey.dimensions; piece++) {
      const struct leg leg = leg_of(&journey, stage, piece);
      open_stage(&journey, &leg);
    }
    for (uint32_t step = 1; step <= journey.steps; step++)
      take_step(&journey, stage, step);
  }
}

static uint32_t pieces(const struct tny_problem *problem, uint32_t wanted)
{
  (void)wanted;
  return problem->placement ? problem->placement->grid.dimension_count : 1;
}

static const char *refuse(const struct tny_problem *problem)
{
  const struct tny_placement *placement = problem->placement;
  if (!placement || placement->grid.dimension_count == 0 || !placement->grid.wraps)
    return "needs a ring or torus with as many ranks on each host";
  for (uint32_t d = 0; d < placement->grid.dimension_count; d++)
    if (placement->grid.size[d] < 3)
      return "needs sides of 3 nodes or more";
  return NULL;
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_placement *placement = problem->placement;
  const struct tny_shape *grid = &placement->grid;
  const uint32_t dimensions = grid->dimension_count, k = placement->ranks_a_node;
  const uint32_t handed_out = (k - 1) * tny_grid_nodes(grid);
  struct tny_claim promised = {.rounds = k - 1,
                               .phases = k - 1 + dimensions * steps_a_stage(grid),
                               .blocks_sent_max = handed_out,
                               .scratch_blocks = AREAS * blocks_an_area(placement) + 2 * handed_out,
                               .port_messages = k * 2 * dimensions,
                               .grid_link_messages = k};
  for (uint32_t d = 0; d < dimensions; d++) {
    const uint64_t side = grid->size[d];
    promised.rounds += dimensions * (grid->size[d] - 1);
    promised.blocks_sent_max += side * side / 4 * (problem->rank_count / side);
  }
  return promised;
}

const struct tny_algorithm tny_alltoall_store_and_forward = {
    .collective = TNY_ALLTOALL,
    .name = "store-and-forward",
    .source = "varvarigos1992",
    .summary = "from neighbour to neighbour, all links of a node at once",
    .needs = "ring or torus, sides from 3 on",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_NONE,
    .pieces = pieces,
    .refuse = refuse,
    .claim = claim,
    .emit = emit,
};
