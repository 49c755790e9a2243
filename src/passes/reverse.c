/* The pass that turns a rank's steps round in time: what it sent it receives and combines, and what
   it received it sends.

   Of each location of the old buffers there is a value: what has been combined so far of the block
   that lies there in the old schedule. The output's begin as this rank's contributions, in the new
   input. An old message, turned round, carries the value from where the block came to to where it
   came from, where it is combined with what is there. What is in the new input is only read: the
   first message for it gets space of its own, and the contribution is combined into that. */
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/steps.h"
#include "schedule/words.h"

/* Where a value lies in the new buffers. */
struct value {
  bool is_there;
  enum tny_buffer buffer;
  uint32_t block;
  uint32_t slot;     /* in scratch space: in `slots` */
  uint32_t received; /* the receive that brings it; TNY_NONE: it's there when its turn comes */
};

/* A piece of a block of scratch space. */
struct slot {
  uint32_t block;
  uint32_t user; /* the step behind which it is free; TNY_NONE: none has used it yet */
  uint32_t next; /* of the free ones of this piece, the one that is free the longest first */
};

/* Those of a piece of any block; where places are kept, of a piece of one block. */
struct piece_slots {
  uint32_t count, free_count, free_first, free_last;
};

struct reversal {
  const struct tny_steps *in;
  const struct tny_reversed *of;
  struct tny_builder out;
  struct value *values; /* by old location: the input's first, then by block and piece */
  uint32_t inputs;      /* old blocks of input */
  uint32_t blocks;      /* of which a piece has slots of its own; 1: any block's */
  uint32_t first_input; /* the block of those that the old input begins with */
  struct slot *slots;
  uint32_t slot_count, slot_room;
  struct piece_slots *piece_slots; /* by block, and piece */
};

/* --- scratch space --- */

static struct piece_slots *slots_of(struct reversal *reversal, uint32_t block, uint32_t piece)
{
  const uint32_t of = reversal->blocks > 1 ? block : 0;
  return &reversal->piece_slots[(size_t)of * reversal->of->piece_count + piece];
}

static uint32_t new_slot(struct reversal *reversal, uint32_t block, uint32_t piece)
{
  struct piece_slots *of = slots_of(reversal, block, piece);
  const uint32_t offset = reversal->blocks > 1 ? block : 0;
  if (reversal->slot_count == reversal->slot_room) {
    const uint32_t room = 2 * reversal->slot_room + 16;
    struct slot *grown = tny_resize(reversal->slots, room, sizeof *grown);
    if (!grown) {
      tny_error_memory(&reversal->out.error);
      return TNY_NONE;
    }
    reversal->slots = grown;
    reversal->slot_room = room;
  }
  reversal->slots[reversal->slot_count] =
      (struct slot){of->count++ * reversal->blocks + offset, TNY_NONE, TNY_NONE};
  return reversal->slot_count++;
}

/* A free one, or where fewer than two are free, a new one: so what comes next needn't wait for what
   was done last. TNY_NONE: no memory. */
static uint32_t take_slot(struct reversal *reversal, uint32_t block, uint32_t piece)
{
  struct piece_slots *of = slots_of(reversal, block, piece);
  if (of->free_count < 2)
    return new_slot(reversal, block, piece);
  const uint32_t taken = of->free_first;
  of->free_first = reversal->slots[taken].next;
  of->free_count--;
  return taken;
}

static void give_back(struct reversal *reversal, uint32_t slot, uint32_t piece, uint32_t user)
{
  struct piece_slots *of =
      slots_of(reversal, reversal->slots[slot].block % reversal->blocks, piece);
  reversal->slots[slot].user = user;
  if (of->free_count++ == 0)
    of->free_first = slot;
  else
    reversal->slots[of->free_last].next = slot;
  of->free_last = slot;
}

/* --- values --- */

static struct tny_span span_at(const struct reversal *reversal, enum tny_buffer buffer,
                               uint32_t block, uint32_t piece)
{
  return (struct tny_span){.buffer = buffer,
                           .first = block,
                           .count = 1,
                           .chunk = piece,
                           .chunk_count = reversal->of->piece_count,
                           .chunks = 1};
}

static struct tny_span span_of(const struct reversal *reversal, const struct value *value,
                               uint32_t piece)
{
  return span_at(reversal, value->buffer, value->block, piece);
}

/* By old location, of which the input's come first. */
static uint32_t location_of(const struct reversal *reversal, const struct tny_span *span,
                            uint32_t piece)
{
  const uint32_t block = span->first + (span->buffer == TNY_OUTPUT ? reversal->inputs : 0);
  return block * reversal->of->piece_count + piece;
}

static void wait_for(struct reversal *reversal, uint32_t step)
{
  if (step != TNY_NONE)
    tny_builder_after(&reversal->out, step);
}

/* Combines one value into another, which isn't in the input. */
static void combine(struct reversal *reversal, const struct value *from, struct value *into,
                    uint32_t piece)
{
  const uint32_t step = tny_builder_reduce_left(&reversal->out, span_of(reversal, from, piece),
                                                span_of(reversal, into, piece));
  wait_for(reversal, from->received);
  wait_for(reversal, into->received);
  into->received = TNY_NONE;
  if (from->buffer == TNY_SCRATCH)
    give_back(reversal, from->slot, piece, step);
}

static uint32_t turned_phase(const struct reversal *reversal, const struct tny_step *step)
{
  return step->phase == TNY_NONE ? TNY_NONE : reversal->of->phases - 1 - step->phase;
}

/* Receives a value from a peer: into the output where it is of the old input and nothing lies there
   yet, else into scratch space. */
static struct value receive(struct reversal *reversal, const struct tny_step *step, bool is_result,
                            uint32_t piece)
{
  struct value value = {.is_there = true, .buffer = TNY_OUTPUT, .block = step->span.first};
  if (!is_result) {
    const uint32_t first = step->span.buffer == TNY_INPUT ? reversal->first_input : 0;
    value.slot = take_slot(reversal, first + step->span.first, piece);
    if (value.slot == TNY_NONE)
      return value;
    value.buffer = TNY_SCRATCH;
    value.block = reversal->slots[value.slot].block;
  }
  value.received = tny_builder_recv(&reversal->out, step->peer, span_of(reversal, &value, piece),
                                    turned_phase(reversal, step));
  if (!is_result)
    wait_for(reversal, reversal->slots[value.slot].user);
  return value;
}

/* --- steps, turned round --- */

static void turn_send(struct reversal *reversal, const struct tny_step *step)
{
  const uint32_t piece = step->span.chunk;
  struct value *at = &reversal->values[location_of(reversal, &step->span, piece)];
  const bool is_own = at->is_there && at->buffer != TNY_INPUT;
  struct value come = receive(reversal, step, step->span.buffer == TNY_INPUT && !is_own, piece);
  if (!is_own && at->is_there)
    combine(reversal, at, &come, piece);
  if (is_own)
    combine(reversal, &come, at, piece);
  else
    *at = come;
}

static enum tny_status turn_receive(struct reversal *reversal, uint32_t index,
                                    struct tny_error *error)
{
  const struct tny_step *step = &reversal->in->steps[index];
  const uint32_t piece = step->span.chunk;
  struct value *at = &reversal->values[location_of(reversal, &step->span, piece)];
  if (!at->is_there)
    return tny_error_set(error, TNY_REFUSED, "%s receives what a later one receives again",
                         tny_words_step(reversal->in, index).text);
  const uint32_t sent = tny_builder_send(&reversal->out, step->peer, span_of(reversal, at, piece),
                                         turned_phase(reversal, step));
  wait_for(reversal, at->received);
  if (at->buffer == TNY_SCRATCH)
    give_back(reversal, at->slot, piece, sent);
  at->is_there = false;
  return TNY_OK;
}

/* The value goes where the block was copied from, mostly by being taken for it. */
static void turn_copy(struct reversal *reversal, const struct tny_step *step, uint32_t piece)
{
  struct value *from = &reversal->values[location_of(reversal, &step->target, piece)];
  struct value *into = &reversal->values[location_of(reversal, &step->span, piece)];
  if (from->is_there && into->is_there && into->buffer == TNY_INPUT) {
    combine(reversal, into, from, piece);
    *into = *from;
  } else if (from->is_there && into->is_there) {
    combine(reversal, from, into, piece);
  } else if (from->is_there) {
    *into = *from;
  }
  from->is_there = false;
}

/* Is the step a message of one piece, or a copy of a block from the input to the output? */
static bool can_turn(const struct reversal *reversal, const struct tny_step *step)
{
  if (step->span.count != 1 || step->span.buffer == TNY_SCRATCH)
    return false;
  if (tny_step_copies(step->kind))
    return step->span.buffer == TNY_INPUT && step->target.buffer == TNY_OUTPUT;
  return tny_step_is_message(step->kind) &&
         tny_span_pieces(&step->span, reversal->of->piece_count) == 1;
}

static enum tny_status turn(struct reversal *reversal, uint32_t index, struct tny_error *error)
{
  const struct tny_step *step = &reversal->in->steps[index];
  if (!can_turn(reversal, step))
    return tny_error_set(error, TNY_REFUSED,
                         "%s isn't turned round: only messages of one block, or a piece of one, "
                         "out of the input or output and into the output",
                         tny_words_step(reversal->in, index).text);
  if (tny_step_ends_message(step->kind))
    return turn_receive(reversal, index, error);
  if (tny_step_starts_message(step->kind)) {
    turn_send(reversal, step);
    return TNY_OK;
  }
  const uint64_t pieces = tny_span_pieces(&step->span, reversal->of->piece_count);
  for (uint32_t i = 0; i < pieces; i++)
    turn_copy(reversal, step, step->span.chunk + i);
  return TNY_OK;
}

/* What began in the old input is a result. */
static void leave_results(struct reversal *reversal)
{
  for (uint32_t block = 0; block < reversal->inputs; block++)
    for (uint32_t piece = 0; piece < reversal->of->piece_count; piece++) {
      const struct value *value =
          &reversal->values[(size_t)block * reversal->of->piece_count + piece];
      if (value->buffer == TNY_OUTPUT)
        continue;
      tny_builder_copy(&reversal->out, span_of(reversal, value, piece),
                       span_at(reversal, TNY_OUTPUT, block, piece));
      wait_for(reversal, value->received);
    }
}

/* --- the pass --- */

/* The contributions: what the old output is to hold, and where a rank has none, its input. */
static void begin(struct reversal *reversal, uint32_t outputs)
{
  const uint32_t pieces = reversal->of->piece_count;
  const uint32_t first = outputs > 0 ? reversal->inputs : 0;
  const uint32_t blocks = outputs > 0 ? outputs : reversal->inputs;
  for (uint32_t block = 0; block < blocks; block++)
    for (uint32_t piece = 0; piece < pieces; piece++)
      reversal->values[(size_t)(first + block) * pieces + piece] = (struct value){
          .is_there = true, .buffer = TNY_INPUT, .block = block, .received = TNY_NONE};
}

enum tny_status tny_pass_reverse(const struct tny_steps *in, const struct tny_reversed *of,
                                 struct tny_steps *out, uint32_t *scratch_blocks,
                                 struct tny_error *error)
{
  struct reversal reversal = {.in = in, .of = of};
  reversal.inputs = tny_rank_blocks(of->collective, TNY_INPUT, of->rank_count, of->root, of->rank);
  const uint32_t outputs =
      tny_rank_blocks(of->collective, TNY_OUTPUT, of->rank_count, of->root, of->rank);
  const size_t locations = ((size_t)reversal.inputs + outputs) * of->piece_count;
  reversal.values = tny_new(locations, sizeof *reversal.values);
  reversal.blocks = of->keeps_places ? (outputs > 0 ? outputs : reversal.inputs) : 1;
  reversal.first_input = tny_collective_in_place(of->collective, of->rank);
  const size_t piece_count = (size_t)reversal.blocks * of->piece_count;
  reversal.piece_slots = tny_new(piece_count, sizeof *reversal.piece_slots);
  *out = (struct tny_steps){0};
  enum tny_status status =
      reversal.values && reversal.piece_slots ? TNY_OK : tny_error_memory(error);
  tny_builder_init(&reversal.out);
  if (status == TNY_OK)
    begin(&reversal, outputs);
  for (uint32_t i = in->count; status == TNY_OK && i-- > 0;)
    status = turn(&reversal, i, error);
  if (status == TNY_OK)
    leave_results(&reversal);
  *scratch_blocks = 0;
  for (size_t piece = 0; status == TNY_OK && piece < piece_count; piece++)
    if (reversal.piece_slots[piece].count * reversal.blocks > *scratch_blocks)
      *scratch_blocks = reversal.piece_slots[piece].count * reversal.blocks;
  if (status == TNY_OK)
    status = tny_builder_finish(&reversal.out, out, error);
  else
    tny_steps_release(&reversal.out.steps);
  tny_free(reversal.piece_slots);
  tny_free(reversal.slots);
  tny_free(reversal.values);
  return status;
}
