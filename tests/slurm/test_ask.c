/* How the plugin asks a program, and what it hands over of the answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "core/alloc.h"
#include "slurm/ask.h"
#include "slurm/carry.h"

enum { SECONDS = 30 };

static enum tny_status ask(const char *script, int seconds, struct tny_slurm_answer *answer,
                           struct tny_error *error)
{
  char *const command[] = {(char *)"/bin/sh", (char *)"-c", (char *)script, NULL};
  return tny_slurm_ask(command, seconds, answer, error);
}

/* This process has no child left. */
static void expect_no_child(void)
{
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
}

static void an_answer_is_all_that_was_said(void **state)
{
  (void)state;
  struct tny_slurm_answer answer;
  assert_int_equal(
      ask("printf 'A=1\\0B=2\\0'; echo first >&2; echo second >&2", SECONDS, &answer, NULL),
      TNY_OK);
  assert_int_equal(answer.said_bytes, 8);
  assert_memory_equal(answer.said, "A=1\0B=2\0", 9);
  assert_string_equal(answer.complaint, "first");
  tny_slurm_answer_release(&answer);
  expect_no_child();
}

static void much_on_both_outputs_is_read(void **state)
{
  (void)state;
  struct tny_slurm_answer answer;
  assert_int_equal(
      ask("head -c 300000 /dev/zero >&2; head -c 300001 /dev/zero", SECONDS, &answer, NULL),
      TNY_OK);
  assert_int_equal(answer.said_bytes, 300001);
  tny_slurm_answer_release(&answer);
}

static void a_failure_is_told_in_the_programs_own_words(void **state)
{
  (void)state;
  struct tny_slurm_answer answer;
  struct tny_error error = {0};
  assert_int_equal(ask("echo said; echo 'no such thing' >&2; exit 2", SECONDS, &answer, &error),
                   TNY_SYSTEM);
  assert_string_equal(error.text, "no such thing");
  tny_slurm_answer_release(&answer);
  error = (struct tny_error){0};
  assert_int_equal(ask("kill -9 $$", SECONDS, &answer, &error), TNY_SYSTEM);
  assert_string_equal(error.text, "it fails");
  tny_slurm_answer_release(&answer);
  char *const missing[] = {(char *)"/nowhere/tool", NULL};
  error = (struct tny_error){0};
  assert_int_equal(tny_slurm_ask(missing, SECONDS, &answer, &error), TNY_SYSTEM);
  assert_string_equal(error.text, "it can't be started: No such file or directory");
  tny_slurm_answer_release(&answer);
  expect_no_child();
}

static void who_takes_too_long_is_ended(void **state)
{
  (void)state;
  struct tny_slurm_answer answer;
  struct tny_error error = {0};
  const time_t begun = time(NULL);
  assert_int_equal(ask("exec sleep 100", 1, &answer, &error), TNY_SYSTEM);
  assert_string_equal(error.text, "it takes more than 1 s");
  assert_true(time(NULL) - begun < 50);
  tny_slurm_answer_release(&answer);
  expect_no_child();
}

/* srun blocks signals, and its children would inherit that. */
static void signals_are_as_a_shells_child_has_them(void **state)
{
  (void)state;
  struct tny_slurm_answer answer;
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  signal(SIGINT, SIG_IGN);
  assert_int_equal(ask("exec grep -E '^Sig(Blk|Ign)' /proc/self/status", SECONDS, &answer, NULL),
                   TNY_OK);
  signal(SIGINT, SIG_DFL);
  sigprocmask(SIG_SETMASK, &before, NULL);
  unsigned long long blocked, ignored; /* glibc's own two signals may be ignored, and stay so */
  assert_int_equal(sscanf(answer.said, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored), 2);
  assert_true(blocked == 0 && (ignored & 1ULL << (SIGINT - 1)) == 0);
  tny_slurm_answer_release(&answer);
}

static void no_memory_is_an_error_and_leaves_no_child(void **state)
{
  (void)state;
  struct tny_slurm_answer answer;
  tny_alloc_fail_from(1);
  assert_int_equal(ask("echo said; sleep 100", SECONDS, &answer, NULL), TNY_NO_MEMORY);
  tny_alloc_fail_from(0);
  tny_slurm_answer_release(&answer);
  expect_no_child();
}

static void variables_are_carried_and_taken_back(void **state)
{
  (void)state;
  extern char **environ;
  static const char said[] = "TOURNEY_A=1=2\0nothing\0B=\0";
  size_t name;
  setenv("SLURM_TOURNEY_OLD", "1", 1);
  tny_slurm_carry_nothing();
  assert_null(tny_slurm_carried(environ, &name));
  assert_int_equal(tny_slurm_carry(said, sizeof said - 1, NULL), TNY_OK);
  assert_string_equal(getenv("SLURM_TOURNEY_TOURNEY_A"), "1=2");
  assert_string_equal(getenv("SLURM_TOURNEY_B"), "");

  char *const environment[] = {(char *)"X=SLURM_TOURNEY_", (char *)"SLURM_TOURNEY_C=3", NULL};
  assert_string_equal(tny_slurm_carried(environment, &name) + name, "C=3");

  tny_slurm_carry_nothing();
  assert_null(getenv("SLURM_TOURNEY_TOURNEY_A"));
  assert_null(tny_slurm_carried(environ, &name));
  tny_alloc_fail_from(2);
  assert_int_equal(tny_slurm_carry(said, sizeof said - 1, NULL), TNY_NO_MEMORY);
  tny_alloc_fail_from(0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_answer_is_all_that_was_said),
      cmocka_unit_test(much_on_both_outputs_is_read),
      cmocka_unit_test(a_failure_is_told_in_the_programs_own_words),
      cmocka_unit_test(who_takes_too_long_is_ended),
      cmocka_unit_test(signals_are_as_a_shells_child_has_them),
      cmocka_unit_test(no_memory_is_an_error_and_leaves_no_child),
      cmocka_unit_test(variables_are_carried_and_taken_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
