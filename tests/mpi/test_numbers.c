/* The numbers by which the runtime tells its channels' messages apart (src/mpi/numbers.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "mpi/runtime.h"

/* Attaches a channel as if this rank were alone, or its proposal the greatest, and the leader. */
static int64_t attach(struct tny_channel *channel, uint32_t leader)
{
  *channel = (struct tny_channel){.number = tny_numbers_give(tny_numbers_propose(), leader)};
  tny_numbers_add(channel);
  return channel->number;
}

static void remove_all(void)
{
  struct tny_channel *channel;
  while ((channel = tny_numbers_any()) != NULL)
    tny_numbers_remove(channel);
}

static void a_new_number_is_above_all_that_are_live(void **state)
{
  struct tny_channel channels[6];
  (void)state;
  tny_numbers_open(1000, 4, false);
  for (int i = 0; i < 4; i++)
    assert_int_equal(attach(&channels[i], 0), i);
  tny_numbers_remove(&channels[1]);
  assert_int_equal(attach(&channels[1], 0), 4);
  tny_numbers_remove(&channels[1]);
  tny_numbers_remove(&channels[3]);
  assert_int_equal(attach(&channels[3], 0), 3);
  remove_all();
  assert_int_equal(attach(&channels[0], 0), 0);
  remove_all();
}

static void another_ranks_greater_proposal_counts(void **state)
{
  struct tny_channel one = {.number = 17}, other;
  (void)state;
  tny_numbers_open(1000, 4, false);
  assert_int_equal(tny_numbers_give(17, 2), 17);
  tny_numbers_add(&one);
  assert_int_equal(attach(&other, 0), 18);
  remove_all();
}

static void a_native_channel_has_no_number_and_takes_none(void **state)
{
  struct tny_channel one, native = {.number = -1}, other;
  (void)state;
  tny_numbers_open(1000, 4, false);
  attach(&one, 0);
  tny_numbers_add(&native);
  assert_int_equal(attach(&other, 0), 1);
  tny_numbers_remove(&one);
  tny_numbers_remove(&other);
  assert_ptr_equal(tny_numbers_any(), &native);
  tny_numbers_remove(&native);
  assert_null(tny_numbers_any());
}

static void the_number_of_a_failed_channel_is_never_given_again(void **state)
{
  struct tny_channel channel;
  (void)state;
  tny_numbers_open(1000, 4, false);
  attach(&channel, 0);
  channel.broken = MPI_ERR_OTHER;
  tny_numbers_remove(&channel);
  assert_int_equal(attach(&channel, 0), 1);
  remove_all();
}

static void threads_numbers_differ_by_their_leader_and_are_given_once(void **state)
{
  enum { WORLD = 5, ROUNDS = 20 };
  bool given[WORLD * ROUNDS * WORLD] = {false};
  struct tny_channel channel;
  (void)state;
  tny_numbers_open(100000, WORLD, true);
  for (uint32_t i = 0; i < ROUNDS; i++) {
    const uint32_t leader = i * 3 % WORLD;
    const int64_t number = attach(&channel, leader);
    assert_int_equal(number % WORLD, leader);
    assert_in_range(number, 0, sizeof given - 1);
    assert_false(given[number]);
    given[number] = true;
    tny_numbers_remove(&channel);
  }
}

static void there_are_as_many_numbers_as_the_tags_make(void **state)
{
  struct tny_channel channels[6];
  const int tag_max = 5 * TNY_MESSAGE_COUNT - 1;
  (void)state;
  for (int is_threaded = 0; is_threaded < 2; is_threaded++) {
    tny_numbers_open(tag_max, 1 + (uint32_t)is_threaded, is_threaded);
    int64_t last = -1;
    for (int i = 0; i < (is_threaded ? 3 : 5); i++) {
      assert_true(attach(&channels[i], 0) > last);
      last = channels[i].number;
      assert_true(tny_tag(&channels[i], TNY_MESSAGE_COUNT - 1) <= tag_max);
    }
    assert_int_equal(last, 4);
    assert_true(tny_numbers_give(tny_numbers_propose(), 0) < 0);
    remove_all();
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_new_number_is_above_all_that_are_live),
      cmocka_unit_test(another_ranks_greater_proposal_counts),
      cmocka_unit_test(a_native_channel_has_no_number_and_takes_none),
      cmocka_unit_test(the_number_of_a_failed_channel_is_never_given_again),
      cmocka_unit_test(threads_numbers_differ_by_their_leader_and_are_given_once),
      cmocka_unit_test(there_are_as_many_numbers_as_the_tags_make),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
