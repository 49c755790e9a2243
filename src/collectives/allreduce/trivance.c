/* All-reduce, Trivance: along a ring, each rank exchanges what it has combined with the ranks 1, 3,
   9, .. away, on and back at once, and combines three windows of ranks into one.

   Source: Juerss, Addanki, Schmid, "Trivance: latency-optimal allreduce by shortcutting multiport
           networks" (arXiv 2602.17254), the variant for the least latency. Only the abstract was at
           hand: exchanges both ways at distances that triple, with joint reductions, in log3 n
           steps on a ring. That a torus of d dimensions runs d of them at once, each on a part of
           the block and from another dimension on, is as in the authors' simulator
           (github.com/ajuerss/sst-trivance). It takes the dimensions in turns; here one follows the
           other. What is done for sides that aren't 3^k is ours
   Needs:  any p, an operation that commutes. On a ring or torus with as many ranks on each host,
           the dimensions are those of the network, and before them that of the ranks of a host.
           Elsewhere the ranks in switch order are one ring
   Shape:  p=4:  all to +1 and -1, which makes three of four; then what came from -1 goes to +1
   Cost:   the sum of ceil(log3 side) phases of up to 2d messages. A rank has one port, so that each
           message is a round. A side of 3^k has 2k messages along it, each of one block, on a torus
           of a d-th of it. On other sides some messages hold two, and the last phase has one or two
           messages. Up to 4 blocks of scratch space a phase
   Links:  up to 2d messages a port and phase. Phase i along a ring of 3^k nodes, i = 0 .. k-1, puts
           3^i messages on each of its links, a third of what would be on half of them if ranks sent
           3^i and 2*3^i far one way, as in Bruck's
   Prefer: on rings and tori for short blocks: of 64 bytes on ring:27 it takes 102 us,
           recursive-doubling 293, and 88 us against 205 on torus:8x8, as simulated. Not for
           programs that branch by a result that rounds: each rank combines the windows in an order
           of its own, so that ranks may get different bits

   After i steps a rank's window has the 3^i ranks around it. The last step on a side of n nodes
   with 3^i < n <= 3^(i+1) has to add n - 3^i. If these are 3^i or more, a whole window comes from
   3^i nodes on. As many as are left come from as many nodes back, as the beginning of a window: a
   prefix of just this length. A prefix grows with the windows, by the ternary digits of its length.
   At digit 0 it is that of the window before. At 1 it is the window before and its own prefix. At 2
   it is the window before, its own window and the prefix of the one behind. So at 0 and 2 a message
   may have a prefix behind the window. No contribution is combined twice. */
#include "collectives/list.h"
#include "planner/lattice.h"

enum { RADIX = 3, PIECES_MAX = 3 };

/* What a message holds, as flags. */
enum { WINDOW = 1, PREFIX = 2 };

/* A step along a dimension: what each rank sends to those `up` nodes on and `down` nodes back. */
struct exchange {
  uint32_t dimension, side;
  uint32_t up, down;
  unsigned goes_up, goes_down; /* flags; 0: there is no such message */
  uint32_t digit;              /* of the prefix's length */
  bool has_prefix;             /* before this step */
  bool ends_dimension, ends_all;
};

static struct tny_lattice lattice_of(const struct tny_problem *problem)
{
  return tny_lattice_has_grid(problem, true) ? tny_lattice_grid(problem)
                                             : tny_lattice_line(problem);
}

/* Of a block: as many as the network has dimensions. */
static uint32_t pieces_of(const struct tny_lattice *lattice)
{
  return lattice->cables_from < lattice->dimensions ? lattice->dimensions - lattice->cables_from
                                                    : 1;
}

static uint32_t steps_along(uint32_t side)
{
  uint32_t steps = 0;
  for (uint64_t window = 1; window < side; window *= RADIX)
    steps++;
  return steps;
}

static uint32_t steps_of(const struct tny_lattice *lattice)
{
  uint32_t steps = 0;
  for (uint32_t d = 0; d < lattice->dimensions; d++)
    steps += steps_along(lattice->size[d]);
  return steps;
}

/* The last step along a side, whose ranks have windows of this length. */
static struct exchange last_exchange(uint32_t side, uint32_t window, uint32_t prefix)
{
  const bool is_whole = prefix == window;
  return (struct exchange){.side = side,
                           .up = prefix,
                           .down = window,
                           .goes_up = is_whole     ? WINDOW
                                      : prefix > 0 ? PREFIX
                                                   : 0,
                           .goes_down = side - window >= window ? WINDOW : 0,
                           .has_prefix = !is_whole && prefix > 0,
                           .ends_dimension = true};
}

/* Step k along a side; k < steps_along(side). */
static struct exchange exchange_along(uint32_t side, uint32_t k)
{
  uint32_t last = 1, window = 1;
  while (side > (uint64_t)RADIX * last)
    last *= RADIX;
  for (uint32_t i = 0; i < k; i++)
    window *= RADIX;
  const uint32_t missing = side - last;
  const uint32_t prefix = missing >= last ? missing - last : missing;
  if (window == last)
    return last_exchange(side, window, prefix);
  const uint32_t digit = prefix == last ? 0 : prefix / window % RADIX;
  const bool has_prefix = prefix < last && prefix % window > 0;
  return (struct exchange){.side = side,
                           .up = window,
                           .down = window,
                           .goes_up = WINDOW | (has_prefix && digit == 0 ? PREFIX : 0),
                           .goes_down = WINDOW | (has_prefix && digit == 2 ? PREFIX : 0),
                           .digit = digit,
                           .has_prefix = has_prefix};
}

/* A piece goes along the dimension of the hosts' ranks first, and then around those of the network
   from another one on than the other pieces. */
static uint32_t dimension_at(const struct tny_lattice *lattice, uint32_t piece, uint32_t turn)
{
  const uint32_t pieces = pieces_of(lattice), before = lattice->dimensions - pieces;
  return turn < before ? turn : before + (piece + turn - before) % pieces;
}

/* A step of all, as a piece takes it. */
static struct exchange exchange_of(const struct tny_lattice *lattice, uint32_t piece, uint32_t step)
{
  uint32_t turn = 0, dimension = dimension_at(lattice, piece, turn), k = step;
  while (k >= steps_along(lattice->size[dimension])) {
    k -= steps_along(lattice->size[dimension]);
    dimension = dimension_at(lattice, piece, ++turn);
  }
  struct exchange exchange = exchange_along(lattice->size[dimension], k);
  exchange.dimension = dimension;
  exchange.ends_all = step + 1 == steps_of(lattice);
  return exchange;
}

static uint32_t blocks_of(unsigned content)
{
  return (content & WINDOW ? 1 : 0) + (content & PREFIX ? 1 : 0);
}

/* Blocks of scratch space for what comes from one side in a step: prefixes are made behind windows
   where any side needs some. */
static uint32_t place_blocks(const struct tny_lattice *lattice)
{
  for (uint32_t step = 0; step < steps_of(lattice); step++)
    if (exchange_of(lattice, 0, step).has_prefix)
      return 2;
  return 1;
}

/* --- the steps --- */

/* Where a rank has what it has combined of a piece; a prefix stands behind its window. */
struct part {
  enum tny_buffer buffer;
  uint32_t first;
  uint32_t from_below, from_above; /* the receives of this step; TNY_NONE: none */
};

struct writer {
  struct tny_lattice lattice;
  struct tny_builder *builder;
  uint32_t here; /* index in the lattice */
  uint32_t pieces;
  uint32_t places; /* blocks of each place for what arrives */
  struct part parts[PIECES_MAX];
};

enum { BELOW, ABOVE, SIDES };

static uint32_t rank_after(const struct writer *writer, const struct exchange *exchange,
                           uint32_t nodes)
{
  return tny_lattice_rank_after(&writer->lattice, writer->here, exchange->dimension, nodes);
}

static struct tny_span span_of(const struct writer *writer, uint32_t piece, enum tny_buffer buffer,
                               uint32_t first, uint32_t count)
{
  return (struct tny_span){buffer, first, count, piece, writer->pieces, 1};
}

/* What came from a side, and behind it the prefix. */
static struct tny_span place_of(const struct writer *writer, uint32_t piece, uint32_t step,
                                uint32_t side, unsigned content)
{
  const uint32_t first = (SIDES * step + side) * writer->places;
  return span_of(writer, piece, TNY_SCRATCH, first + (content == PREFIX), blocks_of(content));
}

/* What the rank has. */
static struct tny_span held(const struct writer *writer, uint32_t piece, unsigned content)
{
  const struct part *part = &writer->parts[piece];
  return span_of(writer, piece, part->buffer, part->first + (content == PREFIX),
                 blocks_of(content));
}

static struct tny_span output_of(const struct writer *writer, uint32_t piece)
{
  return span_of(writer, piece, TNY_OUTPUT, 0, 1);
}

static void send(const struct writer *writer, uint32_t piece, uint32_t step)
{
  const struct exchange exchange = exchange_of(&writer->lattice, piece, step);
  if (exchange.goes_up)
    tny_builder_send(writer->builder, rank_after(writer, &exchange, exchange.up),
                     held(writer, piece, exchange.goes_up), step);
  if (exchange.goes_down)
    tny_builder_send(writer->builder, rank_after(writer, &exchange, exchange.side - exchange.down),
                     held(writer, piece, exchange.goes_down), step);
}

/* Where the last step of a dimension puts what is combined. */
static struct tny_span target_of(const struct writer *writer, uint32_t piece, uint32_t step,
                                 const struct exchange *exchange)
{
  return exchange->ends_all ? output_of(writer, piece)
                            : place_of(writer, piece, step, BELOW, WINDOW);
}

/* What comes first in the last step of a dimension is received where it's combined. */
static void receive(struct writer *writer, uint32_t piece, uint32_t step)
{
  const struct exchange exchange = exchange_of(&writer->lattice, piece, step);
  struct part *part = &writer->parts[piece];
  part->from_below = part->from_above = TNY_NONE;
  if (exchange.goes_up)
    part->from_below = tny_builder_recv(
        writer->builder, rank_after(writer, &exchange, exchange.side - exchange.up),
        exchange.ends_dimension ? target_of(writer, piece, step, &exchange)
                                : place_of(writer, piece, step, BELOW, exchange.goes_up),
        step);
  if (exchange.goes_down)
    part->from_above =
        tny_builder_recv(writer->builder, rank_after(writer, &exchange, exchange.down),
                         exchange.ends_dimension && !exchange.goes_up
                             ? target_of(writer, piece, step, &exchange)
                             : place_of(writer, piece, step, ABOVE, exchange.goes_down),
                         step);
}

/* Makes the longer prefix, behind what came from below, while that is still the window alone. */
static void combine_prefix(const struct writer *writer, uint32_t piece, uint32_t step,
                           const struct exchange *exchange)
{
  const struct part *part = &writer->parts[piece];
  const struct tny_span prefix = place_of(writer, piece, step, BELOW, PREFIX);
  if (exchange->digit == 0)
    return;
  tny_builder_copy(writer->builder, place_of(writer, piece, step, BELOW, WINDOW), prefix);
  tny_builder_after(writer->builder, part->from_below);
  if (exchange->digit == 2)
    tny_builder_reduce_right(writer->builder, held(writer, piece, WINDOW), prefix);
  if (!exchange->has_prefix)
    return;
  if (exchange->digit == 1) {
    tny_builder_reduce_right(writer->builder, held(writer, piece, PREFIX), prefix);
    return;
  }
  tny_builder_reduce_right(writer->builder, place_of(writer, piece, step, ABOVE, PREFIX), prefix);
  tny_builder_after(writer->builder, part->from_above);
}

/* What came from below, the rank's own and what came from above, in this order. */
static void combine(struct writer *writer, uint32_t piece, uint32_t step)
{
  const struct exchange exchange = exchange_of(&writer->lattice, piece, step);
  struct part *part = &writer->parts[piece];
  const struct tny_span target = exchange.ends_dimension
                                     ? target_of(writer, piece, step, &exchange)
                                     : place_of(writer, piece, step, BELOW, WINDOW);
  if (!exchange.ends_dimension)
    combine_prefix(writer, piece, step, &exchange);
  if (part->from_below == TNY_NONE) {
    tny_builder_reduce_left(writer->builder, held(writer, piece, WINDOW), target);
    tny_builder_after(writer->builder, part->from_above);
  } else {
    tny_builder_reduce_right(writer->builder, held(writer, piece, WINDOW), target);
    tny_builder_after(writer->builder, part->from_below);
    if (part->from_above != TNY_NONE) {
      tny_builder_reduce_right(writer->builder, place_of(writer, piece, step, ABOVE, WINDOW),
                               target);
      tny_builder_after(writer->builder, part->from_above);
    }
  }
  part->buffer = target.buffer;
  part->first = target.first;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  struct writer writer = {.lattice = lattice_of(problem), .builder = builder};
  const uint32_t steps = steps_of(&writer.lattice), pieces = pieces_of(&writer.lattice);
  writer.here = tny_lattice_index(problem, &writer.lattice, rank);
  writer.pieces = pieces;
  writer.places = place_blocks(&writer.lattice);
  for (uint32_t piece = 0; piece < pieces; piece++)
    writer.parts[piece] = (struct part){.buffer = TNY_INPUT};
  if (steps == 0)
    tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1), tny_span_blocks(TNY_OUTPUT, 0, 1));
  for (uint32_t step = 0; step < steps; step++) {
    for (uint32_t piece = 0; piece < pieces; piece++)
      send(&writer, piece, step);
    for (uint32_t piece = 0; piece < pieces; piece++)
      receive(&writer, piece, step);
    for (uint32_t piece = 0; piece < pieces; piece++)
      combine(&writer, piece, step);
  }
}

/* --- the claim --- */

/* Adds what a message from every node of a ring to the one so many nodes on puts on its links in
   this direction, and where it may go either way, in the other. */
static void add_load(uint32_t loads[SIDES], uint32_t direction, const struct exchange *exchange,
                     uint32_t nodes)
{
  loads[direction] += nodes;
  if (2 * (uint64_t)nodes == exchange->side)
    loads[!direction] += nodes;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
  return a > b ? a : b;
}

/* Adds what a step has: its messages, their blocks, the most on a port and on a link. */
static void count_step(const struct tny_lattice *lattice, uint32_t step, struct tny_claim *claim)
{
  uint32_t messages = 0, loads[TNY_LATTICE_DIMENSIONS_MAX][SIDES] = {{0}};
  for (uint32_t piece = 0; piece < pieces_of(lattice); piece++) {
    const struct exchange exchange = exchange_of(lattice, piece, step);
    uint32_t *load = loads[exchange.dimension];
    messages += exchange.goes_up > 0;
    messages += exchange.goes_down > 0;
    claim->blocks_sent_max += blocks_of(exchange.goes_up) + blocks_of(exchange.goes_down);
    if (exchange.goes_up)
      add_load(load, ABOVE, &exchange, exchange.up);
    if (exchange.goes_down)
      add_load(load, BELOW, &exchange, exchange.down);
  }
  for (uint32_t d = lattice->cables_from; d < lattice->dimensions; d++)
    claim->grid_link_messages =
        larger(claim->grid_link_messages, larger(loads[d][BELOW], loads[d][ABOVE]));
  claim->port_messages = larger(claim->port_messages, messages);
  claim->rounds += messages;
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_lattice lattice = lattice_of(problem);
  const uint32_t steps = steps_of(&lattice);
  struct tny_claim claim = {.phases = steps,
                            .scratch_blocks = SIDES * steps * place_blocks(&lattice)};
  for (uint32_t step = 0; step < steps; step++)
    count_step(&lattice, step, &claim);
  claim.blocks_sent_max = (claim.blocks_sent_max + pieces_of(&lattice) - 1) / pieces_of(&lattice);
  return claim;
}

static uint32_t pieces(const struct tny_problem *problem, uint32_t wanted)
{
  (void)wanted;
  const struct tny_lattice lattice = lattice_of(problem);
  return pieces_of(&lattice);
}

const struct tny_algorithm tny_allreduce_trivance = {
    .collective = TNY_ALLREDUCE,
    .name = "trivance",
    .source = "juerss2026b",
    .summary = "windows of ranks, three into one a step, on and back along rings",
    .needs = "any p",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_NONE,
    .pieces = pieces,
    .commutes = true,
    .by_name_only = true,
    .claim = claim,
    .emit = emit,
};
