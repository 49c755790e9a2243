/* Mutants of a schedule: one step changed at random. And happens-before over all of a schedule's
   events, by closure, to tell why a mutant is none. Included once by a test. */
#ifndef TOURNEY_TESTS_MUTATION_SUPPORT_H
#define TOURNEY_TESTS_MUTATION_SUPPORT_H

#include "core/alloc.h"
#include "oracle_support.h"
#include "schedule/steps.h"
#include "support/sample.h"

enum mutation {
  MUTATE_PEER,
  MUTATE_FIRST,
  MUTATE_COUNT,
  MUTATE_CHUNK,
  MUTATE_BUFFER,
  MUTATE_KIND,
  MUTATE_SIDE,        /* of a reduce: its operands exchanged */
  MUTATE_PHASE,       /* at one end */
  MUTATE_BOTH_PHASES, /* of a message, at both ends alike */
  MUTATE_DROP_WAIT,
  MUTATE_ADD_WAIT,
  MUTATE_SWAP,
  MUTATE_DROP_STEP,
  MUTATE_REPEAT_STEP,
  MUTATE_SMEAR,     /* in front of a copy, its data in scratch memory is copied onto itself */
  MUTATE_OWN_BLOCK, /* a rank's block of an all-gather's output is another's for a while */
  MUTATIONS,
};

static const char *const mutation_names[MUTATIONS] = {
    [MUTATE_PEER] = "peer",
    [MUTATE_FIRST] = "first block",
    [MUTATE_COUNT] = "block count",
    [MUTATE_CHUNK] = "chunk",
    [MUTATE_BUFFER] = "buffer",
    [MUTATE_KIND] = "kind",
    [MUTATE_SIDE] = "side",
    [MUTATE_PHASE] = "phase",
    [MUTATE_BOTH_PHASES] = "phase, both ends",
    [MUTATE_DROP_WAIT] = "wait gone",
    [MUTATE_ADD_WAIT] = "wait added",
    [MUTATE_SWAP] = "steps swapped",
    [MUTATE_DROP_STEP] = "step gone",
    [MUTATE_REPEAT_STEP] = "step twice",
    [MUTATE_SMEAR] = "copied onto itself",
    [MUTATE_OWN_BLOCK] = "own block written",
};

/* A schedule that differs from another in one step. */
struct mutant {
  struct tny_schedule schedule; /* shares all but the changed ranks' steps */
  const struct tny_schedule *original;
  enum mutation mutation;
  uint32_t rank, index; /* the step, in the original */
  uint32_t waited_for;  /* MUTATE_DROP_WAIT, MUTATE_ADD_WAIT: the earlier step */
};

/* --- a rank's list, made anew --- */

/* What becomes of a rank's list. */
struct edit {
  const struct tny_steps *in;
  uint32_t *order, count;          /* old positions, in the new order */
  uint32_t drop_step, drop_wait;   /* an entry of that step's waits to leave out; TNY_NONE: none */
  uint32_t add_step, add_wait;     /* a wait more; TNY_NONE: none */
  uint32_t smear_step;             /* a copy behind the smear's steps; TNY_NONE: none */
  uint32_t smear_block;            /* of the scratch memory, from which on it is the smear's */
  uint32_t own_block, other_block; /* at the end, the other is copied to the own; TNY_NONE: no */
};

enum { SMEAR_STEPS = 3 };

static inline uint32_t smear_blocks(const struct tny_step *copy)
{
  return 3 * copy->span.count;
}

/* The new position of an old step; the last one where it is there twice; TNY_NONE: gone. */
static inline uint32_t edit_position(const struct edit *edit, uint32_t old)
{
  for (uint32_t i = edit->count; i-- > 0;)
    if (edit->order[i] == old)
      return i + (edit->smear_step <= old ? SMEAR_STEPS : 0);
  return TNY_NONE;
}

/* What a copy reads, twice side by side, and then the two moved on by one: onto the second. Nothing
   uses it. */
static inline void edit_smear(const struct edit *edit, const struct tny_step *copy,
                              struct tny_builder *builder)
{
  const uint32_t count = copy->span.count, begin = edit->smear_block;
  struct tny_span target = copy->span, both;
  target.buffer = TNY_SCRATCH;
  for (uint32_t side = 0; side < 2; side++) {
    target.first = begin + side * count;
    tny_builder_copy(builder, copy->span, target);
    for (uint32_t k = 0; side == 0 && k < copy->after_count; k++)
      tny_builder_wait(builder, edit->in->after[copy->after_first + k]);
  }
  target.first = begin;
  target.count = 2 * count;
  both = target;
  target.first += count;
  tny_builder_copy(builder, both, target);
}

static inline void edit_append(const struct edit *edit, uint32_t old, struct tny_builder *builder)
{
  const struct tny_step *step = &edit->in->steps[old];
  if (old == edit->smear_step)
    edit_smear(edit, step, builder);
  tny_builder_append(builder, step);
  for (uint32_t k = 0; k < step->after_count; k++) {
    const uint32_t position = edit_position(edit, edit->in->after[step->after_first + k]);
    if (position != TNY_NONE && !(old == edit->drop_step && k == edit->drop_wait))
      tny_builder_wait(builder, position);
  }
  if (old == edit->add_step)
    tny_builder_wait(builder, edit_position(edit, edit->add_wait));
}

/* Another block to where the rank's own is, and the input there again, after all other steps. */
static inline void edit_write_own_block(const struct edit *edit, struct tny_builder *builder)
{
  const struct tny_span own = tny_span_blocks(TNY_OUTPUT, edit->own_block, 1);
  tny_builder_copy(builder, tny_span_blocks(TNY_OUTPUT, edit->other_block, 1), own);
  for (uint32_t i = 0; i < edit->count; i++)
    tny_builder_wait(builder, i);
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1), own);
}

static inline struct tny_steps edit_finish(const struct edit *edit)
{
  struct tny_builder builder;
  struct tny_steps steps;
  tny_builder_init(&builder);
  for (uint32_t i = 0; i < edit->count; i++)
    edit_append(edit, edit->order[i], &builder);
  if (edit->own_block != TNY_NONE)
    edit_write_own_block(edit, &builder);
  assert_int_equal(tny_builder_finish(&builder, &steps, NULL), TNY_OK);
  return steps;
}

static inline struct edit edit_begin(const struct tny_steps *in)
{
  struct edit edit = {.in = in,
                      .count = in->count,
                      .drop_step = TNY_NONE,
                      .add_step = TNY_NONE,
                      .smear_step = TNY_NONE,
                      .own_block = TNY_NONE};
  edit.order = tny_new(in->count + (size_t)1, sizeof *edit.order);
  assert_non_null(edit.order);
  for (uint32_t i = 0; i < in->count; i++)
    edit.order[i] = i;
  return edit;
}

/* --- one step changed --- */

static inline uint32_t draw_other(uint64_t *seed, uint32_t limit, uint32_t than)
{
  return limit < 2 ? than : (than + 1 + draw(seed, limit - 1)) % limit;
}

/* False where the change isn't one. */
static inline bool mutate_span(const struct mutant *mutant, struct tny_step *step, uint64_t *seed)
{
  struct tny_span *span =
      oracle_is_local(step->kind) && draw(seed, 2) ? &step->target : &step->span;
  const struct tny_span before = *span;
  if (step->kind == TNY_TOKEN_IN || step->kind == TNY_TOKEN_OUT)
    return false;
  if (mutant->mutation == MUTATE_FIRST) {
    span->first = draw(seed, mutant->schedule.rank_count + 1);
  } else if (mutant->mutation == MUTATE_COUNT) {
    span->count = draw(seed, span->count + 2);
  } else if (mutant->mutation == MUTATE_BUFFER) {
    span->buffer = draw_other(seed, 3, span->buffer);
  } else if (draw(seed, 4) == 0) {
    *span = tny_span_blocks(span->buffer, span->first, span->count);
  } else {
    span->chunk_count = mutant->schedule.chunk_count;
    span->chunk = draw(seed, span->chunk_count + 1);
    span->chunks = 1 + draw(seed, 2);
  }
  return memcmp(&before, span, sizeof before) != 0;
}

/* Another phase, or none. */
static inline uint32_t draw_phase(const struct mutant *mutant, uint32_t phase, uint64_t *seed)
{
  uint32_t end = 0;
  for (uint32_t rank = 0; rank < mutant->schedule.rank_count; rank++)
    for (uint32_t i = 0; i < mutant->schedule.ranks[rank].count; i++)
      if (mutant->schedule.ranks[rank].steps[i].phase != TNY_NONE &&
          mutant->schedule.ranks[rank].steps[i].phase >= end)
        end = mutant->schedule.ranks[rank].steps[i].phase + 1;
  if (phase == TNY_NONE)
    return draw(seed, end + 1);
  return draw(seed, 8) == 0 ? TNY_NONE : draw_other(seed, end + 1, phase);
}

static inline bool mutate_field(const struct mutant *mutant, struct tny_step *step, uint64_t *seed)
{
  const enum tny_step_kind before = step->kind;
  switch (mutant->mutation) {
  case MUTATE_PEER:
    if (oracle_is_local(step->kind))
      return false;
    step->peer = draw_other(seed, mutant->schedule.rank_count + 1, step->peer);
    return true;
  case MUTATE_KIND:
    step->kind = draw_other(seed, 7, step->kind);
    if (oracle_is_local(step->kind) && !oracle_is_local(before))
      step->target = step->span;
    return true;
  case MUTATE_SIDE:
    if (!oracle_reduces(step->kind))
      return false;
    step->kind = step->kind == TNY_REDUCE_LEFT ? TNY_REDUCE_RIGHT : TNY_REDUCE_LEFT;
    return true;
  case MUTATE_PHASE:
    step->phase = draw_phase(mutant, step->phase, seed);
    return true;
  default:
    return mutate_span(mutant, step, seed);
  }
}

/* The same phase at both ends of a message. */
static inline bool mutate_both_phases(struct mutant *mutant, uint64_t *seed)
{
  struct tny_steps *mine = &mutant->schedule.ranks[mutant->rank];
  struct tny_step *step = &mine->steps[mutant->index];
  if (step->kind != TNY_SEND && step->kind != TNY_RECV)
    return false;
  uint32_t k = 0, peer = step->peer;
  for (uint32_t i = 0; i < mutant->index; i++)
    k += mine->steps[i].kind == step->kind && mine->steps[i].peer == peer;
  struct tny_steps *others = &mutant->schedule.ranks[peer];
  const struct edit edit = edit_begin(&mutant->original->ranks[peer]);
  *others = edit_finish(&edit);
  tny_free(edit.order);
  step->phase = draw_phase(mutant, step->phase, seed);
  for (uint32_t i = 0; i < others->count; i++) {
    struct tny_step *other = &others->steps[i];
    if (other->kind == (step->kind == TNY_SEND ? TNY_RECV : TNY_SEND) &&
        other->peer == mutant->rank && k-- == 0)
      other->phase = step->phase;
  }
  return true;
}

/* --- the list changed --- */

static inline bool edit_list(struct mutant *mutant, struct edit *edit, uint64_t *seed)
{
  const uint32_t index = mutant->index, after_count = edit->in->steps[index].after_count;
  switch (mutant->mutation) {
  case MUTATE_DROP_WAIT:
    if (after_count == 0)
      return false;
    edit->drop_step = index;
    edit->drop_wait = draw(seed, after_count);
    mutant->waited_for = edit->in->after[edit->in->steps[index].after_first + edit->drop_wait];
    return true;
  case MUTATE_ADD_WAIT:
    if (edit->count < 2)
      return false;
    edit->add_step = index;
    edit->add_wait = index > 0 && draw(seed, 4) ? draw(seed, index) : draw(seed, edit->count);
    mutant->waited_for = edit->add_wait;
    return edit->add_wait != index;
  case MUTATE_SWAP:
    if (index + 1 == edit->count)
      return false;
    edit->order[index] = index + 1;
    edit->order[index + 1] = index;
    return true;
  case MUTATE_DROP_STEP:
    memmove(edit->order + index, edit->order + index + 1,
            (edit->count - index - 1) * sizeof *edit->order);
    edit->count--;
    return true;
  case MUTATE_REPEAT_STEP:
    memmove(edit->order + index + 1, edit->order + index,
            (edit->count - index) * sizeof *edit->order);
    edit->count++;
    return true;
  case MUTATE_SMEAR:
    if (edit->in->steps[index].kind != TNY_COPY)
      return false;
    edit->smear_step = index;
    edit->smear_block = mutant->schedule.scratch_blocks;
    mutant->schedule.scratch_blocks += smear_blocks(&edit->in->steps[index]);
    return true;
  case MUTATE_OWN_BLOCK:
    if (mutant->schedule.collective != TNY_ALLGATHER || mutant->schedule.rank_count < 2)
      return false;
    edit->own_block = mutant->rank;
    edit->other_block = draw_other(seed, mutant->schedule.rank_count, mutant->rank);
    return true;
  default:
    return true; /* a field, changed later */
  }
}

static inline void mutant_release(struct mutant *mutant)
{
  for (uint32_t rank = 0; rank < mutant->schedule.rank_count; rank++)
    if (mutant->schedule.ranks[rank].steps != mutant->original->ranks[rank].steps)
      tny_steps_release(&mutant->schedule.ranks[rank]);
  tny_free(mutant->schedule.ranks);
}

/* A random step, or a random token where `of_token`; false where there is none. */
static inline bool mutant_choose(struct mutant *mutant, bool of_token, uint64_t *seed)
{
  for (uint32_t tries = 0; tries < 200; tries++) {
    mutant->rank = draw(seed, mutant->original->rank_count);
    const struct tny_steps *steps = &mutant->original->ranks[mutant->rank];
    if (steps->count == 0)
      continue;
    mutant->index = draw(seed, steps->count);
    const enum tny_step_kind kind = steps->steps[mutant->index].kind;
    if (!of_token || kind == TNY_TOKEN_IN || kind == TNY_TOKEN_OUT)
      return true;
  }
  return false;
}

/* Changes the step that the mutant names, and gives its rank a list of its own; false where the
   mutation changes nothing there. MUTATIONS stands for none: the list is as it was. */
static inline bool mutant_change(struct mutant *mutant, uint64_t *seed)
{
  const struct tny_schedule *original = mutant->original;
  mutant->schedule.ranks = tny_new(original->rank_count, sizeof *mutant->schedule.ranks);
  assert_non_null(mutant->schedule.ranks);
  memcpy(mutant->schedule.ranks, original->ranks, original->rank_count * sizeof *original->ranks);
  struct edit edit = edit_begin(&original->ranks[mutant->rank]);
  bool made = edit_list(mutant, &edit, seed);
  if (made)
    mutant->schedule.ranks[mutant->rank] = edit_finish(&edit);
  tny_free(edit.order);
  struct tny_step *step = &mutant->schedule.ranks[mutant->rank].steps[mutant->index];
  if (made && mutant->mutation == MUTATE_BOTH_PHASES)
    made = mutate_both_phases(mutant, seed);
  else if (made && mutant->mutation < MUTATE_BOTH_PHASES)
    made = mutate_field(mutant, step, seed);
  if (!made)
    mutant_release(mutant);
  return made;
}

/* Makes a mutant; false where this mutation changes nothing at the step chosen. */
static inline bool mutant_make(struct mutant *mutant, const struct tny_schedule *original,
                               bool of_token, uint64_t *seed)
{
  *mutant = (struct mutant){.schedule = *original, .original = original};
  mutant->mutation = (enum mutation)draw(seed, MUTATIONS);
  return mutant_choose(mutant, of_token, seed) && mutant_change(mutant, seed);
}

/* --- happens-before --- */

/* By event of an oracle (2 * id, 2 * id + 1): a row of bits, the events before it. */
struct closure {
  const struct oracle *oracle;
  uint64_t *rows;
  size_t words; /* a row */
};

static inline void closure_add(const struct closure *closure, uint32_t event, uint32_t earlier)
{
  uint64_t *row = closure->rows + event * closure->words;
  const uint64_t *other = closure->rows + earlier * closure->words;
  for (size_t i = 0; i < closure->words; i++)
    row[i] |= other[i];
  row[earlier / 64] |= (uint64_t)1 << earlier % 64;
}

/* Only what is certain: eager messages, unlimited windows. The last run's events are in an order
   that respects it. */
static inline struct closure closure_make(const struct oracle *oracle)
{
  struct closure closure = {.oracle = oracle, .words = (2 * (size_t)oracle->step_count + 63) / 64};
  closure.rows = tny_new(2 * (size_t)oracle->step_count * closure.words, sizeof *closure.rows);
  assert_non_null(closure.rows);
  assert_int_equal(oracle->event_count, 2 * oracle->step_count);
  for (uint32_t i = 0; i < oracle->event_count; i++) {
    const uint32_t event = oracle->events[i], id = event / 2;
    const uint32_t previous = oracle->previous[id];
    const struct tny_step *step = oracle_step(oracle, id);
    if (event % 2) {
      closure_add(&closure, event, 2 * id);
      if (oracle_receives(step->kind))
        closure_add(&closure, event, 2 * oracle->partner[id]);
      continue;
    }
    if (previous != TNY_NONE)
      closure_add(&closure, event,
                  2 * previous + oracle_is_local(oracle_step(oracle, previous)->kind));
    for (uint32_t k = 0; k < step->after_count; k++)
      closure_add(&closure, event, 2 * oracle_after(oracle, id, k) + 1);
  }
  return closure;
}

/* Is the one step complete before the other starts, in every interleaving? */
static inline bool closure_orders(const struct closure *closure, uint32_t id, uint32_t later)
{
  const uint64_t *row = closure->rows + 2 * (size_t)later * closure->words;
  return row[(2 * id + 1) / 64] >> (2 * id + 1) % 64 & 1;
}

static inline void closure_free(struct closure *closure)
{
  tny_free(closure->rows);
}

static inline bool spans_overlap(const struct tny_span *a, const struct tny_span *b)
{
  if (a->buffer != b->buffer || a->first + a->count <= b->first || b->first + b->count <= a->first)
    return false;
  return a->chunk_count == 1 || b->chunk_count == 1 ||
         (a->chunk < b->chunk + b->chunks && b->chunk < a->chunk + a->chunks);
}

/* In place, the input lies in the output. */
static inline struct tny_span placed(const struct oracle *oracle, uint32_t id,
                                     const struct tny_span *span)
{
  struct tny_span at = *span;
  if (oracle->in_place && at.buffer == TNY_INPUT) {
    at.buffer = TNY_OUTPUT;
    at.first += oracle_in_place_block(oracle->schedule, oracle->rank_of[id]);
  }
  return at;
}

/* Is it a copy of what lies there already, in place? */
static inline bool step_stays(const struct oracle *oracle, uint32_t id)
{
  const struct tny_step *step = oracle_step(oracle, id);
  const struct tny_span from = placed(oracle, id, &step->span);
  return step->kind == TNY_COPY && memcmp(&from, &step->target, sizeof from) == 0;
}

/* Do two steps of a rank use the same memory, one of them to write? */
static inline bool steps_collide(const struct oracle *oracle, uint32_t a, uint32_t b)
{
  if (step_stays(oracle, a) || step_stays(oracle, b))
    return false;
  const uint32_t ids[2] = {a, b};
  struct tny_span spans[2], targets[2];
  const struct tny_span *reads[2] = {NULL, NULL}, *writes[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) {
    const struct tny_step *step = oracle_step(oracle, ids[i]);
    spans[i] = placed(oracle, ids[i], &step->span);
    targets[i] = placed(oracle, ids[i], &step->target);
    if (step->kind == TNY_SEND || oracle_is_local(step->kind))
      reads[i] = &spans[i];
    if (step->kind == TNY_RECV)
      writes[i] = &spans[i];
    if (oracle_is_local(step->kind))
      writes[i] = &targets[i];
  }
  return (writes[0] && writes[1] && spans_overlap(writes[0], writes[1])) ||
         (writes[0] && reads[1] && spans_overlap(writes[0], reads[1])) ||
         (reads[0] && writes[1] && spans_overlap(reads[0], writes[1]));
}

/* Are all steps that collide in order, in the order of the list? Then the data is the same in every
   interleaving. A receive is in use from when it is posted on, as MPI has it. */
static inline bool closure_is_safe(const struct closure *closure)
{
  const struct oracle *oracle = closure->oracle;
  for (uint32_t rank = 0; rank < oracle->schedule->rank_count; rank++)
    for (uint32_t a = oracle->first[rank]; a < oracle->first[rank + 1]; a++)
      for (uint32_t b = a + 1; b < oracle->first[rank + 1]; b++)
        if (steps_collide(oracle, a, b) && !closure_orders(closure, a, b))
          return false;
  return true;
}

#endif
