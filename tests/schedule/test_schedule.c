/* The schedule: builder, chunks, pacing. */
#include "support/memory.h"

#include <tourney/schedule.h>

#include "core/alloc.h"
#include "schedule/steps.h"

static struct tny_steps finish(struct tny_builder *builder)
{
  struct tny_steps steps;
  struct tny_error error = {0};
  assert_int_equal(tny_builder_finish(builder, &steps, &error), TNY_OK);
  return steps;
}

static uint32_t after(const struct tny_steps *steps, uint32_t index, uint32_t i)
{
  assert_in_range(i, 0, steps->steps[index].after_count - 1);
  return steps->after[steps->steps[index].after_first + i];
}

/* Rank 1 of a chain: what comes from 0 goes on to 2. */
static struct tny_steps make_link_of_chain(void)
{
  struct tny_builder builder;
  tny_builder_init(&builder);
  const uint32_t received = tny_builder_recv(&builder, 0, tny_span_blocks(TNY_OUTPUT, 0, 1), 0);
  tny_builder_send(&builder, 2, tny_span_blocks(TNY_OUTPUT, 0, 1), 1);
  tny_builder_after(&builder, received);
  return finish(&builder);
}

/* `count` sends to rank 1, then as many receives from it, none waiting. */
static struct tny_steps make_exchange(uint32_t count)
{
  struct tny_builder builder;
  tny_builder_init(&builder);
  for (uint32_t i = 0; i < count; i++)
    tny_builder_send(&builder, 1, tny_span_blocks(TNY_INPUT, i, 1), i);
  for (uint32_t i = 0; i < count; i++)
    tny_builder_recv(&builder, 1, tny_span_blocks(TNY_OUTPUT, i, 1), i);
  return finish(&builder);
}

static void a_builder_lists_steps_in_the_order_they_were_appended(void **state)
{
  (void)state;
  struct tny_builder builder;
  tny_builder_init(&builder);
  for (uint32_t i = 0; i < 1000; i++) {
    assert_int_equal(tny_builder_token_out(&builder, i, i), i);
    if (i > 0)
      tny_builder_after(&builder, i - 1);
  }
  struct tny_steps steps = finish(&builder);
  assert_int_equal(steps.count, 1000);
  for (uint32_t i = 1; i < steps.count; i++) {
    assert_int_equal(steps.steps[i].peer, i);
    assert_int_equal(after(&steps, i, 0), i - 1);
  }
  tny_steps_release(&steps);
}

static void a_builder_out_of_memory_says_so_at_the_end_and_is_empty_after(void **state)
{
  (void)state;
  struct tny_builder builder;
  struct tny_steps steps;
  for (uint64_t n = 1; n < 4; n++) {
    struct tny_error error = {0};
    tny_builder_init(&builder);
    tny_alloc_fail_from(n);
    for (uint32_t i = 0; i < 100; i++) {
      tny_builder_copy(&builder, tny_span_blocks(TNY_INPUT, 0, 1),
                       tny_span_blocks(TNY_OUTPUT, 0, 1));
      if (i > 0)
        tny_builder_after(&builder, i - 1);
    }
    tny_alloc_fail_from(0);
    assert_int_equal(tny_builder_finish(&builder, &steps, &error), TNY_NO_MEMORY);
    assert_int_equal(error.status, TNY_NO_MEMORY);
    assert_int_equal(steps.count, 0);
    assert_int_equal(builder.steps.count, 0);
  }
}

static void a_schedule_needs_a_root_among_its_ranks_and_a_name_of_one_word(void **state)
{
  (void)state;
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  assert_int_equal(tny_schedule_new(TNY_BROADCAST, 4, 4, "x", &schedule, &error), TNY_BAD_INPUT);
  assert_string_equal(error.text, "root 4 does not exist among 4 ranks");
  assert_int_equal(tny_schedule_new(TNY_BROADCAST, 0, 0, "x", &schedule, NULL), TNY_BAD_INPUT);
  assert_int_equal(tny_schedule_new(TNY_BROADCAST, 4, 0, "", &schedule, NULL), TNY_BAD_INPUT);
  assert_int_equal(tny_schedule_new(TNY_BROADCAST, 4, 0, "two words", &schedule, NULL),
                   TNY_BAD_INPUT);
  assert_null(schedule);
}

static void step_major_chunks_lists_the_pieces_of_a_step_together(void **state)
{
  (void)state;
  struct tny_steps whole = make_link_of_chain(), cut;
  assert_int_equal(tny_pass_chunk(&whole, 3, 1, &cut, NULL), TNY_OK);
  assert_int_equal(cut.count, 6);
  for (uint32_t c = 0; c < 3; c++) {
    assert_int_equal(cut.steps[c].kind, TNY_RECV);
    assert_int_equal(cut.steps[3 + c].kind, TNY_SEND);
    assert_int_equal(cut.steps[3 + c].span.chunk, c);
    assert_int_equal(cut.steps[3 + c].span.chunk_count, 3);
    assert_int_equal(cut.steps[3 + c].phase, 3 + c);
    assert_int_equal(after(&cut, 3 + c, 0), c);
  }
  tny_steps_release(&cut);
  tny_steps_release(&whole);
}

static void chunk_major_chunks_repeats_the_list_for_each_chunk(void **state)
{
  (void)state;
  struct tny_steps whole = make_link_of_chain(), cut;
  assert_int_equal(tny_pass_chunk(&whole, 3, 2, &cut, NULL), TNY_OK);
  assert_int_equal(cut.count, 6);
  for (uint32_t c = 0; c < 3; c++) {
    assert_int_equal(cut.steps[2 * c].kind, TNY_RECV);
    assert_int_equal(cut.steps[2 * c + 1].kind, TNY_SEND);
    assert_int_equal(cut.steps[2 * c + 1].span.chunk, c);
    assert_int_equal(cut.steps[2 * c + 1].phase, 1 + 2 * c);
    assert_int_equal(after(&cut, 2 * c + 1, 0), 2 * c);
  }
  tny_steps_release(&cut);
  tny_steps_release(&whole);
}

/* A rank that sends a block on, and combines its own when it comes; or one that sends nothing. */
static void check_last_combined(bool sends)
{
  const uint32_t first = sends ? 1 : 0;
  struct tny_builder builder;
  struct tny_steps whole, cut;
  tny_builder_init(&builder);
  if (sends)
    tny_builder_send(&builder, 1, tny_span_blocks(TNY_INPUT, 1, 1), 0);
  tny_builder_recv(&builder, 1, tny_span_blocks(TNY_OUTPUT, 0, 1), 0);
  tny_builder_reduce_left(&builder, tny_span_blocks(TNY_INPUT, 0, 1),
                          tny_span_blocks(TNY_OUTPUT, 0, 1));
  tny_builder_after(&builder, first);
  assert_int_equal(tny_builder_finish(&builder, &whole, NULL), TNY_OK);
  assert_int_equal(tny_pass_chunk(&whole, 3, 1, &cut, NULL), TNY_OK);
  for (uint32_t c = 0; c < 3; c++) {
    const uint32_t received = sends ? 2 * c + 1 : 2 * c, combined = sends ? 6 + c : 2 * c + 1;
    assert_int_equal(cut.steps[received].kind, TNY_RECV);
    assert_int_equal(cut.steps[combined].kind, TNY_REDUCE_LEFT);
    assert_int_equal(cut.steps[combined].span.chunk, c);
    assert_int_equal(after(&cut, combined, 0), received);
  }
  tny_steps_release(&cut);
  tny_steps_release(&whole);
}

static void what_is_combined_last_holds_up_no_send(void **state)
{
  (void)state;
  check_last_combined(true);
  check_last_combined(false);
}

static void one_chunk_is_a_copy(void **state)
{
  (void)state;
  struct tny_steps whole = make_link_of_chain(), cut;
  assert_int_equal(tny_pass_chunk(&whole, 1, 1, &cut, NULL), TNY_OK);
  assert_int_equal(cut.count, whole.count);
  assert_memory_equal(cut.steps, whole.steps, whole.count * sizeof *whole.steps);
  tny_steps_release(&cut);
  tny_steps_release(&whole);
}

static void a_schedule_is_cut_once_and_in_a_sane_number_of_chunks(void **state)
{
  (void)state;
  struct tny_steps whole = make_link_of_chain(), cut, again;
  assert_int_equal(tny_pass_chunk(&whole, 2, 1, &cut, NULL), TNY_OK);
  assert_int_equal(tny_pass_chunk(&cut, 2, 1, &again, NULL), TNY_REFUSED);
  assert_int_equal(tny_pass_chunk(&whole, 0, 1, &again, NULL), TNY_REFUSED);
  assert_int_equal(tny_pass_chunk(&whole, UINT32_MAX, 1, &again, NULL), TNY_REFUSED);
  assert_int_equal(tny_pass_chunk(&whole, 1u << 20, 1u << 31, &again, NULL), TNY_REFUSED);
  assert_int_equal(again.count, 0);
  tny_steps_release(&cut);
  tny_steps_release(&whole);
}

static void paced_by_receives_a_send_waits_for_the_receive_a_window_before(void **state)
{
  (void)state;
  struct tny_steps open = make_exchange(4), paced;
  assert_int_equal(tny_pass_pace(&open, TNY_PACE_RECEIVES, 2, &paced, NULL), TNY_OK);
  assert_int_equal(paced.count, 8);
  uint32_t send_count = 0, receive_count = 0, receives[4];
  for (uint32_t i = 0; i < paced.count; i++) {
    if (paced.steps[i].kind == TNY_RECV) {
      receives[receive_count++] = i;
      continue;
    }
    assert_int_equal(paced.steps[i].span.first, send_count);
    assert_int_equal(paced.steps[i].after_count, send_count < 2 ? 0 : 1);
    if (send_count >= 2)
      assert_int_equal(after(&paced, i, 0), receives[send_count - 2]);
    send_count++;
  }
  assert_int_equal(send_count, 4);
  tny_steps_release(&paced);
  tny_steps_release(&open);
}

static void pacing_adds_no_wait_that_is_there_already(void **state)
{
  (void)state;
  struct tny_builder builder;
  tny_builder_init(&builder);
  tny_builder_send(&builder, 1, tny_span_blocks(TNY_INPUT, 0, 1), 0);
  tny_builder_recv(&builder, 1, tny_span_blocks(TNY_OUTPUT, 0, 1), 0);
  tny_builder_send(&builder, 1, tny_span_blocks(TNY_OUTPUT, 0, 1), 1);
  tny_builder_after(&builder, 1);
  struct tny_steps open = finish(&builder), paced;
  assert_int_equal(tny_pass_pace(&open, TNY_PACE_RECEIVES, 1, &paced, NULL), TNY_OK);
  assert_int_equal(paced.after_total, 1);
  tny_steps_release(&paced);
  tny_steps_release(&open);
}

/* A switch's only rank with something to spread sends thrice before it receives. */
static void
paced_by_receives_a_send_waits_for_no_receive_of_its_own_phase_or_a_later_one(void **state)
{
  (void)state;
  struct tny_builder builder;
  tny_builder_init(&builder);
  tny_builder_recv(&builder, 1, tny_span_blocks(TNY_OUTPUT, 0, 1), 0);
  for (uint32_t phase = 1; phase < 4; phase++)
    tny_builder_send(&builder, 1, tny_span_blocks(TNY_INPUT, phase, 1), phase);
  tny_builder_recv(&builder, 1, tny_span_blocks(TNY_OUTPUT, 1, 1), 3);
  struct tny_steps open = finish(&builder), paced;
  assert_int_equal(tny_pass_pace(&open, TNY_PACE_RECEIVES, 1, &paced, NULL), TNY_OK);
  assert_int_equal(paced.after_total, 2);
  assert_int_equal(after(&paced, 2, 0), 0);
  assert_int_equal(after(&paced, 3, 0), 0);
  tny_steps_release(&paced);
  tny_steps_release(&open);
}

static void pacing_that_can_not_be_listed_is_refused(void **state)
{
  (void)state;
  struct tny_builder builder;
  tny_builder_init(&builder);
  /* The receive waits for the second send, which window 1 lets wait for the receive. */
  tny_builder_send(&builder, 1, tny_span_blocks(TNY_INPUT, 0, 1), TNY_NONE);
  tny_builder_send(&builder, 1, tny_span_blocks(TNY_INPUT, 1, 1), TNY_NONE);
  tny_builder_recv(&builder, 1, tny_span_blocks(TNY_OUTPUT, 0, 1), TNY_NONE);
  tny_builder_after(&builder, 1);
  struct tny_steps open = finish(&builder), paced;
  struct tny_error error = {0};
  assert_int_equal(tny_pass_pace(&open, TNY_PACE_RECEIVES, 1, &paced, &error), TNY_REFUSED);
  assert_non_null(strstr(error.text, "use a larger window"));
  assert_int_equal(tny_pass_pace(&open, TNY_PACE_RECEIVES, 0, &paced, NULL), TNY_REFUSED);
  assert_int_equal(tny_pass_pace(&open, TNY_PACE_RECEIVES, 2, &paced, NULL), TNY_OK);
  tny_steps_release(&paced);
  tny_steps_release(&open);
}

static void with_credits_a_receiver_returns_a_token_for_each_send_beyond_the_window(void **state)
{
  (void)state;
  struct tny_steps whole = make_link_of_chain(), cut, paced;
  assert_int_equal(tny_pass_chunk(&whole, 4, TNY_RUN_PIPELINED, &cut, NULL), TNY_OK);
  assert_int_equal(tny_pass_pace(&cut, TNY_PACE_CREDITS, 3, &paced, NULL), TNY_OK);
  /* 4 receives and 4 sends, one token back to 0 after receive 0, one from 2 before send 3. */
  assert_int_equal(paced.count, 10);
  assert_int_equal(paced.steps[0].kind, TNY_RECV);
  assert_int_equal(paced.steps[1].kind, TNY_TOKEN_OUT);
  assert_int_equal(paced.steps[1].peer, 0);
  assert_int_equal(after(&paced, 1, 0), 0);
  uint32_t credit = 0;
  while (credit < paced.count && paced.steps[credit].kind != TNY_TOKEN_IN)
    credit++;
  assert_true(credit < 9);
  assert_int_equal(paced.steps[credit].peer, 2);
  assert_int_equal(paced.steps[9].kind, TNY_SEND);
  assert_int_equal(paced.steps[9].after_count, 2);
  assert_int_equal(after(&paced, 9, 1), credit);
  /* The phase of the message that the credit is for. */
  assert_int_equal(paced.steps[credit].phase, 1);
  assert_int_equal(paced.steps[1].phase, 0);
  tny_steps_release(&paced);
  tny_steps_release(&cut);
  tny_steps_release(&whole);
}

static uint32_t count_steps(const struct tny_steps *steps, enum tny_step_kind kind)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < steps->count; i++)
    count += steps->steps[i].kind == kind;
  return count;
}

static void in_batches_a_token_answers_half_a_window(void **state)
{
  (void)state;
  struct tny_steps whole = make_link_of_chain(), cut, paced;
  assert_int_equal(tny_pass_chunk(&whole, 12, TNY_RUN_PIPELINED, &cut, NULL), TNY_OK);
  assert_int_equal(tny_pass_pace(&cut, TNY_PACE_CREDIT_BATCHES, 6, &paced, NULL), TNY_OK);
  /* Receives 0 to 2 are answered together, and 3 to 5; nobody waits for the answer to the rest. */
  assert_int_equal(count_steps(&paced, TNY_TOKEN_OUT), 2);
  assert_int_equal(count_steps(&paced, TNY_TOKEN_IN), 2);
  uint32_t sends = 0;
  for (uint32_t i = 0; i < paced.count; i++) {
    if (paced.steps[i].kind == TNY_TOKEN_OUT)
      assert_int_equal(paced.steps[i].after_count, 3);
    if (paced.steps[i].kind == TNY_SEND)
      assert_int_equal(paced.steps[i].after_count, sends == 6 || sends == 9 ? 2 : 1);
    sends += paced.steps[i].kind == TNY_SEND;
  }
  tny_steps_release(&paced);
  assert_int_equal(tny_pass_pace(&cut, TNY_PACE_CREDIT_BATCHES, 1, &paced, NULL), TNY_OK);
  assert_int_equal(count_steps(&paced, TNY_TOKEN_OUT), 11);
  tny_steps_release(&paced);
  tny_steps_release(&cut);
  tny_steps_release(&whole);
}

static void a_window_beyond_all_sends_adds_no_credits(void **state)
{
  (void)state;
  struct tny_steps open = make_exchange(4), paced;
  assert_int_equal(tny_pass_pace(&open, TNY_PACE_CREDITS, 4, &paced, NULL), TNY_OK);
  assert_int_equal(paced.count, 8);
  tny_steps_release(&paced);
  assert_int_equal(tny_pass_pace(&open, TNY_PACE_CREDITS, UINT32_MAX, &paced, NULL), TNY_OK);
  assert_int_equal(paced.count, 8);
  tny_steps_release(&paced);
  assert_int_equal(tny_pass_pace(&open, TNY_PACE_NONE, 0, &paced, NULL), TNY_OK);
  assert_memory_equal(paced.steps, open.steps, open.count * sizeof *open.steps);
  tny_steps_release(&paced);
  tny_steps_release(&open);
}

static void credits_come_back_between_phases_only(void **state)
{
  (void)state;
  struct tny_builder builder;
  tny_builder_init(&builder);
  for (uint32_t i = 0; i < 3; i++)
    tny_builder_send(&builder, 1, tny_span_blocks(TNY_INPUT, i, 1), 0);
  struct tny_steps open = finish(&builder), paced;
  assert_int_equal(tny_pass_pace(&open, TNY_PACE_CREDITS, 2, &paced, NULL), TNY_REFUSED);
  assert_int_equal(tny_pass_pace(&open, TNY_PACE_CREDITS, 3, &paced, NULL), TNY_OK);
  tny_steps_release(&paced);
  tny_steps_release(&open);
}

static void credits_are_not_added_twice(void **state)
{
  (void)state;
  struct tny_steps whole = make_link_of_chain(), cut, paced, again;
  assert_int_equal(tny_pass_chunk(&whole, 4, TNY_RUN_PIPELINED, &cut, NULL), TNY_OK);
  assert_int_equal(tny_pass_pace(&cut, TNY_PACE_CREDITS, 1, &paced, NULL), TNY_OK);
  assert_int_equal(tny_pass_pace(&paced, TNY_PACE_CREDITS, 1, &again, NULL), TNY_REFUSED);
  tny_steps_release(&paced);
  tny_steps_release(&cut);
  tny_steps_release(&whole);
}

static enum tny_status pace_steps(const void *steps, struct tny_error *error)
{
  struct tny_steps out;
  const enum tny_status status = tny_pass_pace(steps, TNY_PACE_CREDITS, 1, &out, error);
  tny_steps_release(&out);
  return status;
}

static enum tny_status chunk_steps(const void *steps, struct tny_error *error)
{
  struct tny_steps out;
  const enum tny_status status = tny_pass_chunk(steps, 2, 20, &out, error);
  tny_steps_release(&out);
  return status;
}

static void passes_out_of_memory_leave_nothing_behind(void **state)
{
  (void)state;
  struct tny_steps open = make_exchange(20);
  assert_true(starve(pace_steps, &open) > 0);
  assert_true(starve(chunk_steps, &open) > 0);
  tny_steps_release(&open);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_builder_lists_steps_in_the_order_they_were_appended),
      cmocka_unit_test(a_builder_out_of_memory_says_so_at_the_end_and_is_empty_after),
      cmocka_unit_test(a_schedule_needs_a_root_among_its_ranks_and_a_name_of_one_word),
      cmocka_unit_test(step_major_chunks_lists_the_pieces_of_a_step_together),
      cmocka_unit_test(chunk_major_chunks_repeats_the_list_for_each_chunk),
      cmocka_unit_test(what_is_combined_last_holds_up_no_send),
      cmocka_unit_test(one_chunk_is_a_copy),
      cmocka_unit_test(a_schedule_is_cut_once_and_in_a_sane_number_of_chunks),
      cmocka_unit_test(paced_by_receives_a_send_waits_for_the_receive_a_window_before),
      cmocka_unit_test(pacing_adds_no_wait_that_is_there_already),
      cmocka_unit_test(
          paced_by_receives_a_send_waits_for_no_receive_of_its_own_phase_or_a_later_one),
      cmocka_unit_test(pacing_that_can_not_be_listed_is_refused),
      cmocka_unit_test(with_credits_a_receiver_returns_a_token_for_each_send_beyond_the_window),
      cmocka_unit_test(in_batches_a_token_answers_half_a_window),
      cmocka_unit_test(a_window_beyond_all_sends_adds_no_credits),
      cmocka_unit_test(credits_come_back_between_phases_only),
      cmocka_unit_test(credits_are_not_added_twice),
      cmocka_unit_test(passes_out_of_memory_leave_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
