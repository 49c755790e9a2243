/* Every allocation of the readers, the checks and the writers fails once: each time the answer is
   TNY_NO_MEMORY, nothing is handed over, and (under the leak checker) nothing is lost. */
#include "exchange_support.h"
#include "support/memory.h"

static enum tny_status read_prove_and_convert(const void *text, struct tny_error *error)
{
  struct tny_foreign *foreign;
  struct tny_foreign_report report;
  struct tny_schedule *schedule;
  enum tny_status status = read_foreign(text, &foreign, error);
  assert_true((foreign == NULL) == (status != TNY_OK));
  if (status != TNY_OK)
    return status;
  status = tny_foreign_verify(foreign, NULL, &report, error);
  if (status == TNY_OK && tny_foreign_about(foreign).head) {
    status = tny_foreign_schedule(foreign, &schedule, error);
    assert_true((schedule == NULL) == (status != TNY_OK));
    tny_schedule_free(schedule);
  }
  tny_foreign_free(foreign);
  return status;
}

static enum tny_status prove_by_sizes(const void *text, struct tny_error *error)
{
  struct tny_foreign_report report;
  const struct tny_foreign_wanted wanted = {.collective = TNY_BROADCAST, .block_bytes = 4096};
  return prove_text(text, &wanted, &report, error);
}

static enum tny_status write_both(const void *schedule, struct tny_error *error)
{
  char *text;
  enum tny_status status = tny_schedule_write_goal(schedule, 64, &text, error);
  assert_true((text == NULL) == (status != TNY_OK));
  tny_text_free(text);
  if (status != TNY_OK)
    return status;
  status = tny_schedule_write_msccl(schedule, &text, error);
  assert_true((text == NULL) == (status != TNY_OK));
  tny_text_free(text);
  return status;
}

static void reading_survives_any_failed_allocation(void **state)
{
  (void)state;
  static const char *const names[] = {"alltoall3.goal", "alltoall_pairs3.xml",
                                      "allgather_ring4.xml"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *text = read_fixture(names[i]);
    starve(read_prove_and_convert, text);
    tny_text_free(text);
  }
  char *text = read_fixture("binomial8.goal");
  starve(prove_by_sizes, text);
  tny_text_free(text);
}

static void writing_survives_any_failed_allocation(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan_named(TNY_ALLGATHER, "combining", 5);
  char *goal;
  starve(write_both, schedule);
  assert_int_equal(tny_schedule_write_goal(schedule, 64, &goal, NULL), TNY_OK);
  starve(read_prove_and_convert, goal);
  tny_text_free(goal);
  tny_schedule_free(schedule);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reading_survives_any_failed_allocation),
      cmocka_unit_test(writing_survives_any_failed_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
