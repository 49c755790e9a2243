/* All-gather, PAT (parallel aggregated trees): every rank's block goes along its own binomial tree,
   the farthest way first. All trees are the same one, shifted, and go on in parallel, so that a
   message has the blocks of several.

   Source: Jeaugey, "PAT: a new algorithm for all-gather and reduce-scatter operations at scale"
           (arXiv 2506.20252), of which only the abstract was at hand: any p, a logarithmic number
           of messages for short blocks, few far ones, buffers of logarithmic size. The order within
           subtrees, and what is packed, are ours
   Needs:  any p, any aggregation, the cluster: ranks stand in switch order, so that short ways stay
           on one switch
   Shape:  p=4, all blocks in a message:  0 -> 2, then 0 -> 1 blocks 0 2. p=4, aggregation 1:
           0 -> 2 its own, then 0 -> 1 that of 2, then 0 -> 1 its own
   Cost:   with A, the aggregation, rounded down to a power of two, and m = ceil(log2 p) - log2 A:
           ceil(log2 p) - m + min(2^m, p) - 1 rounds; ceil(log2 p) where A is p or more, p-1 where
           it is 1. p-1 blocks sent by each rank, up to A in a message. Up to (3 + 2m) A blocks of
           scratch space. Each block is copied out of it, and in the first rounds to be packed
   Links:  one message a port and round. Over the longest way goes a single block, twice as many
           each time the way halves, up to A; where A is small, half of the messages go to
           neighbours, a quarter two positions on, and so on
   Prefer: where trunks between distant ranks are few: a rank sends one block p/2 positions on,
           combining p/2 of them; for short blocks with a large aggregation. Its reduce-scatter is
           what it is made for: that needs no space for all blocks

   Offsets count from a tree's root. First the blocks are handed on by multiples of 2^m, of which A
   are below p: a rank then has the blocks of so many trees, in which it roots subtrees of 2^m
   offsets. These are gone through depth first, all at once: the same edge of each in one message.
   What arrives along an edge lies in a slot of scratch space until the edges below it are done; on
   each level there are two, used alternately. The trees whose offsets would be beyond p are the
   last of a slot, so that what goes on is always the slot's beginning. */
#include "collectives/list.h"
#include "core/log2.h"
#include "planner/position.h"

enum { AGGREGATION = 8, LEVELS_MAX = 32 };

/* p offsets: `bases` multiples of 2^subtree_bits, the roots of the subtrees. */
struct shape {
  uint32_t p, bases, subtree_bits;
};

static struct shape shape_of(const struct tny_problem *problem)
{
  const uint32_t bits = tny_log2_ceil(problem->rank_count);
  uint32_t joined = 0;
  while (joined < bits && problem->parameter >> joined > 1)
    joined++;
  const uint64_t subtree = (uint64_t)1 << (bits - joined);
  return (struct shape){.p = problem->rank_count,
                        .bases = (uint32_t)((problem->rank_count + subtree - 1) / subtree),
                        .subtree_bits = bits - joined};
}

/* The subtrees that have an offset, which is below p in the first one. */
static uint32_t trees_at(const struct shape *shape, uint32_t offset)
{
  return (uint32_t)((uint64_t)(shape->p - 1 - offset) >> shape->subtree_bits) + 1;
}

/* Blocks of trees that lie one behind the other in scratch space, as they came along an edge to an
   offset. What reads them waits for the step that brought them; what comes next into the slot waits
   for its readers. */
struct slot {
  uint32_t first, offset;
  uint32_t received; /* the step; TNY_NONE: a later step of the queue waits for it already */
  uint32_t reader_count, readers[LEVELS_MAX + 1];
};

/* Appending one rank's steps. Scratch space begins with the blocks of the bases; then come areas
   for what is packed and unpacked, and the slots. */
struct writer {
  const struct tny_problem *problem;
  struct tny_builder *builder;
  struct shape shape;
  uint32_t here, phase;
  uint32_t area; /* the next free one */
  struct slot base, slots[LEVELS_MAX][2];
  struct slot *arrived; /* what is to be copied to the output */
  uint32_t turn;        /* by level, a bit: the slot used last */
};

/* The rank so many positions on, or before. */
static uint32_t rank_after(const struct writer *writer, uint64_t offset)
{
  return tny_position_rank(tny_problem_order(writer->problem), writer->shape.p, writer->here,
                           (uint32_t)offset);
}

static uint32_t rank_before(const struct writer *writer, uint64_t offset)
{
  return rank_after(writer, writer->shape.p - offset);
}

static struct tny_span scratch(uint32_t first, uint32_t count)
{
  return tny_span_blocks(TNY_SCRATCH, first, count);
}

/* The last step appended reads a slot; it is of the queue of sends. */
static void note_reader(struct writer *writer, struct slot *slot, uint32_t step)
{
  if (slot->received != TNY_NONE)
    tny_builder_after(writer->builder, slot->received);
  slot->received = TNY_NONE;
  slot->readers[slot->reader_count++] = step;
}

/* Copies what arrived along the edge before to the output, when this one's message is on its way.
   Copies end in their order: of a slot's, only the last one counts as a reader. */
static void copy_arrived(struct writer *writer)
{
  struct slot *slot = writer->arrived;
  const uint64_t subtree = (uint64_t)1 << writer->shape.subtree_bits;
  const uint32_t own = slot == &writer->base;
  for (uint32_t tree = own; tree < trees_at(&writer->shape, slot->offset); tree++) {
    const uint32_t block = rank_before(writer, tree * subtree + slot->offset);
    const uint32_t step = tny_builder_copy(writer->builder, scratch(slot->first + tree, 1),
                                           tny_span_blocks(TNY_OUTPUT, block, 1));
    if (tree > own)
      slot->reader_count--;
    note_reader(writer, slot, step);
  }
}

/* --- the bases --- */

/* Every other multiple of `weight` bases goes on by as much. */
static void split(struct writer *writer, uint32_t weight)
{
  const uint32_t count = (writer->shape.bases + weight - 1) / (2 * weight);
  const uint64_t way = (uint64_t)weight << writer->shape.subtree_bits;
  struct tny_builder *builder = writer->builder;
  uint32_t sent = writer->base.first;
  if (count > 1) {
    sent = writer->area;
    writer->area += count;
    for (uint32_t i = 0; i < count; i++)
      tny_builder_copy(builder, scratch(writer->base.first + 2 * weight * i, 1),
                       scratch(sent + i, 1));
  }
  tny_builder_send(builder, rank_after(writer, way), scratch(sent, count), writer->phase);
  const uint32_t received = tny_builder_recv(builder, rank_before(writer, way),
                                             scratch(writer->area, count), writer->phase++);
  for (uint32_t i = 0; i < count; i++) {
    tny_builder_copy(builder, scratch(writer->area + i, 1),
                     scratch(writer->base.first + weight * (2 * i + 1), 1));
    if (i == 0)
      tny_builder_after(builder, received);
  }
  writer->area += count;
}

/* --- the subtrees --- */

/* An edge from a slot's offset on by `way`. Returns the slot where its blocks come to. */
static struct slot *follow(struct writer *writer, struct slot *from, uint32_t way, uint32_t level)
{
  writer->turn ^= (uint32_t)1 << level;
  struct slot *to = &writer->slots[level][writer->turn >> level & 1];
  struct tny_builder *builder = writer->builder;
  const uint32_t offset = from->offset + way, count = trees_at(&writer->shape, offset);
  const uint32_t sent = tny_builder_send(builder, rank_after(writer, way),
                                         scratch(from->first, count), writer->phase);
  note_reader(writer, from, sent);
  const uint32_t received = tny_builder_recv(builder, rank_before(writer, way),
                                             scratch(to->first, count), writer->phase++);
  for (uint32_t i = 0; i < to->reader_count; i++)
    tny_builder_after(builder, to->readers[i]);
  copy_arrived(writer);
  to->offset = offset;
  to->received = received;
  to->reader_count = 0;
  writer->arrived = to;
  return to;
}

/* All edges below a slot's offset, the farthest first, each with what is below it. */
static void spread(struct writer *writer, struct slot *from, uint32_t bits, uint32_t level)
{
  while (bits-- > 0) {
    const uint32_t way = (uint32_t)1 << bits;
    if (way < writer->shape.p - from->offset)
      spread(writer, follow(writer, from, way, level), bits, level + 1);
  }
}

static uint32_t slots_first(const struct shape *shape)
{
  return 3 * shape->bases - 2;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_span own = tny_span_blocks(TNY_INPUT, 0, 1);
  struct writer writer = {.problem = problem,
                          .builder = builder,
                          .shape = shape_of(problem),
                          .here = tny_position_of(tny_problem_positions(problem), rank)};
  const uint32_t bases = writer.shape.bases;
  tny_builder_copy(builder, own, tny_span_blocks(TNY_OUTPUT, rank, 1));
  if (problem->rank_count == 1)
    return;
  tny_builder_copy(builder, own, scratch(0, 1));
  writer.area = bases;
  writer.base.received = TNY_NONE;
  writer.arrived = &writer.base;
  for (uint32_t i = 0; i < 2 * writer.shape.subtree_bits; i++)
    writer.slots[i / 2][i % 2].first = slots_first(&writer.shape) + i * bases;
  for (uint32_t bits = tny_log2_ceil(bases); bits-- > 0;)
    split(&writer, (uint32_t)1 << bits);
  spread(&writer, &writer.base, writer.shape.subtree_bits, 0);
  copy_arrived(&writer);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct shape shape = shape_of(problem);
  const uint32_t p = problem->rank_count;
  const uint64_t subtree = (uint64_t)1 << shape.subtree_bits;
  const uint32_t rounds = tny_log2_ceil(shape.bases) + (subtree < p ? (uint32_t)subtree : p) - 1;
  return (struct tny_claim){
      .rounds = rounds,
      .phases = rounds,
      .blocks_sent_max = p - 1,
      .scratch_blocks = p > 1 ? slots_first(&shape) + 2 * shape.subtree_bits * shape.bases : 0,
      .port_messages = 1};
}

const struct tny_algorithm tny_allgather_pat = {
    .collective = TNY_ALLGATHER,
    .name = "pat",
    .source = "jeaugey2025",
    .summary = "parallel trees, the farthest way first, several of them in a message",
    .needs = "any p, the cluster",
    .parameter = {.name = "aggregation", .standard = AGGREGATION, .least = 1},
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .by_name_only = true,
    .joins_blocks = true,
    .lies_in_scratch = true,
    .claim = claim,
    .emit = emit,
};
