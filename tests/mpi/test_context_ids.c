/* The ids that tell the messages of communicators apart (src/mpi/context_ids.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "mpi/context_ids.h"

/* Gives a context its id as if this rank led, and were alone or its proposal the greatest. */
static int64_t attach(struct tny_context *context, uint32_t leader)
{
  *context = (struct tny_context){.id = tny_context_ids_give(tny_context_ids_propose(), leader)};
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
  tny_context_ids_open(1000, 4, false);
  for (int i = 0; i < 4; i++)
    assert_int_equal(attach(&contexts[i], 0), i);
  tny_context_ids_remove(&contexts[1], false);
  assert_int_equal(attach(&contexts[1], 0), 4);
  tny_context_ids_remove(&contexts[1], false);
  tny_context_ids_remove(&contexts[3], false);
  assert_int_equal(attach(&contexts[3], 0), 3);
  remove_all();
  assert_int_equal(attach(&contexts[0], 0), 0);
  remove_all();
}

static void another_ranks_greater_proposal_counts(void **state)
{
  struct tny_context one = {.id = 17}, other;
  (void)state;
  tny_context_ids_open(1000, 4, false);
  assert_int_equal(tny_context_ids_give(17, 2), 17);
  tny_context_ids_add(&one);
  assert_int_equal(attach(&other, 0), 18);
  remove_all();
}

static void a_native_context_has_no_number_and_takes_none(void **state)
{
  struct tny_context one, native = {.id = -1}, other;
  (void)state;
  tny_context_ids_open(1000, 4, false);
  attach(&one, 0);
  tny_context_ids_add(&native);
  assert_int_equal(attach(&other, 0), 1);
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
  tny_context_ids_open(1000, 4, false);
  attach(&context, 0);
  tny_context_ids_remove(&context, true);
  assert_int_equal(attach(&context, 0), 1);
  remove_all();
}

static void threads_numbers_differ_by_their_leader_and_are_given_once(void **state)
{
  enum { WORLD = 5, ROUNDS = 20 };
  bool given[WORLD * ROUNDS * WORLD] = {false};
  struct tny_context context;
  (void)state;
  tny_context_ids_open(100000, WORLD, true);
  for (uint32_t i = 0; i < ROUNDS; i++) {
    const uint32_t leader = i * 3 % WORLD;
    const int64_t number = attach(&context, leader);
    assert_int_equal(number % WORLD, leader);
    assert_in_range(number, 0, sizeof given - 1);
    assert_false(given[number]);
    given[number] = true;
    tny_context_ids_remove(&context, false);
  }
}

static void there_are_as_many_numbers_as_the_tags_make(void **state)
{
  struct tny_context contexts[6];
  const int tag_max = 5 * TNY_MESSAGE_COUNT - 1;
  (void)state;
  for (int is_threaded = 0; is_threaded < 2; is_threaded++) {
    tny_context_ids_open(tag_max, 1 + (uint32_t)is_threaded, is_threaded);
    int64_t last = -1;
    for (int i = 0; i < (is_threaded ? 3 : 5); i++) {
      assert_true(attach(&contexts[i], 0) > last);
      last = contexts[i].id;
      assert_true(tny_context_tag(&contexts[i], TNY_MESSAGE_COUNT - 1) <= tag_max);
    }
    assert_int_equal(last, 4);
    assert_true(tny_context_ids_give(tny_context_ids_propose(), 0) < 0);
    remove_all();
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_new_number_is_above_all_that_are_live),
      cmocka_unit_test(another_ranks_greater_proposal_counts),
      cmocka_unit_test(a_native_context_has_no_number_and_takes_none),
      cmocka_unit_test(the_number_of_a_failed_context_is_never_given_again),
      cmocka_unit_test(threads_numbers_differ_by_their_leader_and_are_given_once),
      cmocka_unit_test(there_are_as_many_numbers_as_the_tags_make),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
