/* In-flight budgets: what can be outstanding over a link, by clocks and by windows, against the
   exact count; and links limited to their windows. */
#include "in_flight_support.h"
#include "support/memory.h"
#include "support/sample.h"

#include <tourney/separate.h>

static const char *const clusters[] = {
    "single:5",     "switches:2+3", "switches:3+2+4", "torus:3x3", "irregular:14,switches=2",
    "switches:1+7", "zones:4+3",    "mesh:2x3",
};
enum { CLUSTERS = sizeof clusters / sizeof *clusters };

/* With these bytes a port buffer (64 KiB) holds 16, 4, 2 and 4 messages. */
static const struct tny_pace paces[] = {
    {1, 0, 0},    {3, 1, 0},     {2, 2, 0},     {4, 3, 0},
    {3, 1, 4096}, {4, 2, 16384}, {2, 0, 32768}, {1, 0, 16384},
};

/* --- budgets --- */

/* How many links' budgets are exact. */
static uint32_t check_budgets(const struct setting *setting, const struct tny_schedule *schedule,
                              struct tny_pace pace)
{
  struct link_counts counts;
  uint32_t exact = 0;
  count_in_flight(&counts, setting, schedule, pace.window);
  for (uint32_t link = 0; link < setting->cluster->link_count; link++) {
    const struct tny_budget *budget = &counts.budgets[link];
    if (budget->at_worst < counts.exact[link])
      fail_msg("%s %s chunks %u window %u limit %u, link %u: %u at worst, but %u are possible",
               setting->cluster->name, schedule->algorithm, pace.chunk_count, pace.window,
               pace.limit_message_bytes, link, budget->at_worst, counts.exact[link]);
    assert_true(budget->in_step <= budget->at_worst);
    assert_true(budget->at_worst <= budget->messages);
    exact += budget->at_worst == counts.exact[link];
  }
  release_counts(&counts);
  return exact;
}

static void no_budget_is_below_what_can_be_in_flight(void **state)
{
  (void)state;
  uint32_t links = 0, exact = 0;
  for (size_t i = 0; i < CLUSTERS; i++) {
    struct setting setting;
    set_up(&setting, clusters[i], i % 2 ? TNY_MAP_INTERLEAVED : TNY_MAP_BLOCK, 0);
    for (const struct tny_algorithm *const *a = tny_algorithms; *a; a++) {
      for (size_t k = 0; k < sizeof paces / sizeof *paces; k++) {
        struct tny_schedule *schedule = is_sampled() ? plan(&setting, *a, paces[k]) : NULL;
        if (!schedule)
          continue;
        prove(schedule);
        exact += check_budgets(&setting, schedule, paces[k]);
        links += setting.cluster->link_count;
        tny_schedule_free(schedule);
      }
    }
    tear_down(&setting);
  }
  assert_true(links > sample_of(10000));
  assert_true(exact > links / 10 * 7); /* a bound that is worth having */
}

static void a_ring_may_have_a_window_of_each_rank_on_one_link(void **state)
{
  (void)state;
  struct setting setting;
  struct link_counts counts;
  set_up(&setting, "switches:3+3", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_by_name(&setting, TNY_ALLGATHER, "switch-ordered-ring",
                                               (struct tny_pace){.chunk_count = 4, .window = 2});
  count_in_flight(&counts, &setting, schedule, 2);
  for (uint32_t link = 0; link < setting.cluster->link_count; link++) {
    assert_int_equal(counts.budgets[link].in_step, 2);
    assert_int_equal(counts.budgets[link].at_worst, 6 * 2);
    assert_int_equal(counts.exact[link], 6 * 2);
  }
  release_counts(&counts);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void credits_keep_a_chain_to_its_window(void **state)
{
  (void)state;
  struct setting setting;
  struct link_counts counts;
  set_up(&setting, "switches:3+3", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_by_name(&setting, TNY_BROADCAST, "switch-ordered-chain",
                                               (struct tny_pace){.chunk_count = 9, .window = 3});
  count_in_flight(&counts, &setting, schedule, 0);
  for (uint32_t link = 0; link < setting.cluster->link_count; link++)
    assert_int_equal(counts.budgets[link].at_worst, counts.budgets[link].messages > 0 ? 3 : 0);
  release_counts(&counts);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void only_the_wanted_links_are_counted(void **state)
{
  (void)state;
  struct setting setting;
  struct link_counts counts;
  uint32_t some[64];
  bool wanted[64];
  set_up(&setting, "switches:3+2+4", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_by_name(&setting, TNY_ALLTOALL, "shuffle", paces[1]);
  count_in_flight(&counts, &setting, schedule, 1);
  for (uint32_t link = 0; link < setting.cluster->link_count; link++) {
    wanted[link] = link % 3 == 0;
    some[link] = 12345;
  }
  assert_int_equal(tny_verify_in_flight_on(schedule, &setting.network, wanted, some, NULL), TNY_OK);
  for (uint32_t link = 0; link < setting.cluster->link_count; link++)
    assert_int_equal(some[link], wanted[link] ? counts.exact[link] : 12345);
  release_counts(&counts);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

/* --- windows --- */

/* Holds all links to a window, each to one more than the one before, and proves it. Links with one
   message a phase are limited for sure. */
static void check_hold(const struct setting *setting, const struct tny_schedule *in,
                       uint32_t window, bool may_wait)
{
  struct link_counts counts;
  struct tny_schedule *limited;
  struct tny_separation_report report;
  count_in_flight(&counts, setting, in, 1);
  for (uint32_t link = 0; link < setting->cluster->link_count; link++)
    counts.windows[link] = window + link % 3;
  const struct tny_windows windows = {&setting->network, counts.windows, may_wait};
  assert_int_equal(tny_pass_limit_links(in, &windows, &limited, &report, NULL), TNY_OK);
  assert_int_equal(prove(limited).tokens, report.tokens);
  assert_int_equal(report.conflicts, report.redundant + report.waits + report.tokens);
  assert_int_equal(tny_verify_in_flight(limited, &setting->network, 100000, counts.exact, NULL),
                   TNY_OK);
  assert_int_equal(tny_windows_check(limited, &windows, counts.is_kept, NULL), TNY_OK);
  for (uint32_t link = 0; link < setting->cluster->link_count; link++)
    if (counts.budgets[link].in_step <= 1 &&
        (counts.exact[link] > counts.windows[link] || !counts.is_kept[link]))
      fail_msg("%s on %s, %u chunks: %u on link %u, which is limited to %u", in->algorithm,
               setting->cluster->name, in->chunk_count, counts.exact[link], link,
               counts.windows[link]);
  release_counts(&counts);
  tny_schedule_free(limited);
}

static void a_limited_link_never_has_more_than_its_window(void **state)
{
  (void)state;
  static const struct tny_pace clocks[] = {{1, 0, 0}, {4, 0, 0}, {3, 1, 0}, {4, 3, 0}};
  for (size_t i = 0; i < CLUSTERS; i++) {
    struct setting setting;
    set_up(&setting, clusters[i], TNY_MAP_BLOCK, 0);
    for (const struct tny_algorithm *const *a = tny_algorithms; *a; a++) {
      for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++) {
        struct tny_schedule *schedule =
            ((*a)->pacing == TNY_PACE_RECEIVES || (*a)->pacing == TNY_PACE_LINKS) && is_sampled()
                ? plan(&setting, *a, clocks[k])
                : NULL;
        for (uint32_t window = 1; schedule && window <= 16; window = 2 * window + 1) {
          check_hold(&setting, schedule, window, false);
          check_hold(&setting, schedule, window, true);
        }
        tny_schedule_free(schedule);
      }
    }
    tear_down(&setting);
  }
}

static void a_window_is_said_to_be_kept_only_where_it_is(void **state)
{
  (void)state;
  uint32_t kept = 0, not_shown = 0;
  for (size_t i = 0; i < CLUSTERS; i++) {
    struct setting setting;
    set_up(&setting, clusters[i], TNY_MAP_BLOCK, 0);
    for (const struct tny_algorithm *const *a = tny_algorithms; *a; a++) {
      struct tny_schedule *schedule = plan(&setting, *a, paces[1]);
      struct link_counts counts;
      if (!schedule)
        continue;
      count_in_flight(&counts, &setting, schedule, 1);
      const struct tny_windows windows = {.network = &setting.network, .messages = counts.windows};
      for (uint32_t window = 1; window <= 8; window++) {
        for (uint32_t link = 0; link < setting.cluster->link_count; link++)
          counts.windows[link] = window;
        if (tny_windows_check(schedule, &windows, counts.is_kept, NULL) != TNY_OK)
          break; /* no phases */
        for (uint32_t link = 0; link < setting.cluster->link_count; link++) {
          assert_true(!counts.is_kept[link] || counts.exact[link] <= window);
          kept += counts.is_kept[link];
          not_shown += !counts.is_kept[link] && counts.exact[link] <= window;
        }
      }
      release_counts(&counts);
      tny_schedule_free(schedule);
    }
    tear_down(&setting);
  }
  assert_true(kept > 4 * not_shown); /* a check that is worth having */
}

static void what_follows_anyway_needs_no_token(void **state)
{
  (void)state;
  struct setting setting;
  struct tny_schedule *limited;
  struct tny_separation_report report;
  uint32_t messages[64];
  set_up(&setting, "single:16", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_by_name(&setting, TNY_ALLTOALL, "shuffle",
                                               (struct tny_pace){.chunk_count = 4, .window = 1});
  const struct tny_windows windows = {.network = &setting.network, .messages = messages};
  for (uint32_t link = 0; link < setting.cluster->link_count; link++)
    messages[link] = 12;
  assert_int_equal(tny_pass_limit_links(schedule, &windows, &limited, &report, NULL), TNY_OK);
  assert_true(report.conflicts > 1000);
  assert_int_equal(report.tokens + report.waits, 0);
  tny_schedule_free(limited);
  for (uint32_t link = 0; link < setting.cluster->link_count; link++)
    messages[link] = 0;
  assert_int_equal(tny_pass_limit_links(schedule, &windows, &limited, &report, NULL), TNY_OK);
  assert_int_equal(report.conflicts, 0);
  tny_schedule_free(limited);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

/* How many tokens it takes to limit each link to 12 messages. */
static uint64_t tokens_of(const struct setting *setting, const struct tny_schedule *schedule,
                          bool may_wait)
{
  struct tny_schedule *limited;
  struct tny_separation_report report;
  uint32_t messages[64];
  for (uint32_t link = 0; link < setting->cluster->link_count; link++)
    messages[link] = 12;
  const struct tny_windows windows = {&setting->network, messages, may_wait};
  assert_int_equal(tny_pass_limit_links(schedule, &windows, &limited, &report, NULL), TNY_OK);
  assert_int_equal(report.open, 0);
  tny_schedule_free(limited);
  return report.tokens;
}

static void sends_that_wait_for_their_ranks_receives_save_tokens(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:5+11", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule =
      plan_by_name(&setting, TNY_ALLTOALL, "tree-phases", (struct tny_pace){.chunk_count = 4});
  const uint64_t with = tokens_of(&setting, schedule, true);
  const uint64_t without = tokens_of(&setting, schedule, false);
  print_message("%llu messages, %llu tokens, %llu where sends do not wait\n",
                (unsigned long long)prove(schedule).messages, (unsigned long long)with,
                (unsigned long long)without);
  assert_true(with > 0 && 3 * with < 2 * without);
  assert_true(5 * with < 3 * prove(schedule).messages);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void one_token_serves_several_messages_in_a_row(void **state)
{
  (void)state;
  struct setting setting;
  set_up(&setting, "switches:8+8", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule =
      plan_by_name(&setting, TNY_ALLGATHER, "switch-ordered-ring",
                   (struct tny_pace){.chunk_count = 16, .limit_message_bytes = 4096});
  const struct tny_report report = prove(schedule);
  assert_true(report.tokens > 0);
  assert_true(report.tokens <= report.messages / 2);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static bool same_steps(const struct tny_steps *a, const struct tny_steps *b)
{
  return a->count == b->count && a->after_total == b->after_total &&
         memcmp(a->steps, b->steps, a->count * sizeof *a->steps) == 0 &&
         (a->after_total == 0 ||
          memcmp(a->after, b->after, a->after_total * sizeof *a->after) == 0);
}

static void a_rank_plans_its_part_of_a_limited_schedule(void **state)
{
  (void)state;
  const struct tny_pace pace = {.chunk_count = 4, .limit_message_bytes = 5376};
  struct setting setting;
  set_up(&setting, "switches:2+5", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_by_name(&setting, TNY_ALLTOALL, "tree-phases", pace);
  struct tny_problem problem = setting.problem;
  problem.collective = TNY_ALLTOALL;
  assert_true(prove(schedule).tokens > 0);
  for (uint32_t rank = 0; rank < problem.rank_count; rank++) {
    struct tny_steps steps;
    assert_int_equal(tny_plan_rank(tny_algorithm_find(TNY_ALLTOALL, "tree-phases"), &problem, pace,
                                   rank, &steps, NULL),
                     TNY_OK);
    assert_true(same_steps(&steps, &schedule->ranks[rank]));
    tny_steps_release(&steps);
  }
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void links_are_limited_only_where_there_is_a_cluster(void **state)
{
  (void)state;
  const struct tny_problem problem = {.collective = TNY_ALLTOALL, .rank_count = 4};
  const struct tny_pace pace = {.chunk_count = 1, .limit_message_bytes = 4096};
  struct tny_schedule *schedule;
  assert_int_equal(
      tny_plan_all(tny_algorithm_find(TNY_ALLTOALL, "shuffle"), &problem, pace, &schedule, NULL),
      TNY_REFUSED);
}

/* A schedule whose links are limited, and room for what is counted on them. */
struct limiting {
  const struct tny_schedule *schedule;
  const struct tny_network *network;
  struct link_counts *counts;
};

static enum tny_status limit_and_count(const void *subject, struct tny_error *error)
{
  const struct limiting *of = subject;
  const struct tny_windows windows = {of->network, of->counts->windows, true};
  struct tny_schedule *limited = NULL;
  enum tny_status status = tny_pass_limit_links(of->schedule, &windows, &limited, NULL, error);
  tny_schedule_free(limited);
  if (status == TNY_OK)
    status = tny_windows_check(of->schedule, &windows, of->counts->is_kept, error);
  if (status == TNY_OK)
    status = tny_model_budgets(of->schedule, of->network, 2, of->counts->budgets, error);
  if (status == TNY_OK)
    status = tny_verify_in_flight(of->schedule, of->network, 1000, of->counts->exact, error);
  return status;
}

static void no_memory_is_said_and_nothing_leaks(void **state)
{
  (void)state;
  struct setting setting;
  struct link_counts counts;
  set_up(&setting, "switches:2+3", TNY_MAP_BLOCK, 0);
  struct tny_schedule *schedule = plan_by_name(&setting, TNY_ALLTOALL, "shuffle", paces[2]);
  count_in_flight(&counts, &setting, schedule, 2);
  for (uint32_t link = 0; link < setting.cluster->link_count; link++)
    counts.windows[link] = 3;
  const struct limiting limiting = {schedule, &setting.network, &counts};
  assert_true(starve(limit_and_count, &limiting) > 0);
  release_counts(&counts);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_budget_is_below_what_can_be_in_flight),
      cmocka_unit_test(a_ring_may_have_a_window_of_each_rank_on_one_link),
      cmocka_unit_test(credits_keep_a_chain_to_its_window),
      cmocka_unit_test(only_the_wanted_links_are_counted),
      cmocka_unit_test(a_limited_link_never_has_more_than_its_window),
      cmocka_unit_test(a_window_is_said_to_be_kept_only_where_it_is),
      cmocka_unit_test(what_follows_anyway_needs_no_token),
      cmocka_unit_test(sends_that_wait_for_their_ranks_receives_save_tokens),
      cmocka_unit_test(one_token_serves_several_messages_in_a_row),
      cmocka_unit_test(a_rank_plans_its_part_of_a_limited_schedule),
      cmocka_unit_test(links_are_limited_only_where_there_is_a_cluster),
      cmocka_unit_test(no_memory_is_said_and_nothing_leaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
