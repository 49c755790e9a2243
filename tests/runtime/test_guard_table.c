/* The classes of a communicator (src/mpi/guard/table.c): what is noted without memory, what takes
   it, and what becomes of them where there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/alloc.h"
#include "mpi/guard/table.h"

static bool see(struct tny_guard_table *table, uint32_t number)
{
  return tny_guard_table_see(table, TNY_ALLTOALL, number);
}

static void add(struct tny_guard_table *table, enum tny_collective collective, uint32_t number)
{
  const struct tny_guard_class class = tny_guard_class_new(collective, number, 1);
  const struct tny_guard_class *added = tny_guard_table_add(table, &class);
  assert_non_null(added);
  assert_ptr_equal(added, tny_guard_table_find(table, collective, number));
}

static void a_first_call_is_noted_once_and_without_memory(void **state)
{
  struct tny_guard_table table = {.count = 0};
  (void)state;
  tny_alloc_fail_from(1);
  assert_false(tny_guard_table_has_seen(&table, TNY_ALLTOALL, 0));
  assert_true(see(&table, 0));
  assert_false(see(&table, 0));
  assert_true(tny_guard_table_see(&table, TNY_BROADCAST, 0));
  tny_alloc_fail_from(0);
  assert_true(tny_guard_table_has_seen(&table, TNY_ALLTOALL, 0));
  assert_false(tny_guard_table_has_seen(&table, TNY_ALLTOALL, 1));
  assert_null(tny_guard_table_find(&table, TNY_ALLTOALL, 0));
}

/* A class is noted no longer once it is in the list. */
static void classes_of_one_call_have_a_bound(void **state)
{
  struct tny_guard_table table = {.count = 0};
  (void)state;
  for (uint32_t number = 0; number < TNY_GUARD_SEEN_ONCE; number++)
    assert_true(see(&table, number));
  assert_false(see(&table, TNY_GUARD_SEEN_ONCE));
  assert_false(tny_guard_table_has_seen(&table, TNY_ALLTOALL, TNY_GUARD_SEEN_ONCE));
  add(&table, TNY_ALLTOALL, TNY_GUARD_SEEN_ONCE); /* was never noted */
  assert_false(see(&table, TNY_GUARD_SEEN_ONCE + 1));
  add(&table, TNY_ALLTOALL, 3);
  assert_true(see(&table, TNY_GUARD_SEEN_ONCE + 1));
  for (uint32_t number = 0; number < TNY_GUARD_SEEN_ONCE + 2; number++)
    assert_true(tny_guard_table_has_seen(&table, TNY_ALLTOALL, number));
  tny_guard_table_release(&table);
}

static void every_class_of_every_collective_has_a_place(void **state)
{
  struct tny_guard_table table = {.count = 0};
  (void)state;
  for (uint32_t number = 0; number < TNY_GUARD_CLASSES; number++)
    for (unsigned c = 0; c < TNY_COLLECTIVE_COUNT; c++)
      add(&table, (enum tny_collective)c, number);
  for (uint32_t number = 0; number < TNY_GUARD_CLASSES; number++)
    for (unsigned c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
      const struct tny_guard_class *class =
          tny_guard_table_find(&table, (enum tny_collective)c, number);
      assert_non_null(class);
      assert_true(class->collective == c && class->number == number);
    }
  tny_guard_table_release(&table);
}

/* What it takes doesn't depend on how many collectives there are. */
static void a_table_has_memory_for_what_is_in_it_alone(void **state)
{
  const size_t class_bytes = sizeof(struct tny_guard_class);
  const size_t row_bytes = TNY_GUARD_OWN * sizeof(uint16_t);
  struct tny_guard_table table = {.count = 0};
  (void)state;
  assert_true(tny_guard_table_reserve(&table, 5));
  tny_guard_table_trim(&table);
  assert_null(table.classes);
  assert_null(table.rows);
  const uint64_t before = tny_alloc_bytes();
  add(&table, TNY_SCATTER, 3);
  assert_int_equal(tny_alloc_bytes() - before, class_bytes + row_bytes);
  add(&table, TNY_SCATTER, 4);
  assert_int_equal(tny_alloc_bytes() - before, (1 + 2) * class_bytes + 2 * row_bytes);
  add(&table, TNY_BROADCAST, 4);
  assert_int_equal(tny_alloc_bytes() - before, (1 + 2 + 3) * class_bytes + (2 + 2) * row_bytes);
  add(&table, TNY_SCATTER, tny_guard_own(3));
  assert_int_equal(tny_alloc_bytes() - before,
                   (1 + 2 + 3 + 4) * class_bytes + (2 + 2 + 3) * row_bytes);
  tny_guard_table_release(&table);
}

static void what_was_put_where_room_was_stays_as_the_room_is_given_back(void **state)
{
  const struct tny_guard_class one = tny_guard_class_new(TNY_ALLTOALL, 16, 1);
  const struct tny_guard_class other = tny_guard_class_new(TNY_BROADCAST, 3, 1);
  (void)state;
  for (uint64_t fails = 0; fails < 3; fails++) {
    struct tny_guard_table table = {.count = 0};
    assert_true(tny_guard_table_reserve(&table, 12));
    tny_guard_table_put(&table, &one);
    tny_guard_table_put(&table, &other);
    tny_alloc_fail_from(fails);
    tny_guard_table_trim(&table);
    tny_alloc_fail_from(0);
    assert_int_equal(tny_guard_table_find(&table, TNY_ALLTOALL, 16)->number, 16);
    assert_int_equal(tny_guard_table_find(&table, TNY_BROADCAST, 3)->number, 3);
    add(&table, TNY_GATHER, 7);
    tny_guard_table_release(&table);
  }
}

static void a_class_for_which_there_is_no_memory_leaves_the_table_as_it_was(void **state)
{
  const struct tny_guard_class other = tny_guard_class_new(TNY_BROADCAST, 3, 1);
  (void)state;
  for (uint64_t fails = 1; fails < 3; fails++) {
    struct tny_guard_table table = {.count = 0};
    add(&table, TNY_ALLTOALL, 16);
    assert_true(tny_guard_table_see(&table, TNY_BROADCAST, 3));
    tny_alloc_fail_from(fails);
    assert_null(tny_guard_table_add(&table, &other));
    tny_alloc_fail_from(fails);
    assert_false(tny_guard_table_reserve(&table, 12));
    tny_alloc_fail_from(0);
    assert_null(tny_guard_table_find(&table, TNY_BROADCAST, 3));
    assert_true(tny_guard_table_has_seen(&table, TNY_BROADCAST, 3));
    assert_int_equal(tny_guard_table_find(&table, TNY_ALLTOALL, 16)->number, 16);
    add(&table, TNY_BROADCAST, 3);
    tny_guard_table_release(&table);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_first_call_is_noted_once_and_without_memory),
      cmocka_unit_test(classes_of_one_call_have_a_bound),
      cmocka_unit_test(every_class_of_every_collective_has_a_place),
      cmocka_unit_test(a_table_has_memory_for_what_is_in_it_alone),
      cmocka_unit_test(what_was_put_where_room_was_stays_as_the_room_is_given_back),
      cmocka_unit_test(a_class_for_which_there_is_no_memory_leaves_the_table_as_it_was),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
