/* What classes were settled on, kept in lists and the file of what was learnt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/file.h"
#include "mpi/guard/learn.h"

static char path[64];
static const struct tny_learn_key key = {
    .cluster = "two switches", .fingerprint = 0x123456789abcdef0, .rank_count = 16};

static struct tny_guard_result result(uint32_t number, const char *algorithm)
{
  struct tny_guard_result made = {
      .collective = TNY_ALLTOALL, .number = number, .native_ns = 2e6, .settled_ns = 1.5e6};
  if (algorithm)
    assert_int_equal(tny_algorithm_parse(TNY_ALLTOALL, algorithm, &made.choice, NULL), TNY_OK);
  return made;
}

static void put(struct tny_guard_results *results, uint32_t number, const char *algorithm)
{
  const struct tny_guard_result made = result(number, algorithm);
  tny_guard_results_put(results, &made);
}

static void write_text(const char *text)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void what_is_written_is_read_again(void **state)
{
  struct tny_guard_results written = {0}, read = {0};
  (void)state;
  put(&written, 16, "shuffle");
  put(&written, 12, NULL);
  put(&written, 20, "bruck:4");
  struct tny_guard_result own = {.collective = TNY_REDUCE_SCATTER, .native_ns = 3, .settled_ns = 2};
  assert_int_equal(tny_algorithm_parse(own.collective, "pairwise", &own.choice, NULL), TNY_OK);
  for (int is_uneven = 0; is_uneven < 2; is_uneven++) {
    own.number = tny_guard_own(tny_guard_number(4096, is_uneven));
    tny_guard_results_put(&written, &own);
  }
  assert_int_equal(tny_learn_write(path, &key, &written, NULL), TNY_OK);
  assert_int_equal(tny_learn_read(path, &key, &read, NULL), TNY_OK);
  assert_int_equal(read.count, 5);
  for (uint32_t i = 0; i < 5; i++) {
    const struct tny_guard_result *one = &written.list[i], *other = &read.list[i];
    assert_int_equal(one->collective, other->collective);
    assert_int_equal(one->number, other->number);
    assert_ptr_equal(one->choice.algorithm, other->choice.algorithm);
    assert_int_equal(one->choice.parameter, other->choice.parameter);
    assert_true(one->native_ns == other->native_ns && one->settled_ns == other->settled_ns);
    assert_true(!one->is_read && other->is_read);
  }
  tny_guard_results_release(&written);
  tny_guard_results_release(&read);
}

static void a_file_that_is_not_there_has_nothing(void **state)
{
  struct tny_guard_results read = {0};
  (void)state;
  unlink(path);
  assert_int_equal(tny_learn_read(path, &key, &read, NULL), TNY_OK);
  assert_int_equal(read.count, 0);
}

/* Whatever is wrong with it, nothing is taken from it, and the error names it. */
static void a_broken_file_is_refused_whole(void **state)
{
#define HEAD "tourney learned 1\ncluster a fingerprint 123456789abcdef0 ranks 16\n"
  static const struct {
    const char *text, *says;
  } rows[] = {
      {"", "tourney"},
      {"something else\n", "tourney"},
      {"tourney learned 2\n", "version"},
      {"tourney learned 1\ncluster a fingerprint 123456789abcdef1 ranks 16\nend 0\n", "own file"},
      {"tourney learned 1\ncluster a fingerprint 123456789abcdef0 ranks 8\nend 0\n", "own file"},
      {HEAD, "end"},
      {HEAD "alltoall 65536 shuffle 200 100\n", "end"},
      {HEAD "alltoall 65536 shuffle 200 100\nend 2\n", "1 different"},
      {HEAD "alltoall 65537 shuffle 200 100\nend 1\n", "power of two"},
      {HEAD "alltoall 4294967296 shuffle 200 100\nend 1\n", "power of two"},
      {HEAD "alltoall 65536 wednesday 200 100\nend 1\n", "wednesday"},
      {HEAD "allways 65536 shuffle 200 100\nend 1\n", "allways"},
      {HEAD "own alltoall 65536 shuffle 200 100\nend 1\n", "isn't a reduction"},
      {HEAD "own allreduce 65536 ring 200 100\nend 1\n", "doesn't serve such calls"},
      {HEAD "alltoallv 65536 bruck:2 200 100\nend 1\n", "doesn't serve such calls"},
      {HEAD "alltoall 65536 shuffle 0 100\nend 1\n", "native's time"},
      {HEAD "alltoall 65536 shuffle 200 x\nend 1\n", "the time"},
      {HEAD "alltoall 65536 shuffle 200 100 7\nend 1\n", ""},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct tny_guard_results read = {0};
    struct tny_error error = {0};
    write_text(rows[i].text);
    if (tny_learn_read(path, &key, &read, &error) != TNY_BAD_INPUT)
      fail_msg("row %zu is read", i);
    assert_int_equal(read.count, 0);
    assert_string_equal(error.file, path);
    if (!strstr(error.text, rows[i].says))
      fail_msg("'%s' doesn't say '%s'", error.text, rows[i].says);
    tny_guard_results_release(&read);
  }
}

static void a_file_that_cannot_be_written_stays_as_it_is(void **state)
{
  struct tny_guard_results results = {0};
  struct tny_error error = {0};
  char *text = NULL;
  (void)state;
  put(&results, 16, "shuffle");
  assert_int_equal(tny_learn_write("/no/such/folder/file", &key, &results, &error), TNY_SYSTEM);
  assert_string_equal(error.file, "/no/such/folder/file");
  write_text("as it was");
  tny_alloc_fail_from(1);
  assert_int_equal(tny_learn_write(path, &key, &results, NULL), TNY_NO_MEMORY);
  tny_alloc_fail_from(0);
  assert_int_equal(tny_file_read(path, &text, NULL), TNY_OK);
  assert_string_equal(text, "as it was");
  tny_text_free(text);
  tny_guard_results_release(&results);
}

/* Those settled last, where there are more than a communicator is handed. */
static void the_last_results_are_handed_on(void **state)
{
  int64_t words[TNY_GUARD_HANDED * TNY_GUARD_RESULT_WORDS];
  struct tny_guard_results results = {0};
  (void)state;
  for (uint32_t number = 0; number < 30; number++)
    put(&results, number, number % 2 ? "bruck:4" : NULL);
  put(&results, 3, "shuffle");
  results.list[28].is_read = true;
  assert_int_equal(results.count, 30);
  assert_int_equal(tny_guard_results_pack(&results, words), TNY_GUARD_HANDED);
  const struct tny_guard_result first = tny_guard_result_unpack(words);
  const struct tny_guard_result second = tny_guard_result_unpack(words + TNY_GUARD_RESULT_WORDS);
  const struct tny_guard_result third = tny_guard_result_unpack(words + 2 * TNY_GUARD_RESULT_WORDS);
  assert_int_equal(first.number, 3);
  assert_string_equal(first.choice.algorithm->name, "shuffle");
  assert_true(!first.is_read && second.is_read && !third.is_read);
  assert_int_equal(second.number, 29);
  assert_int_equal(second.choice.parameter, 4);
  assert_int_equal(third.number, 28);
  assert_null(third.choice.algorithm);
  assert_true(first.settled_ns == 1.5e6);
  tny_guard_results_release(&results);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read_again),
      cmocka_unit_test(a_file_that_is_not_there_has_nothing),
      cmocka_unit_test(a_broken_file_is_refused_whole),
      cmocka_unit_test(a_file_that_cannot_be_written_stays_as_it_is),
      cmocka_unit_test(the_last_results_are_handed_on),
  };
  snprintf(path, sizeof path, "/tmp/tourney-learn-%ld", (long)getpid());
  const int failures = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failures;
}
