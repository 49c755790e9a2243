/* What a collective moves. */
#include "exchange.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  GUARD_BYTES = 64,
  PRIME_COUNT = 97,
  THOUSANDS_COUNT = 2503,
  NOBODYS_COUNT = 2,
  SIDES_APART = 100 /* between the numbers of an intercommunicator's two sides */
};

/* Who gives and gets: `sends_each`: a block for each peer, not one; `is_addressed`: what a rank
   gives to one isn't what it gives to another; `combines`: what a rank gets is combined of what all
   give. */
struct shape {
  bool root_sends, root_receives, sends_each, gets_each, is_addressed, combines;
};
static const struct shape shapes[COLLECTIVES] = {
    [BCAST] = {.root_sends = true},
    [ALLGATHER] = {.gets_each = true},
    [ALLTOALL] = {.sends_each = true, .gets_each = true, .is_addressed = true},
    [ALLGATHERV] = {.gets_each = true},
    [ALLTOALLV] = {.sends_each = true, .gets_each = true, .is_addressed = true},
    [ALLTOALLW] = {.sends_each = true, .gets_each = true, .is_addressed = true},
    [GATHERV] = {.root_receives = true, .gets_each = true},
    [SCATTERV] = {.root_sends = true, .sends_each = true, .is_addressed = true},
    [REDUCE] = {.root_receives = true, .combines = true},
    [ALLREDUCE] = {.combines = true},
    [REDUCE_SCATTER_BLOCK] = {.sends_each = true, .is_addressed = true, .combines = true},
    [REDUCE_SCATTER] = {.sends_each = true, .is_addressed = true, .combines = true},
    [NEIGHBOR_ALLGATHER] = {.gets_each = true},
    [NEIGHBOR_ALLGATHERV] = {.gets_each = true},
    [NEIGHBOR_ALLTOALL] = {.sends_each = true, .gets_each = true, .is_addressed = true},
    [NEIGHBOR_ALLTOALLV] = {.sends_each = true, .gets_each = true, .is_addressed = true},
    [NEIGHBOR_ALLTOALLW] = {.sends_each = true, .gets_each = true, .is_addressed = true},
};

/* --- counts --- */

/* Elements of the block from one rank to another; the same both ways, as an all-to-all in place
   wants it. */
static int elements(enum pattern pattern, int one, int other)
{
  const int least = one < other ? one : other;
  switch (pattern) {
  case NONE:
    return 0;
  case ONE:
    return 1;
  case FEW:
    return 3;
  case PRIME:
    return PRIME_COUNT;
  case THOUSANDS:
    return THOUSANDS_COUNT;
  case UNEVEN:
    return 1 + ((one + other) * 7 + least * 5) % 11 * 23;
  case SOME_ZERO:
    return (one + other) % 3 == 0 ? 0 : 5 + one + other;
  case LONG_ROW:
    return least == 0 ? THOUSANDS_COUNT : 2;
  }
  return 0;
}

static int block_elements(const struct exchange *exchange, int from, int to)
{
  const struct shape *shape = &shapes[exchange->collective];
  if (exchange->pattern >= UNEVEN && (from == MPI_PROC_NULL || to == MPI_PROC_NULL))
    return NOBODYS_COUNT;
  if (shape->combines)
    from = to = shape->is_addressed ? to : 0;
  if (!shape->is_addressed)
    to = from;
  if (shape->root_sends)
    from = to;
  return elements(exchange->pattern, from, to);
}

/* --- who takes part --- */

static bool sends(const struct exchange *exchange)
{
  const struct shape *shape = &shapes[exchange->collective];
  const struct member *member = exchange->member;
  if (shape->root_sends)
    return exchange->is_root && exchange->collective != BCAST;
  return !shape->root_receives || !member->is_inter || member->side == 1;
}

/* An intercommunicator's root is on its first side, where nobody else takes part. */
static bool is_idle(const struct exchange *exchange)
{
  const struct member *member = exchange->member;
  return has_root(exchange->collective) && member->is_inter && member->side == 0 &&
         !exchange->is_root;
}

/* A broadcast's block is among the arguments of all: of its root, and of who is idle; a reduce's is
   too. */
static bool receives(const struct exchange *exchange)
{
  const struct shape *shape = &shapes[exchange->collective];
  const struct member *member = exchange->member;
  if (shape->root_receives)
    return exchange->is_root || (shape->combines && is_idle(exchange));
  return !shape->root_sends || !member->is_inter || member->side == 1 ||
         exchange->collective == BCAST;
}

/* The root's rank, among the ranks of its group. */
static int root_rank(const struct member *member, enum root root)
{
  const int count = member->is_inter && member->side == 1 ? member->peers : member->count;
  if (root == ROOT_FIRST)
    return 0;
  return root == ROOT_LAST ? count - 1 : count / 2;
}

static void find_root(struct exchange *exchange, enum root root)
{
  const struct member *member = exchange->member;
  exchange->root = root_rank(member, root);
  exchange->is_root =
      has_root(exchange->collective) && member->side == 0 && member->rank == exchange->root;
  if (member->is_inter && member->side == 0)
    exchange->root = exchange->is_root ? MPI_ROOT : MPI_PROC_NULL;
}

/* --- blocks --- */

/* The number that stands for a rank. */
static int identity(const struct member *member, int rank, bool is_peer)
{
  const int side = member->is_inter && is_peer ? !member->side : member->side;
  return rank + SIDES_APART * side;
}

/* Which description of the signature this rank uses, for this side of the call and its next block.
 */
static int layout_for(const struct exchange *exchange, const struct side *side)
{
  const bool by_block =
      exchange->collective == ALLTOALLW || exchange->collective == NEIGHBOR_ALLTOALLW;
  return (exchange->member->rank + (side == &exchange->receive) +
          (by_block ? side->block_count : 0)) %
         layouts_of(exchange->kind);
}

/* The next block: that which this rank gives the peer, or gets from it. Several between the same
   two have the same data, so that it doesn't matter which comes where. */
static void add_block(const struct exchange *exchange, struct side *side, int peer)
{
  const struct member *member = exchange->member;
  const bool receiving = side == &exchange->receive;
  const int own = identity(member, member->rank, false);
  const int other = identity(member, peer, !exchange->is_root || exchange->collective != BCAST);
  const int layout = layout_for(exchange, side);
  const int count = receiving ? block_elements(exchange, peer, member->rank)
                              : block_elements(exchange, member->rank, peer);
  side->blocks[side->block_count++] = (struct block){
      .from = receiving ? other : own,
      .to = !shapes[exchange->collective].is_addressed ? 0
            : receiving                                ? own
                                                       : other,
      .is_nobodys = peer == MPI_PROC_NULL,
      .count = count * side->layouts[layout].repeat,
      .layout = layout,
  };
}

static void add_blocks(const struct exchange *exchange, struct side *side)
{
  const struct shape *shape = &shapes[exchange->collective];
  const bool receiving = side == &exchange->receive;
  if (!(receiving ? receives(exchange) : sends(exchange)))
    return;
  if (!(receiving ? shape->gets_each : shape->sends_each)) {
    const int root = exchange->is_root ? exchange->member->rank : exchange->root;
    add_block(exchange, side, has_root(exchange->collective) ? root : 0);
    return;
  }
  if (has_neighbours(exchange->collective)) {
    const struct neighbours *of =
        receiving ? &exchange->member->sources : &exchange->member->destinations;
    for (int i = 0; i < of->count; i++)
      add_block(exchange, side, of->ranks[i]);
    return;
  }
  for (int peer = 0; peer < exchange->member->peers; peer++)
    add_block(exchange, side, peer);
}

static MPI_Aint block_bytes(const struct side *side, const struct block *block)
{
  return block->count * side->layouts[block->layout].extent;
}

/* Puts blocks one behind another; where they have displacements, the last one first, with an
   element left out before each. Returns the bytes that this takes. */
static MPI_Aint place_blocks(const struct exchange *exchange, struct side *side)
{
  const bool backward = has_displacements(exchange->collective) && side->block_count > 1;
  MPI_Aint at = 0;
  for (int i = 0; i < side->block_count; i++) {
    struct block *block = &side->blocks[backward ? side->block_count - 1 - i : i];
    at += backward ? side->layouts[block->layout].extent : 0;
    block->place = at;
    at += block_bytes(side, block);
  }
  return at;
}

/* --- memory --- */

static void *take(size_t bytes)
{
  void *memory = malloc(bytes);
  if (!memory)
    MPI_Abort(MPI_COMM_WORLD, 9);
  return memory;
}

static void make_layouts(const struct exchange *exchange, struct side *side)
{
  for (int i = 0; i < layouts_of(exchange->kind); i++)
    side->layouts[i] = layout_make(exchange->kind, i, side->buffer);
}

static void release_layouts(const struct exchange *exchange, struct side *side)
{
  for (int i = 0; i < layouts_of(exchange->kind); i++)
    layout_release(&side->layouts[i]);
}

/* Does the receive side's memory have the input, of more blocks than the result? */
static bool has_input_behind(const struct exchange *exchange)
{
  const struct shape *shape = &shapes[exchange->collective];
  return exchange->is_in_place && shape->combines && shape->is_addressed;
}

/* The bytes of all blocks of the send side, which lie one behind another. */
static MPI_Aint input_bytes(const struct exchange *exchange)
{
  MPI_Aint bytes = 0;
  for (int i = 0; i < exchange->send.block_count; i++)
    bytes += block_bytes(&exchange->send, &exchange->send.blocks[i]);
  return bytes;
}

/* Where a type has the memory's address, it is made again when that is known. */
static void make_side(const struct exchange *exchange, struct side *side)
{
  make_layouts(exchange, side);
  add_blocks(exchange, side);
  MPI_Aint bytes = place_blocks(exchange, side);
  if (side == &exchange->receive && has_input_behind(exchange))
    bytes = input_bytes(exchange);
  side->bytes = (size_t)bytes + 2 * GUARD_BYTES + LAYOUT_BEFORE;
  side->memory = take(side->bytes);
  side->buffer = side->memory + GUARD_BYTES + LAYOUT_BEFORE;
  if (side->layouts[0].is_absolute) {
    release_layouts(exchange, side);
    make_layouts(exchange, side);
  }
}

void exchange_make(struct exchange *exchange, const struct combination *combination,
                   const struct member *member)
{
  const size_t *value = combination->value;
  *exchange = (struct exchange){.collective = (enum collective)value[AXIS_COLLECTIVE],
                                .kind = (enum kind)value[AXIS_KIND],
                                .operation = (enum operation)value[AXIS_OPERATION],
                                .pattern = (enum pattern)value[AXIS_PATTERN],
                                .member = member};
  find_root(exchange, (enum root)value[AXIS_ROOT]);
  exchange->is_in_place =
      value[AXIS_PLACE] == IN_PLACE && (!has_root(exchange->collective) || exchange->is_root);
  make_side(exchange, &exchange->send);
  make_side(exchange, &exchange->receive);
}

void exchange_release(struct exchange *exchange)
{
  release_layouts(exchange, &exchange->send);
  release_layouts(exchange, &exchange->receive);
  free(exchange->send.memory);
  free(exchange->receive.memory);
}

/* --- data --- */

static uint32_t mix(uint32_t state)
{
  state ^= state >> 16;
  state *= 0x7feb352dU;
  state ^= state >> 15;
  state *= 0x846ca68bU;
  return state ^ state >> 16;
}

/* Element `number` of the data of one rank for another. */
static struct element draw_element(const struct exchange *exchange, const struct layout *layout,
                                   int number, int from, int to)
{
  struct element element;
  unsigned drawn[ITEMS_MAX];
  for (int item = 0; item < layout->items; item++)
    drawn[item] = mix((uint32_t)(number * layout->items + item) + 0x10001U * (uint32_t)from +
                      0x9e3779b9U * (uint32_t)to);
  operation_fill(exchange->operation, layout, drawn, from, &element);
  return element;
}

/* An element that a rank gets: what one has given, or the combination of what all have, in the
   order of their ranks. */
static struct element expect_element(const struct exchange *exchange, const struct layout *layout,
                                     const struct block *block, int number)
{
  const struct member *member = exchange->member;
  if (!shapes[exchange->collective].combines)
    return draw_element(exchange, layout, number, block->from, block->to);
  const int last = member->peers - 1;
  struct element all =
      draw_element(exchange, layout, number, identity(member, last, true), block->to);
  for (int peer = last; peer-- > 0;) {
    const struct element one =
        draw_element(exchange, layout, number, identity(member, peer, true), block->to);
    operation_combine(exchange->operation, layout, &one, &all);
  }
  return all;
}

/* Writes an element into a block's items, in the order of its signature. */
static void write_element(const struct side *side, const struct block *block, int number,
                          const struct element *element)
{
  const struct layout *layout = &side->layouts[block->layout];
  unsigned char *begin = side->buffer + block->place + number * layout->extent;
  for (int item = 0; item < layout->items; item++)
    memcpy(begin + layout->offsets[item], element->items[item], (size_t)layout->bytes[item]);
}

/* Writes the data of one rank for another into a block. */
static void write_block(const struct exchange *exchange, const struct side *side,
                        const struct block *block, int from, int to)
{
  for (int i = 0; i < block->count; i++) {
    const struct element element =
        draw_element(exchange, &side->layouts[block->layout], i, from, to);
    write_element(side, block, i, &element);
  }
}

static void fill_side(const struct side *side, unsigned seed)
{
  for (size_t i = 0; i < side->bytes; i++)
    side->memory[i] = (unsigned char)(seed + 37 * i);
}

/* What a rank gives out of the memory that it receives into: a broadcast's root all, in place its
   own block, or each peer's where each gets another, or its input of a reduction. */
static void fill_in_place(const struct exchange *exchange)
{
  const struct shape *shape = &shapes[exchange->collective];
  const struct side *side = &exchange->receive;
  const int rank = exchange->member->rank;
  if (exchange->collective == BCAST && exchange->is_root)
    write_block(exchange, side, &side->blocks[0], side->blocks[0].from, 0);
  for (int i = 0; exchange->is_in_place && shape->combines && i < exchange->send.block_count; i++) {
    const struct block *block = &exchange->send.blocks[i];
    write_block(exchange, side, block, block->from, block->to);
  }
  if (!exchange->is_in_place || !shape->gets_each)
    return;
  for (int peer = 0; peer < side->block_count; peer++)
    if (shape->is_addressed)
      write_block(exchange, side, &side->blocks[peer], rank, peer);
    else if (peer == rank)
      write_block(exchange, side, &side->blocks[peer], rank, 0);
}

void exchange_fill(const struct exchange *exchange)
{
  const struct side *side = &exchange->send;
  fill_side(side, 0x5a);
  fill_side(&exchange->receive, 0xa5);
  for (int i = 0; i < side->block_count; i++)
    write_block(exchange, side, &side->blocks[i], side->blocks[i].from, side->blocks[i].to);
  fill_in_place(exchange);
}

/* In place, a scatter's root receives nothing: its block stays where it is. */
void exchange_expect(const struct exchange *exchange)
{
  const struct side *side = &exchange->receive;
  if ((exchange->is_in_place && exchange->collective == SCATTERV) || is_idle(exchange))
    return;
  for (int i = 0; i < side->block_count; i++)
    for (int number = 0; !side->blocks[i].is_nobodys && number < side->blocks[i].count; number++) {
      const struct block *block = &side->blocks[i];
      const struct element element =
          expect_element(exchange, &side->layouts[block->layout], block, number);
      write_element(side, block, number, &element);
    }
}

/* Of a reduce-scatter in place, the input behind the result. */
void exchange_forget(const struct exchange *exchange)
{
  const struct side *side = &exchange->receive;
  MPI_Aint before = 0;
  if (!has_input_behind(exchange))
    return;
  for (int item = 0; item < side->layouts[0].items; item++)
    if (side->layouts[0].offsets[item] < before)
      before = side->layouts[0].offsets[item];
  const MPI_Aint first = block_bytes(side, &side->blocks[0]);
  memset(side->buffer + first + before, 0, (size_t)(input_bytes(exchange) - first));
}
