/* Plans and how sizes are run by them (src/mpi/plans.c), where memory is short. */
#include "support/setting.h"

#include "core/alloc.h"
#include "mpi/plans.h"

/* The problem of the test's own group. */
static struct setting setting;

struct tny_problem tny_group_problem(const struct tny_group *group,
                                     struct tny_algorithm_choice choice, uint32_t root)
{
  (void)group;
  struct tny_problem problem = setting.problem;
  problem.collective = choice.algorithm->collective;
  problem.parameter = choice.parameter;
  problem.root = root;
  return problem;
}

static void a_size_is_run_though_it_cannot_be_remembered(void **state)
{
  struct tny_group group = {.lock = PTHREAD_MUTEX_INITIALIZER};
  struct tny_plan_request request = {
      .choice = {.algorithm = tny_algorithm_find(TNY_ALLTOALL, "bruck"), .parameter = 2},
      .block_bytes = 5000};
  struct tny_segments with, without = {.count = 0};
  (void)state;
  set_up(&setting, "switches:3+3", TNY_MAP_INTERLEAVED, 0);
  group.network = setting.network;
  group.model = tny_model_make(&group.network, setting.problem.rank_count, NULL);
  request.block_bytes = 100000;
  tny_alloc_fail_from(1);
  const bool is_found = tny_plan_run_alone(&group, &request, &without);
  tny_alloc_fail_from(0);
  assert_true(is_found);
  assert_null(group.sizes);
  assert_true(tny_plan_run_alone(&group, &request, &with));
  assert_non_null(group.sizes);
  assert_int_equal(without.count, with.count);
  assert_memory_equal(&without.pace, &with.pace, sizeof with.pace);
  tny_planned_sizes_free(group.sizes);
  tear_down(&setting);
}

/* A planner looks at the whole cluster; where links are limited, all ranks' steps are planned. */
static void what_takes_all_ranks_steps_is_not_planned_alone(void **state)
{
  struct tny_group group = {.lock = PTHREAD_MUTEX_INITIALIZER};
  struct tny_plan_request request = {
      .choice = {.algorithm = tny_algorithm_find(TNY_ALLTOALL, "tree-phases")},
      .block_bytes = 65536};
  struct tny_segments run;
  (void)state;
  set_up(&setting, "switches:3+13,link=20Mbit/s", TNY_MAP_BLOCK, 0);
  group.network = setting.network;
  group.model = tny_model_make(&group.network, setting.problem.rank_count, NULL);
  assert_false(tny_plan_run_alone(&group, &request, &run));
  request.choice.algorithm = tny_algorithm_find(TNY_ALLTOALL, "shift");
  assert_false(tny_plan_run_alone(&group, &request, &run));
  request.choice = (struct tny_algorithm_choice){tny_algorithm_find(TNY_ALLTOALL, "bruck"), 2};
  assert_true(tny_plan_run_alone(&group, &request, &run));
  tny_planned_sizes_free(group.sizes);
  tear_down(&setting);
}

/* Whichever allocation fails, the call fails and leaves nothing behind; the next one is served. */
static void a_plan_is_made_whole_or_not_at_all(void **state)
{
  struct tny_group group = {.lock = PTHREAD_MUTEX_INITIALIZER};
  const struct tny_plan_request request = {.choice = {tny_algorithm_find(TNY_ALLTOALL, "bruck"), 2},
                                           .block_bytes = 5000};
  struct tny_plan_basis basis = {0};
  struct tny_plan *plan = NULL;
  uint32_t failures = 0;
  (void)state;
  set_up(&setting, "switches:3+3", TNY_MAP_INTERLEAVED, 0);
  group.network = setting.network;
  group.model = tny_model_make(&group.network, setting.problem.rank_count, NULL);
  assert_true(tny_plan_run_alone(&group, &request, &basis.run));
  while (!plan) {
    tny_alloc_fail_from(++failures);
    plan = tny_plan_get(&group, &request, &basis);
    tny_alloc_fail_from(0);
    assert_null(group.plans);
  }
  print_message("%u allocations\n", failures - 1);
  assert_true(failures > 5);
  assert_non_null(plan->type_hints);
  tny_plan_put(&group, plan);
  assert_ptr_equal(tny_plan_get(&group, &request, &basis), plan);
  tny_plan_free(plan);
  tny_planned_sizes_free(group.sizes);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_size_is_run_though_it_cannot_be_remembered),
      cmocka_unit_test(what_takes_all_ranks_steps_is_not_planned_alone),
      cmocka_unit_test(a_plan_is_made_whole_or_not_at_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
