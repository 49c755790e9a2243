/* Phases kept apart: not at all, by barriers, by tokens; and the verifier's word for it. */
#include "support/memory.h"
#include "support/sample.h"
#include "support/setting.h"
#include "support/text.h"

#include <tourney/separate.h>
#include <tourney/verify.h>

#include "schedule/steps.h"

static const struct tny_pace whole = {1, 0, 0};

/* NULL: the algorithm doesn't serve this. */
static struct tny_schedule *plan(const struct setting *setting,
                                 const struct tny_algorithm *algorithm, struct tny_pace pace)
{
  struct tny_problem problem = setting->problem;
  problem.collective = algorithm->collective;
  problem.root = problem.rank_count / 2;
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  if (tny_algorithm_refusal(algorithm, &problem))
    return NULL;
  if (tny_plan_all(algorithm, &problem, pace, &schedule, &error) != TNY_OK)
    fail_msg("%s: %s", algorithm->name, error.text);
  return schedule;
}

static struct tny_schedule *plan_named(const struct setting *setting, const char *name)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLTOALL, name);
  assert_non_null(algorithm);
  struct tny_schedule *schedule = plan(setting, algorithm, whole);
  assert_non_null(schedule);
  return schedule;
}

/* Separates and proves: data, progress, and phases apart. */
static struct tny_separation_report prove(const struct setting *setting,
                                          const struct tny_schedule *in, enum tny_separation how)
{
  struct tny_schedule *out;
  struct tny_separation_report report;
  struct tny_report proof;
  struct tny_error error = {0};
  enum tny_status status = tny_pass_separate(in, &setting->network, how, &out, &report, &error);
  if (status == TNY_OK)
    status = tny_verify_data(out, &error);
  if (status == TNY_OK)
    status = tny_verify_progress(out, &proof, &error);
  if (status == TNY_OK)
    status = tny_verify_separated(out, &setting->network, &error);
  if (status != TNY_OK)
    fail_msg("%s %s, %u ranks, %s, %u chunks: %s", tny_collective_name(in->collective),
             in->algorithm, in->rank_count, how == TNY_SEPARATE_BARRIER ? "barrier" : "tokens",
             in->chunk_count, error.text);
  assert_int_equal(proof.tokens, report.tokens);
  assert_int_equal(report.conflicts, how == TNY_SEPARATE_BARRIER
                                         ? 0
                                         : report.redundant + report.waits + report.tokens);
  tny_schedule_free(out);
  return report;
}

static void without_separation_phases_meet_and_with_it_they_do_not(void **state)
{
  (void)state;
  const char *const clusters[] = {"single:8", "switches:3+5", "ring:8", "torus:8x8"};
  const char *const names[] = {"shift", "pairwise", "phases"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    struct setting setting;
    set_up(&setting, clusters[i], TNY_MAP_BLOCK, 0);
    for (size_t k = i < 2 ? 0 : 2; k < (i < 2 ? 2 : 3); k++) {
      struct tny_schedule *schedule = plan_named(&setting, names[k]);
      struct tny_error error = {0};
      assert_int_equal(tny_verify_separated(schedule, &setting.network, &error), TNY_BROKEN);
      assert_non_null(strstr(error.text, "is still under way"));
      const uint64_t barriers = prove(&setting, schedule, TNY_SEPARATE_BARRIER).tokens;
      const struct tny_separation_report report = prove(&setting, schedule, TNY_SEPARATE_TOKENS);
      print_message("%s %s: %lu conflicts, %lu redundant, %lu waits, %lu tokens (barriers: %lu)\n",
                    clusters[i], names[k], report.conflicts, report.redundant, report.waits,
                    report.tokens, barriers);
      assert_true(report.tokens > 0 && report.redundant > 0 && report.tokens < barriers);
      tny_schedule_free(schedule);
    }
    tear_down(&setting);
  }
}

static void separating_not_at_all_changes_nothing(void **state)
{
  (void)state;
  struct setting setting;
  struct tny_schedule *out;
  char *before, *after;
  set_up(&setting, "single:5", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_named(&setting, "shuffle");
  assert_int_equal(tny_pass_separate(schedule, NULL, TNY_SEPARATE_NONE, &out, NULL, NULL), TNY_OK);
  assert_int_equal(tny_schedule_write(schedule, &before, NULL), TNY_OK);
  assert_int_equal(tny_schedule_write(out, &after, NULL), TNY_OK);
  assert_string_equal(before, after);
  tny_text_free(before);
  tny_text_free(after);
  tny_schedule_free(out);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

/* True where every message has a phase, and there are no tokens. */
static bool is_phased(const struct tny_schedule *schedule)
{
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind == TNY_TOKEN_IN || (step->kind == TNY_SEND && step->phase == TNY_NONE))
        return false;
    }
  }
  return true;
}

static uint32_t prove_all_algorithms(const struct setting *setting, struct tny_pace pace)
{
  uint32_t proved = 0;
  for (uint32_t a = 0; tny_algorithms[a]; a++) {
    struct tny_schedule *schedule = is_sampled() ? plan(setting, tny_algorithms[a], pace) : NULL;
    if (schedule && is_phased(schedule)) {
      prove(setting, schedule, TNY_SEPARATE_BARRIER);
      prove(setting, schedule, TNY_SEPARATE_TOKENS);
      proved++;
    }
    tny_schedule_free(schedule);
  }
  return proved;
}

static void all_phased_algorithms_can_be_separated(void **state)
{
  (void)state;
  const char *const clusters[] = {"switches:5+3+4", "single:4", "ring:8", "torus:4x3",
                                  "irregular:21,switches=3,seed=5"};
  const struct tny_pace paces[] = {{1, 0, 0}, {3, 0, 0}, {3, 2, 0}};
  uint32_t proved = 0;
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    for (uint32_t rank_count = 1; rank_count <= 12; rank_count++) {
      struct setting setting;
      set_up(&setting, clusters[i], TNY_MAP_BLOCK, rank_count);
      for (size_t k = 0; k < sizeof paces / sizeof *paces; k++)
        proved += prove_all_algorithms(&setting, paces[k]);
      tear_down(&setting);
    }
  }
  print_message("%u schedules, each by barriers and by tokens\n", proved);
  assert_true(proved > sample_of(1000));
}

static uint32_t phases_of(const struct tny_schedule *schedule, const struct tny_network *network)
{
  struct tny_report report;
  assert_int_equal(tny_verify_links(schedule, network, 0, &report, NULL), TNY_OK);
  return report.phases;
}

static void a_barrier_is_ceil_log2_p_tokens_a_rank_between_two_phases(void **state)
{
  (void)state;
  const uint32_t doublings[] = {0, 0, 1, 2, 2, 3, 3, 3, 3, 4};
  for (uint32_t p = 2; p <= 9; p++) {
    struct setting setting;
    set_up(&setting, "single:9", TNY_MAP_BLOCK, p);
    struct tny_schedule *schedule = plan_named(&setting, "shift");
    const uint32_t phases = phases_of(schedule, &setting.network);
    assert_int_equal(prove(&setting, schedule, TNY_SEPARATE_BARRIER).tokens,
                     p * doublings[p] * (phases - 1));
    tny_schedule_free(schedule);
    tear_down(&setting);
  }
}

/* Takes a step out of a rank's list; who waited for it doesn't any more. */
static void leave_out(struct tny_steps *steps, uint32_t index)
{
  struct tny_builder builder;
  tny_builder_init(&builder);
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct tny_step *step = &steps->steps[i];
    if (i == index)
      continue;
    tny_builder_append(&builder, step);
    for (uint32_t k = 0; k < step->after_count; k++) {
      const uint32_t earlier = steps->after[step->after_first + k];
      if (earlier != index)
        tny_builder_wait(&builder, earlier - (earlier > index));
    }
  }
  tny_steps_release(steps);
  assert_int_equal(tny_builder_finish(&builder, steps, NULL), TNY_OK);
}

/* The k-th token between two ranks, at one of its ends. */
static uint32_t find_token(const struct tny_steps *steps, enum tny_step_kind kind, uint32_t peer,
                           uint32_t k)
{
  for (uint32_t i = 0; i < steps->count; i++)
    if (steps->steps[i].kind == kind && steps->steps[i].peer == peer && k-- == 0)
      return i;
  fail_msg("no such token");
  return 0;
}

/* Separates anew and leaves out the k-th token from one rank to another; false: there is none. */
static bool is_needed(const struct setting *setting, const struct tny_schedule *in,
                      const uint32_t ranks[2], uint32_t k, bool *is_there)
{
  struct tny_schedule *out;
  assert_int_equal(tny_pass_separate(in, &setting->network, TNY_SEPARATE_TOKENS, &out, NULL, NULL),
                   TNY_OK);
  uint32_t count = 0;
  for (uint32_t i = 0; i < out->ranks[ranks[0]].count; i++) {
    const struct tny_step *step = &out->ranks[ranks[0]].steps[i];
    count += step->kind == TNY_TOKEN_OUT && step->peer == ranks[1];
  }
  *is_there = k < count;
  bool needed = false;
  if (*is_there) {
    struct tny_steps *from = &out->ranks[ranks[0]], *to = &out->ranks[ranks[1]];
    leave_out(from, find_token(from, TNY_TOKEN_OUT, ranks[1], k));
    leave_out(to, find_token(to, TNY_TOKEN_IN, ranks[0], k));
    needed = tny_verify_separated(out, &setting->network, NULL) == TNY_BROKEN;
  }
  tny_schedule_free(out);
  return needed;
}

static void no_token_can_be_left_out(void **state)
{
  (void)state;
  struct setting setting;
  uint32_t tokens = 0, spare = 0;
  set_up(&setting, "switches:3+4", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_named(&setting, "shuffle");
  for (uint32_t from = 0; from < 7; from++) {
    for (uint32_t to = 0; to < 7; to++) {
      bool is_there = from != to;
      for (uint32_t k = 0; is_there; k++) {
        const bool needed = is_needed(&setting, schedule, (uint32_t[]){from, to}, k, &is_there);
        tokens += is_there;
        spare += is_there && !needed;
      }
    }
  }
  print_message("%u tokens, %u of them spare\n", tokens, spare);
  assert_true(tokens > 30);
  assert_int_equal(spare, 0);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

#define HEADER                                                                                     \
  "tourney schedule 1\ncollective alltoall\nranks 4\nroot 0\nalgorithm test\nchunks 1\n"           \
  "scratch 0\n"

/* Two messages on the trunk of switches:2+2, of phases 0 and 1. */
static const char two_phases[] = HEADER "rank 0\n0 send 2 input[2] phase 0\n"
                                        "rank 1\n0 send 3 input[3] phase 1\n"
                                        "rank 2\n0 recv 0 output[0] phase 0\n"
                                        "rank 3\n0 recv 1 output[1] phase 1\n";

static void the_messages_that_meet_and_their_link_are_named(void **state)
{
  (void)state;
  struct setting setting;
  struct tny_error error = {0};
  set_up(&setting, "switches:2+2", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = read_text(two_phases);
  assert_int_equal(tny_verify_separated(schedule, &setting.network, &error), TNY_BROKEN);
  assert_string_equal(error.text, "on the link s0 -> s1, rank 1 step 0 (send to 3) of phase 1 may "
                                  "start while rank 0 step 0 (send to 2) of phase 0 is still under "
                                  "way");
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void the_receiver_of_the_earlier_message_tells_the_sender_of_the_later(void **state)
{
  (void)state;
  struct setting setting;
  struct tny_schedule *out;
  struct tny_separation_report report;
  char *text;
  set_up(&setting, "switches:2+2", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = read_text(two_phases);
  assert_int_equal(
      tny_pass_separate(schedule, &setting.network, TNY_SEPARATE_TOKENS, &out, &report, NULL),
      TNY_OK);
  assert_int_equal(report.tokens, 1);
  assert_int_equal(tny_schedule_write(out, &text, NULL), TNY_OK);
  assert_string_equal(text, HEADER "\nrank 0\n0 send 2 input[2] phase 0\n"
                                   "\nrank 1\n0 token-in 2 phase 0\n"
                                   "1 send 3 input[3] phase 1 after 0\n"
                                   "\nrank 2\n0 recv 0 output[0] phase 0\n"
                                   "1 token-out 1 phase 0 after 0\n"
                                   "\nrank 3\n0 recv 1 output[1] phase 1\n");
  assert_int_equal(tny_verify_separated(out, &setting.network, NULL), TNY_OK);
  tny_text_free(text);
  tny_schedule_free(out);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void what_has_no_phases_in_order_is_refused(void **state)
{
  (void)state;
  const struct {
    const char *text, *says;
  } cases[] = {
      {HEADER "rank 0\n0 send 2 input[2]\nrank 1\nrank 2\n0 recv 0 output[0]\nrank 3\n",
       "rank 0 step 0 (send to 2) has no phase"},
      {HEADER "rank 0\n0 send 2 input[2] phase 1\nrank 1\nrank 2\n0 recv 0 output[0] phase 0\n"
              "rank 3\n",
       "rank 0 step 0 (send to 2) is of another phase than its other end"},
      {HEADER "rank 0\n0 token-out 1\nrank 1\n0 token-in 0\nrank 2\nrank 3\n",
       "rank 0 step 0 (token-out to 1) is a token already"},
      {HEADER "rank 0\n0 send 2 input[2] phase 1\n1 send 1 input[1] phase 0\n"
              "rank 1\n0 recv 0 output[0] phase 0\nrank 2\n0 recv 0 output[0] phase 1\nrank 3\n",
       "rank 0 step 1 (send to 1) comes behind a step of a later phase"},
      {HEADER "rank 0\n0 recv 2 output[2] phase 1\n1 send 1 input[1] phase 0 after 0\n"
              "rank 1\n0 recv 0 output[0] phase 0\nrank 2\n0 send 0 input[0] phase 1\nrank 3\n",
       "rank 0 step 1 (send to 1) comes behind a step of a later phase"},
  };
  struct setting setting;
  set_up(&setting, "single:4", TNY_MAP_BLOCK, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (enum tny_separation how = TNY_SEPARATE_BARRIER; how <= TNY_SEPARATE_TOKENS; how++) {
      struct tny_schedule *schedule = read_text(cases[i].text), *out;
      struct tny_error error = {0};
      assert_int_equal(tny_pass_separate(schedule, &setting.network, how, &out, NULL, &error),
                       TNY_REFUSED);
      assert_null(out);
      if (!strstr(error.text, cases[i].says))
        fail_msg("%s", error.text);
      tny_schedule_free(schedule);
    }
  }
  tear_down(&setting);
}

struct separating {
  const struct tny_schedule *schedule;
  const struct tny_network *network;
  enum tny_separation how;
};

/* Phases that nothing separates meet: that is found, and isn't a lack of memory. */
static enum tny_status separate_and_verify(const void *subject, struct tny_error *error)
{
  const struct separating *of = subject;
  struct tny_schedule *out;
  enum tny_status status = tny_pass_separate(of->schedule, of->network, of->how, &out, NULL, error);
  if (status == TNY_OK)
    status = tny_verify_separated(out, of->network, error);
  tny_schedule_free(out);
  if (of->how == TNY_SEPARATE_NONE && status != TNY_NO_MEMORY) {
    assert_int_equal(status, TNY_BROKEN);
    *error = (struct tny_error){0};
    status = TNY_OK;
  }
  return status;
}

static void separating_out_of_memory_says_so(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:2+2", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_named(&setting, "shuffle");
  for (enum tny_separation how = TNY_SEPARATE_NONE; how <= TNY_SEPARATE_TOKENS; how++) {
    const struct separating separating = {schedule, &setting.network, how};
    assert_true(starve(separate_and_verify, &separating) > 0);
  }
  tny_schedule_free(schedule);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_separation_phases_meet_and_with_it_they_do_not),
      cmocka_unit_test(separating_not_at_all_changes_nothing),
      cmocka_unit_test(all_phased_algorithms_can_be_separated),
      cmocka_unit_test(a_barrier_is_ceil_log2_p_tokens_a_rank_between_two_phases),
      cmocka_unit_test(no_token_can_be_left_out),
      cmocka_unit_test(the_messages_that_meet_and_their_link_are_named),
      cmocka_unit_test(the_receiver_of_the_earlier_message_tells_the_sender_of_the_later),
      cmocka_unit_test(what_has_no_phases_in_order_is_refused),
      cmocka_unit_test(separating_out_of_memory_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
