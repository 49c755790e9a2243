/* Prepared algorithms are kept within bounds (src/mpi/cache/prepared.c), without the pattern that
   they were prepared for, and so is what is known of sizes (src/mpi/cache/planned_sizes.c). */
#include "support/setting.h"

#include <malloc.h>

#include "mpi/cache/planned_sizes.h"
#include "mpi/cache/prepared.h"

static struct setting setting;
static struct tny_prepared *list;

static int set_up_cluster(void **state)
{
  (void)state;
  set_up(&setting, "switches:16+16+16+16", TNY_MAP_INTERLEAVED, 0);
  return 0;
}

static int tear_down_cluster(void **state)
{
  (void)state;
  tear_down(&setting);
  return 0;
}

static struct tny_algorithm_choice planner(void)
{
  const struct tny_algorithm_choice choice = {
      .algorithm = tny_algorithm_find(TNY_BROADCAST, "switch-circulant")};
  assert_non_null(choice.algorithm->prepare);
  return choice;
}

/* Takes and puts back what a broadcast from `root` needs. */
static const struct tny_prepared *use(uint32_t root)
{
  struct tny_problem problem = setting.problem;
  problem.collective = TNY_BROADCAST;
  problem.root = root;
  struct tny_prepared *prepared = tny_prepared_take(&list, planner(), &problem);
  assert_non_null(prepared);
  assert_int_equal(prepared->problem.root, root);
  assert_non_null(prepared->problem.prepared);
  tny_prepared_put(&list, prepared);
  return prepared;
}

static uint32_t count(void)
{
  uint32_t length = 0;
  for (const struct tny_prepared *prepared = list; prepared; prepared = prepared->next)
    length++;
  return length;
}

static void release(void)
{
  tny_prepared_free(list);
  list = NULL;
}

static void broadcasts_from_all_roots_keep_few_planners(void **state)
{
  (void)state;
  const uint32_t p = setting.problem.rank_count;
  for (uint32_t root = 0; root < p; root++)
    use(root);
  assert_int_equal(count(), TNY_PREPARED_MAX);
  uint32_t root = p;
  for (const struct tny_prepared *prepared = list; prepared; prepared = prepared->next)
    assert_int_equal(prepared->problem.root, --root);
  release();
}

static void memory_stays_as_it_is_once_the_list_is_full(void **state)
{
  (void)state;
  const uint32_t p = setting.problem.rank_count;
  for (uint32_t root = 0; root < TNY_PREPARED_MAX; root++)
    use(root);
  const size_t before = mallinfo2().uordblks;
  if (before == 0) {
    print_message("skipped: this malloc doesn't tell how much is in use\n");
    release();
    skip();
  }
  for (uint32_t root = 0; root < p; root++)
    use(root);
  const size_t after = mallinfo2().uordblks;
  print_message("%zu bytes with %u of %u roots prepared, %zu after all\n", before,
                (unsigned)TNY_PREPARED_MAX, p, after);
  assert_true(after < before + before / 10);
  release();
}

static void what_was_used_last_is_not_prepared_again(void **state)
{
  (void)state;
  const struct tny_prepared *kept = use(0);
  for (uint32_t root = 1; root < 3 * TNY_PREPARED_MAX; root++) {
    use(root);
    assert_ptr_equal(use(0), kept);
  }
  release();
}

static void what_is_in_use_is_never_freed(void **state)
{
  (void)state;
  struct tny_problem problem = setting.problem;
  problem.collective = TNY_BROADCAST;
  struct tny_prepared *taken = tny_prepared_take(&list, planner(), &problem);
  for (uint32_t root = 0; root < 3 * TNY_PREPARED_MAX; root++)
    use(root);
  assert_int_equal(taken->problem.root, 0);
  tny_prepared_put(&list, taken);
  assert_ptr_equal(list, taken);
  assert_int_equal(count(), TNY_PREPARED_MAX);
  release();
}

/* A pattern may be gone when what was prepared for it is taken again. */
static void a_pattern_is_borrowed_only_while_it_is_in_use(void **state)
{
  (void)state;
  const struct tny_algorithm_choice choice = {
      .algorithm = tny_algorithm_find(TNY_ALLTOALL, "planned-phases")};
  struct tny_problem problem = setting.problem;
  struct tny_pattern *first, *again;
  const struct tny_pattern_chance few = {.density = 0.1, .seed = 3};
  const uint32_t p = problem.rank_count;
  problem.collective = TNY_ALLTOALL;
  assert_int_equal(tny_pattern_random(p, few, 1, &first, NULL), TNY_OK);
  assert_int_equal(tny_pattern_random(p, few, 1, &again, NULL), TNY_OK);
  problem.pattern = first;
  struct tny_prepared *taken = tny_prepared_take(&list, choice, &problem);
  assert_ptr_equal(taken->problem.pattern, first);
  tny_prepared_put(&list, taken);
  assert_null(list->problem.pattern);
  tny_pattern_free(first);
  problem.pattern = again;
  assert_ptr_equal(tny_prepared_take(&list, choice, &problem), taken);
  assert_ptr_equal(taken->problem.pattern, again);
  tny_prepared_put(&list, taken);
  tny_pattern_free(again);
  release();
}

static void known_sizes_are_bounded_and_the_oldest_go(void **state)
{
  struct tny_planned_size *sizes = NULL;
  (void)state;
  for (uint32_t i = 0; i < 2 * TNY_PLANNED_SIZES_MAX; i++) {
    const struct tny_planned_size size = {
        .choice = planner(), .root = i, .step_bytes = 100, .run = {.count = i + 1}};
    assert_null(tny_planned_sizes_find(&sizes, &size));
    tny_planned_sizes_add(&sizes, &size);
    assert_int_equal(tny_planned_sizes_find(&sizes, &size)->run.count, i + 1);
  }
  uint32_t length = 0;
  for (const struct tny_planned_size *size = sizes; size; size = size->next) {
    assert_int_equal(size->root, 2 * TNY_PLANNED_SIZES_MAX - 1 - length);
    length++;
  }
  assert_int_equal(length, TNY_PLANNED_SIZES_MAX);
  tny_planned_sizes_free(sizes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(broadcasts_from_all_roots_keep_few_planners),
      cmocka_unit_test(memory_stays_as_it_is_once_the_list_is_full),
      cmocka_unit_test(what_was_used_last_is_not_prepared_again),
      cmocka_unit_test(what_is_in_use_is_never_freed),
      cmocka_unit_test(a_pattern_is_borrowed_only_while_it_is_in_use),
      cmocka_unit_test(known_sizes_are_bounded_and_the_oldest_go),
  };
  return cmocka_run_group_tests(tests, set_up_cluster, tear_down_cluster);
}
