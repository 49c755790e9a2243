/* The table of calls that the runtime prints (src/mpi/explain.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/alloc.h"
#include "mpi/explain.h"

enum { NAMES = 200, NAME_CHARS = 16 };

static char names[NAMES][NAME_CHARS];

/* Closes the table; what it prints goes to `text`. */
static void close_into(char *text, size_t room)
{
  FILE *file = tmpfile();
  const int kept = dup(STDERR_FILENO);
  assert_non_null(file);
  fflush(stderr);
  dup2(fileno(file), STDERR_FILENO);
  tny_explain_close();
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  rewind(file);
  text[fread(text, 1, room - 1, file)] = '\0';
  fclose(file);
}

static void count_names(void)
{
  for (int i = 0; i < NAMES; i++) {
    snprintf(names[i], sizeof names[i], "algorithm-%d.", i);
    tny_explain_count("bcast", 10, names[i], "why");
    tny_explain_count("bcast", 10, names[i], "why");
  }
}

static void all_rows_are_printed_however_many(void **state)
{
  static char text[1 << 16];
  (void)state;
  tny_explain_open();
  count_names();
  close_into(text, sizeof text);
  for (int i = 0; i < NAMES; i++)
    assert_non_null(strstr(text, names[i]));
  assert_null(strstr(text, "no memory"));
}

static void calls_without_memory_for_a_row_are_said_to_be_left_out(void **state)
{
  static char text[1 << 16];
  (void)state;
  tny_explain_open();
  tny_alloc_fail_from(2);
  count_names();
  tny_alloc_fail_from(0);
  close_into(text, sizeof text);
  assert_non_null(strstr(text, names[0]));
  assert_null(strstr(text, names[NAMES - 1]));
  assert_non_null(strstr(text, "and 368 calls for which there was no memory here"));
}

/* Where the first number of the line ends, behind `name`. */
static size_t end_of_number(const char *text, const char *name)
{
  const char *at = strstr(text, name);
  assert_non_null(at);
  while (at > text && at[-1] != '\n')
    at--;
  const char *end = strstr(at, name) + strlen(name);
  end += strspn(end, " ");
  return (size_t)(end + strcspn(end, " ") - at);
}

static void the_columns_of_decisions_are_as_wide_as_their_longest_name(void **state)
{
  static char text[1 << 12];
  (void)state;
  tny_explain_open();
  tny_explain_decision(&(struct tny_decision){.collective = "reduce_scatter",
                                              .is_own = true,
                                              .class_bytes = 32768,
                                              .rank_count = 4,
                                              .native_ns = 1e6});
  tny_explain_decision(&(struct tny_decision){
      .collective = "bcast", .class_bytes = 8192, .rank_count = 4, .native_ns = 1e6});
  close_into(text, sizeof text);
  const size_t end = end_of_number(text, "reduce_scatter (own op)");
  assert_int_equal(end_of_number(text, "bcast"), end);
  /* the head of the table, behind that of the calls, of which there are none */
  assert_int_equal(end_of_number(strstr(text, "decisions"), "collective"), end);
}

static void nothing_is_counted_or_printed_unless_it_is_asked_for(void **state)
{
  char text[100];
  (void)state;
  count_names();
  close_into(text, sizeof text);
  assert_string_equal(text, "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_rows_are_printed_however_many),
      cmocka_unit_test(calls_without_memory_for_a_row_are_said_to_be_left_out),
      cmocka_unit_test(the_columns_of_decisions_are_as_wide_as_their_longest_name),
      cmocka_unit_test(nothing_is_counted_or_printed_unless_it_is_asked_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
