/* The text form of schedules: it round-trips, and what is wrong in it is told with its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tourney/algorithm.h>

#include "core/alloc.h"

#define HEADER                                                                                     \
  "tourney schedule 1\ncollective alltoall\nranks 2\nroot 0\nalgorithm test\nchunks 2\n"           \
  "scratch 1\n"

static const char good[] = HEADER "\n"
                                  "rank 0\n"
                                  "0 send 1 input[1] 0/2 phase 0\n"
                                  "1 recv 1 output[1] 0/2 phase 0\n"
                                  "2 send 1 input[1] 1/2 phase 1 after 0,1\n"
                                  "3 recv 1 output[1] 1/2 phase 1\n"
                                  "4 copy input[0] to output[0]\n"
                                  "5 token-out 1\n"
                                  "\n"
                                  "rank 1\n"
                                  "0 send 0 input[0] 0/2 phase 0\n"
                                  "1 recv 0 output[0] 0/2 phase 0\n"
                                  "2 send 0 input[0] 1/2 phase 1 after 1\n"
                                  "3 recv 0 output[0] 1/2 phase 1\n"
                                  "4 copy input[0..1] to output[0..1]\n"
                                  "5 token-in 0 phase 3\n";

static void reading_and_writing_gives_the_same_text(void **state)
{
  (void)state;
  struct tny_schedule *schedule;
  char *text;
  struct tny_error error = {0};
  assert_int_equal(tny_schedule_read(good, "good", &schedule, &error), TNY_OK);
  assert_int_equal(tny_schedule_write(schedule, &text, &error), TNY_OK);
  assert_string_equal(text, good);
  tny_text_free(text);
  tny_schedule_free(schedule);
}

static void planned_schedules_round_trip(void **state)
{
  (void)state;
  for (uint32_t i = 0; tny_algorithms[i]; i++) {
    const struct tny_problem problem = {
        .collective = tny_algorithms[i]->collective, .rank_count = 5, .root = 0};
    const struct tny_pace pace = {.chunk_count = 3, .window = 2};
    struct tny_schedule *planned, *read;
    char *first, *second;
    if (tny_algorithm_refusal(tny_algorithms[i], &problem))
      continue;
    assert_int_equal(tny_plan_all(tny_algorithms[i], &problem, pace, &planned, NULL), TNY_OK);
    assert_int_equal(tny_schedule_write(planned, &first, NULL), TNY_OK);
    assert_int_equal(tny_schedule_read(first, "planned", &read, NULL), TNY_OK);
    assert_int_equal(tny_schedule_write(read, &second, NULL), TNY_OK);
    assert_string_equal(first, second);
    tny_text_free(second);
    tny_schedule_free(read);
    tny_text_free(first);
    tny_schedule_free(planned);
  }
}

static void comments_blank_lines_and_ranks_in_any_order_are_fine(void **state)
{
  (void)state;
  struct tny_schedule *schedule;
  const char *text = "# a plan\n\n" HEADER "rank 1 # nothing to do\r\n\n  rank 0\n"
                     "\t0 copy input[0] 1/2 to scratch[0] 1/2 # half";
  assert_int_equal(tny_schedule_read(text, "good", &schedule, NULL), TNY_OK);
  assert_int_equal(schedule->ranks[0].count, 1);
  assert_int_equal(schedule->ranks[0].steps[0].target.buffer, TNY_SCRATCH);
  assert_int_equal(schedule->ranks[0].steps[0].target.chunk, 1);
  tny_schedule_free(schedule);
}

struct fault {
  const char *text;
  unsigned line, column;
  const char *says;
};

static const struct fault faults[] = {
    {"", 1, 1, "\"tourney\" belongs here"},
    {"tourney schedule 2\n", 1, 18, "\"1\" belongs here, not \"2\""},
    {"tourney schedule 1\ncollective sum\n", 2, 12, "bcast, allgather or alltoall, not \"sum\""},
    {"tourney schedule 1\ncollective bcast\nranks 4000000000\n", 3, 7, "not \"4000000000\""},
    {"tourney schedule 1\ncollective bcast\nranks 99999999999999999999\n", 3, 7,
     "not \"99999999999999999999\""},
    {"tourney schedule 1\ncollective bcast\nranks 0\n", 3, 1, "1 rank or more"},
    {"tourney schedule 1\ncollective bcast\nranks 1\nroot 1\n", 4, 6, "from 0 to 0"},
    {"tourney schedule 1\ncollective bcast\nranks 1\nroot 0 0\n", 4, 8, "should end before \"0\""},
    {"tourney schedule 1\ncollective bcast\nranks 1\nroot 0\nchunks 1\n", 5, 1, "\"algorithm\""},
    {"tourney schedule 1\ncollective bcast\nranks 1\nroot 0\nalgorithm x\nchunks 0\nscratch 0\n", 6,
     1, "1 chunk or more"},
    {"tourney schedule 1\ncollective bcast\nranks 1\nroot 0\nalgorithm x\nchunks 2000000\n", 6, 8,
     "not \"2000000\""},
    {HEADER "rank 0\n", 9, 1, "rank 1 is missing"},
    {HEADER "rank 0\nrank 0\n", 9, 6, "rank 0 is here twice"},
    {HEADER "rank 2\n", 8, 6, "from 0 to 1"},
    {HEADER "rank 0\n1 send 1 input[0]\n", 9, 1, "rank 0's next step is 0, not 1"},
    {HEADER "rank 0\n0 shout 1 input[0]\n", 9, 3, "not \"shout\""},
    {HEADER "rank 0\n0 send 2 input[0]\n", 9, 8, "from 0 to 1"},
    {HEADER "rank 0\n0 send 0 input[0]\n", 9, 8, "can't send to itself"},
    {HEADER "rank 0\n0 send 1\n", 9, 9, "blocks are written"},
    {HEADER "rank 0\n0 send 1 inputs[0]\n", 9, 10, "blocks are written"},
    {HEADER "rank 0\n0 send 1 input[2]\n", 9, 10, "input has 2 blocks here"},
    {HEADER "rank 0\n0 send 1 input[1..0]\n", 9, 10, "a range goes up"},
    {HEADER "rank 0\n0 send 1 input[0..2]\n", 9, 10, "input has 2 blocks here"},
    {HEADER "rank 0\n0 send 1 scratch[1]\n", 9, 10, "scratch has 1 blocks here"},
    {HEADER "rank 0\n0 send 1 input[0]x\n", 9, 10, "input[0]x"},
    {HEADER "rank 0\n0 send 1 input[0\n", 9, 10, "input has 2 blocks"},
    {HEADER "rank 0\n0 send 1 input[0] 0/3\n", 9, 19, "with C and D from 0 to 1"},
    {HEADER "rank 0\n0 send 1 input[0] 2/2\n", 9, 19, "written C/2"},
    {HEADER "rank 0\n0 send 1 input[0] 0\n", 9, 19, "written C/2"},
    {HEADER "rank 0\n0 send 1 input[0] phase 4294967295\n", 9, 25, "a phase is a number"},
    {HEADER "rank 0\n0 send 1 input[0] after 0\n", 9, 25, "earlier steps only"},
    {HEADER "rank 0\n0 token-out 1\n1 token-out 1 after 0;0\n", 10, 22, "a comma belongs"},
    {HEADER "rank 0\n0 token-out 1\n1 token-out 1 after 0,\n", 10, 23, "earlier steps only"},
    {HEADER "rank 0\n0 token-out 1 x\n", 9, 15, "should end before \"x\""},
    {HEADER "rank 0\n0 copy input[0] output[0]\n", 9, 17, "\"to\" belongs here"},
    {HEADER "rank 0\n\x1b[2J\n", 9, 1, "plain text"},
    {HEADER "rank 0\n0 s\xc3\xa4nd\n", 9, 4, "plain text"},
};

static void what_is_wrong_is_told_with_line_and_column(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct tny_schedule *schedule;
    struct tny_error error = {0};
    assert_int_equal(tny_schedule_read(faults[i].text, "bad.sched", &schedule, &error),
                     TNY_BAD_INPUT);
    assert_null(schedule);
    if (!strstr(error.text, faults[i].says) || error.line != faults[i].line ||
        error.column != faults[i].column)
      fail_msg("fault %zu: %u:%u: %s", i, error.line, error.column, error.text);
    assert_string_equal(error.file, "bad.sched");
  }
}

static void every_cut_of_a_good_text_is_read_or_refused(void **state)
{
  (void)state;
  char text[sizeof good];
  for (size_t length = 0; length < sizeof good; length++) {
    struct tny_schedule *schedule;
    memcpy(text, good, length);
    text[length] = '\0';
    if (tny_schedule_read(text, "cut", &schedule, NULL) == TNY_OK)
      tny_schedule_free(schedule);
  }
}

static void reading_out_of_memory_says_so(void **state)
{
  (void)state;
  enum tny_status status = TNY_NO_MEMORY;
  for (uint64_t n = 1; status != TNY_OK; n++) {
    struct tny_schedule *schedule;
    tny_alloc_fail_from(n);
    status = tny_schedule_read(good, "good", &schedule, NULL);
    tny_alloc_fail_from(0);
    assert_true(status == TNY_OK || status == TNY_NO_MEMORY);
    tny_schedule_free(schedule);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reading_and_writing_gives_the_same_text),
      cmocka_unit_test(planned_schedules_round_trip),
      cmocka_unit_test(comments_blank_lines_and_ranks_in_any_order_are_fine),
      cmocka_unit_test(what_is_wrong_is_told_with_line_and_column),
      cmocka_unit_test(every_cut_of_a_good_text_is_read_or_refused),
      cmocka_unit_test(reading_out_of_memory_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
