/* All-to-all, Bruck: few long messages instead of many short ones. A block that has to go j
   positions on goes there by the digits of j in some radix, all blocks with the same digit in one
   message.

   Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms for all-to-all
           communications in multiport message-passing systems", the index algorithm. TuNA of Fan,
           Domke, Ba, Kumar, "Configurable non-uniform all-to-all algorithms" (arXiv 2411.02581),
           has its messages; with hosts it is tuna. Both that and the two-phase Bruck of Fan,
           Gilray, Pascucci, Huang, Micinski, Kumar, "Optimizing the Bruck algorithm for non-uniform
           all-to-all communication" (2022), send the blocks' sizes ahead of each message. Here a
           pattern says them: messages have the bytes of the blocks in them, without padding
   Needs:  any p, any radix, the cluster: ranks stand in switch order, so that short ways stay on
           one switch; on one switch that is by rank
   Shape:  p=4, radix 2:  1 and 3 positions on: message of 2 blocks to +1; 2 and 3: 2 blocks to +2
   Cost:   (r-1)*x + floor((p-1)/r^x) rounds, r^x the highest power of the radix r below p: at
           most (r-1)*ceil(log_r p), which is the number for p = r^k. A rank sends a block for each
           digit other than 0 of the numbers below p: k*p/2 for r = 2 and p = 2^k. From radix p-1
           on, p-1 messages of one block that go straight there
   Links:  one message a port and phase; a trunk carries up to min(ranks on either side)
   Prefer: for short blocks (64 bytes, say) on one switch: ceil(log2 p) messages instead of p-1.
           Long blocks pay for travelling several times. A larger radix suits blocks between the two

   The way of a block is the number of positions that it has to go. Digits are taken from the lowest
   weight up, so before weight w a block has gone its way modulo w. The block is in the input as
   long as that is 0, and then in the bin of its way. Messages and bins have the ways in falling
   order, so that blocks arrive in the output's order. Each message is packed from where its blocks
   lie, and unpacked to where they go next; a message of one block goes straight from input to
   output. */
#include "collectives/list.h"
#include "collectives/shared/copies.h"
#include "planner/position.h"

enum { RADIX = 2 };

struct bruck {
  const struct tny_problem *problem;
  uint32_t p, radix;
};

/* The message of all ways, below p, that have `digit` (not 0) at `weight`. */
struct message {
  uint64_t weight;
  uint32_t digit, blocks;
  uint32_t packed_before; /* packed blocks of this weight's messages before it */
};

/* Scratch has a bin for each way with two digits other than 0, the least of which is r+1; then the
   blocks that are packed to be sent; and two areas for what arrives, used alternately, as the next
   weight's messages may come while this one's are unpacked. */
struct layout {
  uint32_t bins, packed[2]; /* what is sent has as much as the first area */
};

/* Appending one rank's steps. */
struct writer {
  const struct bruck *bruck;
  struct tny_builder *builder;
  struct layout layout;
  uint32_t here, phase;
  uint32_t area;        /* for what arrives at this weight */
  uint32_t unpacked[2]; /* the last step that empties each area; TNY_NONE: none */
};

static struct bruck bruck_of(const struct tny_problem *problem)
{
  return (struct bruck){.problem = problem, .p = problem->rank_count, .radix = problem->parameter};
}

/* What is more than one block is packed. */
static bool is_packed(const struct message *message)
{
  return message->blocks > 1;
}

static uint32_t blocks_in(const struct bruck *bruck, const struct message *message)
{
  const uint64_t weight = message->weight, cycle = weight * bruck->radix;
  const uint64_t first = message->digit * weight, rest = bruck->p % cycle;
  const uint64_t beyond = rest > first ? rest - first : 0;
  return (uint32_t)(bruck->p / cycle * weight + (beyond < weight ? beyond : weight));
}

/* Steps to the next message of a weight, from {.weight = weight} on; false behind the last. */
static bool next_message(const struct bruck *bruck, struct message *message)
{
  if (is_packed(message))
    message->packed_before += message->blocks;
  message->digit++;
  if (message->digit >= bruck->radix || message->digit * message->weight >= bruck->p)
    return false;
  message->blocks = blocks_in(bruck, message);
  return true;
}

/* The most is packed at the first weight. */
static struct layout layout_of(const struct bruck *bruck)
{
  const uint64_t least_bin = bruck->radix + (uint64_t)1;
  struct layout layout = {.bins = bruck->p > least_bin ? (uint32_t)(bruck->p - least_bin) : 0};
  uint32_t area = 0;
  for (uint64_t weight = 1; weight < bruck->p; weight *= bruck->radix, area = !area) {
    struct message m = {.weight = weight};
    while (next_message(bruck, &m))
      continue;
    if (m.packed_before > layout.packed[area])
      layout.packed[area] = m.packed_before;
  }
  return layout;
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct bruck bruck = bruck_of(problem);
  const struct layout layout = layout_of(&bruck);
  struct tny_claim claim = {
      .port_messages = 1, .scratch_blocks = layout.bins + 2 * layout.packed[0] + layout.packed[1]};
  for (uint64_t weight = 1; weight < bruck.p; weight *= bruck.radix) {
    for (struct message m = {.weight = weight}; next_message(&bruck, &m);) {
      claim.rounds++;
      claim.blocks_sent_max += m.blocks;
    }
  }
  claim.phases = claim.rounds;
  return claim;
}

/* The rank at an offset in switch order. */
static uint32_t rank_after(const struct writer *writer, uint64_t offset)
{
  return tny_position_rank(tny_problem_order(writer->bruck->problem), writer->bruck->p,
                           writer->here, (uint32_t)offset);
}

static struct tny_span input(const struct writer *writer, uint64_t way)
{
  return tny_span_blocks(TNY_INPUT, rank_after(writer, way), 1);
}

static struct tny_span output(const struct writer *writer, uint64_t way)
{
  return tny_span_blocks(TNY_OUTPUT, rank_after(writer, writer->bruck->p - way), 1);
}

/* `count` bins, the first that of `way`; ways fall. */
static struct tny_span bins(const struct writer *writer, uint64_t way, uint32_t count)
{
  return tny_span_blocks(TNY_SCRATCH, (uint32_t)(writer->bruck->p - 1 - way), count);
}

static struct tny_span sent(const struct writer *writer, const struct message *message)
{
  return tny_span_blocks(TNY_SCRATCH, writer->layout.bins + message->packed_before,
                         message->blocks);
}

static struct tny_span arrived(const struct writer *writer, const struct message *message)
{
  struct tny_span span = sent(writer, message);
  span.first += (1 + writer->area) * writer->layout.packed[0];
  return span;
}

/* Takes `count` blocks off the front. */
static struct tny_span take(struct tny_span *span, uint32_t count)
{
  const struct tny_span taken = tny_span_blocks(span->buffer, span->first, count);
  span->first += count;
  span->count -= count;
  return taken;
}

/* Ways with a digit form runs of `weight`; the first way of the highest run. */
static uint64_t highest_run(const struct bruck *bruck, const struct message *message)
{
  const uint64_t cycle = message->weight * bruck->radix, first = message->digit * message->weight;
  return first + (bruck->p - 1 - first) / cycle * cycle;
}

static uint32_t run_length(const struct bruck *bruck, const struct message *message, uint64_t run)
{
  return (uint32_t)(bruck->p - run < message->weight ? bruck->p - run : message->weight);
}

/* The first way of a run is still in the input. */
static void pack(const struct writer *writer, const struct message *message)
{
  const uint64_t cycle = message->weight * writer->bruck->radix;
  struct tny_copies copies = {.builder = writer->builder};
  struct tny_span to = sent(writer, message);
  for (uint64_t run = highest_run(writer->bruck, message); to.count > 0; run -= cycle) {
    const uint32_t length = run_length(writer->bruck, message, run);
    if (length > 1)
      tny_copies_add(&copies, bins(writer, run + length - 1, length - 1), take(&to, length - 1));
    tny_copies_add(&copies, input(writer, run), take(&to, 1));
  }
  tny_copies_finish(&copies);
}

/* The lowest run has come where it belongs, the others go on. */
static void unpack(const struct writer *writer, const struct message *message,
                   struct tny_copies *copies)
{
  const uint64_t cycle = message->weight * writer->bruck->radix;
  struct tny_span from = arrived(writer, message);
  uint64_t run = highest_run(writer->bruck, message);
  for (; run >= cycle; run -= cycle) {
    const uint32_t length = run_length(writer->bruck, message, run);
    tny_copies_add(copies, take(&from, length), bins(writer, run + length - 1, length));
  }
  for (uint64_t way = run + from.count; way-- > run;)
    tny_copies_add(copies, take(&from, 1), output(writer, way));
}

static void exchange(struct writer *writer, const struct message *message)
{
  const uint64_t way = message->digit * message->weight;
  const uint32_t to = rank_after(writer, way);
  const uint32_t from = rank_after(writer, writer->bruck->p - way);
  const uint32_t phase = writer->phase++, emptied = writer->unpacked[writer->area];
  if (!is_packed(message)) {
    tny_builder_send(writer->builder, to, input(writer, way), phase);
    tny_builder_recv(writer->builder, from, output(writer, way), phase);
    return;
  }
  pack(writer, message);
  tny_builder_send(writer->builder, to, sent(writer, message), phase);
  tny_builder_recv(writer->builder, from, arrived(writer, message), phase);
  if (emptied != TNY_NONE)
    tny_builder_after(writer->builder, emptied);
}

/* All messages of a weight; once they are complete, so that what is sent may be packed anew, what
   arrived is unpacked. */
static void emit_weight(struct writer *writer, uint64_t weight)
{
  struct tny_copies copies = {.builder = writer->builder,
                              .wait_first = writer->builder->steps.count};
  for (struct message m = {.weight = weight}; next_message(writer->bruck, &m);)
    exchange(writer, &m);
  copies.wait_end = writer->builder->steps.count;
  for (struct message m = {.weight = weight}; next_message(writer->bruck, &m);)
    if (is_packed(&m))
      unpack(writer, &m, &copies);
  tny_copies_finish(&copies);
  writer->unpacked[writer->area] = writer->builder->steps.count - 1;
  writer->area = !writer->area;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct bruck bruck = bruck_of(problem);
  struct writer writer = {.bruck = &bruck,
                          .builder = builder,
                          .layout = layout_of(&bruck),
                          .here = tny_position_of(tny_problem_positions(problem), rank),
                          .unpacked = {TNY_NONE, TNY_NONE}};
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                   tny_span_blocks(TNY_OUTPUT, rank, 1));
  for (uint64_t weight = 1; weight < bruck.p; weight *= bruck.radix)
    emit_weight(&writer, weight);
}

const struct tny_algorithm tny_alltoall_bruck = {
    .collective = TNY_ALLTOALL,
    .name = "bruck",
    .source = "bruck1997",
    .summary = "blocks travel by the digits of their way, those with a digit in one message",
    .needs = "any p, the cluster; short blocks",
    .parameter = {.name = "radix", .standard = RADIX, .least = 2},
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .claim = claim,
    .emit = emit,
};
