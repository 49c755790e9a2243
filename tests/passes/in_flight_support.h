/* What the tests of what is in flight share: plans, and the counts for each of their links.
   Included once by each test program. */
#ifndef TOURNEY_TESTS_IN_FLIGHT_SUPPORT_H
#define TOURNEY_TESTS_IN_FLIGHT_SUPPORT_H

#include "support/setting.h"

#include <tourney/model.h>
#include <tourney/verify.h>

/* What a schedule may have in flight over each link of a setting. */
struct link_counts {
  struct tny_budget *budgets;
  uint32_t *exact, *windows;
  bool *is_kept;
};

static inline void count_in_flight(struct link_counts *counts, const struct setting *setting,
                                   const struct tny_schedule *schedule, uint32_t window)
{
  const uint32_t link_count = setting->cluster->link_count;
  counts->budgets = tny_new(link_count, sizeof *counts->budgets);
  counts->exact = tny_new(link_count, sizeof *counts->exact);
  counts->windows = tny_new(link_count, sizeof *counts->windows);
  counts->is_kept = tny_new(link_count, sizeof *counts->is_kept);
  assert_true(counts->budgets && counts->exact && counts->windows && counts->is_kept);
  assert_int_equal(tny_verify_in_flight(schedule, &setting->network, 100000, counts->exact, NULL),
                   TNY_OK);
  assert_int_equal(tny_model_budgets(schedule, &setting->network, window, counts->budgets, NULL),
                   TNY_OK);
}

static inline void release_counts(struct link_counts *counts)
{
  tny_free(counts->budgets);
  tny_free(counts->exact);
  tny_free(counts->windows);
  tny_free(counts->is_kept);
}

/* NULL: the algorithm doesn't serve this, or its schedule's links can't be limited. */
static inline struct tny_schedule *plan(const struct setting *setting,
                                        const struct tny_algorithm *algorithm, struct tny_pace pace)
{
  struct tny_problem problem = setting->problem;
  problem.collective = algorithm->collective;
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  if (tny_algorithm_refusal(algorithm, &problem))
    return NULL;
  const enum tny_status status = tny_plan_all(algorithm, &problem, pace, &schedule, &error);
  if (status == TNY_REFUSED && pace.limit_message_bytes > 0)
    return NULL;
  if (status != TNY_OK)
    fail_msg("%s on %s: %s", algorithm->name, setting->cluster->name, error.text);
  return schedule;
}

static inline struct tny_schedule *plan_by_name(const struct setting *setting,
                                                enum tny_collective collective, const char *name,
                                                struct tny_pace pace)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, name);
  assert_non_null(algorithm);
  struct tny_schedule *schedule = plan(setting, algorithm, pace);
  assert_non_null(schedule);
  return schedule;
}

static inline struct tny_report prove(const struct tny_schedule *schedule)
{
  struct tny_report report;
  struct tny_error error = {0};
  if (tny_verify_schedule(schedule, &report, &error) != TNY_OK)
    fail_msg("%s, %u ranks: %s", schedule->algorithm, schedule->rank_count, error.text);
  return report;
}

#endif
