/* Which block each step's data is of: of a rank of the ring at p = 4, worked out by hand, and of
   steps that are broken. */
#include "support/memory.h"

#include <string.h>

#include <tourney/schedule.h>

#include "schedule/held_blocks.h"
#include "schedule/steps.h"

enum { STEPS_MAX = 16, RANK = 0 };

static struct tny_steps finish(struct tny_builder *builder)
{
  struct tny_steps steps;
  assert_int_equal(tny_builder_finish(builder, &steps, NULL), TNY_OK);
  return steps;
}

static struct tny_span block(enum tny_buffer buffer, uint32_t index)
{
  return tny_span_blocks(buffer, index, 1);
}

/* Rank 0 of a ring of four: what comes from 1 is combined with its own, and goes on to 3. */
static struct tny_steps make_ring(void)
{
  struct tny_builder builder;
  tny_builder_init(&builder);
  tny_builder_send(&builder, 3, block(TNY_INPUT, 1), 0);
  tny_builder_recv(&builder, 1, block(TNY_SCRATCH, 0), 0);
  tny_builder_reduce_left(&builder, block(TNY_INPUT, 2), block(TNY_SCRATCH, 0));
  tny_builder_token_out(&builder, 1, 0);
  tny_builder_send(&builder, 3, block(TNY_SCRATCH, 0), 1);
  tny_builder_recv(&builder, 1, block(TNY_SCRATCH, 0), 1);
  tny_builder_reduce_left(&builder, block(TNY_INPUT, 3), block(TNY_SCRATCH, 0));
  tny_builder_send(&builder, 3, block(TNY_SCRATCH, 0), 2);
  tny_builder_recv(&builder, 1, block(TNY_OUTPUT, 0), 2);
  tny_builder_reduce_left(&builder, block(TNY_INPUT, 0), block(TNY_OUTPUT, 0));
  return finish(&builder);
}

static enum tny_status find(struct tny_steps *steps, uint32_t *blocks, struct tny_error *error)
{
  const struct tny_held held = {
      .steps = steps, .rank = RANK, .scratch_blocks = 2, .piece_count = 1};
  assert_in_range(steps->count, 1, STEPS_MAX);
  const enum tny_status status = tny_steps_find_held(&held, blocks, error);
  tny_steps_release(steps);
  return status;
}

static void a_place_in_scratch_space_holds_what_it_is_combined_with(void **state)
{
  (void)state;
  static const uint32_t expected[] = {1, 2, 2, TNY_NONE, 2, 3, 3, 3, 0, 0};
  struct tny_steps steps = make_ring();
  uint32_t blocks[STEPS_MAX];
  const uint32_t count = steps.count;
  assert_int_equal(count, sizeof expected / sizeof *expected);
  assert_int_equal(find(&steps, blocks, NULL), TNY_OK);
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(blocks[i], expected[i]);
}

static void refuses(struct tny_builder *builder, const char *step)
{
  struct tny_steps steps = finish(builder);
  struct tny_error error = {0};
  uint32_t blocks[STEPS_MAX];
  assert_int_equal(find(&steps, blocks, &error), TNY_REFUSED);
  assert_non_null(strstr(error.text, step));
}

static void two_blocks_in_one_place_are_refused(void **state)
{
  (void)state;
  struct tny_builder builder;
  tny_builder_init(&builder);
  tny_builder_recv(&builder, 1, block(TNY_SCRATCH, 0), 0);
  tny_builder_reduce_left(&builder, block(TNY_INPUT, 2), block(TNY_SCRATCH, 0));
  tny_builder_reduce_left(&builder, block(TNY_INPUT, 3), block(TNY_SCRATCH, 0));
  refuses(&builder, "step 2");
}

static void a_place_that_nothing_was_brought_to_is_refused(void **state)
{
  (void)state;
  struct tny_builder builder;
  tny_builder_init(&builder);
  tny_builder_recv(&builder, 1, block(TNY_SCRATCH, 0), 0);
  tny_builder_send(&builder, 1, block(TNY_SCRATCH, 1), 0);
  refuses(&builder, "step 1");
}

static void what_is_only_passed_on_is_refused(void **state)
{
  (void)state;
  struct tny_builder builder;
  tny_builder_init(&builder);
  tny_builder_recv(&builder, 1, block(TNY_SCRATCH, 0), 0);
  tny_builder_send(&builder, 3, block(TNY_SCRATCH, 0), 1);
  refuses(&builder, "step 0");
}

static void several_blocks_or_pieces_of_blocks_are_refused(void **state)
{
  (void)state;
  struct tny_builder builder;
  tny_builder_init(&builder);
  tny_builder_send(&builder, 1, tny_span_blocks(TNY_INPUT, 1, 2), 0);
  refuses(&builder, "step 0");
  struct tny_span half = block(TNY_SCRATCH, 0);
  half.chunk_count = 2;
  tny_builder_init(&builder);
  tny_builder_recv(&builder, 1, half, 0);
  refuses(&builder, "step 0");
}

static enum tny_status find_of_ring(const void *subject, struct tny_error *error)
{
  uint32_t blocks[STEPS_MAX];
  const struct tny_held held = {
      .steps = subject, .rank = RANK, .scratch_blocks = 2, .piece_count = 1};
  return tny_steps_find_held(&held, blocks, error);
}

static void memory_may_run_out(void **state)
{
  (void)state;
  struct tny_steps steps = make_ring();
  assert_int_equal(starve(find_of_ring, &steps), 3);
  tny_steps_release(&steps);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_place_in_scratch_space_holds_what_it_is_combined_with),
      cmocka_unit_test(two_blocks_in_one_place_are_refused),
      cmocka_unit_test(a_place_that_nothing_was_brought_to_is_refused),
      cmocka_unit_test(what_is_only_passed_on_is_refused),
      cmocka_unit_test(several_blocks_or_pieces_of_blocks_are_refused),
      cmocka_unit_test(memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
