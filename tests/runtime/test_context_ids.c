/* The ids that tell the messages of communicators apart (src/mpi/context/ids.c), and whose turn it
   is to be given one (src/mpi/context/tickets.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "mpi/context/ids.h"
#include "mpi/context/tickets.h"

/* Gives a context its id as if this rank were alone, or its proposal the greatest. */
static int64_t attach(struct tny_context *context)
{
  *context = (struct tny_context){.id = tny_context_ids_propose()};
  tny_context_ids_add(context);
  return context->id;
}

static void remove_all(void)
{
  struct tny_context *context;
  while ((context = tny_context_ids_any()) != NULL)
    tny_context_ids_remove(context, false);
}

static void a_new_number_is_above_all_that_are_live(void **state)
{
  struct tny_context contexts[6];
  (void)state;
  tny_context_ids_open(1000);
  for (int i = 0; i < 4; i++)
    assert_int_equal(attach(&contexts[i]), i);
  tny_context_ids_remove(&contexts[1], false);
  assert_int_equal(attach(&contexts[1]), 4);
  tny_context_ids_remove(&contexts[1], false);
  tny_context_ids_remove(&contexts[3], false);
  assert_int_equal(attach(&contexts[3]), 3);
  remove_all();
  assert_int_equal(attach(&contexts[0]), 0);
  remove_all();
}

static void another_ranks_greater_proposal_counts(void **state)
{
  struct tny_context one = {.id = 17}, other;
  (void)state;
  tny_context_ids_open(1000);
  tny_context_ids_add(&one);
  assert_int_equal(attach(&other), 18);
  remove_all();
}

static void a_number_is_spoilt_by_others_that_go_by_it(void **state)
{
  struct tny_context one, other;
  (void)state;
  tny_context_ids_open(1000);
  attach(&one);
  tny_context_ids_spoil(one.id);
  tny_context_ids_remove(&one, false);
  assert_int_equal(attach(&other), 1);
  tny_context_ids_spoil(0);
  remove_all();
  assert_int_equal(attach(&other), 1);
  remove_all();
}

static void a_native_context_has_no_number_and_takes_none(void **state)
{
  struct tny_context one, native = {.id = -1}, other;
  (void)state;
  tny_context_ids_open(1000);
  attach(&one);
  tny_context_ids_add(&native);
  assert_int_equal(attach(&other), 1);
  tny_context_ids_remove(&one, false);
  tny_context_ids_remove(&other, false);
  assert_ptr_equal(tny_context_ids_any(), &native);
  tny_context_ids_remove(&native, false);
  assert_null(tny_context_ids_any());
}

static void the_number_of_a_failed_context_is_never_given_again(void **state)
{
  struct tny_context context;
  (void)state;
  tny_context_ids_open(1000);
  attach(&context);
  tny_context_ids_remove(&context, true);
  assert_int_equal(attach(&context), 1);
  remove_all();
}

static void there_are_as_many_numbers_as_the_tags_make(void **state)
{
  struct tny_context contexts[5];
  const int tag_max = 5 * TNY_MESSAGE_COUNT - 1;
  (void)state;
  tny_context_ids_open(tag_max);
  for (int i = 0; i < 5; i++) {
    assert_true(tny_context_ids_reach(attach(&contexts[i])));
    assert_true(tny_context_tag(&contexts[i], TNY_MESSAGE_COUNT - 1) <= tag_max);
  }
  assert_false(tny_context_ids_reach(tny_context_ids_propose()));
  remove_all();
}

/* This rank's window, as if there were no other. */
static int64_t search(int64_t first)
{
  uint64_t window[TNY_CONTEXT_WINDOW_WORDS];
  tny_context_ids_mark(first, window);
  return tny_context_ids_least(first, window);
}

static void the_least_free_number_is_found(void **state)
{
  enum { COUNT = TNY_CONTEXT_WINDOW + 3 };
  static struct tny_context contexts[COUNT];
  (void)state;
  tny_context_ids_open(COUNT * TNY_MESSAGE_COUNT - 1);
  for (int i = 0; i < COUNT; i++)
    attach(&contexts[i]);
  assert_true(search(0) < 0);
  assert_true(search(TNY_CONTEXT_WINDOW) < 0);
  tny_context_ids_remove(&contexts[COUNT - 2], false);
  assert_true(search(0) < 0);
  assert_int_equal(search(TNY_CONTEXT_WINDOW), COUNT - 2);
  tny_context_ids_remove(&contexts[70], false);
  tny_context_ids_remove(&contexts[64], false);
  assert_int_equal(search(0), 64);
  contexts[64] = (struct tny_context){.id = 64};
  tny_context_ids_add(&contexts[64]);
  assert_int_equal(search(0), 70);
  remove_all();
}

static void a_number_that_failed_is_not_found_again(void **state)
{
  struct tny_context contexts[3];
  (void)state;
  tny_context_ids_open(1000);
  for (int i = 0; i < 3; i++)
    attach(&contexts[i]);
  tny_context_ids_remove(&contexts[1], true);
  tny_context_ids_remove(&contexts[0], false);
  assert_int_equal(search(0), 3);
  remove_all();
}

static void tickets_are_the_leaders_own_and_rise(void **state)
{
  (void)state;
  const int64_t one = tny_context_tickets_draw(2, 5), other = tny_context_tickets_draw(2, 5);
  assert_int_equal(one % 5, 2);
  assert_int_equal(other, one + 5);
}

static void the_least_ticket_is_taken_when_the_holder_lets_go(void **state)
{
  struct tny_context_ticket nine = {0}, seven = {0}, eight = {0}, none = {0};
  (void)state;
  tny_context_ticket_begin(&nine, 9);
  assert_true(tny_context_ticket_take(&nine));
  tny_context_ticket_begin(&seven, 7);
  tny_context_ticket_begin(&eight, 8);
  assert_false(tny_context_ticket_take(&seven));
  tny_context_ticket_let_go(&seven); /* another holds it */
  assert_false(tny_context_ticket_take(&seven));
  tny_context_ticket_let_go(&nine);
  assert_false(tny_context_ticket_take(&nine));
  assert_false(tny_context_ticket_take(&eight));
  assert_true(tny_context_ticket_take(&seven));
  tny_context_ticket_end(&none);
  assert_false(tny_context_ticket_take(&eight));
  tny_context_ticket_end(&seven);
  assert_true(tny_context_ticket_take(&eight));
  tny_context_ticket_end(&eight);
  assert_true(tny_context_ticket_take(&nine));
  tny_context_ticket_end(&nine);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_new_number_is_above_all_that_are_live),
      cmocka_unit_test(another_ranks_greater_proposal_counts),
      cmocka_unit_test(a_number_is_spoilt_by_others_that_go_by_it),
      cmocka_unit_test(a_native_context_has_no_number_and_takes_none),
      cmocka_unit_test(the_number_of_a_failed_context_is_never_given_again),
      cmocka_unit_test(there_are_as_many_numbers_as_the_tags_make),
      cmocka_unit_test(the_least_free_number_is_found),
      cmocka_unit_test(a_number_that_failed_is_not_found_again),
      cmocka_unit_test(tickets_are_the_leaders_own_and_rise),
      cmocka_unit_test(the_least_ticket_is_taken_when_the_holder_lets_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
