/* Turned round in time, broadcasts are reduces, all-gathers reduce-scatters and scatters gathers:
   proved of every algorithm, where hosts have several ranks too. */
#include "in_flight_support.h"

#include <tourney/schedule.h>
#include <tourney/verify.h>

#include "plan/stages.h"

static const enum tny_collective turned[TNY_COLLECTIVE_COUNT] = {
    [TNY_BROADCAST] = TNY_REDUCE, [TNY_ALLGATHER] = TNY_REDUCE_SCATTER, [TNY_SCATTER] = TNY_GATHER};

/* The schedule of an algorithm, turned round; NULL: the pass refuses it. */
static struct tny_schedule *turn(const struct tny_algorithm *algorithm,
                                 const struct tny_problem *problem, uint32_t pieces)
{
  const struct tny_pace pace = {.chunk_count = pieces};
  const struct tny_problem settled = tny_plan_problem(algorithm, problem, pieces);
  const struct tny_claim claim = tny_algorithm_claim(algorithm, &settled);
  struct tny_schedule *schedule;
  assert_int_equal(tny_schedule_new(turned[algorithm->collective], problem->rank_count,
                                    problem->root, algorithm->name, &schedule, NULL),
                   TNY_OK);
  schedule->chunk_count = settled.piece_count;
  schedule->commutes = tny_collective_reduces(schedule->collective);
  for (uint32_t rank = 0; rank < problem->rank_count; rank++) {
    const struct tny_reversed of = {.collective = algorithm->collective,
                                    .rank_count = problem->rank_count,
                                    .root = problem->root,
                                    .rank = rank,
                                    .phases = claim.phases,
                                    .scratch_blocks = claim.scratch_blocks,
                                    .piece_count = settled.piece_count,
                                    .places_multiple = algorithm->holds_blocks};
    struct tny_steps steps;
    struct tny_error error = {0};
    uint32_t scratch_blocks;
    assert_int_equal(tny_plan_emit(algorithm, problem, pace, rank, &steps, NULL), TNY_OK);
    const enum tny_status status =
        tny_pass_reverse(&steps, &of, &schedule->ranks[rank], &scratch_blocks, &error);
    tny_steps_release(&steps);
    if (status != TNY_OK) {
      assert_int_equal(status, TNY_REFUSED);
      assert_true(error.text[0] != '\0');
      tny_schedule_free(schedule);
      return NULL;
    }
    if (scratch_blocks > schedule->scratch_blocks)
      schedule->scratch_blocks = scratch_blocks;
  }
  return schedule;
}

static bool check(const struct tny_algorithm *algorithm, const struct tny_problem *problem,
                  uint32_t pieces, uint32_t *scratch)
{
  struct tny_error error = {0};
  struct tny_problem prepared;
  if (tny_algorithm_refusal(algorithm, problem))
    return false;
  assert_int_equal(tny_problem_prepare(algorithm, problem, &prepared, NULL), TNY_OK);
  struct tny_schedule *schedule = turn(algorithm, &prepared, pieces);
  tny_problem_release(algorithm, &prepared);
  if (!schedule)
    return false;
  if (schedule->scratch_blocks > *scratch)
    *scratch = schedule->scratch_blocks;
  if (tny_verify_schedule(schedule, NULL, &error) != TNY_OK)
    fail_msg("%s %s of %u ranks, root %u, %u pieces: %s",
             tny_collective_name(algorithm->collective), algorithm->name, problem->rank_count,
             problem->root, pieces, error.text);
  tny_schedule_free(schedule);
  return true;
}

static void what_is_turned_round_is_right(void **state)
{
  (void)state;
  static const struct {
    const char *cluster;
    uint32_t ranks;
  } settings[] = {
      {"switches:3+5+2", 0}, {"torus:4x4", 0},    {"ring:5", 0},
      {"single:9", 0},       {"switches:1+1", 0}, {"single:3", 6},
      {"single:2", 8},       {"single:2", 22},    {"irregular:30,switches=3,seed=5", 0}};
  for (uint32_t a = 0; tny_algorithms[a]; a++) {
    const struct tny_algorithm *algorithm = tny_algorithms[a];
    uint32_t checked = 0, scratch = 0;
    if (turned[algorithm->collective] == 0)
      continue;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
      struct setting setting;
      set_up(&setting, settings[i].cluster, TNY_MAP_INTERLEAVED, settings[i].ranks);
      struct tny_problem problem = setting.problem;
      problem.collective = algorithm->collective;
      const uint32_t roots = tny_collective_has_root(problem.collective) ? problem.rank_count : 1;
      for (problem.root = 0; problem.root < roots; problem.root++)
        for (uint32_t pieces = 1; pieces <= 7; pieces += 3)
          checked += check(algorithm, &problem, pieces, &scratch);
      tear_down(&setting);
    }
    print_message("%s %s: %u schedules, %u blocks of scratch space at most\n",
                  tny_collective_name(algorithm->collective), algorithm->name, checked, scratch);
    assert_int_not_equal(checked, 0);
  }
}

/* Do both name a piece of one block, or of one place in scratch space? */
static bool meet(const struct tny_span *a, const struct tny_span *b)
{
  return a->buffer == b->buffer && a->first == b->first && a->chunk == b->chunk;
}

/* A step starts after those that stand before it in the list: one that combines what another rank
   sends must not hold up messages that need nothing of that. */
static void a_contribution_is_combined_just_before_it_is_sent(void **state)
{
  (void)state;
  struct setting setting;
  uint32_t combined = 0;
  set_up(&setting, "switches:3+3", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_by_name(&setting, TNY_REDUCE_SCATTER, "switch-ordered-ring",
                                               (struct tny_pace){.chunk_count = 4, .window = 0});
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    const struct tny_steps *steps = &schedule->ranks[rank];
    for (uint32_t i = 0; i < steps->count; i++) {
      const struct tny_step *step = &steps->steps[i];
      if (!tny_step_reduces(step->kind) || step->target.buffer == TNY_OUTPUT)
        continue;
      assert_true(i + 1 < steps->count);
      assert_true(tny_step_starts_message(step[1].kind));
      assert_true(meet(&step->target, &step[1].span));
      combined++;
    }
  }
  assert_int_equal(combined, 6 * 4 * 4); /* ranks, blocks that are passed on, pieces */
  tny_schedule_free(schedule);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_turned_round_is_right),
      cmocka_unit_test(a_contribution_is_combined_just_before_it_is_sent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
