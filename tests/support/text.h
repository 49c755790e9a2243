/* Schedules from their text form. Included once by each test program. */
#ifndef TOURNEY_TESTS_SUPPORT_TEXT_H
#define TOURNEY_TESTS_SUPPORT_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <tourney/schedule.h>

/* The schedule is the caller's; a text that can't be read fails the test. */
static inline struct tny_schedule *read_text(const char *text)
{
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  if (tny_schedule_read(text, "test", &schedule, &error) != TNY_OK)
    fail_msg("%u:%u: %s", error.line, error.column, error.text);
  return schedule;
}

#endif
