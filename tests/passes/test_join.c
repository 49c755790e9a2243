/* One schedule joined to another: what the second's steps wait for, by the definition. Of two steps
   that use the same memory, one of them writing, the earlier is complete before the later starts;
   and the pass adds no wait between two steps that don't. On drawn steps of one rank. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <tourney/schedule.h>

enum { STEPS_EACH = 14, SCRATCH_ROWS = 2, PARTS_MAX = 4, PIECES_MAX = 3, CASES = 4000 };

/* The memory that steps use: the output's pieces and scratch space's, a bit each. */
enum { BLOCK_MAX = PARTS_MAX * PIECES_MAX, SCRATCH_AT = BLOCK_MAX };

struct uses {
  uint64_t read, written;
};

struct drawn {
  uint64_t seed;
  struct tny_joined of;
  struct tny_steps first, second;
};

static uint32_t draw(struct drawn *drawn, uint32_t limit)
{
  drawn->seed = drawn->seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((drawn->seed >> 33) % limit);
}

/* --- memory --- */

/* A piece of a block, as the first or the second calls it: same pieces of parts are neighbours. */
static uint64_t bit_of(const struct tny_joined *of, enum tny_buffer buffer, bool is_second,
                       uint32_t block, uint32_t piece)
{
  const uint32_t parts = of->part_count;
  if (buffer == (is_second ? TNY_INPUT : TNY_OUTPUT))
    block = of->part;
  if (buffer == TNY_SCRATCH)
    return (uint64_t)1 << (SCRATCH_AT + block / parts * (parts * of->pieces_a_part) +
                           piece * parts + block % parts);
  return (uint64_t)1 << (piece * parts + block);
}

/* The memory of a span of the first or the second, as each of them means it. */
static uint64_t meant(const struct tny_joined *of, const struct tny_span *span, bool is_second)
{
  const bool is_whole = span->chunk_count == 1;
  const uint32_t begin = is_whole ? 0 : span->chunk;
  const uint32_t end = is_whole ? of->pieces_a_part : span->chunk + span->chunks;
  uint64_t bits = 0;
  if (span->buffer == TNY_INPUT && !is_second)
    return 0; /* only read */
  for (uint32_t block = span->first; block < span->first + span->count; block++)
    for (uint32_t piece = begin; piece < end; piece++)
      bits |= bit_of(of, span->buffer, is_second, block, piece);
  return bits;
}

/* The memory of a joined span. */
static uint64_t joined_at(const struct tny_joined *of, const struct tny_span *span)
{
  uint64_t bits = 0;
  if (span->buffer == TNY_INPUT)
    return 0;
  assert_int_equal(span->chunk_count, of->part_count * of->pieces_a_part);
  assert_int_equal(span->count, 1);
  for (uint32_t i = 0; i < span->chunks; i++)
    bits |= (uint64_t)1 << ((span->buffer == TNY_SCRATCH ? SCRATCH_AT : 0) +
                            span->first * span->chunk_count + span->chunk + i);
  return bits;
}

static struct uses uses_of(const struct tny_joined *of, const struct tny_step *step, bool is_second)
{
  const struct tny_span *read = tny_step_read(step), *written = tny_step_written(step);
  struct uses uses = {read ? meant(of, read, is_second) : 0,
                      written ? meant(of, written, is_second) : 0};
  if (tny_step_reduces(step->kind))
    uses.read |= uses.written;
  return uses;
}

static struct uses joined_uses(const struct tny_joined *of, const struct tny_step *step)
{
  const struct tny_span *read = tny_step_read(step), *written = tny_step_written(step);
  struct uses uses = {read ? joined_at(of, read) : 0, written ? joined_at(of, written) : 0};
  if (tny_step_reduces(step->kind))
    uses.read |= uses.written;
  return uses;
}

static bool conflict(struct uses a, struct uses b)
{
  return (a.written & (b.read | b.written)) || (a.read & b.written);
}

/* --- drawing steps --- */

/* One block, or with several parts the same piece of neighbouring ones. */
static struct tny_span draw_span(struct drawn *drawn, enum tny_buffer buffer, bool is_second,
                                 bool is_wide)
{
  const uint32_t parts = drawn->of.part_count, pieces = drawn->of.pieces_a_part;
  const bool is_part = buffer == (is_second ? TNY_INPUT : TNY_OUTPUT);
  const uint32_t within = is_part ? 0 : draw(drawn, parts);
  const uint32_t row = buffer == TNY_SCRATCH ? draw(drawn, SCRATCH_ROWS) : 0;
  struct tny_span span = tny_span_blocks(buffer, row * parts + within, 1);
  if (is_wide && !is_part)
    span.count = 1 + draw(drawn, parts - within);
  if (pieces > 1 && (parts > 1 || draw(drawn, 3) > 0)) {
    span.chunk_count = pieces;
    span.chunk = draw(drawn, pieces);
    span.chunks = parts > 1 ? 1 : 1 + draw(drawn, pieces - span.chunk);
  }
  return span;
}

/* A span of another buffer or block, of the same pieces. */
static struct tny_span like(struct drawn *drawn, const struct tny_span *from,
                            enum tny_buffer buffer, bool is_second)
{
  struct tny_span span = draw_span(drawn, buffer, is_second, false);
  span.chunk = from->chunk;
  span.chunks = from->chunks;
  span.chunk_count = from->chunk_count;
  return span;
}

static enum tny_buffer either(struct drawn *drawn, enum tny_buffer a, enum tny_buffer b)
{
  return draw(drawn, 2) ? a : b;
}

static void append_local(struct drawn *drawn, struct tny_builder *builder, bool is_second)
{
  const struct tny_span from =
      draw_span(drawn, either(drawn, TNY_INPUT, TNY_SCRATCH), is_second, false);
  const struct tny_span into =
      like(drawn, &from, either(drawn, TNY_OUTPUT, TNY_SCRATCH), is_second);
  if (from.buffer == into.buffer && from.first == into.first)
    return; /* a step doesn't write what it reads */
  if (!is_second && draw(drawn, 2))
    tny_builder_reduce_left(builder, from, into);
  else
    tny_builder_copy(builder, from, into);
}

static void append_any(struct drawn *drawn, struct tny_builder *builder, bool is_second)
{
  const uint32_t kind = draw(drawn, 3);
  const enum tny_buffer sent = is_second && draw(drawn, 3) == 0 ? TNY_OUTPUT : TNY_INPUT;
  if (kind == 0)
    append_local(drawn, builder, is_second);
  else if (kind == 1)
    tny_builder_send(builder, 1,
                     draw_span(drawn, either(drawn, sent, TNY_SCRATCH), is_second, true), 0);
  else
    tny_builder_recv(builder, 1,
                     draw_span(drawn, either(drawn, TNY_OUTPUT, TNY_SCRATCH), is_second, true), 0);
}

/* What a step of one schedule alone uses: in the second, the input isn't the output. */
static struct uses own_uses(const struct tny_joined *of, const struct tny_step *step,
                            bool is_second)
{
  struct uses uses = uses_of(of, step, is_second);
  if (is_second && tny_step_read(step) && step->span.buffer == TNY_INPUT)
    uses.read = 0;
  return uses;
}

/* Each step waits for all that it conflicts with. */
static struct tny_steps draw_steps(struct drawn *drawn, bool is_second)
{
  struct tny_builder builder;
  struct tny_steps steps;
  tny_builder_init(&builder);
  for (uint32_t i = 0; i < STEPS_EACH; i++) {
    const uint32_t index = builder.steps.count;
    append_any(drawn, &builder, is_second);
    for (uint32_t k = 0; k < index && builder.steps.count > index; k++)
      if (conflict(own_uses(&drawn->of, &builder.steps.steps[k], is_second),
                   own_uses(&drawn->of, &builder.steps.steps[index], is_second)))
        tny_builder_after(&builder, k);
  }
  assert_int_equal(tny_builder_finish(&builder, &steps, NULL), TNY_OK);
  return steps;
}

static void draw_case(struct drawn *drawn, uint32_t number)
{
  drawn->seed = number;
  drawn->of.part_count = 1 + draw(drawn, PARTS_MAX);
  drawn->of.pieces_a_part = 1 + draw(drawn, PIECES_MAX);
  drawn->of.part = draw(drawn, drawn->of.part_count);
  drawn->of.phases = 1;
  drawn->first = draw_steps(drawn, false);
  drawn->second = draw_steps(drawn, true);
}

/* --- the joined steps --- */

/* complete[j]: the steps that are complete before step j starts, a bit each. */
static void find_complete(const struct tny_steps *steps, uint64_t *complete)
{
  uint32_t last[2] = {TNY_NONE, TNY_NONE};
  for (uint32_t j = 0; j < steps->count; j++) {
    const struct tny_step *step = &steps->steps[j];
    const bool queue = tny_step_receives(step->kind);
    complete[j] = 0;
    for (uint32_t k = 0; k < step->after_count; k++) {
      const uint32_t earlier = steps->after[step->after_first + k];
      assert_true(earlier < j);
      complete[j] |= complete[earlier] | (uint64_t)1 << earlier;
    }
    if (last[queue] != TNY_NONE)
      complete[j] |= complete[last[queue]];
    if (last[queue] != TNY_NONE && tny_step_is_local(steps->steps[last[queue]].kind))
      complete[j] |= (uint64_t)1 << last[queue];
    last[queue] = j;
  }
}

static void expect_waits(const struct tny_joined *of, const struct tny_steps *joined)
{
  uint64_t complete[2 * STEPS_EACH];
  find_complete(joined, complete);
  for (uint32_t j = 0; j < joined->count; j++) {
    const struct uses later = joined_uses(of, &joined->steps[j]);
    for (uint32_t i = 0; i < j; i++)
      if (conflict(joined_uses(of, &joined->steps[i]), later))
        assert_true(complete[j] >> i & 1);
  }
}

/* Each wait is of two steps that conflict, and stands once. */
static void expect_no_more(const struct tny_joined *of, const struct tny_steps *joined)
{
  for (uint32_t j = 0; j < joined->count; j++) {
    const struct tny_step *step = &joined->steps[j];
    uint64_t waited = 0;
    for (uint32_t k = 0; k < step->after_count; k++) {
      const uint32_t earlier = joined->after[step->after_first + k];
      assert_false(waited >> earlier & 1);
      waited |= (uint64_t)1 << earlier;
      assert_true(conflict(joined_uses(of, &joined->steps[earlier]), joined_uses(of, step)));
    }
  }
}

/* The second copies its input to where that lies. */
static bool is_left_out(const struct tny_joined *of, const struct tny_step *step)
{
  const struct uses uses = uses_of(of, step, true);
  return step->kind == TNY_COPY && uses.read == uses.written;
}

/* The steps of both in their order, with the same memory. */
static void expect_steps(const struct drawn *drawn, const struct tny_steps *joined)
{
  uint32_t next = 0;
  for (uint32_t i = 0; i < drawn->first.count + drawn->second.count; i++) {
    const bool is_second = i >= drawn->first.count;
    const struct tny_step *step =
        is_second ? &drawn->second.steps[i - drawn->first.count] : &drawn->first.steps[i];
    if (is_second && is_left_out(&drawn->of, step))
      continue;
    assert_true(next < joined->count);
    const struct tny_step *found = &joined->steps[next++];
    const struct uses wanted = uses_of(&drawn->of, step, is_second);
    const struct uses has = joined_uses(&drawn->of, found);
    assert_int_equal(found->kind, step->kind);
    assert_int_equal(has.read, wanted.read);
    assert_int_equal(has.written, wanted.written);
    if (!tny_step_is_local(step->kind))
      assert_int_equal(found->phase, is_second);
  }
  assert_int_equal(next, joined->count);
}

static void steps_of_the_second_wait_for_those_of_the_first_that_they_conflict_with(void **state)
{
  (void)state;
  for (uint32_t number = 1; number <= CASES; number++) {
    struct drawn drawn;
    struct tny_steps joined;
    draw_case(&drawn, number);
    assert_int_equal(tny_pass_join(&drawn.first, &drawn.second, &drawn.of, &joined, NULL), TNY_OK);
    expect_steps(&drawn, &joined);
    expect_waits(&drawn.of, &joined);
    expect_no_more(&drawn.of, &joined);
    tny_steps_release(&drawn.first);
    tny_steps_release(&drawn.second);
    tny_steps_release(&joined);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_of_the_second_wait_for_those_of_the_first_that_they_conflict_with),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
