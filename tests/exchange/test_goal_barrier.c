/* Barriers in GOAL: proved by what the file keeps in order alone, and written such that it keeps
   what the schedule does. */
#include "exchange_support.h"

/* What a barrier sends is nothing to it, so that a file needs no comments of ours. */
static void a_barrier_by_hand_is_proved_by_its_order(void **state)
{
  (void)state;
  static const char text[] = "num_ranks 3\n"
                             "rank 0 {\na: recv 1b from 1\nb: recv 8b from 2\n"
                             "c: send 1b to 1\nd: send 1b to 2\n"
                             "c requires a\nc requires b\nd requires a\nd requires b\n}\n"
                             "rank 1 {\na: send 1b to 0\nb: recv 1b from 0\n}\n"
                             "rank 2 {\na: send 8b to 0\nb: recv 1b from 0\n}\n";
  const struct tny_foreign_wanted wanted = {.collective = TNY_BARRIER};
  struct tny_foreign_report report;
  struct tny_error error = {0};
  assert_int_equal(prove_text(text, &wanted, &report, NULL), TNY_OK);
  assert_int_equal(report.data, TNY_DATA_NONE);
  /* Rank 0 lets rank 2 go when rank 2 itself has come. */
  char *hasty = replace(text, "d requires", "d requires a\n", "");
  assert_int_equal(prove_text(hasty, &wanted, &report, &error), TNY_BROKEN);
  assert_non_null(strstr(error.text, "rank 2 may end before rank 1 has begun"));
  free(hasty);
  /* What is started may wait: it isn't received yet. */
  char *started = replace(text, "c requires a", "requires", "irequires");
  assert_int_equal(prove_text(started, &wanted, &report, NULL), TNY_OK);
  free(started);
  error = (struct tny_error){0};
  started = replace(text, "c requires b", "requires", "irequires");
  assert_int_equal(prove_text(started, &wanted, &report, &error), TNY_BROKEN);
  assert_non_null(strstr(error.text, "rank 1 may end before rank 2 has begun"));
  free(started);
}

/* Rank 3 hears of rank 1 by the order of rank 0's sends alone: the last of them doesn't start
   before the first, which waits for rank 1's word. */
#define BY_ORDER                                                                                   \
  "tourney schedule 1\ncollective barrier\nranks 4\nroot 0\nalgorithm test\nchunks 1\n"            \
  "scratch 0\n"                                                                                    \
  "rank 0\n0 recv 1 nothing\n1 recv 2 nothing\n2 recv 3 nothing\n"                                 \
  "3 send 2 nothing after 0,2\n4 send 1 nothing after 1,2\n5 send 3 nothing after 1\n"             \
  "rank 1\n0 send 0 nothing\n1 recv 0 nothing\n"                                                   \
  "rank 2\n0 send 0 nothing\n1 recv 0 nothing\n"                                                   \
  "rank 3\n0 send 0 nothing\n1 recv 0 nothing\n"

/* The text without one line, two slashes of which make a comment, proves no barrier. */
static void assert_broken_without(char *text, char *line, const char *says)
{
  struct tny_foreign_report report;
  struct tny_error error = {0};
  assert_non_null(line);
  const char first[2] = {line[0], line[1]};
  line[0] = line[1] = '/';
  assert_int_equal(prove_text(text, NULL, &report, &error), TNY_BROKEN);
  assert_string_equal(error.text, says);
  line[0] = first[0];
  line[1] = first[1];
}

static void assert_read_back(const char *goal, const char *text)
{
  struct tny_foreign *foreign;
  struct tny_foreign_report report;
  struct tny_schedule *schedule;
  char *again;
  assert_int_equal(tny_goal_read(goal, "test", &foreign, NULL), TNY_OK);
  assert_int_equal(tny_foreign_verify(foreign, NULL, &report, NULL), TNY_OK);
  assert_int_equal(tny_foreign_schedule(foreign, &schedule, NULL), TNY_OK);
  assert_int_equal(tny_schedule_write(schedule, &again, NULL), TNY_OK);
  assert_string_equal(again, text);
  tny_text_free(again);
  tny_schedule_free(schedule);
  tny_foreign_free(foreign);
}

static void a_barrier_by_the_order_of_a_queue_is_one_in_goal(void **state)
{
  (void)state;
  struct tny_schedule *schedule;
  char *goal, *text;
  assert_int_equal(tny_schedule_read(BY_ORDER, "test", &schedule, NULL), TNY_OK);
  assert_int_equal(tny_verify_schedule(schedule, NULL, NULL), TNY_OK);
  assert_int_equal(tny_schedule_write(schedule, &text, NULL), TNY_OK);
  assert_int_equal(tny_schedule_write_goal(schedule, 1, &goal, NULL), TNY_OK);
  assert_read_back(goal, text);
  assert_broken_without(goal, strstr(goal, "l5 irequires l4\n"),
                        "rank 3 may end before rank 1 has begun: no chain of messages leads from "
                        "rank 1 to it");
  tny_text_free(goal);
  tny_text_free(text);
  tny_schedule_free(schedule);
}

static void a_barrier_in_goal_has_no_copies_even_of_nothing(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan_named(TNY_BARRIER, "dissemination", 4);
  struct tny_foreign_report report;
  struct tny_error error = {0};
  char *goal;
  assert_int_equal(tny_schedule_write_goal(schedule, 1, &goal, NULL), TNY_OK);
  char *copies = replace(goal, "rank 1 {\n", "// tourney nothing phase 0\nl0: send 1b to 2 tag 0\n",
                         "// tourney copy nothing to nothing\nl0: calc 0\n");
  assert_int_equal(prove_text(copies, NULL, &report, &error), TNY_BAD_INPUT);
  assert_string_equal(error.text, "no rank of a barrier has data to copy");
  free(copies);
  tny_text_free(goal);
  tny_schedule_free(schedule);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_barrier_by_hand_is_proved_by_its_order),
      cmocka_unit_test(a_barrier_by_the_order_of_a_queue_is_one_in_goal),
      cmocka_unit_test(a_barrier_in_goal_has_no_copies_even_of_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
