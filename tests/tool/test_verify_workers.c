/* Worker processes: each task is done once, the first failure ends all, none outlives its parent.
   */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/verify/workers.h"
#include "core/error.h"

enum { TASKS = 500 };

struct taken {
  uint32_t times[TASKS];
  uint64_t squares;
};

static enum tny_status square(void *context, uint32_t task, void *result, struct tny_error *error)
{
  (void)context;
  (void)error;
  *(uint64_t *)result = (uint64_t)task * task;
  return TNY_OK;
}

static void take(void *context, uint32_t task, const void *result)
{
  struct taken *taken = context;
  taken->times[task]++;
  taken->squares += *(const uint64_t *)result;
}

static void each_task_is_done_once_and_its_result_is_taken(void **state)
{
  (void)state;
  for (uint32_t workers = 1; workers <= 3; workers++) {
    struct taken taken = {0};
    struct tny_error error = {0};
    const struct verify_workers wanted = {.worker_count = workers,
                                          .task_count = TASKS,
                                          .result_bytes = sizeof(uint64_t),
                                          .work = square,
                                          .take = take,
                                          .context = &taken};
    assert_int_equal(verify_workers_run(&wanted, &error), TNY_OK);
    for (uint32_t task = 0; task < TASKS; task++)
      assert_int_equal(taken.times[task], 1);
    assert_int_equal(taken.squares, (uint64_t)(TASKS - 1) * TASKS * (2 * TASKS - 1) / 6);
  }
}

static enum tny_status fail_at_seven(void *context, uint32_t task, void *result,
                                     struct tny_error *error)
{
  if (task == 7)
    return tny_error_set(error, TNY_BROKEN, "task seven is wrong");
  if (task > 7)
    pause(); /* until it is ended */
  return square(context, task, result, error);
}

static void the_first_failure_ends_all_and_is_told(void **state)
{
  (void)state;
  struct taken taken = {0};
  struct tny_error error = {0};
  const struct verify_workers wanted = {.worker_count = 3,
                                        .task_count = TASKS,
                                        .result_bytes = sizeof(uint64_t),
                                        .work = fail_at_seven,
                                        .take = take,
                                        .context = &taken};
  assert_int_equal(verify_workers_run(&wanted, &error), TNY_BROKEN);
  assert_string_equal(error.text, "task seven is wrong");
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

static enum tny_status die_at_seven(void *context, uint32_t task, void *result,
                                    struct tny_error *error)
{
  if (task == 7)
    raise(SIGKILL);
  return square(context, task, result, error);
}

static void a_worker_that_is_killed_is_missed(void **state)
{
  (void)state;
  struct taken taken = {0};
  struct tny_error error = {0};
  const struct verify_workers wanted = {.worker_count = 2,
                                        .task_count = TASKS,
                                        .result_bytes = sizeof(uint64_t),
                                        .work = die_at_seven,
                                        .take = take,
                                        .context = &taken};
  assert_int_equal(verify_workers_run(&wanted, &error), TNY_SYSTEM);
  assert_non_null(strstr(error.text, "499 of 500"));
}

/* Tells that it runs by a byte into the pipe, which it keeps open as long as it lives. */
static enum tny_status tell_and_stay(void *context, uint32_t task, void *result,
                                     struct tny_error *error)
{
  (void)result;
  const int *descriptor = context;
  if (write(*descriptor, "x", 1) != 1)
    return tny_error_set(error, TNY_SYSTEM, "task %u can't write", task);
  pause();
  return TNY_OK;
}

static void workers_end_with_the_process_that_started_them(void **state)
{
  (void)state;
  int ends[2];
  char byte;
  assert_int_equal(pipe(ends), 0);
  const pid_t parent = fork();
  assert_true(parent >= 0);
  if (parent == 0) {
    close(ends[0]);
    const struct verify_workers wanted = {
        .worker_count = 2, .task_count = 2, .work = tell_and_stay, .context = &ends[1]};
    _exit(verify_workers_run(&wanted, NULL) == TNY_OK ? 0 : 1);
  }
  close(ends[1]);
  assert_int_equal(read(ends[0], &byte, 1), 1);
  assert_int_equal(read(ends[0], &byte, 1), 1);
  assert_int_equal(kill(parent, SIGINT), 0); /* as a Ctrl-C does */
  assert_int_equal(waitpid(parent, NULL, 0), parent);
  alarm(20); /* rather than wait for ever */
  assert_int_equal(read(ends[0], &byte, 1), 0);
  alarm(0);
  close(ends[0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_task_is_done_once_and_its_result_is_taken),
      cmocka_unit_test(the_first_failure_ends_all_and_is_told),
      cmocka_unit_test(a_worker_that_is_killed_is_missed),
      cmocka_unit_test(workers_end_with_the_process_that_started_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
