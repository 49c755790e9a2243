/* The verifier on broken schedules: each break is caught, and told by rank, step and block. */
#include "support/memory.h"
#include "support/text.h"

#include <tourney/verify.h>

#include "verify/locations.h"

#define ALLGATHER                                                                                  \
  "tourney schedule 1\ncollective allgather\nranks 2\nroot 0\nalgorithm test\nchunks 1\n"          \
  "scratch 1\n"
#define ALLTOALL                                                                                   \
  "tourney schedule 1\ncollective alltoall\nranks 2\nroot 0\nalgorithm test\nchunks 2\n"           \
  "scratch 0\n"
#define BCAST                                                                                      \
  "tourney schedule 1\ncollective bcast\nranks 3\nroot 0\nalgorithm test\nchunks 1\nscratch 0\n"

/* Rank 1 of the all-gather, as it should be. */
#define RANK1 "rank 1\n0 send 0 input[0]\n1 recv 0 output[0]\n2 copy input[0] to output[1]\n"

static void assert_data_broken(const char *text, const char *says)
{
  struct tny_schedule *schedule = read_text(text);
  struct tny_error error = {0};
  assert_int_equal(tny_verify_data(schedule, &error), TNY_BROKEN);
  assert_string_equal(error.text, says);
  error = (struct tny_error){0};
  assert_int_equal(tny_verify_schedule(schedule, NULL, &error), TNY_BROKEN);
  assert_string_equal(error.text, says);
  tny_schedule_free(schedule);
}

static void assert_proved(const char *text)
{
  struct tny_schedule *schedule = read_text(text);
  struct tny_report report, at_once;
  struct tny_error error = {0};
  memset(&report, 0, sizeof report);
  memset(&at_once, 0, sizeof at_once);
  if (tny_verify_data(schedule, &error) != TNY_OK ||
      tny_verify_progress(schedule, &report, &error) != TNY_OK ||
      tny_verify_schedule(schedule, &at_once, &error) != TNY_OK)
    fail_msg("%s", error.text);
  assert_memory_equal(&report, &at_once, sizeof report);
  tny_schedule_free(schedule);
}

static void assert_no_progress(const char *text, const char *says)
{
  struct tny_schedule *schedule = read_text(text);
  struct tny_error error = {0};
  assert_int_equal(tny_verify_progress(schedule, NULL, &error), TNY_BROKEN);
  assert_string_equal(error.text, says);
  assert_int_equal(tny_verify_schedule(schedule, NULL, NULL), TNY_BROKEN);
  tny_schedule_free(schedule);
}

static void a_right_schedule_is_proved(void **state)
{
  (void)state;
  assert_proved(
      ALLGATHER
      "rank 0\n0 send 1 input[0]\n1 recv 1 output[1]\n2 copy input[0] to output[0]\n" RANK1);
  assert_proved(BCAST "rank 0\n0 send 1 input[0]\nrank 2\n0 recv 1 output[0]\n"
                      "rank 1\n0 recv 0 output[0]\n1 send 2 output[0] after 0\n");
}

static void a_wrong_block_is_caught(void **state)
{
  (void)state;
  assert_data_broken(ALLTOALL "rank 0\n0 send 1 input[0]\n1 recv 1 output[1]\n"
                              "2 copy input[0] to output[0]\n"
                              "rank 1\n0 send 0 input[0]\n1 recv 0 output[0]\n"
                              "2 copy input[1] to output[1]\n",
                     "rank 1 step 1 (recv from 0) leaves block 0 of rank 0 in output[0], where "
                     "block 1 of rank 0 belongs");
}

static void a_missing_block_is_caught(void **state)
{
  (void)state;
  assert_data_broken(ALLGATHER "rank 0\n0 send 1 input[0]\n1 recv 1 output[1]\n" RANK1,
                     "rank 0 ends without block 0 of rank 0: nothing writes output[0]");
}

static void a_missing_chunk_is_caught(void **state)
{
  (void)state;
  assert_data_broken(ALLTOALL "rank 0\n0 send 1 input[1]\n1 recv 1 output[1]\n"
                              "2 copy input[0] 0/2 to output[0] 0/2\n"
                              "rank 1\n0 send 0 input[0]\n1 recv 0 output[0]\n"
                              "2 copy input[1] to output[1]\n",
                     "rank 0 ends without block 0 of rank 0: nothing writes output[0] 1/2");
}

static void a_read_before_the_write_is_caught(void **state)
{
  (void)state;
  assert_data_broken(BCAST "rank 0\n0 send 1 input[0]\nrank 2\n0 recv 1 output[0]\n"
                           "rank 1\n0 recv 0 output[0]\n1 send 2 output[0]\n",
                     "rank 1 step 1 (send to 2) reads output[0], but doesn't wait for step 0 (recv "
                     "from 0), which writes it");
  assert_data_broken(BCAST "rank 0\n0 send 1 input[0]\nrank 2\n0 recv 1 output[0]\n"
                           "rank 1\n0 send 2 output[0]\n1 recv 0 output[0]\n",
                     "rank 1 step 0 (send to 2) reads output[0], where nothing is written before");
}

static void waiting_for_a_later_send_is_waiting_for_what_it_waits_for(void **state)
{
  (void)state;
  /* Step 2 waits for no one, but is behind a send that waits for the receive: starts are in order.
   */
  assert_proved(ALLGATHER "rank 0\n0 recv 1 output[1]\n1 send 1 output[1] after 0\n"
                          "2 send 1 output[1]\n3 copy input[0] to output[0]\n4 send 1 output[0]\n"
                          "rank 1\n0 send 0 input[0]\n1 recv 0 output[1]\n2 recv 0 scratch[0]\n"
                          "3 recv 0 output[0]\n");
}

static void a_double_write_is_caught(void **state)
{
  (void)state;
  assert_data_broken(ALLGATHER "rank 0\n0 send 1 input[0]\n1 recv 1 output[1]\n2 recv 1 output[1]\n"
                               "3 copy input[0] to output[0]\n"
                               "rank 1\n0 send 0 input[0]\n1 send 0 input[0]\n2 recv 0 output[0]\n"
                               "3 copy input[0] to output[1]\n",
                     "rank 0 step 2 (recv from 1) writes output[1], but doesn't wait for step 1 "
                     "(recv from 1), which writes it");
}

static void a_write_while_a_send_still_reads_is_caught(void **state)
{
  (void)state;
  assert_data_broken(ALLGATHER "rank 0\n0 copy input[0] to output[0]\n1 send 1 output[0]\n"
                               "2 recv 1 output[0]\n3 recv 1 output[1]\n"
                               "rank 1\n0 recv 0 output[0]\n1 send 0 output[0] after 0\n"
                               "2 send 0 input[0]\n3 copy input[0] to output[1]\n",
                     "rank 0 step 2 (recv from 1) writes output[0], but doesn't wait for step 1 "
                     "(send to 1), which reads it");
}

static void a_write_to_an_input_is_caught(void **state)
{
  (void)state;
  assert_data_broken(ALLGATHER "rank 0\n0 send 1 input[0]\n1 recv 1 input[0]\n" RANK1,
                     "rank 0 step 1 (recv from 1) writes input[0]; inputs are only read");
}

/* Whatever the order of copying, the output is right; what lies in the scratch isn't. */
#define SCRATCH_COPIES(copy)                                                                       \
  "tourney schedule 1\ncollective allgather\nranks 1\nroot 0\nalgorithm test\nchunks 2\n"          \
  "scratch 4\nrank 0\n0 copy input[0] to scratch[0]\n1 copy input[0] to scratch[1]\n2 copy " copy  \
  "\n3 copy input[0] to output[0]\n"

static void a_copy_onto_what_it_reads_is_caught(void **state)
{
  (void)state;
  static const char *const overlapping[][2] = {{"scratch[0..1]", "scratch[1..2]"},
                                               {"scratch[0..1] 1/2", "scratch[1..2] 1/2"},
                                               {"scratch[0..1] 0..1/2", "scratch[1..2] 0..1/2"},
                                               {"scratch[0]", "scratch[0]"}};
  for (size_t i = 0; i < sizeof overlapping / sizeof *overlapping; i++) {
    char text[400], says[200];
    snprintf(text, sizeof text, SCRATCH_COPIES("%s to %s"), overlapping[i][0], overlapping[i][1]);
    snprintf(says, sizeof says,
             "rank 0 step 2 (copy) reads %s and writes %s, which overlap: what it leaves depends "
             "on the order of its parts",
             overlapping[i][0], overlapping[i][1]);
    assert_data_broken(text, says);
    assert_no_progress(text, says);
  }
  assert_proved(SCRATCH_COPIES("scratch[0..1] to scratch[2..3]"));
  assert_proved(SCRATCH_COPIES("scratch[0..1] 1/2 to scratch[2..3] 1/2"));
}

/* What the form of steps lets pass, hazards catch by themselves. */
static void hazards_catch_a_copy_onto_what_it_reads(void **state)
{
  (void)state;
  struct tny_schedule *schedule =
      read_text(SCRATCH_COPIES("scratch[0..1] 0/2 to scratch[2..3] 0/2"));
  struct tny_match match;
  struct tny_error error = {0};
  assert_int_equal(tny_match_make(schedule, &match, NULL), TNY_OK);
  const struct tny_locations locations = tny_locations_of(schedule, false);
  assert_int_equal(tny_hazards_check(&match, &locations, NULL), TNY_OK);
  schedule->ranks[0].steps[2].target.first = 1;
  assert_int_equal(tny_hazards_check(&match, &locations, &error), TNY_BROKEN);
  assert_string_equal(error.text,
                      "rank 0 step 2 (copy) writes scratch[1] 0/2, which it reads itself");
  tny_match_release(&match);
  tny_schedule_free(schedule);
}

static void assert_in_place(const char *text, const char *says)
{
  struct tny_schedule *schedule = read_text(text);
  struct tny_error error = {0};
  assert_int_equal(tny_verify_schedule(schedule, NULL, NULL), TNY_OK);
  assert_int_equal(tny_verify_in_place(schedule, &error), says ? TNY_BROKEN : TNY_OK);
  assert_string_equal(error.text, says ? says : "");
  tny_schedule_free(schedule);
}

/* Rank 1 sends rank 0's block back to it. */
#define RANK1_RETURNS                                                                              \
  "rank 1\n0 send 0 input[0]\n1 recv 0 output[0]\n2 copy input[0] to output[1]\n"                  \
  "3 send 0 output[0] after 1\n"
#define RANK0_STARTS "rank 0\n0 send 1 input[0]\n1 recv 1 output[1]\n2 copy input[0] to output[0]\n"

static void an_all_gather_in_place_is_proved_as_one_memory(void **state)
{
  (void)state;
  assert_in_place(ALLGATHER RANK0_STARTS RANK1, NULL);
  /* What comes back is the block itself, once nobody reads it any more. */
  assert_in_place(ALLGATHER RANK0_STARTS "3 recv 1 output[0] after 0,2\n" RANK1_RETURNS, NULL);
  assert_in_place(ALLGATHER RANK0_STARTS "3 recv 1 output[0] after 2\n" RANK1_RETURNS,
                  "rank 0 step 3 (recv from 1) writes output[0], but doesn't wait for step 0 (send "
                  "to 1), which reads it");
  /* Rank 1's block passes through rank 0's: with an input of its own, it has it again. */
  assert_in_place(ALLGATHER
                  "rank 0\n0 send 1 input[0]\n1 recv 1 output[0] after 0\n"
                  "2 copy output[0] to output[1] after 1\n3 copy input[0] to output[0]\n" RANK1,
                  "rank 0 step 3 (copy) leaves block 0 of rank 1 in output[0], where block 0 "
                  "of rank 0 belongs");
  struct tny_schedule *schedule = read_text(BCAST "rank 0\nrank 1\nrank 2\n");
  struct tny_error error = {0};
  assert_int_equal(tny_verify_in_place(schedule, &error), TNY_REFUSED);
  assert_non_null(strstr(error.text, "a bcast has no such input"));
  tny_schedule_free(schedule);
}

static void a_buffer_that_the_rank_does_not_have_is_caught(void **state)
{
  (void)state;
  assert_data_broken(BCAST "rank 0\n0 send 1 input[0]\nrank 1\n0 recv 0 output[0]\n"
                           "1 send 2 input[0] after 0\nrank 2\n0 recv 1 output[0]\n",
                     "rank 1 step 1 (send to 2) uses input[0], but that buffer has 0 blocks");
}

static void an_unmatched_message_is_caught(void **state)
{
  (void)state;
  assert_data_broken(ALLGATHER "rank 0\n0 send 1 input[0]\n1 recv 1 output[1]\n"
                               "2 copy input[0] to output[0]\n3 send 1 output[0] after 2\n" RANK1,
                     "rank 0 step 3 (send to 1) of output[0] has no receive at rank 1");
  assert_data_broken(ALLGATHER "rank 0\n0 recv 1 output[1]\n1 copy input[0] to output[0]\n" RANK1,
                     "rank 1 step 1 (recv from 0) of output[0] has no send at rank 0");
  assert_data_broken(ALLGATHER "rank 0\n0 token-in 1\nrank 1\n",
                     "rank 0 step 0 (token-in from 1) has no send at rank 1");
}

static void two_ends_of_different_shape_are_caught(void **state)
{
  (void)state;
  assert_data_broken(ALLTOALL "rank 0\n0 send 1 input[1]\nrank 1\n0 recv 0 output[0] 0/2\n",
                     "rank 0 step 0 (send to 1) sends input[1], but rank 1 step 0 (recv from 0) "
                     "expects it in output[0] 0/2 of another shape");
  assert_data_broken(ALLTOALL "rank 0\n0 copy input[0] 0/2 to output[0] 1/2\nrank 1\n",
                     "rank 0 step 0 (copy) reads input[0] 0/2, but writes output[0] 1/2");
}

static void a_swapped_order_that_deadlocks_under_rendezvous_is_caught(void **state)
{
  (void)state;
  /* Both send before they receive, and the receive waits for the send. */
  assert_no_progress(
      ALLGATHER "rank 0\n0 send 1 input[0]\n1 recv 1 output[1] after 0\n"
                "2 copy input[0] to output[0]\n"
                "rank 1\n0 send 0 input[0]\n1 recv 0 output[0] after 0\n"
                "2 copy input[0] to output[1]\n",
      "deadlock: rank 1 step 1 (recv from 0) waits for its step 0 (send to 0), rank 0 "
      "step 1 (recv from 1) waits for its step 0 (send to 1)");
}

static void the_order_of_a_queue_that_deadlocks_with_a_window_of_one_is_caught(void **state)
{
  (void)state;
  /* Rank 0 sends to 1 then to 2; 1 and 2 make each other wait the other way round. */
  assert_no_progress(
      BCAST "rank 0\n0 send 1 input[0]\n1 send 2 input[0]\n"
            "rank 1\n0 token-in 2\n1 recv 0 output[0]\n"
            "rank 2\n0 recv 0 output[0]\n1 token-out 1 after 0\n",
      "deadlock: rank 1 step 1 (recv from 0) waits for its step 0 (token-in from 2), "
      "rank 2 step 1 (token-out to 1) waits for its step 0 (recv from 0), rank 0 step "
      "1 (send to 2) waits for its step 0 (send to 1)");
}

static void tokens_that_wait_in_a_cycle_are_caught(void **state)
{
  (void)state;
  assert_no_progress(
      ALLGATHER "rank 0\n0 token-in 1\n1 token-out 1 after 0\n"
                "rank 1\n0 token-in 0\n1 token-out 0 after 0\n",
      "deadlock: rank 0 step 1 (token-out to 1) waits for its step 0 (token-in from 1), "
      "rank 1 step 1 (token-out to 0) waits for its step 0 (token-in from 0)");
}

static void a_long_cycle_is_told_in_part(void **state)
{
  (void)state;
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  assert_int_equal(tny_schedule_new(TNY_ALLGATHER, 50, 0, "test", &schedule, NULL), TNY_OK);
  for (uint32_t rank = 0; rank < 50; rank++) {
    struct tny_builder builder;
    tny_builder_init(&builder);
    tny_builder_token_in(&builder, (rank + 49) % 50, TNY_NONE);
    tny_builder_token_out(&builder, (rank + 1) % 50, TNY_NONE);
    tny_builder_after(&builder, 0);
    assert_int_equal(tny_builder_finish(&builder, &schedule->ranks[rank], NULL), TNY_OK);
  }
  assert_int_equal(tny_verify_progress(schedule, NULL, &error), TNY_BROKEN);
  assert_non_null(strstr(error.text, "more in a cycle"));
  /* The data check can't run it either. */
  assert_int_equal(tny_verify_data(schedule, NULL), TNY_BROKEN);
  tny_schedule_free(schedule);
}

static void rounds_and_blocks_are_counted_and_hold_the_claim(void **state)
{
  (void)state;
  struct tny_schedule *schedule = read_text(
      BCAST "rank 0\n0 send 1 input[0]\n1 token-in 2\nrank 2\n0 recv 1 output[0]\n"
            "1 token-out 0 after 0\nrank 1\n0 recv 0 output[0]\n1 send 2 output[0] after 0\n");
  struct tny_report report;
  struct tny_error error = {0};
  assert_int_equal(tny_verify_progress(schedule, &report, NULL), TNY_OK);
  assert_int_equal(report.steps, 6);
  assert_int_equal(report.messages, 2);
  assert_int_equal(report.tokens, 1);
  assert_int_equal(report.rounds, 2);
  assert_int_equal(report.blocks_sent_max, 1);
  const struct tny_claim right = {.rounds = 2, .blocks_sent_max = 1};
  const struct tny_claim slow = {.rounds = 1, .blocks_sent_max = 1};
  const struct tny_claim much = {.rounds = 2, .blocks_sent_max = 2};
  assert_int_equal(tny_verify_claim(&report, &right, &error), TNY_OK);
  assert_int_equal(tny_verify_claim(&report, &slow, &error), TNY_BROKEN);
  assert_string_equal(error.text, "the schedule takes 2 rounds, its algorithm claims 1");
  assert_int_equal(tny_verify_claim(&report, &much, NULL), TNY_BROKEN);
  tny_schedule_free(schedule);
}

/* A chain of three ranks, with these words behind its messages and a token back. */
static struct tny_report report_of_chain(const char *first, const char *second, const char *token)
{
  char text[600];
  struct tny_report report;
  snprintf(text, sizeof text,
           BCAST "rank 0\n0 send 1 input[0] %s\n1 token-in 2 %s\n"
                 "rank 1\n0 recv 0 output[0] %s\n1 send 2 output[0] %s after 0\n"
                 "rank 2\n0 recv 1 output[0] %s\n1 token-out 0 %s after 0\n",
           first, token, first, second, second, token);
  struct tny_schedule *schedule = read_text(text);
  assert_int_equal(tny_verify_progress(schedule, &report, NULL), TNY_OK);
  tny_schedule_free(schedule);
  return report;
}

static void assert_claim(const struct tny_report *report, uint32_t phases, const char *says)
{
  const struct tny_claim claim = {.rounds = 2, .phases = phases, .blocks_sent_max = 1};
  struct tny_error error = {0};
  const enum tny_status status = tny_verify_claim(report, &claim, &error);
  assert_int_equal(status, says ? TNY_BROKEN : TNY_OK);
  if (says)
    assert_string_equal(error.text, says);
}

static void phases_are_as_many_as_claimed_and_every_message_has_one(void **state)
{
  (void)state;
  const struct tny_report phased = report_of_chain("phase 0", "phase 1", "");
  assert_int_equal(phased.phases, 2);
  assert_int_equal(phased.unphased, 0);
  assert_claim(&phased, 2, NULL);
  assert_claim(&phased, 1, "the schedule has 2 phases, its algorithm claims 1");
  assert_claim(&phased, 3, "the schedule has 2 phases, its algorithm claims 3");
  assert_claim(&phased, 0, "the schedule has 2 phases, its algorithm claims 0");
  /* Without phases. */
  const struct tny_report plain = report_of_chain("", "", "");
  assert_int_equal(plain.phases, 0);
  assert_claim(&plain, 0, NULL);
  assert_claim(&plain, 1, "the schedule has 0 phases, its algorithm claims 1");
  /* A message without one among others. */
  const struct tny_report half = report_of_chain("", "phase 1", "");
  assert_int_equal(half.unphased, 1);
  assert_claim(&half, 2, "1 of 2 messages have no phase, the algorithm claims 2 phases");
  /* A token's counts too: who indexes by phase meets it. */
  const struct tny_report late = report_of_chain("phase 0", "phase 1", "phase 2");
  assert_claim(&late, 2, "the schedule has 3 phases, its algorithm claims 2");
}

static void ends_of_different_phases_are_caught(void **state)
{
  (void)state;
  static const char text[] = BCAST "rank 0\n0 send 1 input[0] phase 2\n1 send 2 input[0]\n"
                                   "rank 1\n0 recv 0 output[0] phase 1\n"
                                   "rank 2\n0 recv 0 output[0]\n";
  struct tny_schedule *schedule = read_text(text);
  assert_int_equal(tny_verify_data(schedule, NULL), TNY_OK);
  tny_schedule_free(schedule);
  assert_no_progress(text,
                     "rank 0 step 0 (send to 1) and its receive, rank 1 step 0 (recv from 0), "
                     "are not of the same phase");
}

static void steps_that_no_reader_would_make_are_caught_too(void **state)
{
  (void)state;
  const struct tny_span block = {TNY_INPUT, 0, 1, 0, 1, 1};
  uint32_t self_after = 0;
  struct tny_step bad[] = {
      {.kind = TNY_SEND, .peer = 7, .span = block, .phase = TNY_NONE},
      {.kind = TNY_SEND, .peer = 0, .span = block, .phase = TNY_NONE},
      {.kind = TNY_SEND, .peer = 1, .span = {TNY_INPUT, 0, 0, 0, 1, 1}, .phase = TNY_NONE},
      {.kind = TNY_SEND, .peer = 1, .span = {TNY_INPUT, 0, UINT32_MAX, 0, 1, 1}, .phase = TNY_NONE},
      {.kind = TNY_SEND, .peer = 1, .span = {TNY_INPUT, 0, 1, 0, 9, 1}, .phase = TNY_NONE},
      {.kind = TNY_SEND, .peer = 1, .span = {TNY_INPUT, 0, 1, 1, 1, 1}, .phase = TNY_NONE},
      {.kind = TNY_SEND, .peer = 1, .span = block, .phase = TNY_NONE, .after_count = 1},
      {.kind = TNY_SEND, .peer = 1, .span = block, .after_first = 1, .after_count = 1},
  };
  const char *const says[] = {
      "names no other rank",      "names no other rank",
      "that buffer has 1 blocks", "that buffer has 1 blocks",
      "blocks have 1 chunks",     "blocks have 1 chunks",
      "which isn't earlier",      "waits for steps beyond the list",
  };
  struct tny_schedule *schedule;
  assert_int_equal(tny_schedule_new(TNY_ALLGATHER, 2, 0, "test", &schedule, NULL), TNY_OK);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    schedule->ranks[0] =
        (struct tny_steps){.count = 1, .steps = &bad[i], .after_total = 1, .after = &self_after};
    struct tny_error error = {0};
    assert_int_equal(tny_verify_data(schedule, &error), TNY_BROKEN);
    assert_non_null(strstr(error.text, says[i]));
    assert_int_equal(tny_verify_progress(schedule, NULL, NULL), TNY_BROKEN);
  }
  schedule->ranks[0] = (struct tny_steps){0};
  tny_schedule_free(schedule);
}

static void what_is_too_large_to_prove_is_refused_not_tried(void **state)
{
  (void)state;
  struct tny_schedule *schedule;
  assert_int_equal(tny_schedule_new(TNY_ALLTOALL, 100000, 0, "test", &schedule, NULL), TNY_OK);
  assert_int_equal(tny_verify_data(schedule, NULL), TNY_REFUSED);
  tny_schedule_free(schedule);
}

static enum tny_status prove_in_parts_and_whole(const void *schedule, struct tny_error *error)
{
  enum tny_status status = tny_verify_data(schedule, error);
  if (status == TNY_OK)
    status = tny_verify_progress(schedule, NULL, error);
  if (status == TNY_OK)
    status = tny_verify_schedule(schedule, NULL, error);
  return status;
}

static void proving_out_of_memory_says_so(void **state)
{
  (void)state;
  struct tny_schedule *schedule =
      read_text(ALLGATHER "rank 0\n0 send 1 input[0]\n1 recv 1 output[1]\n"
                          "2 copy input[0] to output[0]\n" RANK1);
  assert_true(starve(prove_in_parts_and_whole, schedule) > 0);
  tny_schedule_free(schedule);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_right_schedule_is_proved),
      cmocka_unit_test(a_wrong_block_is_caught),
      cmocka_unit_test(a_missing_block_is_caught),
      cmocka_unit_test(a_missing_chunk_is_caught),
      cmocka_unit_test(a_read_before_the_write_is_caught),
      cmocka_unit_test(waiting_for_a_later_send_is_waiting_for_what_it_waits_for),
      cmocka_unit_test(a_double_write_is_caught),
      cmocka_unit_test(a_write_while_a_send_still_reads_is_caught),
      cmocka_unit_test(a_write_to_an_input_is_caught),
      cmocka_unit_test(a_copy_onto_what_it_reads_is_caught),
      cmocka_unit_test(hazards_catch_a_copy_onto_what_it_reads),
      cmocka_unit_test(an_all_gather_in_place_is_proved_as_one_memory),
      cmocka_unit_test(a_buffer_that_the_rank_does_not_have_is_caught),
      cmocka_unit_test(an_unmatched_message_is_caught),
      cmocka_unit_test(two_ends_of_different_shape_are_caught),
      cmocka_unit_test(a_swapped_order_that_deadlocks_under_rendezvous_is_caught),
      cmocka_unit_test(the_order_of_a_queue_that_deadlocks_with_a_window_of_one_is_caught),
      cmocka_unit_test(tokens_that_wait_in_a_cycle_are_caught),
      cmocka_unit_test(a_long_cycle_is_told_in_part),
      cmocka_unit_test(rounds_and_blocks_are_counted_and_hold_the_claim),
      cmocka_unit_test(phases_are_as_many_as_claimed_and_every_message_has_one),
      cmocka_unit_test(ends_of_different_phases_are_caught),
      cmocka_unit_test(steps_that_no_reader_would_make_are_caught_too),
      cmocka_unit_test(what_is_too_large_to_prove_is_refused_not_tried),
      cmocka_unit_test(proving_out_of_memory_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
