/* All-to-all, ReTri: Bruck's way with balanced ternary digits. A block goes up to half the ranks on
   or back, by digits -1, 0 and 1 of its way; all blocks with the same digit go in one message.

   Source: Juerss, Schmid, "Revisiting Bruck: phase-efficient all-to-all communication in
           reconfigurable networks" (arXiv 2605.26930), of which only the abstract was at hand:
           blocks go on by balanced ternary, in ceil(log3 p) phases of exchanges both ways. What is
           done for p that isn't 3^k, and the layout, are ours; links aren't reconfigured here
   Needs:  any p, the cluster: ranks stand in switch order, so that short ways stay on one switch
   Shape:  p=4, ways -1 .. 2:  1 to +1, -1 and 2 to -1 in a message;  then 2 to +3. p=9, ways
           -4 .. 4:  -2, 1 and 4 to +1, -4, -1 and 2 to -1;  then 2, 3, 4 to +3, -4, -3, -2 to -3
   Cost:   up to 2 ceil(log3 p) rounds: a phase of the source's is two, as hosts here have one port.
           A rank sends a block for each digit other than 0 of the ways, about 2/3 p log3 p. About
           3p blocks of scratch space
   Links:  one message a port and round; on a ring they go 1, 3, 9, .. nodes far, both ways
   Prefer: on small rings for short blocks: of 64 bytes on ring:9 it takes 65 us, bruck:3 70 and
           bruck:2 105, as simulated; on ring:27 bruck:3 is ahead with 232 us against 252. On one
           switch bruck, which takes as many rounds with radix 3 and fewer with 2

   The way of a block is the number of positions that it has to go, from lowest to highest. Digits
   are taken from the lowest weight up. A block is in the input until its first digit other than 0,
   and then in the bin of its way. Messages and bins have the ways in falling order, so that blocks
   arrive in the output's order. */
#include "collectives/list.h"
#include "collectives/shared/copies.h"
#include "planner/position.h"

enum { RADIX = 3 };

struct ways {
  int64_t lowest, highest;
};

/* The blocks of a weight whose digit has this sign. */
struct message {
  int64_t weight, sign;
  uint32_t blocks;
};

/* Appending one rank's steps. Scratch space has a bin for each way, then an area of `most` blocks
   for what is sent each way, and two for what arrives, used alternately, as the next weight's
   messages may come while this one's are unpacked. */
struct writer {
  const struct tny_problem *problem;
  struct tny_builder *builder;
  struct ways ways;
  uint32_t here, most, phase;
  uint32_t turn;        /* of the areas for what arrives */
  uint32_t unpacked[2]; /* the last step that empties each; TNY_NONE: none */
};

static struct ways ways_of(const struct tny_problem *problem)
{
  const int64_t p = problem->rank_count;
  return (struct ways){.lowest = -((p - 1) / 2), .highest = p / 2};
}

/* What a way's digits below a weight, a power of 3, amount to: from -weight/2 to weight/2. */
static int64_t below(int64_t way, int64_t weight)
{
  const int64_t half = weight / 2, rest = (way + half) % weight;
  return (rest < 0 ? rest + weight : rest) - half;
}

static bool is_in(const struct message *message, int64_t way)
{
  return below(way, RADIX * message->weight) - below(way, message->weight) ==
         message->sign * message->weight;
}

static bool starts_in(const struct message *message, int64_t way)
{
  return below(way, message->weight) == 0;
}

static bool ends_in(const struct message *message, int64_t way)
{
  return below(way, RADIX * message->weight) == way;
}

/* A block that has no other digit goes straight from input to output where it is alone. */
static bool is_straight(const struct ways *ways, const struct message *message)
{
  const int64_t way = message->sign * message->weight;
  return message->blocks == 1 && way >= ways->lowest && way <= ways->highest;
}

static struct message message_of(const struct ways *ways, int64_t weight, int64_t sign)
{
  struct message message = {.weight = weight, .sign = sign};
  for (int64_t way = ways->lowest; way <= ways->highest; way++)
    message.blocks += is_in(&message, way);
  return message;
}

/* Of a message. */
static uint32_t most_blocks(const struct ways *ways)
{
  uint32_t most = 0;
  for (int64_t weight = 1; weight / 2 < ways->highest; weight *= RADIX) {
    const uint32_t blocks = message_of(ways, weight, 1).blocks;
    const uint32_t others = message_of(ways, weight, -1).blocks;
    most = blocks > most ? blocks : most;
    most = others > most ? others : most;
  }
  return most;
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct ways ways = ways_of(problem);
  const uint32_t most = most_blocks(&ways);
  struct tny_claim claim = {.port_messages = 1};
  for (int64_t weight = 1; weight / 2 < ways.highest; weight *= RADIX)
    for (int64_t sign = 1; sign >= -1; sign -= 2) {
      const struct message message = message_of(&ways, weight, sign);
      claim.rounds += message.blocks > 0;
      claim.blocks_sent_max += message.blocks;
    }
  claim.phases = claim.rounds;
  claim.scratch_blocks = problem->rank_count > RADIX ? problem->rank_count + 6 * most : 0;
  return claim;
}

/* The rank so many positions on, or back. */
static uint32_t rank_at(const struct writer *writer, int64_t way)
{
  const uint32_t p = writer->problem->rank_count;
  return tny_position_rank(tny_problem_order(writer->problem), p, writer->here,
                           (uint32_t)((way + p) % p));
}

static struct tny_span scratch(uint32_t first, uint32_t count)
{
  return tny_span_blocks(TNY_SCRATCH, first, count);
}

static struct tny_span bin(const struct writer *writer, int64_t way)
{
  return scratch((uint32_t)(writer->ways.highest - way), 1);
}

static struct tny_span input(const struct writer *writer, int64_t way)
{
  return tny_span_blocks(TNY_INPUT, rank_at(writer, way), 1);
}

static struct tny_span output(const struct writer *writer, int64_t way)
{
  return tny_span_blocks(TNY_OUTPUT, rank_at(writer, -way), 1);
}

static struct tny_span area(const struct writer *writer, uint32_t number,
                            const struct message *message)
{
  const uint32_t first = 2 * number + (message->sign < 0);
  return scratch(writer->problem->rank_count + first * writer->most, message->blocks);
}

static struct tny_span sent(const struct writer *writer, const struct message *message)
{
  return area(writer, 0, message);
}

static struct tny_span arrived(const struct writer *writer, const struct message *message)
{
  return area(writer, 1 + writer->turn, message);
}

static void pack(const struct writer *writer, const struct message *message)
{
  struct tny_copies copies = {.builder = writer->builder};
  uint32_t at = sent(writer, message).first;
  for (int64_t way = writer->ways.highest; way >= writer->ways.lowest; way--)
    if (is_in(message, way))
      tny_copies_add(&copies, starts_in(message, way) ? input(writer, way) : bin(writer, way),
                     scratch(at++, 1));
  tny_copies_finish(&copies);
}

static void unpack(const struct writer *writer, const struct message *message,
                   struct tny_copies *copies)
{
  uint32_t at = arrived(writer, message).first;
  for (int64_t way = writer->ways.highest; way >= writer->ways.lowest; way--)
    if (is_in(message, way))
      tny_copies_add(copies, scratch(at++, 1),
                     ends_in(message, way) ? output(writer, way) : bin(writer, way));
}

static void exchange(struct writer *writer, const struct message *message)
{
  const int64_t way = message->sign * message->weight;
  const uint32_t to = rank_at(writer, way), from = rank_at(writer, -way);
  const uint32_t emptied = writer->unpacked[writer->turn], phase = writer->phase++;
  if (is_straight(&writer->ways, message)) {
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

/* Both messages of a weight; once they are complete, so that what is sent may be packed anew, what
   arrived is unpacked. */
static void emit_weight(struct writer *writer, int64_t weight)
{
  const struct message messages[] = {message_of(&writer->ways, weight, 1),
                                     message_of(&writer->ways, weight, -1)};
  struct tny_copies copies = {.builder = writer->builder,
                              .wait_first = writer->builder->steps.count};
  for (uint32_t i = 0; i < 2; i++)
    if (messages[i].blocks > 0)
      exchange(writer, &messages[i]);
  copies.wait_end = writer->builder->steps.count;
  for (uint32_t i = 0; i < 2; i++)
    if (!is_straight(&writer->ways, &messages[i]))
      unpack(writer, &messages[i], &copies);
  tny_copies_finish(&copies);
  writer->unpacked[writer->turn] = writer->builder->steps.count - 1;
  writer->turn = !writer->turn;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  struct writer writer = {.problem = problem,
                          .builder = builder,
                          .ways = ways_of(problem),
                          .here = tny_position_of(tny_problem_positions(problem), rank),
                          .unpacked = {TNY_NONE, TNY_NONE}};
  writer.most = most_blocks(&writer.ways);
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                   tny_span_blocks(TNY_OUTPUT, rank, 1));
  for (int64_t weight = 1; weight / 2 < writer.ways.highest; weight *= RADIX)
    emit_weight(&writer, weight);
}

const struct tny_algorithm tny_alltoall_retri = {
    .collective = TNY_ALLTOALL,
    .name = "retri",
    .source = "juerss2026",
    .summary = "blocks travel by balanced ternary digits of their way, on or back",
    .needs = "any p, the cluster; short blocks",
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .by_name_only = true,
    .claim = claim,
    .emit = emit,
};
