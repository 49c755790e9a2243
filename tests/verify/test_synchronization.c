/* What the verifier says of barriers: by hand, and of each algorithm's with one message or one wait
   left out, where the oracle tells by trying whether a rank may go early. */
#include "oracle_barrier_support.h"
#include "schedule/steps.h"
#include "support/memory.h"
#include "support/setting.h"
#include "support/text.h"

#include <tourney/verify.h>

#define BARRIER(ranks)                                                                             \
  "tourney schedule 1\ncollective barrier\nranks " ranks                                           \
  "\nroot 0\nalgorithm test\nchunks 1\nscratch 0\n"

static void assert_barrier(const char *text)
{
  struct tny_schedule *schedule = read_text(text);
  struct tny_error error = {0};
  if (tny_verify_schedule(schedule, NULL, &error) != TNY_OK ||
      tny_verify_data(schedule, &error) != TNY_OK)
    fail_msg("%s", error.text);
  tny_schedule_free(schedule);
}

static void assert_none(const char *text, const char *says)
{
  struct tny_schedule *schedule = read_text(text);
  struct tny_error error = {0};
  assert_int_equal(tny_verify_schedule(schedule, NULL, &error), TNY_BROKEN);
  assert_string_equal(error.text, says);
  error = (struct tny_error){0};
  assert_int_equal(tny_verify_data(schedule, &error), TNY_BROKEN);
  assert_string_equal(error.text, says);
  tny_schedule_free(schedule);
}

static void one_rank_is_a_barrier_by_itself_and_two_are_none_without_messages(void **state)
{
  (void)state;
  assert_barrier(BARRIER("1") "rank 0\n");
  assert_none(
      BARRIER("2") "rank 0\nrank 1\n",
      "rank 0 may end before rank 1 has begun: no chain of messages leads from rank 1 to it");
}

static void both_of_two_ranks_have_to_hear_of_the_other(void **state)
{
  (void)state;
  assert_barrier(BARRIER("2") "rank 0\n0 send 1 nothing\n1 recv 1 nothing\n"
                              "rank 1\n0 send 0 nothing\n1 recv 0 nothing\n");
  assert_none(
      BARRIER("2") "rank 0\n0 send 1 nothing\nrank 1\n0 recv 0 nothing\n",
      "rank 0 may end before rank 1 has begun: no chain of messages leads from rank 1 to it");
}

/* Who sends on what it hasn't waited for sends word of itself alone. */
static void a_message_tells_what_its_sender_waited_for(void **state)
{
  (void)state;
#define AROUND(wait)                                                                               \
  BARRIER("3")                                                                                     \
  "rank 0\n0 send 1 nothing\n1 recv 2 nothing\n2 send 1 nothing after 1\n"                         \
  "rank 1\n0 recv 0 nothing\n1 send 2 nothing" wait "\n2 recv 0 nothing\n"                         \
  "rank 2\n0 recv 1 nothing\n1 send 0 nothing after 0\n"
  assert_barrier(AROUND(" after 0"));
  assert_none(
      AROUND(""),
      "rank 2 may end before rank 0 has begun: no chain of messages leads from rank 0 to it");
#undef AROUND
}

/* A send doesn't start before the one in front of it; nor does a receive. Tokens count too. */
static void the_order_of_a_queue_counts_and_so_do_tokens(void **state)
{
  (void)state;
  assert_barrier(BARRIER("3") "rank 0\n0 recv 1 nothing\n1 recv 2 nothing\n"
                              "2 send 1 nothing after 0,1\n3 token-out 2\n"
                              "rank 1\n0 send 0 nothing\n1 recv 0 nothing\n"
                              "rank 2\n0 send 0 nothing\n1 token-in 0\n");
  assert_none(
      BARRIER("3") "rank 0\n0 recv 1 nothing\n1 recv 2 nothing\n"
                   "2 token-out 2 after 1\n3 send 1 nothing after 0\n"
                   "rank 1\n0 send 0 nothing\n1 recv 0 nothing\n"
                   "rank 2\n0 send 0 nothing\n1 token-in 0\n",
      "rank 2 may end before rank 1 has begun: no chain of messages leads from rank 1 to it");
}

/* What a barrier's messages carry, tokens carry too: they take a round each. */
static void tokens_of_a_barrier_take_rounds(void **state)
{
  (void)state;
  static const char *const texts[] = {
      BARRIER("3") "rank 0\n0 token-in 1\n1 token-in 2\n2 token-out 1 after 0,1\n3 token-out 2\n"
                   "rank 1\n0 token-out 0\n1 token-in 0\n"
                   "rank 2\n0 token-out 0\n1 token-in 0\n",
      BARRIER("3") "rank 0\n0 recv 1 nothing\n1 recv 2 nothing\n2 send 1 nothing after 0,1\n"
                   "3 send 2 nothing\n"
                   "rank 1\n0 send 0 nothing\n1 recv 0 nothing\n"
                   "rank 2\n0 send 0 nothing\n1 recv 0 nothing\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct tny_schedule *schedule = read_text(texts[i]);
    struct tny_report report;
    assert_int_equal(tny_verify_schedule(schedule, &report, NULL), TNY_OK);
    assert_int_equal(report.rounds, 4); /* two each way through rank 0's port */
    tny_schedule_free(schedule);
  }
}

/* A send may be complete before anybody has received it. */
static void a_send_that_is_complete_tells_nothing_of_its_receiver(void **state)
{
  (void)state;
  assert_none(
      BARRIER("2") "rank 0\n0 send 1 nothing\n1 send 1 nothing after 0\n"
                   "rank 1\n0 recv 0 nothing\n1 recv 0 nothing\n",
      "rank 0 may end before rank 1 has begun: no chain of messages leads from rank 1 to it");
}

/* Rank 0 hears of all, and tells all; but for `deaf`, which is told before `late` has come. */
static struct tny_schedule *star(uint32_t rank_count, uint32_t late, uint32_t deaf)
{
  struct tny_schedule *schedule;
  assert_int_equal(tny_schedule_new(TNY_BARRIER, rank_count, 0, "star", &schedule, NULL), TNY_OK);
  for (uint32_t rank = 0; rank < rank_count; rank++) {
    struct tny_builder builder;
    tny_builder_init(&builder);
    if (rank > 0) {
      tny_builder_send(&builder, 0, tny_span_nothing(), TNY_NONE);
      tny_builder_recv(&builder, 0, tny_span_nothing(), TNY_NONE);
    }
    for (uint32_t other = 1; rank == 0 && other < rank_count; other++)
      tny_builder_recv(&builder, other, tny_span_nothing(), TNY_NONE);
    for (uint32_t i = 1; rank == 0 && i < rank_count; i++) {
      const uint32_t other = i == 1 ? deaf : i == deaf ? 1 : i; /* the deaf one first */
      tny_builder_send(&builder, other, tny_span_nothing(), TNY_NONE);
      for (uint32_t from = 1; from < rank_count; from++)
        if (other != deaf || from != late)
          tny_builder_after(&builder, from - 1);
    }
    assert_int_equal(tny_builder_finish(&builder, &schedule->ranks[rank], NULL), TNY_OK);
  }
  return schedule;
}

static void the_two_ranks_are_named_wherever_they_are_among_many(void **state)
{
  (void)state;
  static const uint32_t pairs[][2] = {{1, 2},   {63, 64}, {64, 63},  {65, 2},
                                      {2, 128}, {128, 1}, {127, 65}, {64, 128}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const uint32_t late = pairs[i][0], deaf = pairs[i][1];
    struct tny_schedule *schedule = star(129, late, deaf);
    struct tny_error error = {0};
    char says[100];
    snprintf(says, sizeof says, "rank %u may end before rank %u has begun", deaf, late);
    assert_int_equal(tny_verify_schedule(schedule, NULL, &error), TNY_BROKEN);
    assert_non_null(strstr(error.text, says));
    tny_schedule_free(schedule);
  }
}

static void a_barrier_moves_no_data(void **state)
{
  (void)state;
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  assert_int_equal(tny_schedule_read(BARRIER("2") "rank 0\n0 send 1 input[0]\n"
                                                  "rank 1\n0 recv 0 nothing\n",
                                     "text", &schedule, &error),
                   TNY_BAD_INPUT);
  assert_string_equal(error.text, "a message of a barrier carries nothing");
  error = (struct tny_error){0};
  assert_int_equal(tny_schedule_read("tourney schedule 1\ncollective bcast\nranks 2\nroot 0\n"
                                     "algorithm test\nchunks 1\nscratch 0\n"
                                     "rank 0\n0 send 1 nothing\nrank 1\n0 recv 0 output[0]\n",
                                     "text", &schedule, &error),
                   TNY_BAD_INPUT);
  assert_non_null(strstr(error.text, "blocks are written input[0]"));
  assert_none(BARRIER("1") "rank 0\n0 copy nothing to nothing\n",
              "rank 0 step 0 (copy) moves data, but no rank of a barrier has any");
  schedule = star(3, 1, 1);
  schedule->scratch_blocks = 1;
  schedule->ranks[1].steps[0].span = tny_span_blocks(TNY_SCRATCH, 0, 1);
  assert_int_equal(tny_verify_schedule(schedule, NULL, NULL), TNY_BROKEN);
  tny_schedule_free(schedule);
}

static void what_is_written_of_a_barrier_is_read_again(void **state)
{
  (void)state;
  struct tny_schedule *schedule = star(5, 1, 1), *again;
  char *first, *second;
  assert_int_equal(tny_schedule_write(schedule, &first, NULL), TNY_OK);
  again = read_text(first);
  assert_int_equal(tny_schedule_write(again, &second, NULL), TNY_OK);
  assert_string_equal(first, second);
  tny_text_free(first);
  tny_text_free(second);
  tny_schedule_free(again);
  tny_schedule_free(schedule);
}

/* --- mutants --- */

/* What is left out of a schedule: both ends of a message, or one of a step's waits. */
struct omission {
  uint32_t rank, index, peer, peer_index; /* the message's ends; else peer TNY_NONE */
  uint32_t wait;                          /* of the step: its number */
};

static bool is_left_out(const struct omission *omission, uint32_t rank, uint32_t index)
{
  return omission->peer != TNY_NONE && ((rank == omission->rank && index == omission->index) ||
                                        (rank == omission->peer && index == omission->peer_index));
}

static struct tny_steps rank_without(const struct tny_schedule *schedule, uint32_t rank,
                                     const struct omission *omission)
{
  const struct tny_steps *in = &schedule->ranks[rank];
  uint32_t positions[SETTING_RANKS_MAX];
  struct tny_builder builder;
  struct tny_steps steps;
  tny_builder_init(&builder);
  assert_true(in->count <= SETTING_RANKS_MAX);
  for (uint32_t i = 0; i < in->count; i++) {
    const struct tny_step *step = &in->steps[i];
    positions[i] = TNY_NONE;
    if (is_left_out(omission, rank, i))
      continue;
    positions[i] = tny_builder_append(&builder, step);
    for (uint32_t k = 0; k < step->after_count; k++) {
      const uint32_t earlier = positions[in->after[step->after_first + k]];
      const bool is_gone = omission->peer == TNY_NONE && rank == omission->rank &&
                           i == omission->index && k == omission->wait;
      if (earlier != TNY_NONE && !is_gone)
        tny_builder_after(&builder, earlier);
    }
  }
  assert_int_equal(tny_builder_finish(&builder, &steps, NULL), TNY_OK);
  return steps;
}

struct verdicts {
  uint32_t barriers, none;
};

/* The verifier and the oracle agree on the schedule without this. */
static void judge(const struct setting *setting, const struct tny_schedule *schedule,
                  const struct omission *omission, struct verdicts *verdicts)
{
  struct tny_schedule *fewer;
  struct tny_error error = {0};
  struct oracle oracle;
  assert_int_equal(tny_schedule_new(TNY_BARRIER, schedule->rank_count, 0, "fewer", &fewer, NULL),
                   TNY_OK);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    fewer->ranks[rank] = rank_without(schedule, rank, omission);
  assert_int_equal(oracle_open(&oracle, fewer, &setting->network, false), ORACLE_RIGHT);
  const bool is_early = oracle_ends_early(&oracle);
  const enum tny_status status = tny_verify_schedule(fewer, NULL, &error);
  if (status != (is_early ? TNY_BROKEN : TNY_OK))
    fail_msg("%s of %u ranks without step %u of rank %u: %s", schedule->algorithm,
             schedule->rank_count, omission->index, omission->rank, error.text);
  verdicts->barriers += !is_early;
  verdicts->none += is_early;
  oracle_close(&oracle);
  tny_schedule_free(fewer);
}

/* The other end of the number-th send to a peer. */
static uint32_t find_receive(const struct tny_steps *steps, uint32_t from, uint32_t number)
{
  for (uint32_t i = 0; i < steps->count; i++)
    if (steps->steps[i].kind == TNY_RECV && steps->steps[i].peer == from && number-- == 0)
      return i;
  fail_msg("a message of rank %u has one end", from);
  return 0;
}

static void judge_rank(const struct setting *setting, const struct tny_schedule *schedule,
                       uint32_t rank, struct verdicts verdicts[2])
{
  const struct tny_steps *steps = &schedule->ranks[rank];
  for (uint32_t i = 0; i < steps->count; i++) {
    struct omission omission = {.rank = rank, .index = i, .peer = TNY_NONE};
    for (; omission.wait < steps->steps[i].after_count; omission.wait++)
      judge(setting, schedule, &omission, &verdicts[1]);
    if (steps->steps[i].kind != TNY_SEND)
      continue;
    uint32_t number = 0;
    for (uint32_t k = 0; k < i; k++)
      number += steps->steps[k].kind == TNY_SEND && steps->steps[k].peer == steps->steps[i].peer;
    omission.peer = steps->steps[i].peer;
    omission.peer_index = find_receive(&schedule->ranks[omission.peer], rank, number);
    judge(setting, schedule, &omission, &verdicts[0]);
  }
}

static void a_barrier_without_one_message_or_wait_is_what_the_oracle_says(void **state)
{
  (void)state;
  static const char *const clusters[] = {"switches:2+3", "zones:3+2+2", "single:8"};
  for (uint32_t a = 0; tny_algorithms[a]; a++) {
    struct verdicts verdicts[2] = {{0, 0}, {0, 0}};
    if (tny_algorithms[a]->collective != TNY_BARRIER)
      continue;
    for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
      struct setting setting;
      struct tny_schedule *schedule;
      set_up(&setting, clusters[i], TNY_MAP_INTERLEAVED, 0);
      setting.problem.collective = TNY_BARRIER;
      assert_int_equal(tny_plan_all(tny_algorithms[a], &setting.problem,
                                    (struct tny_pace){.chunk_count = 1}, &schedule, NULL),
                       TNY_OK);
      assert_int_equal(tny_verify_schedule(schedule, NULL, NULL), TNY_OK);
      for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
        judge_rank(&setting, schedule, rank, verdicts);
      tny_schedule_free(schedule);
      tear_down(&setting);
    }
    print_message("%s: of those without a message %u are none, %u are; without a wait %u, %u\n",
                  tny_algorithms[a]->name, verdicts[0].none, verdicts[0].barriers, verdicts[1].none,
                  verdicts[1].barriers);
    assert_true(verdicts[0].none > 30 && verdicts[1].none > 10);
  }
}

static enum tny_status verify_with_little_memory(const void *subject, struct tny_error *error)
{
  return tny_verify_schedule(subject, NULL, error);
}

static void without_memory_the_check_says_so(void **state)
{
  (void)state;
  struct tny_schedule *schedule = star(70, 1, 1);
  assert_true(starve(verify_with_little_memory, schedule) > 0);
  tny_schedule_free(schedule);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_rank_is_a_barrier_by_itself_and_two_are_none_without_messages),
      cmocka_unit_test(both_of_two_ranks_have_to_hear_of_the_other),
      cmocka_unit_test(a_message_tells_what_its_sender_waited_for),
      cmocka_unit_test(the_order_of_a_queue_counts_and_so_do_tokens),
      cmocka_unit_test(tokens_of_a_barrier_take_rounds),
      cmocka_unit_test(a_send_that_is_complete_tells_nothing_of_its_receiver),
      cmocka_unit_test(the_two_ranks_are_named_wherever_they_are_among_many),
      cmocka_unit_test(a_barrier_moves_no_data),
      cmocka_unit_test(what_is_written_of_a_barrier_is_read_again),
      cmocka_unit_test(a_barrier_without_one_message_or_wait_is_what_the_oracle_says),
      cmocka_unit_test(without_memory_the_check_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
