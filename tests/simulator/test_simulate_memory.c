/* Every allocation of the simulator fails once: each time the answer is TNY_NO_MEMORY, nothing is
   handed over, and (under the leak checker) nothing is lost. */
#include "simulate_support.h"
#include "support/memory.h"

#include <tourney/exchange.h>

struct subject {
  struct bench bench;
  const struct tny_schedule *schedule;
  const uint64_t *sizes;
  const char *goal;
};

static enum tny_status run(const struct subject *subject, const struct tny_program *program,
                           struct tny_error *error)
{
  struct tny_simulation *simulation;
  const enum tny_status status = tny_simulate(&subject->bench.network, &subject->bench.hosts,
                                              program, NULL, &simulation, NULL, error);
  assert_true((simulation == NULL) == (status != TNY_OK));
  tny_simulation_free(simulation);
  return status;
}

static enum tny_status simulate_schedule(const void *of, struct tny_error *error)
{
  const struct subject *subject = of;
  struct tny_program *program;
  enum tny_status status = tny_program_make(subject->schedule, 10, subject->sizes, &program, error);
  assert_true((program == NULL) == (status != TNY_OK));
  if (status == TNY_OK)
    status = run(subject, program, error);
  tny_program_free(program);
  return status;
}

static enum tny_status simulate_goal(const void *of, struct tny_error *error)
{
  const struct subject *subject = of;
  struct tny_foreign *foreign;
  struct tny_program *program = NULL;
  enum tny_status status = tny_goal_read(subject->goal, "test.goal", &foreign, error);
  if (status == TNY_OK) {
    status = tny_foreign_program(foreign, &program, error);
    assert_true((program == NULL) == (status != TNY_OK));
  }
  if (status == TNY_OK)
    status = run(subject, program, error);
  tny_program_free(program);
  tny_foreign_free(foreign);
  return status;
}

/* Also finds the cycle of a deadlock. */
static enum tny_status find_cycle(const void *of, struct tny_error *error)
{
  const struct subject *subject = of;
  struct tny_simulation *simulation;
  char *cycle = NULL;
  const enum tny_status status =
      tny_simulate(&subject->bench.network, &subject->bench.hosts, &subject->bench.program, NULL,
                   &simulation, &cycle, error);
  assert_true((cycle == NULL) == (status != TNY_BROKEN));
  tny_text_free(cycle);
  if (status == TNY_BROKEN)
    *error = (struct tny_error){0};
  return status == TNY_BROKEN ? TNY_OK : status;
}

static void simulating_a_schedule_survives_any_failed_allocation(void **state)
{
  (void)state;
  static const uint64_t sizes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  struct subject subject = {.sizes = sizes};
  bench_open(&subject.bench, "switches:2+2", 0);
  struct tny_problem problem = subject.bench.setting.problem;
  problem.collective = TNY_ALLTOALL;
  struct tny_schedule *schedule;
  assert_int_equal(tny_plan_all(tny_algorithm_find(TNY_ALLTOALL, "shift"), &problem,
                                (struct tny_pace){.chunk_count = 1}, &schedule, NULL),
                   TNY_OK);
  subject.schedule = schedule;
  subject.bench.hosts.with_barrier = true;
  subject.bench.hosts.send_ns = 3;
  starve(simulate_schedule, &subject);
  subject.bench.hosts.with_barrier = false;
  subject.bench.network.is_synchronizing = true;
  subject.sizes = NULL;
  starve(simulate_schedule, &subject);
  tny_schedule_free(schedule);
  bench_close(&subject.bench);
}

static void simulating_blocks_that_all_ranks_know_survives_any_failed_allocation(void **state)
{
  (void)state;
  static const uint64_t sizes[4] = {0, 3, 10, 20};
  struct subject subject = {.sizes = sizes};
  bench_open(&subject.bench, "switches:2+2", 0);
  struct tny_problem problem = subject.bench.setting.problem;
  problem.collective = TNY_REDUCE_SCATTER;
  struct tny_schedule *schedule;
  assert_int_equal(tny_plan_all(tny_algorithm_find(TNY_REDUCE_SCATTER, "ring"), &problem,
                                (struct tny_pace){.chunk_count = 3}, &schedule, NULL),
                   TNY_OK);
  subject.schedule = schedule;
  starve(simulate_schedule, &subject);
  tny_schedule_free(schedule);
  bench_close(&subject.bench);
}

static void simulating_a_goal_file_survives_any_failed_allocation(void **state)
{
  (void)state;
  struct subject subject = {.goal = "num_ranks 2\n"
                                    "rank 0 {\na: calc 9\nb: calc 9\nc: send 8b to 1\n"
                                    "c irequires a\nc irequires b\n}\n"
                                    "rank 1 {\nrecv 8b from 0\n}\n"};
  bench_open(&subject.bench, "single:2", 0);
  starve(simulate_goal, &subject);
  bench_close(&subject.bench);
}

static void telling_a_deadlock_survives_any_failed_allocation(void **state)
{
  (void)state;
  struct subject subject = {0};
  struct bench *bench = &subject.bench;
  bench_open(bench, "single:2", 0);
  for (uint32_t rank = 0; rank < 2; rank++) {
    const uint32_t recv = add_message(bench, rank, TNY_OP_RECV, 10);
    add_message(bench, rank, TNY_OP_SEND, 10);
    wait_for(bench, recv);
  }
  join(bench, 1, 2);
  join(bench, 3, 0);
  starve(find_cycle, &subject);
  bench_close(bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simulating_a_schedule_survives_any_failed_allocation),
      cmocka_unit_test(simulating_blocks_that_all_ranks_know_survives_any_failed_allocation),
      cmocka_unit_test(simulating_a_goal_file_survives_any_failed_allocation),
      cmocka_unit_test(telling_a_deadlock_survives_any_failed_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
