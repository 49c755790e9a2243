/* One schedule as another with its ranks renamed: found where it is so, and refused where a single
   step differs. */
#include "support/memory.h"
#include "support/setting.h"
#include "support/text.h"

#include <tourney/verify.h>

#define BCAST                                                                                      \
  "tourney schedule 1\ncollective bcast\nranks 3\nroot 0\nalgorithm test\nchunks 1\nscratch 0\n"
#define ALLTOALL                                                                                   \
  "tourney schedule 1\ncollective alltoall\nranks 3\nroot 0\nalgorithm test\nchunks 1\n"           \
  "scratch 0\n"

/* A schedule to be planned. */
struct wanted {
  enum tny_collective collective;
  const char *name;
  struct tny_pace pace;
};

static struct tny_schedule *plan(const struct wanted *wanted, struct tny_problem problem)
{
  struct tny_schedule *schedule = NULL;
  struct tny_algorithm_choice choice;
  struct tny_error error = {0};
  problem.collective = wanted->collective;
  enum tny_status status = tny_algorithm_parse(wanted->collective, wanted->name, &choice, &error);
  problem.parameter = choice.parameter;
  if (status == TNY_OK)
    status = tny_plan_all(choice.algorithm, &problem, wanted->pace, &schedule, &error);
  if (status != TNY_OK)
    fail_msg("%s: %s", wanted->name, error.text);
  return schedule;
}

/* It is so; and what the proof of the one reports is what that of the other does. */
static void assert_renamed(const struct tny_schedule *proved, const struct tny_schedule *schedule)
{
  struct tny_error error = {0};
  struct tny_report reports[2];
  if (tny_verify_renamed(proved, schedule, &error) != TNY_OK)
    fail_msg("%s", error.text);
  memset(reports, 0, sizeof reports);
  assert_int_equal(tny_verify_schedule(proved, &reports[0], NULL), TNY_OK);
  assert_int_equal(tny_verify_schedule(schedule, &reports[1], NULL), TNY_OK);
  assert_memory_equal(&reports[0], &reports[1], sizeof *reports);
}

static void assert_refused(const struct tny_schedule *proved, const struct tny_schedule *schedule,
                           const char *says)
{
  struct tny_error error = {0};
  assert_int_equal(tny_verify_renamed(proved, schedule, &error), TNY_REFUSED);
  assert_string_equal(error.text, says);
}

static void a_broadcast_from_each_root_is_the_one_from_the_first(void **state)
{
  (void)state;
  static const char *const names[] = {"linear",       "pipelined-linear", "binomial",
                                      "van-de-geijn", "round-robin",      "circulant"};
  static const struct tny_pace paces[] = {{1, 0, 0}, {5, 0, 0}, {7, 2, 0}};
  static const uint32_t ranks[] = {1, 2, 3, 8, 13};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    for (size_t k = 0; k < sizeof ranks / sizeof *ranks * 3; k++) {
      const struct wanted wanted = {TNY_BROADCAST, names[i], paces[k % 3]};
      struct tny_problem problem = {.rank_count = ranks[k / 3]};
      struct tny_schedule *first = plan(&wanted, problem);
      for (problem.root = 0; problem.root < problem.rank_count; problem.root++) {
        struct tny_schedule *other = plan(&wanted, problem);
        assert_renamed(first, other);
        tny_schedule_free(other);
      }
      tny_schedule_free(first);
    }
  }
}

static void in_switch_order_ranks_and_blocks_are_renamed(void **state)
{
  (void)state;
  static const struct wanted wanted[] = {
      {TNY_BROADCAST, "switch-ordered-chain", {4, 2, 0}},
      {TNY_ALLGATHER, "switch-ordered-ring", {1, 0, 0}},
      {TNY_ALLGATHER, "switch-ordered-ring", {3, 2, 0}},
      {TNY_ALLTOALL, "pairwise", {1, 0, 0}},
      {TNY_ALLTOALL, "shuffle", {3, 1, 0}},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    struct setting setting;
    set_up(&setting, "switches:3+4", TNY_MAP_INTERLEAVED, 0);
    struct tny_schedule *by_number = plan(&wanted[i], (struct tny_problem){.rank_count = 7});
    struct tny_schedule *in_order = plan(&wanted[i], setting.problem);
    assert_int_not_equal(setting.placement->order[1], 1);
    assert_renamed(by_number, in_order);
    tny_schedule_free(by_number);
    tny_schedule_free(in_order);
    tear_down(&setting);
  }
}

/* --- one step that differs --- */

enum change {
  CHANGE_KIND,
  CHANGE_PEER,
  CHANGE_PHASE,
  CHANGE_BUFFER,
  CHANGE_FIRST,
  CHANGE_COUNT,
  CHANGE_CHUNK,
  CHANGE_CHUNK_COUNT,
  CHANGE_CHUNKS,
  CHANGE_TARGET_BUFFER,
  CHANGE_TARGET_FIRST,
  CHANGE_TARGET_COUNT,
  CHANGE_AFTER_COUNT,
  CHANGE_AFTER,
  CHANGES,
};

/* Changes a step, or what it waits for; false where it has no such thing. */
static bool change(struct tny_step *step, uint32_t *after, uint32_t rank_count, enum change change)
{
  const bool is_copy = step->kind == TNY_COPY;
  const bool is_token = step->kind == TNY_TOKEN_OUT || step->kind == TNY_TOKEN_IN;
  const bool is_of_span = change >= CHANGE_BUFFER && change <= CHANGE_CHUNKS;
  const bool is_of_target = change >= CHANGE_TARGET_BUFFER && change <= CHANGE_TARGET_COUNT;
  const bool is_of_after = change == CHANGE_AFTER || change == CHANGE_AFTER_COUNT;
  uint32_t *const field[CHANGES] = {
      [CHANGE_PHASE] = &step->phase,
      [CHANGE_FIRST] = &step->span.first,
      [CHANGE_COUNT] = &step->span.count,
      [CHANGE_CHUNK] = &step->span.chunk,
      [CHANGE_CHUNK_COUNT] = &step->span.chunk_count,
      [CHANGE_CHUNKS] = &step->span.chunks,
      [CHANGE_TARGET_FIRST] = &step->target.first,
      [CHANGE_TARGET_COUNT] = &step->target.count,
  };
  if ((is_copy && change == CHANGE_PEER) || (is_token && is_of_span) ||
      (!is_copy && is_of_target) || (step->after_count == 0 && is_of_after))
    return false;
  if (change == CHANGE_KIND)
    step->kind = (step->kind + 1) % (TNY_TOKEN_IN + 1);
  else if (change == CHANGE_PEER)
    step->peer = (step->peer + 1) % rank_count;
  else if (change == CHANGE_BUFFER)
    step->span.buffer = (step->span.buffer + 1) % (TNY_SCRATCH + 1);
  else if (change == CHANGE_TARGET_BUFFER)
    step->target.buffer = (step->target.buffer + 1) % (TNY_SCRATCH + 1);
  else if (change == CHANGE_AFTER_COUNT)
    step->after_count--;
  else if (change == CHANGE_AFTER)
    after[step->after_first]++;
  else
    ++*field[change];
  return true;
}

/* Each step of `other` is changed in each way, one at a time. Returns how many ways there were. */
static uint32_t refuse_changes(const struct tny_schedule *proved, struct tny_schedule *other)
{
  uint32_t tried = 0;
  for (uint32_t rank = 0; rank < other->rank_count; rank++) {
    struct tny_steps *steps = &other->ranks[rank];
    for (uint32_t i = 0; i < steps->count * CHANGES; i++) {
      struct tny_step *step = &steps->steps[i / CHANGES];
      const struct tny_step before = *step;
      const uint32_t after_before = step->after_count ? steps->after[step->after_first] : 0;
      if (!change(step, steps->after, other->rank_count, i % CHANGES))
        continue;
      tried++;
      if (tny_verify_renamed(proved, other, NULL) != TNY_REFUSED)
        fail_msg("%s rank %u step %u, change %u", other->algorithm, rank, i / CHANGES, i % CHANGES);
      *step = before;
      if (step->after_count)
        steps->after[step->after_first] = after_before;
    }
    steps->count--;
    assert_int_equal(tny_verify_renamed(proved, other, NULL), TNY_REFUSED);
    steps->count++;
  }
  return tried;
}

static void a_single_step_that_differs_is_found(void **state)
{
  (void)state;
  static const struct wanted wanted[] = {
      {TNY_BROADCAST, "circulant", {6, 2, 0}},
      {TNY_BROADCAST, "binomial", {1, 0, 0}},
      {TNY_ALLGATHER, "switch-ordered-ring", {3, 2, 0}},
      {TNY_ALLTOALL, "bruck:2", {2, 0, 0}},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    const bool is_rooted = wanted[i].collective == TNY_BROADCAST;
    struct tny_schedule *proved = plan(&wanted[i], (struct tny_problem){.rank_count = 6});
    struct tny_schedule *other =
        plan(&wanted[i], (struct tny_problem){.rank_count = 6, .root = is_rooted ? 4 : 0});
    assert_renamed(proved, other);
    assert_true(refuse_changes(proved, other) > 50);
    assert_renamed(proved, other);
    tny_schedule_free(proved);
    tny_schedule_free(other);
  }
}

static void what_differs_is_told_by_rank_and_step(void **state)
{
  (void)state;
  struct tny_schedule *proved = read_text(BCAST "rank 0\n0 send 1 input[0]\n"
                                                "rank 1\n0 recv 0 output[0]\n"
                                                "1 send 2 output[0] after 0\n"
                                                "rank 2\n0 recv 1 output[0]\n");
  struct tny_schedule *other = read_text(BCAST "rank 0\n0 send 2 input[0]\n"
                                               "rank 2\n0 recv 0 output[0]\n"
                                               "1 send 1 output[0]\n"
                                               "rank 1\n0 recv 2 output[0]\n");
  assert_refused(proved, other,
                 "rank 2 step 1 (send to 1) isn't, with other names, what rank 1 step 1 (send to "
                 "2) is");
  tny_schedule_free(other);
  other = read_text(BCAST "rank 0\n0 send 1 input[0]\nrank 1\n0 recv 0 output[0]\n"
                          "1 send 2 output[0] after 0\n"
                          "rank 2\n0 recv 1 output[0]\n1 send 0 output[0]\n");
  assert_refused(proved, other, "rank 2 has 2 steps, but rank 2, which it would be, has 1");
  tny_schedule_free(other);
  tny_schedule_free(proved);
}

static void two_ranks_do_not_get_one_name(void **state)
{
  (void)state;
  struct tny_schedule *proved =
      read_text(BCAST "rank 0\n0 send 1 input[0]\n1 send 2 input[0]\n"
                      "rank 1\n0 recv 0 output[0]\nrank 2\n0 recv 0 output[0]\n");
  struct tny_schedule *other = read_text(BCAST "rank 0\n0 send 1 input[0]\n1 send 1 input[0]\n"
                                               "rank 1\n0 recv 0 output[0]\nrank 2\n");
  assert_refused(proved, other, "test isn't test with other names: who talks to whom differs");
  tny_schedule_free(other);
  tny_schedule_free(proved);
}

static void names_that_nothing_tells_are_not_guessed(void **state)
{
  (void)state;
  struct tny_schedule *schedule = read_text(BCAST "rank 0\nrank 1\n0 send 2 output[0]\n"
                                                  "rank 2\n0 recv 1 output[0]\n");
  assert_refused(schedule, schedule, "test isn't test with other names: who talks to whom differs");
  tny_schedule_free(schedule);
}

static void blocks_that_need_not_arrive_are_renamed_too(void **state)
{
  (void)state;
  static const char *const heads[] = {"wanted from 0 to 1\nwanted from 1 to 2\n",
                                      "wanted from 0 to 2\nwanted from 2 to 1\n",
                                      "wanted from 0 to 2\n", ""};
  static const char *const steps[] = {
      "rank 0\n0 send 1 input[1]\nrank 1\n0 recv 0 output[0]\n1 send 2 input[2]\n"
      "rank 2\n0 recv 1 output[1]\n",
      "rank 0\n0 send 2 input[2]\nrank 2\n0 recv 0 output[0]\n1 send 1 input[1]\n"
      "rank 1\n0 recv 2 output[2]\n"};
  struct tny_schedule *read[4];
  for (int i = 0; i < 4; i++) {
    char text[512];
    snprintf(text, sizeof text, "%s%s%s", ALLTOALL, heads[i], steps[i > 0]);
    read[i] = read_text(text);
  }
  assert_renamed(read[0], read[1]);
  for (int i = 2; i < 4; i++)
    assert_refused(read[0], read[i],
                   "test isn't test with other names: which blocks have to arrive differs");
  for (int i = 0; i < 4; i++)
    tny_schedule_free(read[i]);
}

static void another_task_or_other_memory_is_refused(void **state)
{
  (void)state;
  const struct wanted wanted = {TNY_BROADCAST, "circulant", {4, 0, 0}};
  struct tny_schedule *proved = plan(&wanted, (struct tny_problem){.rank_count = 5});
  struct tny_schedule others[] = {*proved, *proved, *proved, *proved, *proved};
  others[0].collective = TNY_ALLGATHER;
  others[1].rank_count = 4;
  others[2].root = 5;
  others[3].chunk_count = 8;
  others[4].scratch_blocks = 1;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_int_equal(tny_verify_renamed(proved, &others[i], NULL), TNY_REFUSED);
  tny_schedule_free(proved);
}

static void steps_that_no_reader_would_make_are_refused_too(void **state)
{
  (void)state;
  const struct tny_span whole = tny_span_blocks(TNY_INPUT, 0, 1);
  struct tny_span beyond[] = {whole, whole, whole};
  beyond[0].buffer = 77;
  beyond[1].first = UINT32_MAX;
  beyond[2].count = UINT32_MAX;
  struct tny_step bad[] = {
      {.kind = TNY_SEND, .peer = 3, .span = whole},
      {.kind = TNY_SEND, .peer = TNY_NONE, .span = whole},
      {.kind = TNY_SEND, .peer = 1, .span = beyond[0]},
      {.kind = TNY_SEND, .peer = 1, .span = beyond[1]},
      {.kind = TNY_SEND, .peer = 1, .span = beyond[2]},
      {.kind = TNY_SEND, .peer = 1, .span = whole, .after_first = 1, .after_count = 1},
      {.kind = TNY_SEND, .peer = 1, .span = whole, .after_first = UINT32_MAX, .after_count = 1},
  };
  uint32_t after = 0;
  struct tny_step good[] = {{.kind = TNY_SEND, .peer = 1, .span = whole},
                            {.kind = TNY_SEND, .peer = 2, .span = whole}};
  struct tny_schedule *schedule;
  assert_int_equal(tny_schedule_new(TNY_ALLTOALL, 3, 0, "test", &schedule, NULL), TNY_OK);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct tny_step steps[] = {good[0], good[1], bad[i]};
    schedule->ranks[0] =
        (struct tny_steps){.count = 3, .steps = steps, .after_total = 1, .after = &after};
    assert_int_equal(tny_verify_renamed(schedule, schedule, NULL), TNY_REFUSED);
  }
  schedule->ranks[0] = (struct tny_steps){.count = 2, .steps = good};
  assert_int_equal(tny_verify_renamed(schedule, schedule, NULL), TNY_OK);
  schedule->ranks[0] = (struct tny_steps){0};
  tny_schedule_free(schedule);
}

static enum tny_status compare_with_itself(const void *schedule, struct tny_error *error)
{
  return tny_verify_renamed(schedule, schedule, error);
}

static void comparing_out_of_memory_says_so(void **state)
{
  (void)state;
  const struct wanted wanted = {TNY_BROADCAST, "binomial", {1, 0, 0}};
  struct tny_schedule *schedule = plan(&wanted, (struct tny_problem){.rank_count = 5});
  assert_true(starve(compare_with_itself, schedule) > 0);
  tny_schedule_free(schedule);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_broadcast_from_each_root_is_the_one_from_the_first),
      cmocka_unit_test(in_switch_order_ranks_and_blocks_are_renamed),
      cmocka_unit_test(a_single_step_that_differs_is_found),
      cmocka_unit_test(what_differs_is_told_by_rank_and_step),
      cmocka_unit_test(two_ranks_do_not_get_one_name),
      cmocka_unit_test(names_that_nothing_tells_are_not_guessed),
      cmocka_unit_test(blocks_that_need_not_arrive_are_renamed_too),
      cmocka_unit_test(another_task_or_other_memory_is_refused),
      cmocka_unit_test(steps_that_no_reader_would_make_are_refused_too),
      cmocka_unit_test(comparing_out_of_memory_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
