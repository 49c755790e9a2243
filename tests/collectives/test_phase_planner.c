/* The general phase planner: planned phases are right on any cluster, and close to the bound. The
   whole tables, with the same targets, are bench/planner/planner_table.c. */
#include "support/memory.h"
#include "support/setting.h"

#include "planner/phases/grid_side.h"
#include "planner/phases/planner.h"

#include <tourney/verify.h>

static const struct tny_algorithm *planner(void)
{
  return tny_algorithm_find(TNY_ALLTOALL, "planned-phases");
}

static void begin(struct setting *setting, const char *cluster, uint32_t rank_count)
{
  set_up(setting, cluster, TNY_MAP_BLOCK, rank_count);
  setting->problem.collective = TNY_ALLTOALL;
}

/* Ranks on hosts by hand. */
static void map_ranks_by_hand(struct setting *setting, const uint32_t *hosts, uint32_t rank_count)
{
  tny_placement_free(setting->placement);
  memcpy(setting->hosts, hosts, rank_count * sizeof *hosts);
  assert_int_equal(
      tny_placement_make(setting->cluster, setting->hosts, rank_count, &setting->placement, NULL),
      TNY_OK);
  setting->problem.rank_count = rank_count;
  setting->problem.placement = setting->placement;
}

/* The most messages on a link, or of a rank; from the routes alone. */
static uint32_t bound_of(const struct setting *setting)
{
  const struct tny_cluster *cluster = setting->cluster;
  const struct tny_pattern *pattern = setting->problem.pattern;
  const uint32_t p = setting->problem.rank_count;
  uint32_t *load = tny_new(cluster->link_count + 2 * (size_t)p, sizeof *load), most = 0;
  assert_non_null(load);
  for (uint32_t from = 0; from < p; from++)
    for (uint32_t to = 0; to < p; to++) {
      if (from == to || (pattern && pattern->bytes[(size_t)from * p + to] == 0))
        continue;
      load[cluster->link_count + from]++;
      load[cluster->link_count + p + to]++;
      uint32_t link;
      for (uint32_t node = setting->hosts[from];
           (link = tny_routes_next(setting->routes, node, setting->hosts[to])) != TNY_NONE;
           node = cluster->links[link].to)
        load[link]++;
    }
  for (uint32_t i = 0; i < cluster->link_count + 2 * p; i++)
    most = load[i] > most ? load[i] : most;
  tny_free(load);
  return most;
}

/* No rank sends two messages in a phase, or receives two. */
static void expect_one_a_rank(const struct tny_schedule *schedule)
{
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    uint32_t next[2] = {0, 0};
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind == TNY_COPY)
        continue;
      assert_true(step->phase >= next[step->kind == TNY_RECV]);
      next[step->kind == TNY_RECV] = step->phase + 1;
    }
  }
}

/* Data, progress, one message a link and phase, and the claim; returns the phases. */
static uint32_t prove(const struct setting *setting)
{
  const struct tny_pace whole = {.chunk_count = 1};
  struct tny_problem prepared;
  struct tny_schedule *schedule = NULL;
  struct tny_report report = {0};
  struct tny_error error = {0};
  enum tny_status status = tny_problem_prepare(planner(), &setting->problem, &prepared, &error);
  if (status == TNY_OK)
    status = tny_plan_all(planner(), &prepared, whole, &schedule, &error);
  if (status == TNY_OK)
    status = tny_verify_schedule(schedule, &report, &error);
  if (status == TNY_OK)
    status = tny_verify_links(schedule, &setting->network, 1, &report, &error);
  if (status == TNY_OK) {
    const struct tny_problem settled = tny_plan_problem(planner(), &prepared, 1);
    const struct tny_claim claim = planner()->claim(&settled);
    status = tny_verify_claim(&report, &claim, &error);
  }
  if (status != TNY_OK)
    fail_msg("%s, %u ranks: %s", setting->cluster->name, setting->problem.rank_count, error.text);
  expect_one_a_rank(schedule);
  tny_schedule_free(schedule);
  tny_problem_release(planner(), &prepared);
  return report.phases;
}

/* Percent more phases than the bound. */
static double gap_of(const char *cluster, uint32_t rank_count)
{
  struct setting setting;
  begin(&setting, cluster, rank_count);
  const uint32_t phases = prove(&setting), bound = bound_of(&setting);
  tear_down(&setting);
  assert_true(phases >= bound);
  return 100.0 * (phases - bound) / bound;
}

/* --- close to the bound --- */

static int compare(const void *a, const void *b)
{
  const double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static void irregular_clusters_are_planned_close_to_the_bound(void **state)
{
  (void)state;
  enum { COUNT = 40 };
  double gaps[COUNT];
  for (uint32_t i = 0; i < COUNT; i++) {
    char name[64];
    const uint32_t k = 1 + 25 * i, switches = 2 + k % 9;
    const uint32_t hosts = switches * (7 + k / 9 % (i % 2 ? 7 : 15));
    snprintf(name, sizeof name, "irregular:%u,switches=%u,seed=%u", hosts, switches, k);
    gaps[i] = gap_of(name, 0);
    if (gaps[i] >= 12)
      fail_msg("%s: %.2f %%", name, gaps[i]);
  }
  qsort(gaps, COUNT, sizeof *gaps, compare);
  assert_true(gaps[COUNT / 2] < 5);
}

static void tori_and_meshes_are_planned_within_8_percent_of_the_bound(void **state)
{
  (void)state;
  static const char *const names[] = {
      "torus:9x9",  "torus:10x10", "torus:12x10", "torus:10x7",  "torus:11x11", "torus:13x4",
      "mesh:5x5",   "mesh:4x5",    "mesh:8x8",    "mesh:12x5",   "mesh:9x9",    "mesh:4x4x5",
      "mesh:5x5x5", "mesh:3x3x5",  "ring:18",     "torus:9x5x3", "mesh:16x3"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const double gap = gap_of(names[i], 0);
    if (gap >= 8)
      fail_msg("%s: %.2f %%", names[i], gap);
  }
}

static void many_shapes_and_networks_are_planned_exactly(void **state)
{
  (void)state;
  static const char *const names[] = {
      "ring:5",     "ring:6",      "ring:7",      "ring:8",       "ring:9",         "ring:10",
      "ring:11",    "ring:15",     "ring:17",     "torus:3x3",    "torus:4x4",      "torus:5x5",
      "torus:6x6",  "torus:7x7",   "torus:8x8",   "torus:12x12",  "torus:16x16",    "torus:16x8",
      "torus:5x8",  "torus:6x5x7", "torus:5x5x5", "torus:8x8x4",  "mesh:3x3",       "mesh:4x4",
      "mesh:4x3x2", "mesh:4x4x4",  "mesh:9",      "single:1",     "single:2",       "single:3",
      "single:33",  "fattree:4",   "fattree:6",   "switches:3+2", "switches:5+11+2"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct setting setting;
    begin(&setting, names[i], 0);
    if (prove(&setting) != bound_of(&setting))
      fail_msg("%s takes more than its %u phases", names[i], bound_of(&setting));
    tear_down(&setting);
  }
}

/* --- several ranks a host --- */

static void ranks_that_share_hosts_are_planned_close_to_the_bound(void **state)
{
  (void)state;
  assert_true(gap_of("irregular:21,switches=3,seed=5", 63) < 5);
  assert_true(gap_of("switches:5+3", 16) < 5);
  assert_true(gap_of("torus:5x5", 75) < 5);
  assert_true(gap_of("torus:9x3", 54) < 8);
}

static void ranks_may_sit_anywhere(void **state)
{
  (void)state;
  static const uint32_t crowded[] = {0, 7, 0, 0, 13, 7, 20, 0}, together[] = {3, 3, 3, 3, 3};
  struct setting setting;
  begin(&setting, "irregular:21,switches=3,seed=5", 0);
  map_ranks_by_hand(&setting, crowded, sizeof crowded / sizeof *crowded);
  assert_true(prove(&setting) >= bound_of(&setting));
  map_ranks_by_hand(&setting, together, sizeof together / sizeof *together);
  assert_int_equal(prove(&setting), 4);
  map_ranks_by_hand(&setting, together, 1);
  assert_int_equal(prove(&setting), 0);
  tear_down(&setting);
}

/* --- patterns --- */

static void sparse_patterns_take_as_many_phases_as_their_fullest_link(void **state)
{
  (void)state;
  static const char *const names[] = {"irregular:35,switches=5,seed=3", "torus:7x5", "single:40"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct setting setting;
    begin(&setting, names[i], 0);
    struct tny_pattern *pattern;
    const struct tny_pattern_chance chance = {.density = 0.3, .seed = i};
    assert_int_equal(tny_pattern_random(setting.problem.rank_count, chance, 100, &pattern, NULL),
                     TNY_OK);
    setting.problem.pattern = pattern;
    assert_int_equal(prove(&setting), bound_of(&setting));
    tny_pattern_free(pattern);
    tear_down(&setting);
  }
}

static void nobody_has_to_send_anything(void **state)
{
  (void)state;
  struct setting setting;
  struct tny_pattern *pattern;
  begin(&setting, "single:4", 0);
  assert_int_equal(tny_pattern_new(4, &pattern, NULL), TNY_OK);
  setting.problem.pattern = pattern;
  assert_int_equal(prove(&setting), 0);
  pattern->bytes[5] = 8; /* rank 1 to itself */
  assert_int_equal(prove(&setting), 0);
  tny_pattern_free(pattern);
  tear_down(&setting);
}

/* The plan's own figures, counted again. */
static void expect_lengths(const struct setting *setting, const struct tny_phase_plan *plan)
{
  const struct tny_pattern *pattern = setting->problem.pattern;
  uint64_t *longest = tny_new(plan->phase_count, sizeof *longest), sum = 0;
  assert_non_null(longest);
  for (uint32_t rank = 0; rank < plan->rank_count; rank++)
    for (uint32_t i = plan->first_send[rank]; i < plan->first_send[rank + 1]; i++) {
      const struct tny_phase_turn *turn = &plan->sends[i];
      const uint64_t bytes = pattern->bytes[(size_t)rank * plan->rank_count + turn->peer];
      longest[turn->phase] = bytes > longest[turn->phase] ? bytes : longest[turn->phase];
    }
  for (uint32_t phase = 0; phase < plan->phase_count; phase++)
    sum += longest[phase];
  assert_int_equal(plan->bytes, sum);
  assert_true(plan->bytes_least <= plan->bytes && plan->bytes_on_link <= plan->bytes_least);
  tny_free(longest);
}

static void uneven_messages_of_a_phase_are_about_as_long(void **state)
{
  (void)state;
  static const char *const names[] = {"irregular:64,switches=5,seed=1", "switches:9+7", "single:32",
                                      "mesh:6x6"};
  static const double percent[] = {1, 1, 5, 15};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct setting setting;
    begin(&setting, names[i], 0);
    const uint32_t p = setting.problem.rank_count;
    struct tny_pattern *pattern;
    struct tny_phase_plan *plan;
    uint64_t seed = 5;
    assert_int_equal(tny_pattern_new(p, &pattern, NULL), TNY_OK);
    for (uint32_t k = 0; k < p * p; k++)
      pattern->bytes[k] = draw(&seed, 1000);
    setting.problem.pattern = pattern;
    assert_int_equal(tny_phase_plan_make(&setting.problem, &plan, NULL), TNY_OK);
    expect_lengths(&setting, plan);
    if ((double)plan->bytes > (double)plan->bytes_least * (1 + percent[i] / 100))
      fail_msg("%s: %llu bytes, at least %llu", names[i], (unsigned long long)plan->bytes,
               (unsigned long long)plan->bytes_least);
    tny_phase_plan_free(plan);
    prove(&setting);
    tny_pattern_free(pattern);
    tear_down(&setting);
  }
}

/* --- the same everywhere, and in bad weather --- */

static void every_rank_plans_the_same(void **state)
{
  (void)state;
  struct setting setting;
  struct tny_phase_plan *plans[2];
  begin(&setting, "mesh:5x5", 0);
  for (int i = 0; i < 2; i++)
    assert_int_equal(tny_phase_plan_make(&setting.problem, &plans[i], NULL), TNY_OK);
  assert_int_equal(plans[0]->phase_count, plans[1]->phase_count);
  const size_t bytes = plans[0]->first_send[25] * sizeof *plans[0]->sends;
  assert_memory_equal(plans[0]->sends, plans[1]->sends, bytes);
  assert_memory_equal(plans[0]->receives, plans[1]->receives, bytes);
  tny_phase_plan_free(plans[0]);
  tny_phase_plan_free(plans[1]);
  tear_down(&setting);
}

static void what_cannot_be_planned_is_refused(void **state)
{
  (void)state;
  const struct tny_problem bare = {.collective = TNY_ALLTOALL, .rank_count = 4};
  assert_string_equal(planner()->refuse(&bare), "needs the cluster");
  struct setting setting;
  begin(&setting, "single:4", 0);
  assert_null(planner()->refuse(&setting.problem));
  setting.problem.rank_count = 2049;
  assert_string_equal(planner()->refuse(&setting.problem),
                      "plans every message by itself: needs 2048 ranks at most");
  tear_down(&setting);
}

static enum tny_status make_phase_plan(const void *problem, struct tny_error *error)
{
  struct tny_phase_plan *plan;
  const enum tny_status status = tny_phase_plan_make(problem, &plan, error);
  assert_true(status == TNY_OK ? plan != NULL : plan == NULL);
  tny_phase_plan_free(plan);
  return status;
}

static void running_out_of_memory_is_told_and_leaves_nothing(void **state)
{
  (void)state;
  static const char *const names[] = {"torus:3x3", "mesh:2x3", "ring:10", "single:5"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct setting setting;
    begin(&setting, names[i], 0);
    assert_true(starve(make_phase_plan, &setting.problem) >= 9);
    tear_down(&setting);
  }
}

/* --- sides --- */

/* Along a ring, from `from`, the way that the routes go. */
static bool goes_up(uint32_t size, uint32_t from, uint32_t to)
{
  const uint32_t offset = (to + size - from) % size;
  return 2 * offset < size || (2 * offset == size && from % 2 == 1);
}

/* Counts a message's links in its chain, and its ends in its tuple. */
static void mark(const struct tny_side *side, uint32_t from, uint32_t to, uint32_t *uses)
{
  const uint32_t size = side->size;
  const struct tny_chain_part *part = &side->parts[from * size + to];
  const bool up = goes_up(size, from, to);
  /* A tuple has `size` chains at most, of 2 * size links each; and 2 * size ends, each way. */
  uint32_t *tuple = uses + (size_t)part->tuple * (2 * size * size + 4 * size);
  for (uint32_t node = from; node != to; node = (node + (up ? 1 : size - 1)) % size)
    assert_int_equal(tuple[part->chain * 2 * size + 2 * node + up]++, 0);
  uint32_t *ends = tuple + 2 * size * size + (part->way < 0 ? 2 * size : 0);
  assert_int_equal(ends[from]++, 0);
  assert_int_equal(ends[size + to]++, 0);
  assert_true(part->way == 0 || from == to || (part->way > 0) == up);
}

static void tuples_of_rings_use_each_link_once_a_chain(void **state)
{
  (void)state;
  for (uint32_t size = 3; size <= 40; size++) {
    struct tny_side side;
    uint32_t left = 0;
    assert_true(tny_side_is_known(size, true));
    assert_int_equal(tny_side_deal(size, true, &side, NULL), TNY_OK);
    uint32_t *uses = tny_new((size_t)side.tuple_count * (2 * size * size + 4 * size), sizeof *uses);
    assert_non_null(uses);
    for (uint32_t from = 0; from < size; from++)
      for (uint32_t to = 0; to < size; to++)
        if (side.parts[from * size + to].tuple != TNY_NONE)
          mark(&side, from, to, uses);
        else
          left += from != to;
    /* All are in a tuple, but for those half around, where the tournament has no game for them. */
    assert_int_equal(left, size > 6 && size % 4 == 2 ? size : 0);
    tny_free(uses);
    tny_side_release(&side);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(irregular_clusters_are_planned_close_to_the_bound),
      cmocka_unit_test(tori_and_meshes_are_planned_within_8_percent_of_the_bound),
      cmocka_unit_test(many_shapes_and_networks_are_planned_exactly),
      cmocka_unit_test(ranks_that_share_hosts_are_planned_close_to_the_bound),
      cmocka_unit_test(ranks_may_sit_anywhere),
      cmocka_unit_test(sparse_patterns_take_as_many_phases_as_their_fullest_link),
      cmocka_unit_test(nobody_has_to_send_anything),
      cmocka_unit_test(uneven_messages_of_a_phase_are_about_as_long),
      cmocka_unit_test(every_rank_plans_the_same),
      cmocka_unit_test(what_cannot_be_planned_is_refused),
      cmocka_unit_test(running_out_of_memory_is_told_and_leaves_nothing),
      cmocka_unit_test(tuples_of_rings_use_each_link_once_a_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
