/* The pass that turns a rank's steps round in time: what it sent it receives and combines, and what
   it received it sends.

   Of each location of the old buffers, a piece of a block, there is a value: what has been combined
   so far of the block that lies there in the old schedule. The output's begin as this rank's
   contributions, in the new input. An old message, turned round, carries the values from where the
   blocks came to to where they came from, where they are combined with what is there. What is in
   the new input is only read: the first message for it gets space of its own, and the contribution
   is combined into that, but only when it is to be used: a step in the list that waits for a
   message holds up the sends behind it, which may be of other blocks. */
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/steps.h"
#include "schedule/words.h"

/* As many levels as there are at most, and as many as are taken so that steps needn't wait. */
enum { LEVELS_MAX = 8, LEVELS_EASY = 3 };

/* Where a value lies in the new buffers. */
struct value {
  bool is_there;
  enum tny_buffer buffer;
  uint32_t at; /* block times pieces, and the piece: in scratch space level times keys, and key */
  uint32_t received; /* the receive that brings it; TNY_NONE: it's there when its turn comes */
  /* Where in the new input the contribution is, as `at`, that is still to be combined into it;
     TNY_NONE: none. */
  uint32_t owed;
};

/* A key's scratch space: a block or piece at each level, by bits. */
struct levels {
  uint32_t known, used;
  uint32_t users[LEVELS_MAX]; /* the steps behind which they are free; TNY_NONE: none yet */
};

struct reversal {
  const struct tny_steps *in;
  const struct tny_reversed *of;
  struct tny_builder out;
  uint32_t inputs, outputs; /* old blocks */
  struct value *values;     /* by old location: of the input, the output, scratch space */
  /* Scratch space has a key for each piece of a block: of any, or of each of so many blocks, so
     that neighbours are neighbours there too. */
  uint32_t key_blocks;
  uint32_t scratch_key;  /* the first of the old scratch space, in blocks */
  struct levels *levels; /* by key */
};

/* Neighbouring old locations. */
struct run {
  uint32_t first, count; /* locations */
  uint32_t key;          /* the first one's */
};

/* --- locations and values --- */

static uint32_t pieces_of(const struct reversal *reversal)
{
  return reversal->of->piece_count;
}

/* Of a step's span: whole blocks, or pieces of one. */
static struct run run_of(const struct reversal *reversal, const struct tny_span *span)
{
  const uint32_t pieces = pieces_of(reversal), piece = span->chunk_count == 1 ? 0 : span->chunk;
  uint32_t block = span->first, key = span->first;
  if (span->buffer == TNY_INPUT)
    key += tny_collective_in_place(reversal->of->collective, reversal->of->rank);
  if (span->buffer != TNY_INPUT)
    block += reversal->inputs;
  if (span->buffer == TNY_SCRATCH) {
    block += reversal->outputs;
    key += reversal->scratch_key;
  }
  return (struct run){.first = block * pieces + piece,
                      .count = (uint32_t)tny_span_pieces(span, pieces),
                      .key = (reversal->key_blocks > 1 ? key : 0) * pieces + piece};
}

/* Do the values lie one behind the other, and alike? Beyond a block, whole blocks alone do. */
static bool lie_together(const struct value *first, const struct value *other, uint32_t distance)
{
  if (!first->is_there || !other->is_there)
    return first->is_there == other->is_there;
  const bool owes_alike =
      first->owed == TNY_NONE ? other->owed == TNY_NONE : first->owed + distance == other->owed;
  return first->buffer == other->buffer && first->at + distance == other->at && owes_alike;
}

/* The part of a run from its location `from` on that lies together. */
static struct run part_from(const struct reversal *reversal, const struct run *run, uint32_t from)
{
  const struct value *values = &reversal->values[run->first + from];
  const uint32_t pieces = pieces_of(reversal);
  uint32_t count = 1, most = run->count - from;
  while (count < most && lie_together(values, &values[count], count))
    count++;
  if (count < most || from > 0) { /* not all of it: within a block */
    most = pieces - (run->first + from) % pieces;
    if (pieces > 1 && count > most)
      count = most;
  }
  return (struct run){run->first + from, count, run->key + from};
}

static struct tny_span span_at(const struct reversal *reversal, enum tny_buffer buffer, uint32_t at,
                               uint32_t count)
{
  const uint32_t pieces = pieces_of(reversal);
  if (at % pieces == 0 && count % pieces == 0)
    return tny_span_blocks(buffer, at / pieces, count / pieces);
  return (struct tny_span){buffer, at / pieces, 1, at % pieces, pieces, count};
}

static struct tny_span span_of(const struct reversal *reversal, const struct run *run)
{
  const struct value *value = &reversal->values[run->first];
  return span_at(reversal, value->buffer, value->at, run->count);
}

/* The last step waits for an earlier one; `last`: for which it does already. */
static void wait_for(struct reversal *reversal, uint32_t step, uint32_t *last)
{
  if (step != TNY_NONE && step != *last)
    tny_builder_after(&reversal->out, step);
  *last = step;
}

/* The last step waits until the values are there. */
static void wait_until_there(struct reversal *reversal, const struct run *run)
{
  uint32_t last = TNY_NONE;
  for (uint32_t i = 0; i < run->count; i++)
    wait_for(reversal, reversal->values[run->first + i].received, &last);
}

/* --- scratch space --- */

static uint32_t key_count_of(const struct reversal *reversal)
{
  return reversal->key_blocks * pieces_of(reversal);
}

/* The step behind which a level is free at all of a run's keys; 0: it is now. */
static uint32_t free_behind(const struct reversal *reversal, const struct run *run, uint32_t level)
{
  uint32_t behind = 0;
  for (uint32_t i = 0; i < run->count; i++) {
    const uint32_t user = reversal->levels[run->key + i].users[level];
    if (user != TNY_NONE && user + 1 > behind)
      behind = user + 1;
  }
  return behind;
}

/* A level that is free at all of the run's keys, the longest; where fewer than two are, a new one,
   so that what comes next needn't wait for what was done last, unless there are many already.
   LEVELS_MAX: there is none. */
static uint32_t choose_level(const struct reversal *reversal, const struct run *run)
{
  uint32_t known = 0, is_free = UINT32_MAX, chosen = LEVELS_MAX, free_count = 0;
  for (uint32_t i = 0; i < run->count; i++) {
    const struct levels *levels = &reversal->levels[run->key + i];
    known |= levels->known;
    is_free &= levels->known & ~levels->used;
  }
  for (uint32_t level = 0; level < LEVELS_MAX; level++) {
    if (!(is_free >> level & 1))
      continue;
    free_count++;
    if (chosen == LEVELS_MAX ||
        free_behind(reversal, run, level) < free_behind(reversal, run, chosen))
      chosen = level;
  }
  const uint32_t end = free_count == 0 ? LEVELS_MAX : free_count == 1 ? LEVELS_EASY : 0;
  for (uint32_t level = 0; level < end; level++)
    if (!(known >> level & 1))
      return level;
  return chosen;
}

/* Puts the run's values into space of their own; what writes there waits for `users`, by key. */
static enum tny_status take_space(struct reversal *reversal, const struct run *run,
                                  struct value *values, struct tny_error *error)
{
  const uint32_t level = choose_level(reversal, run);
  if (level == LEVELS_MAX)
    return tny_error_set(error, TNY_REFUSED,
                         "turned round, it would take more than %d blocks of scratch space at once",
                         LEVELS_MAX);
  for (uint32_t i = 0; i < run->count; i++) {
    struct levels *levels = &reversal->levels[run->key + i];
    levels->known |= (uint32_t)1 << level;
    levels->used |= (uint32_t)1 << level;
    values[i] = (struct value){.is_there = true,
                               .buffer = TNY_SCRATCH,
                               .at = level * key_count_of(reversal) + run->key + i,
                               .received = TNY_NONE,
                               .owed = TNY_NONE};
  }
  return TNY_OK;
}

/* The last step waits until the space of these values is free. */
static void wait_until_free(struct reversal *reversal, const struct value *values, uint32_t count)
{
  const uint32_t keys = key_count_of(reversal);
  uint32_t last = TNY_NONE;
  for (uint32_t i = 0; i < count; i++)
    wait_for(reversal, reversal->levels[values[i].at % keys].users[values[i].at / keys], &last);
}

/* The values have been used by a step, for the last time. */
static void give_back(struct reversal *reversal, const struct value *values, uint32_t count,
                      uint32_t user)
{
  const uint32_t keys = key_count_of(reversal);
  for (uint32_t i = 0; i < count; i++) {
    if (values[i].buffer != TNY_SCRATCH)
      continue;
    struct levels *levels = &reversal->levels[values[i].at % keys];
    levels->used &= ~((uint32_t)1 << values[i].at / keys);
    levels->users[values[i].at / keys] = user;
  }
}

/* --- steps, turned round --- */

/* Combines values into others that lie together as well, and aren't in the input. */
static void combine(struct reversal *reversal, const struct value *from, struct value *into,
                    uint32_t count)
{
  uint32_t last = TNY_NONE;
  const uint32_t step =
      tny_builder_reduce_left(&reversal->out, span_at(reversal, from->buffer, from->at, count),
                              span_at(reversal, into->buffer, into->at, count));
  for (uint32_t i = 0; i < count; i++)
    wait_for(reversal, from[i].received, &last);
  for (uint32_t i = 0; i < count; i++) {
    wait_for(reversal, into[i].received, &last);
    into[i].received = TNY_NONE;
  }
  give_back(reversal, from, count, step);
}

/* Combines what is still owed into a run's values: at once what one message has brought. */
static void settle(struct reversal *reversal, const struct run *run)
{
  for (uint32_t from = 0; from < run->count;) {
    struct run part = part_from(reversal, run, from);
    struct value *into = &reversal->values[part.first];
    uint32_t alike = 1;
    while (alike < part.count && into[alike].received == into->received)
      alike++;
    part.count = alike;
    if (into->is_there && into->owed != TNY_NONE) {
      tny_builder_reduce_left(&reversal->out, span_at(reversal, TNY_INPUT, into->owed, part.count),
                              span_at(reversal, into->buffer, into->at, part.count));
      wait_until_there(reversal, &part);
      for (uint32_t i = 0; i < part.count; i++)
        into[i].received = into[i].owed = TNY_NONE;
    }
    from += part.count;
  }
}

static uint32_t turned_phase(const struct reversal *reversal, const struct tny_step *step)
{
  return step->phase == TNY_NONE ? TNY_NONE : reversal->of->phases - 1 - step->phase;
}

/* What has come for a run is combined with its values, with contributions later; `whole`: they lie
   together. */
static void take_in(struct reversal *reversal, const struct run *run, struct value *come,
                    bool whole)
{
  struct value *values = &reversal->values[run->first];
  const bool is_input = values->is_there && values->buffer == TNY_INPUT;
  if (values->is_there && !is_input) {
    settle(reversal, run);
    if (whole || values->buffer == TNY_OUTPUT) {
      combine(reversal, come, values, run->count);
      return;
    }
    combine(reversal, values, come, run->count);
  }
  for (uint32_t i = 0; i < run->count; i++) {
    const uint32_t owed = is_input ? values[i].at : TNY_NONE;
    values[i] = come[i];
    values[i].owed = owed;
  }
}

/* Receives values: into the output where they are of the old input and nothing is there yet, else
   into scratch space. come: room for the run's. */
static enum tny_status turn_send(struct reversal *reversal, const struct tny_step *step,
                                 struct value *come, struct tny_error *error)
{
  const struct run run = run_of(reversal, &step->span);
  const struct value *values = &reversal->values[run.first];
  bool is_result = step->span.buffer == TNY_INPUT;
  for (uint32_t i = 0; i < run.count; i++) {
    is_result = is_result && (!values[i].is_there || values[i].buffer == TNY_INPUT);
    come[i] = (struct value){.is_there = true,
                             .buffer = TNY_OUTPUT,
                             .at = run.first + i,
                             .received = TNY_NONE,
                             .owed = TNY_NONE};
  }
  if (!is_result) {
    const enum tny_status status = take_space(reversal, &run, come, error);
    if (status != TNY_OK)
      return status;
  }
  const uint32_t received = tny_builder_recv(&reversal->out, step->peer,
                                             span_at(reversal, come->buffer, come->at, run.count),
                                             turned_phase(reversal, step));
  if (!is_result)
    wait_until_free(reversal, come, run.count);
  for (uint32_t i = 0; i < run.count; i++)
    come[i].received = received;
  for (uint32_t from = 0; from < run.count;) {
    const struct run part = part_from(reversal, &run, from);
    take_in(reversal, &part, &come[from], part.count == run.count);
    from += part.count;
  }
  return TNY_OK;
}

/* Has values that lie apart lie together, in scratch space. */
static enum tny_status gather(struct reversal *reversal, const struct run *run, struct value *room,
                              struct tny_error *error)
{
  const enum tny_status status = take_space(reversal, run, room, error);
  for (uint32_t from = 0; status == TNY_OK && from < run->count;) {
    const struct run part = part_from(reversal, run, from);
    struct value *values = &reversal->values[part.first];
    const uint32_t step =
        tny_builder_copy(&reversal->out, span_of(reversal, &part),
                         span_at(reversal, TNY_SCRATCH, room[from].at, part.count));
    wait_until_there(reversal, &part);
    wait_until_free(reversal, &room[from], part.count);
    give_back(reversal, values, part.count, step);
    for (uint32_t i = 0; i < part.count; i++)
      values[i] = room[from + i];
    from += part.count;
  }
  return status;
}

static enum tny_status turn_receive(struct reversal *reversal, uint32_t index, struct value *room,
                                    struct tny_error *error)
{
  const struct tny_step *step = &reversal->in->steps[index];
  const struct run run = run_of(reversal, &step->span);
  struct value *values = &reversal->values[run.first];
  for (uint32_t i = 0; i < run.count; i++)
    if (!values[i].is_there)
      return tny_error_set(error, TNY_REFUSED, "%s receives what is received again or isn't wanted",
                           tny_words_step(reversal->in, index).text);
  settle(reversal, &run);
  if (part_from(reversal, &run, 0).count < run.count) {
    const enum tny_status status = gather(reversal, &run, room, error);
    if (status != TNY_OK)
      return status;
  }
  const uint32_t sent = tny_builder_send(&reversal->out, step->peer, span_of(reversal, &run),
                                         turned_phase(reversal, step));
  wait_until_there(reversal, &run);
  give_back(reversal, values, run.count, sent);
  for (uint32_t i = 0; i < run.count; i++)
    values[i].is_there = false;
  return TNY_OK;
}

/* The values go where the blocks were copied from, mostly by being taken for those. */
static void turn_copy(struct reversal *reversal, const struct tny_step *step)
{
  const struct run from = run_of(reversal, &step->target), into = run_of(reversal, &step->span);
  settle(reversal, &from);
  settle(reversal, &into);
  for (uint32_t done = 0; done < from.count;) {
    struct run part = part_from(reversal, &from, done);
    const struct run other = part_from(reversal, &into, done);
    if (other.count < part.count)
      part.count = other.count;
    struct value *values = &reversal->values[part.first];
    struct value *others = &reversal->values[other.first];
    const bool is_own = others->is_there && others->buffer != TNY_INPUT;
    if (values->is_there && is_own)
      combine(reversal, values, others, part.count);
    else if (values->is_there && others->is_there)
      combine(reversal, others, values, part.count);
    for (uint32_t i = 0; i < part.count; i++) {
      if (values[i].is_there && !is_own)
        others[i] = values[i];
      values[i].is_there = false;
    }
    done += part.count;
  }
}

static enum tny_status turn(struct reversal *reversal, uint32_t index, struct value *room,
                            struct tny_error *error)
{
  const struct tny_step *step = &reversal->in->steps[index];
  if (step->phase != TNY_NONE && step->phase >= reversal->of->phases)
    return tny_error_set(error, TNY_REFUSED, "%s has a phase beyond the last of %u",
                         tny_words_step(reversal->in, index).text, reversal->of->phases);
  if (tny_step_is_token(step->kind) || tny_step_reduces(step->kind))
    return tny_error_set(error, TNY_REFUSED, "%s isn't turned round: only messages and copies",
                         tny_words_step(reversal->in, index).text);
  if (tny_step_ends_message(step->kind))
    return turn_receive(reversal, index, room, error);
  if (tny_step_starts_message(step->kind))
    return turn_send(reversal, step, room, error);
  turn_copy(reversal, step);
  return TNY_OK;
}

/* What began in the old input is a result. */
static enum tny_status leave_results(struct reversal *reversal, struct tny_error *error)
{
  const struct run all = {.count = reversal->inputs * pieces_of(reversal)};
  settle(reversal, &all);
  for (uint32_t from = 0; from < all.count;) {
    const struct run part = part_from(reversal, &all, from);
    const struct value *value = &reversal->values[from];
    if (!value->is_there)
      return tny_error_set(error, TNY_REFUSED, "block %u of the input is never sent or copied",
                           from / pieces_of(reversal));
    if (value->buffer != TNY_OUTPUT) {
      tny_builder_copy(&reversal->out, span_of(reversal, &part),
                       span_at(reversal, TNY_OUTPUT, from, part.count));
      wait_until_there(reversal, &part);
    }
    from += part.count;
  }
  return TNY_OK;
}

/* --- the pass --- */

/* The contributions: what the old output is to hold, and where a rank has none, its input. */
static void begin(struct reversal *reversal)
{
  const uint32_t pieces = pieces_of(reversal);
  const uint32_t first = reversal->outputs > 0 ? reversal->inputs : 0;
  const uint32_t blocks = reversal->outputs > 0 ? reversal->outputs : reversal->inputs;
  for (uint32_t i = 0; i < blocks * pieces; i++)
    reversal->values[(size_t)first * pieces + i] = (struct value){
        .is_there = true, .buffer = TNY_INPUT, .at = i, .received = TNY_NONE, .owed = TNY_NONE};
  for (uint32_t key = 0; key < key_count_of(reversal); key++)
    for (uint32_t level = 0; level < LEVELS_MAX; level++)
      reversal->levels[key].users[level] = TNY_NONE;
}

/* Whether a step is a message that doesn't lie in scratch space. */
static bool has_message_outside(const struct tny_steps *steps)
{
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct tny_step *step = &steps->steps[i];
    if (tny_step_is_message(step->kind) && step->span.buffer != TNY_SCRATCH)
      return true;
  }
  return false;
}

/* Is a message longer than a block, or are blocks kept in scratch space? */
static bool has_neighbours(const struct tny_steps *steps)
{
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct tny_step *step = &steps->steps[i];
    if (step->span.count > 1 || step->span.buffer == TNY_SCRATCH)
      return true;
  }
  return false;
}

/* The most pieces of a step. */
static uint64_t most_pieces(const struct reversal *reversal)
{
  uint64_t most = 1;
  for (uint32_t i = 0; i < reversal->in->count; i++) {
    const uint64_t pieces = tny_span_pieces(&reversal->in->steps[i].span, pieces_of(reversal));
    if (pieces > most)
      most = pieces;
  }
  return most;
}

static uint32_t scratch_blocks(const struct reversal *reversal)
{
  uint32_t known = 0, levels = 0;
  for (uint32_t key = 0; key < key_count_of(reversal); key++)
    known |= reversal->levels[key].known;
  while (known >> levels != 0)
    levels++;
  return levels * reversal->key_blocks;
}

/* Only messages take scratch space: where all lie in the old one, nothing else has keys. */
static void choose_keys(struct reversal *reversal)
{
  const struct tny_reversed *of = reversal->of;
  const uint32_t multiple = of->places_multiple > 0 ? of->places_multiple : 1;
  if (of->scratch_blocks == 0 || has_message_outside(reversal->in))
    reversal->scratch_key = reversal->outputs > 0 ? reversal->outputs : reversal->inputs;
  reversal->key_blocks = reversal->scratch_key + of->scratch_blocks;
  reversal->key_blocks += (multiple - reversal->key_blocks % multiple) % multiple;
}

static enum tny_status turn_all(struct reversal *reversal, struct tny_error *error)
{
  struct value *room = tny_new(most_pieces(reversal), sizeof *room);
  enum tny_status status = room ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK)
    begin(reversal);
  for (uint32_t i = reversal->in->count; status == TNY_OK && i-- > 0;)
    status = turn(reversal, i, room, error);
  if (status == TNY_OK)
    status = leave_results(reversal, error);
  tny_free(room);
  return status;
}

enum tny_status tny_pass_reverse(const struct tny_steps *in, const struct tny_reversed *of,
                                 struct tny_steps *out, uint32_t *scratch, struct tny_error *error)
{
  struct reversal reversal = {.in = in, .of = of, .key_blocks = 1};
  reversal.inputs = tny_rank_blocks(of->collective, TNY_INPUT, of->rank_count, of->root, of->rank);
  reversal.outputs =
      tny_rank_blocks(of->collective, TNY_OUTPUT, of->rank_count, of->root, of->rank);
  if (of->places_multiple > 0 || has_neighbours(in))
    choose_keys(&reversal);
  const size_t blocks = (size_t)reversal.inputs + reversal.outputs + of->scratch_blocks;
  reversal.values = tny_new(blocks * of->piece_count, sizeof *reversal.values);
  reversal.levels = tny_new(key_count_of(&reversal), sizeof *reversal.levels);
  *out = (struct tny_steps){0};
  *scratch = 0;
  tny_builder_init(&reversal.out);
  enum tny_status status =
      reversal.values && reversal.levels ? turn_all(&reversal, error) : tny_error_memory(error);
  if (status == TNY_OK) {
    *scratch = scratch_blocks(&reversal);
    status = tny_builder_finish(&reversal.out, out, error);
  } else {
    tny_steps_release(&reversal.out.steps);
  }
  tny_free(reversal.levels);
  tny_free(reversal.values);
  return status;
}
